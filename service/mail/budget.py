"""How many mails people may cause: by account, by network address, by recipient.

What exceeds a budget is rejected before anything is written. Mails about a running game have no
budget: there are as many as there are turns. The local mailbox counts like a mail server.

st:{mails}:KIND:AXIS:DIGEST:SECONDS  set: what the mails of this kind are about, for so many seconds
                                     after the first
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from service.core import ids
from service.core.durations import HOUR
from service.core.errors import RequestRejected
from service.core.redis.client import Client

_DAY: Final = 24 * HOUR
_DOTS_MEAN_NOTHING: Final = ("gmail.com", "googlemail.com")

ACCOUNT: Final = "account"
NETWORK: Final = "network"
RECIPIENT: Final = "recipient"
PAIR: Final = "pair"
GAME: Final = "game"
CALLER: Final = "caller"
STRANGERS: Final = "strangers"
AXES: Final = (ACCOUNT, NETWORK, RECIPIENT, PAIR, GAME, CALLER, STRANGERS)

Amounts = Mapping[str, tuple[int, int]]
"""For each axis, how many mails per hour and per day."""

ASK: Final[Amounts] = {
    ACCOUNT: (30, 100),
    NETWORK: (120, 500),
    RECIPIENT: (20, 60),
    PAIR: (5, 10),
}
"""Challenges, counter-offers and invitations to another player."""
REMATCH: Final[Amounts] = {
    ACCOUNT: (30, 100),
    NETWORK: (120, 500),
    RECIPIENT: (20, 60),
    GAME: (3, 3),
}
"""Invitations to the rematch of a game that both have played."""
STRANGER: Final[Amounts] = {ACCOUNT: (5, 15), NETWORK: (10, 30), RECIPIENT: (3, 5)}
"""Invitations to an e-mail address."""
PROOF: Final[Amounts] = {ACCOUNT: (10, 20), NETWORK: (120, 500), RECIPIENT: (5, 20)}
"""Links that verify an address, which go to whatever address somebody typed in."""
SIGN_IN: Final[Amounts] = {NETWORK: (120, 500), CALLER: (4, 12), RECIPIENT: (20, 60)}
"""Links that sign in. One caller cannot use up what the owner of the mailbox needs."""
MAIL_IN: Final[Amounts] = {GAME: (60, 200), ACCOUNT: (300, 1000)}
"""Mails that come in from the player of a seat, in all games together too, as each may cost seconds
to read; and to other addresses that only we can have given."""
MAIL_OF_STRANGERS: Final[Amounts] = {STRANGERS: (30, 100)}
"""Mails that come in for a player's seat from anybody else: who knows its address uses up nothing
of its player's."""
ASTRAY: Final[Amounts] = {ACCOUNT: (10, 30), RECIPIENT: (600, 3000)}
"""Mails to the sender of our mails, by whom they say they are from, and in all: anybody may know
that address."""
ANSWER: Final[Amounts] = {GAME: (10, 30), RECIPIENT: (30, 100)}
"""Answers to mails that came in and played nothing, for each game and player: two machines that
answer each other stop."""
QUESTION: Final[Amounts] = ANSWER
"""Questions whether a game shall end, which nobody who wrote much else before may lack."""
LED_BACK: Final[Amounts] = {RECIPIENT: (5, 15)}
"""Answers to who wrote to the sender of our mails, which anybody can do in another's name."""
STRANGER_LED_BACK: Final[Amounts] = {RECIPIENT: (2, 5), STRANGERS: (60, 300)}
"""The same to an address that is no player's, and to all such addresses together."""
WARNING: Final[Amounts] = {RECIPIENT: (5, 15)}
"""Mails to a player that somebody else answered a mail of theirs, or in their name."""
MESSAGE: Final[Amounts] = {ACCOUNT: (60, 300), NETWORK: (300, 1500), GAME: (30, 120)}
"""Messages to the other player of a game, of which one mail may tell several."""
REPORT: Final[Amounts] = {ACCOUNT: (10, 30)}
"""Messages that a player reports to the operator."""
_KINDS: Final = {
    "message": MESSAGE,
    "report": REPORT,
    "mail-in": MAIL_IN,
    "mail-of-strangers": MAIL_OF_STRANGERS,
    "astray": ASTRAY,
    "answer": ANSWER,
    "question": QUESTION,
    "led-back": LED_BACK,
    "stranger-led-back": STRANGER_LED_BACK,
    "warning": WARNING,
    "ask": ASK,
    "rematch": REMATCH,
    "stranger": STRANGER,
    "proof": PROOF,
    "sign-in": SIGN_IN,
}
_SPENT: Final = {
    ACCOUNT: "Your account has caused too many mails.",
    NETWORK: "Your network address has caused too many mails.",
    RECIPIENT: "This recipient has been sent too many mails of this kind.",
    PAIR: "You have asked this player too often.",
    CALLER: "You have asked for too many links to this address.",
    GAME: "You have asked for a rematch of this game too often.",
}

_COMES_IN: Final = "Too many mails have come in for this."
_INCOMING: Final = ("mail-in", "mail-of-strangers", "astray")


class _Budget(NamedTuple):
    key: str
    amount: int
    seconds: int
    axis: str


class MailBudget:
    """Counts mails against budgets. `network` gives the network address of the caller, if there is
    one; unless `enabled`, nothing is counted."""

    def __init__(
        self, redis: Client, network: Callable[[], str | None], *, enabled: bool = True
    ) -> None:
        self._redis = redis
        self._network = network
        self._enabled = enabled
        script = Path(__file__).with_name("spend.lua").read_text()
        self._spend = redis.register_script(script)

    def spend(self, kind: str, about: str, **by: str | None) -> bool:
        """Count a mail of this kind, a key of `_KINDS`. Whether it was the last for a while.

        `by` says who stands on each axis; None is not counted. The same mail, `about`, counts only
        once. Raises `RequestRejected`, `too-many-mails`; then nothing is counted.
        """
        if not self._enabled:
            return False
        budgets = self._budgets(kind, by)
        args: list[str | int] = [about]
        for budget in budgets:
            args += [budget.amount, budget.seconds]
        spent, rest = self._spend(keys=[budget.key for budget in budgets], args=args)
        if spent:
            raise _over_budget(kind, budgets[spent - 1], rest)
        return bool(rest == 0)

    def give_back(self, kind: str, about: str, **by: str | None) -> None:
        """Take this mail back: the request that would have sent it was rejected."""
        for budget in self._budgets(kind, by):
            self._redis.srem(budget.key, about)

    def _budgets(self, kind: str, by: Mapping[str, str | None]) -> Sequence[_Budget]:
        network = self._network()
        caller = f"{network} {by.get(RECIPIENT)}" if network else None
        who = {NETWORK: network, CALLER: caller, **by}
        return [
            _Budget(_key(kind, axis, name, seconds), amount, seconds, axis)
            for axis, amounts in _KINDS[kind].items()
            if (name := who.get(axis)) is not None
            for amount, seconds in zip(amounts, (HOUR, _DAY), strict=True)
        ]


def folded(email: str) -> str:
    """The mailbox that an address leads to, as far as can be told: without case, without what
    follows a plus, and for Gmail without dots."""
    local, _, domain = email.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _DOTS_MEAN_NOTHING:
        return f"{local.replace('.', '')}@{_DOTS_MEAN_NOTHING[0]}"
    return f"{local}@{domain}"


def mailbox_of(email: str) -> str:
    """The recipient to count for this address: the same for all that lead to one mailbox."""
    return ids.digest(folded(email))


def _key(kind: str, axis: str, who: str, seconds: int) -> str:
    return f"st:{{mails}}:{kind}:{axis}:{ids.digest(who)}:{seconds}"


def _over_budget(kind: str, budget: _Budget, seconds: int) -> RequestRejected:
    said = _COMES_IN if kind in _INCOMING else _SPENT[budget.axis]
    detail = f"{said} Try again {_duration(seconds)}."
    return RequestRejected("too-many-mails", detail, budget=budget.axis, retry_after=seconds)


def _duration(seconds: int) -> str:
    minutes = -(-seconds // 60)
    if minutes > 90:
        return f"in {-(-minutes // 60)} hours"
    return f"in {minutes} minutes" if minutes > 1 else "in a minute"

"""Limits the mails that people may cause: by account, by network address, by recipient.

A request beyond a budget is rejected before anything is written. Mails about a running game have no
budget: the number of turns limits them. The local mailbox counts like a mail server.

st:{mails}:KIND:AXIS:DIGEST:SECONDS  set: the `about` of each mail counted (see `spend`). DIGEST is
                                     of the account, address or other holder of this budget. The set
                                     expires SECONDS, an hour or a day, after its first mail
st:{mails}:reading:DIGEST            milliseconds of processor time that reading mails of this
                                     sender, or of all strangers, has taken; for an hour
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.client import Client, Lua, counted
from service.core.times import HOUR
from service.core.words import N_

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
"""The ways to group mails, each with limits of its own. A `PAIR` is who asks and who is asked, a
`CALLER` a network address with one recipient. `GAME` stands for any text, such as a game and a
seat; `STRANGERS` counts mails from anybody but the player whom an address is for."""

Amounts = Mapping[str, tuple[int, int]]
"""For each axis, the most mails per hour and per day."""

_KINDS: Final[Mapping[str, Amounts]] = {
    # Challenges, on ladders too, counter-offers and invitations to another player.
    "ask": {ACCOUNT: (30, 100), NETWORK: (120, 500), RECIPIENT: (20, 60), PAIR: (5, 10)},
    # Mails that a challenge or an invitation is no longer open. One too many is not sent.
    "called-off": {RECIPIENT: (20, 60)},
    # Invitations to the rematch of a game that both have played.
    "rematch": {ACCOUNT: (30, 100), NETWORK: (120, 500), RECIPIENT: (20, 60), GAME: (3, 3)},
    # Invitations to an e-mail address.
    "stranger": {ACCOUNT: (5, 15), NETWORK: (10, 30), RECIPIENT: (3, 5)},
    # Links that verify an address; anybody can type in any address.
    "proof": {ACCOUNT: (10, 20), NETWORK: (120, 500), RECIPIENT: (5, 20)},
    # Links that sign in. One caller cannot use up the budget of the mailbox's owner.
    "sign-in": {NETWORK: (120, 500), CALLER: (4, 12), RECIPIENT: (20, 60)},
    # Incoming mails from the player of a seat, in all games together too, as each may take seconds
    # to read; and mails to other addresses that only we can have given out.
    "mail-in": {GAME: (60, 200), ACCOUNT: (300, 1000)},
    # Incoming mails for a player's seat from anybody else: a stranger who knows the address cannot
    # use up the player's budget.
    "mail-of-strangers": {STRANGERS: (30, 100)},
    # Mails to our sender address, by the address they claim to come from, and in total: anybody may
    # know our address.
    "astray": {PAIR: (10, 30), RECIPIENT: (600, 3000)},
    # Answers to incoming mails that played nothing, for each game and player: enough for somebody
    # who is learning how to write them, and an end to two machines that answer each other.
    "answer": {GAME: (25, 60), RECIPIENT: (30, 100)},
    # Questions about ending a game, with a budget of their own: other mails must not use it up.
    "question": {GAME: (25, 60), RECIPIENT: (30, 100)},
    # Answers to mails to our sender address, which anybody can send in another's name: as many as
    # come in.
    "led-back": {RECIPIENT: (10, 30)},
    # The same for an address that belongs to no player, and for all such addresses together.
    "stranger-led-back": {RECIPIENT: (2, 5), STRANGERS: (60, 300)},
    # Warnings to a player that somebody else answered one of their mails, or wrote in their name.
    "warning": {RECIPIENT: (5, 15)},
    # Messages to the other player of a game; one mail may report several.
    "message": {ACCOUNT: (60, 300), NETWORK: (300, 1500), GAME: (30, 120)},
    # Messages that a player reports to the operator.
    "report": {ACCOUNT: (10, 30)},
}
READING: Final = 15.0
"""Seconds of processor time an hour for reading the mails of one player, or of all strangers
together."""
_SPENT: Final = {
    ACCOUNT: N_("Your account has caused too many mails. Try again in %(time)s."),
    NETWORK: N_("Your network address has caused too many mails. Try again in %(time)s."),
    RECIPIENT: N_(
        "This recipient has been sent too many mails of this kind. Try again in %(time)s."
    ),
    PAIR: N_("You have asked this player too often. Try again in %(time)s."),
    CALLER: N_("You have asked for too many links to this address. Try again in %(time)s."),
    GAME: N_("You have asked for a rematch of this game too often. Try again in %(time)s."),
}

_COMES_IN: Final = N_("Too many mails have come in for this. Try again in %(time)s.")
_INCOMING: Final = ("mail-in", "mail-of-strangers", "astray")


class _Budget(NamedTuple):
    key: str
    amount: int
    seconds: int
    axis: str


@dataclass(eq=False, repr=False)
class MailBudget:
    """Counts mails against budgets. `network` gives the network address of the caller, None if
    there is none; nothing is counted unless `enabled`."""

    _spend = Lua(__file__, "spend")

    _redis: Client
    _caller: Callable[[], str | None]
    _rate_limits: bool = True

    def spend(self, kind: str, about: str, **by: str | None) -> int:
        """Count a mail of this kind, a key of `_KINDS`. Return the seconds until the budget
        is renewed if this mail used it up; 0 if it takes more.

        `by` gives for each axis whose mail it is: an account for `ACCOUNT`, for example. None is
        not counted. Mails with the same `about` count once. Raises `RequestRejected`,
        `too-many-mails`; then nothing is counted.
        """
        if not self._rate_limits:
            return 0
        budgets = self._budgets(kind, by)
        args: list[str | int] = [about]
        for budget in budgets:
            args += [budget.amount, budget.seconds]
        spent, rest = self._spend(keys=[budget.key for budget in budgets], args=args)
        if spent:
            raise _over_budget(kind, budgets[spent - 1].axis, rest)
        return int(rest)

    def give_back(self, kind: str, about: str, **by: str | None) -> None:
        """Take this mail back: the request that would have sent it was rejected."""
        for budget in self._budgets(kind, by):
            self._redis.srem(budget.key, about)

    def charge_reading(self, who: str, seconds: float) -> None:
        """Count processor time that reading a mail of theirs has taken."""
        if self._rate_limits:
            counted(self._redis, _reading_key(who), HOUR, round(seconds * 1000))

    def check_reading(self, who: str, axis: str) -> None:
        """Raise `RequestRejected`, `too-many-mails`, unless mails of theirs may be read now."""
        if wait := self.reading_wait(who):
            raise _over_budget(_INCOMING[0], axis, wait)

    def reading_wait(self, who: str) -> int:
        """Return the seconds until more of their mails are read; 0 if they may be read now."""
        if not self._rate_limits:
            return 0
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.get(_reading_key(who))
            pipeline.ttl(_reading_key(who))
            spent, rest = pipeline.execute()
        return max(1, rest) if int(spent or 0) >= READING * 1000 else 0

    def _budgets(self, kind: str, by: Mapping[str, str | None]) -> Sequence[_Budget]:
        network = self._caller()
        caller = f"{network} {by.get(RECIPIENT)}" if network else None
        who = {NETWORK: network, CALLER: caller, **by}
        return [
            _Budget(_key(kind, axis, name, seconds), amount, seconds, axis)
            for axis, amounts in _KINDS[kind].items()
            if (name := who.get(axis)) is not None
            for amount, seconds in zip(amounts, (HOUR, _DAY), strict=True)
        ]


def folded(email: str) -> str:
    """Return an approximation of the mailbox behind an e-mail address: lower case, without a plus
    and its suffix, and for Gmail without dots."""
    local, _, domain = email.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _DOTS_MEAN_NOTHING:
        return f"{local.replace('.', '')}@{_DOTS_MEAN_NOTHING[0]}"
    return f"{local}@{domain}"


def mailbox_of(email: str) -> str:
    """Return the recipient to count for this e-mail address: the same for all addresses of one
    mailbox."""
    return ids.digest(folded(email))


def _reading_key(who: str) -> str:
    return f"st:{{mails}}:reading:{ids.digest(who)}"


def _key(kind: str, axis: str, who: str, seconds: int) -> str:
    return f"st:{{mails}}:{kind}:{axis}:{ids.digest(who)}:{seconds}"


def short_wait(seconds: int) -> str:
    """Return a wait in minutes or hours, rounded up, as it is written in every language."""
    minutes = -(-seconds // 60)
    return f"{minutes} min" if minutes <= 90 else f"{-(-minutes // 60)} h"


def _over_budget(kind: str, axis: str, seconds: int) -> RequestRejected:
    message = _COMES_IN if kind in _INCOMING else _SPENT[axis]
    return RequestRejected(
        "too-many-mails",
        message,
        {"time": short_wait(seconds)},
        budget=axis,
        retry_after=seconds,
        used_up=True,
    )

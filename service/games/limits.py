"""Limits on games, far more than anyone can play; and on invitations and challenges: whom a player
may ask for a game, and how often.

There is at most one open challenge or invitation between two players, and from one player to one
address.

st:asked:DIGEST           the id and moment (unix seconds) of the last request between the two; it
                          expires a day after the request
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

import engine
from service.accounts.player import Player
from service.accounts.players import Players
from service.accounts.privacy import ContactChoices
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.client import Client, Lua
from service.core.times import DAY
from service.core.words import N_
from service.eventlog import EventLog, UnreadableLog
from service.games.challenge import read_challenge
from service.games.drafts import CHALLENGE, Draft
from service.games.projections.player_games import PlayerIndex
from service.games.repository import GameRepository
from service.games.stored_game import INVITATION_DAYS, StoredGame
from service.mail.budget import MailBudget, mailbox_of

MOST_OPEN: Final = 200
"""The most games of a player that nobody has joined."""
MOST_LISTED: Final = 10
"""The most open games of a player in the lobby, which must have room for everybody's."""
MOST_ACTIVE: Final = 1000
"""The most running games of a player."""
MOST_PRACTISING: Final = 20
"""The most unfinished practice games of a player."""
MOST_PRACTICE: Final = 200
"""The most practice games of a player, finished or not: each is removed a week after its last
move."""


def check_room(index: PlayerIndex, player: str, draft: Draft) -> None:
    """Raise `RequestRejected`, `too-many-games`, if the draft would exceed this player's limits.

    Simultaneous requests may exceed them by a few.
    """
    before, after = draft.before, draft.after
    if after.game.over or (before is not None and before.game.status != "open"):
        return
    counts, practice = index.counts(player), after.practice is not None
    is_open = after.game.status == "open"
    limits = (
        (is_open, counts.made, MOST_OPEN, _OPEN),
        (is_open and after.listed, counts.listed, MOST_LISTED, _LISTED),
        (practice, counts.practising, MOST_PRACTISING, _PRACTISING),
        (practice, counts.practice, MOST_PRACTICE, _PRACTICE),
        (True, counts.active, MOST_ACTIVE, _ACTIVE),
    )
    for counts_here, number, most, message in limits:
        if counts_here and number >= most:
            raise RequestRejected("too-many-games", message, {"number": number})


_OPEN: Final = N_("%(number)s of your games wait for a second player: call some off first.")
_LISTED: Final = N_("%(number)s of your games are in the lobby: call some off first.")
_PRACTISING: Final = N_(
    "You have %(number)s unfinished practice games: finish or resign some first."
)
_PRACTICE: Final = N_(
    "You have %(number)s practice games: each is removed seven days after its last move."
)
_ACTIVE: Final = N_("You play %(number)s games: finish some of them first.")

_BEING_WRITTEN: Final = 10.0
"""Seconds within which a requested game or challenge is written; if it is not, the process was
interrupted."""
_TRIES: Final = 5


class GameRequest(NamedTuple):
    """`by`, a player's id, asks for the game or challenge `id`, which waits for `days`."""

    by: str
    id: str
    days: int | None

    @property
    def life(self) -> int:
        """Seconds for which the request is stored."""
        return ((self.days or INVITATION_DAYS) + 1) * DAY


@dataclass(eq=False, repr=False)
class ContactLimits:
    """The limits between all players. `now` gives unix seconds.

    With a mail server, an invitation by mail needs a verified address of the sender. Every method
    may be repeated for the same request. Raises `RequestRejected`: `already-asked` if a request
    between the two is open, `challenges-off` if the other player takes none from this one,
    `too-many-mails`.
    """

    _reserve_script = Lua(__file__, "reserve_contact")
    _release_script = Lua(__file__, "release_contact")

    _redis: Client
    _log: EventLog
    _repository: GameRepository
    _players: Players
    _choices: ContactChoices
    _budget: MailBudget
    _now: Callable[[], float]
    _has_mail_server: bool

    def permit(
        self,
        request: GameRequest,
        to: Player,
        *,
        instead_of: str | None = None,
        rematch_of: str | None = None,
    ) -> None:
        """Check the limits for a challenge, or an invitation to a player, and count this request.

        It may replace the challenge `instead_of`, or invite to the rematch of a game. Raises
        `RequestRejected` (see the class); then nothing is counted.
        """
        self._choices.check_may_ask(request.by, to.id)
        pair = _pair(request.by, to.id)
        of = {"pair": ":".join(pair)} if rematch_of is None else {"game": rematch_of}
        kind = "ask" if rematch_of is None else "rematch"
        self._count(kind, pair, request, _reached_at(to), instead_of, **of)

    def count_contest(self, by: str, to: str, about: str) -> None:
        """Count a challenge on a ladder, which nobody declines: it causes a mail as others do. With
        the same `about` it counts once. Raises `RequestRejected`: `too-many-mails`."""
        player = self._players.find(to)
        recipient = to if player is None else _reached_at(player)
        pair = ":".join(_pair(by, to))
        self._budget.spend("ask", about, account=by, recipient=recipient, pair=pair)

    def permit_mail(self, request: GameRequest, email: str) -> None:
        """Do as `permit` does, for an invitation to an address, which may be a stranger's.

        Raises `RequestRejected` also with `address-not-verified`.
        """
        host = self._players.find(request.by)
        if self._has_mail_server and not (host and host.verified):
            raise RequestRejected(
                "address-not-verified",
                "Confirm an e-mail address of your own before you invite others by mail; or send"
                " them the invite link yourself.",
            )
        mailbox = mailbox_of(email)
        self._count("stranger", (request.by, f"mail-{mailbox}"), request, mailbox)

    def _count(
        self,
        kind: str,
        between: tuple[str, str],
        request: GameRequest,
        recipient: str,
        instead_of: str | None = None,
        **of: str,
    ) -> None:
        taken = self._reserve(between, request, instead_of)
        try:
            self._budget.spend(kind, request.id, account=request.by, recipient=recipient, **of)
        except RequestRejected:
            self._release_script(keys=[_key(between)], args=[taken])
            raise

    def _reserve(self, pair: tuple[str, str], request: GameRequest, instead_of: str | None) -> str:
        """Store this request as the open one between the two; refuse it if there is another."""
        key, mine = _key(pair), f"{request.id} {self._now():.0f}"
        for _ in range(_TRIES):
            stored = cast(str | None, self._redis.get(key)) or ""
            other, _, since = stored.partition(" ")
            if other == request.id:
                return stored
            if other and other != instead_of and self._is_open(other, float(since)):
                raise _already(other)
            if self._reserve_script(keys=[key], args=[stored, mine, request.life]):
                return mine
        raise _already(other)

    def _is_open(self, asked: str, since: float) -> bool:
        """Whether the request waits for an answer, or is still being written."""
        if (text := self._log.side_state.read(asked).get(CHALLENGE)) is not None:
            challenge = read_challenge(text).at(self._now())
            if challenge.status != "accepted":
                return challenge.status == "open"
        game = self._game(asked)
        if game is None:
            return self._now() - since < _BEING_WRITTEN
        waits = game.deadline is None or game.deadline > self._now()
        return game.game.status == "open" and waits

    def _game(self, game_id: str) -> StoredGame | None:
        try:
            return self._repository.latest(game_id)
        except (engine.UnknownEvent, UnreadableLog):
            return None


def _pair(one: str, other: str) -> tuple[str, str]:
    first, second = sorted((one, other))
    return first, second


def _key(pair: tuple[str, str]) -> str:
    return f"st:asked:{ids.digest(' '.join(pair))}"


def _reached_at(player: Player) -> str:
    """The player's mail address, or id: the same for all who share a mailbox."""
    return mailbox_of(player.email) if player.verified and player.email else player.id


def _already(asked: str) -> RequestRejected:
    return RequestRejected(
        "already-asked",
        "There is an open challenge or invitation between you already: answer it, take it back, or"
        " wait for the answer.",
        id=asked,
    )

"""Who may ask whom for a game, and how often: what one player may make another read.

There is one open challenge or invitation between two players, and from one player to one address.

st:asked:DIGEST           of the two: the id of the last game or challenge that one asked the other
                          for, and when (unix seconds); a day longer than that may wait
"""

from collections.abc import Callable
from typing import Final, NamedTuple, cast

import engine
from service.accounts.players import Player, Players
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.eventlog import EventLog, UnreadableLog
from service.games.challenges.model import read_challenge
from service.games.repository import INVITATION_DAYS, SECONDS_PER_DAY, GameRepository, StoredGame
from service.games.side_state import CHALLENGE
from service.mail.budget import MailBudget, mailbox_of

_BEING_WRITTEN: Final = 10.0
"""Seconds within which what was asked for is written, or never will be."""
_TRIES: Final = 5

_TAKE: Final = """
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1
"""
_LEAVE: Final = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('UNLINK', KEYS[1]) end
"""


class Request(NamedTuple):
    """That `by`, a player's id, asks for the game or challenge `id`, which waits for `days`."""

    by: str
    id: str
    days: int | None

    @property
    def life(self) -> int:
        """For how many seconds it is known that it was asked."""
        return ((self.days or INVITATION_DAYS) + 1) * SECONDS_PER_DAY


class Contact:
    """What players have asked each other for. `now` gives unix seconds.

    With `verified_only` an invitation by mail needs a verified address of the host's own. Every
    method may be repeated for the same request, and raises `RequestRejected`: `already-asked` where
    something is open between the two, `too-many-mails`.
    """

    def __init__(
        self,
        redis: Client,
        log: EventLog,
        repository: GameRepository,
        players: Players,
        budget: MailBudget,
        now: Callable[[], float],
        *,
        verified_only: bool,
    ) -> None:
        self._redis = redis
        self._take = redis.register_script(_TAKE)
        self._leave = redis.register_script(_LEAVE)
        self._log = log
        self._repository = repository
        self._players = players
        self._budget = budget
        self._now = now
        self._verified_only = verified_only

    def ask(self, request: Request, to: Player) -> None:
        """A challenge, or an invitation to a player."""
        pair = _pair(request.by, to.id)
        taken = self._reserve(pair, request)
        spent = {"account": request.by, "recipient": _reached_at(to), "pair": ":".join(pair)}
        self._spend("ask", pair, taken, request, spent)

    def counter(self, request: Request, to: Player, challenge_id: str) -> None:
        """A counter-offer, which takes the place of the challenge."""
        pair = _pair(request.by, to.id)
        taken = self._reserve(pair, request, instead_of=challenge_id)
        spent = {"account": request.by, "recipient": _reached_at(to), "pair": ":".join(pair)}
        self._spend("ask", pair, taken, request, spent)

    def rematch(self, request: Request, to: Player, old_id: str) -> None:
        """An invitation to the rematch of a game."""
        pair = _pair(request.by, to.id)
        taken = self._reserve(pair, request)
        spent = {"account": request.by, "recipient": _reached_at(to), "game": old_id}
        self._spend("rematch", pair, taken, request, spent)

    def write_to(self, request: Request, email: str) -> None:
        """An invitation to an address, which may be a stranger's.

        Raises `RequestRejected` besides: `address-not-verified`.
        """
        host = self._players.find(request.by)
        if self._verified_only and not (host and host.verified):
            raise RequestRejected(
                "address-not-verified",
                "Confirm an e-mail address of your own before you invite others by mail; or send"
                " them the invite link yourself.",
            )
        pair = request.by, f"mail-{mailbox_of(email)}"
        taken = self._reserve(pair, request)
        spent = {"account": request.by, "recipient": mailbox_of(email)}
        self._spend("stranger", pair, taken, request, spent)

    # How it is kept

    def _spend(
        self,
        kind: str,
        pair: tuple[str, str],
        taken: str,
        request: Request,
        by: dict[str, str],
    ) -> None:
        try:
            self._budget.spend(kind, request.id, **by)
        except RequestRejected:
            self._leave(keys=[_key(pair)], args=[taken])
            raise

    def _reserve(
        self, pair: tuple[str, str], request: Request, instead_of: str | None = None
    ) -> str:
        """Note that this is asked for between the two, unless something else is."""
        key, mine = _key(pair), f"{request.id} {self._now():.0f}"
        for _ in range(_TRIES):
            found = cast(str | None, self._redis.get(key)) or ""
            other, _, since = found.partition(" ")
            if other == request.id:
                return found
            if other and other != instead_of and self._is_open(other, float(since)):
                raise _already(other)
            if self._take(keys=[key], args=[found, mine, request.life]):
                return mine
        raise _already(other)

    def _is_open(self, asked: str, since: float) -> bool:
        """Whether it waits for an answer, or is being written just now."""
        note = self._log.side_state.read(asked).get(CHALLENGE)
        if note is not None:
            challenge = read_challenge(note).at(self._now())
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
    """The recipient of mail to this player: the same for all who share a mailbox."""
    return mailbox_of(player.email) if player.verified and player.email else player.id


def _already(asked: str) -> RequestRejected:
    return RequestRejected(
        "already-asked",
        "There is an open challenge or invitation between you already: answer it, take it back, or"
        " wait for the answer.",
        id=asked,
    )

"""A game as read from its log, and the shelf that keeps the games read last."""

import json
from collections.abc import Iterable
from typing import NamedTuple, cast

import engine
from engine import chain
from service.cache import Recent
from service.instant import timestamp, unix
from service.log import GameLog
from service.refusal import Refused

SECONDS_PER_DAY = 24 * 60 * 60
INVITATION_DAYS = 14
"""How long a game waits for its second player, where its maker has not said."""
_TURN_BEGINS = ("round_started", "turn_ended")


class StoredGame(NamedTuple):
    """A game at one version, with what its log says beyond the rules. Never changed in place.

    `head` is the last hash of the chain. `created` and `turn_since` are moments; `turn_since` is
    that at which the player to move got the turn, None while nobody has it.
    """

    id: str
    game: engine.Game
    head: str
    created: str
    turn_since: str | None

    @property
    def version(self) -> int:
        """The number of events in the log."""
        return self.game.version

    @property
    def players(self) -> list[str]:
        """The ids of those who are seated, north first."""
        seated = (self.game.players["north"], self.game.players["south"])
        return [player for player in seated if player is not None]

    @property
    def invited(self) -> str | None:
        """The id of the player for whom the free seat is kept, if it is for one."""
        invited: str | None = self.game.terms.get("invited")
        return invited

    @property
    def private(self) -> bool:
        """Whether only the players may see this game."""
        return bool(self.game.terms.get("private"))

    @property
    def listed(self) -> bool:
        """Whether anyone may take the free seat."""
        return bool(self.game.terms.get("listed"))

    @property
    def deadline(self) -> int | None:
        """When the clock ends the player's turn, or the wait for a second player, in unix seconds;
        None where nothing ends by itself."""
        if self.game.status == "open":
            days: int = self.game.terms.get("invitation_days", INVITATION_DAYS)
            return unix(self.created) + days * SECONDS_PER_DAY
        clock = self.game.terms.get("clock")
        if clock is None or self.turn_since is None:
            return None
        return unix(self.turn_since) + int(clock["days_per_move"]) * SECONDS_PER_DAY

    @property
    def deadline_text(self) -> str | None:
        """When the player to move runs out of time, as an RFC 3339 moment; None without a clock."""
        if self.deadline is None or self.game.turn is None:
            return None
        return timestamp(self.deadline)

    def seat_of(self, player: str | None) -> engine.Seat | None:
        """The seat of this player, None for everybody else."""
        if player is None:
            return None
        return next(
            (seat for seat, sitting in self.game.players.items() if sitting == player), None
        )

    def player_to_move(self) -> str | None:
        """The id of the player whose turn it is."""
        return None if self.game.turn is None else self.game.players[self.game.turn]


def fold(game_id: str, before: StoredGame | None, texts: Iterable[str]) -> StoredGame | None:
    """The game after these lines of its log, `before` being the game as it stood before them."""
    stored = before
    for text in texts:
        stored = _after(game_id, stored, json.loads(text))
    return stored


def sealed(before: StoredGame | None, command: engine.Command, at: float, via: str) -> list[str]:
    """The lines that `command` adds to a game's log. Raises `engine.RuleBroken`."""
    events = engine.decide(before.game if before else None, command)
    secret = before.game.secret if before else cast(engine.CreateGame, command).secret
    after, previous = (before.version, before.head) if before else (0, chain.NO_HASH)
    lines = chain.seal(
        events, after=after, at=timestamp(at), via=via, secret=secret, previous=previous
    )
    return [chain.canonical(line) for line in lines]


def _after(game_id: str, before: StoredGame | None, line: chain.StoredEvent) -> StoredGame:
    event = chain.to_event(line)
    game = engine.evolve(before.game if before else None, event)
    created, since = (before.created, before.turn_since) if before else (line["at"], None)
    if event.type in _TURN_BEGINS:
        since = line["at"]
    return StoredGame(game_id, game, line["hash"], created, since if game.turn else None)


class Shelf:
    """Games by id. Keeps the recent ones in this process, so that only the log's tail is read."""

    def __init__(self, log: GameLog, size: int = 1000) -> None:
        self._log = log
        self._recent: Recent[str, StoredGame] = Recent(size)

    def latest(self, game_id: str) -> StoredGame | None:
        """The game as its log stands now, None where there is no such game."""
        known = self._recent.get(game_id)
        tail = self._log.read(game_id) if known is None else self._tail(known)
        if tail is None:
            self._recent.drop(game_id)
            known, tail = None, self._log.read(game_id)
        game = fold(game_id, known, tail)
        if game is not None and tail:
            self.keep(game)
        return game

    def _tail(self, known: StoredGame) -> list[str] | None:
        """The lines after those known; None where the log does not hold those any more.

        A failover of Redis may lose the last events of a game, and let others take their place.
        """
        if known.game.over:
            # Its log is packed perhaps: to unpack it for its last line would be too much.
            return [] if self._log.version(known.id) == known.version else None
        last, *tail = self._log.read(known.id, after=known.version - 1) or [""]
        return tail if f'"hash":"{known.head}"' in last else None

    def known(self, game_id: str, version: int | None = None) -> StoredGame:
        """The game as it stands, or stood after event `version`.

        Raises `Refused`: `game-not-found`, `version-not-found`.
        """
        latest = self.latest(game_id)
        if latest is None:
            raise Refused("game-not-found", "There is no game with this id.")
        if version is None or version == latest.version:
            return latest
        if version > latest.version:
            raise Refused("version-not-found", f"The game has no event {version} yet.")
        game = fold(game_id, None, self._log.read(game_id, upto=version))
        assert game is not None, "an event is never taken back"
        return game

    def keep(self, game: StoredGame) -> None:
        """Remember a game that has just been read or written."""
        self._recent.put(game.id, game)

"""Whole games as a server stores them: players far apart, days between moves, several channels."""

import random
from base64 import urlsafe_b64encode
from collections.abc import Sequence

from engine import Command, CreateGame, Event, Game, JoinGame, TakeTurn, advance, legal
from engine.chain import NO_HASH, StoredEvent, canonical, encode, seal
from service.container import Container
from service.core.times import timestamp
from service.ops.restore import restore_game
from tests.engine.games import Kind

DAY = 86_400
BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
BEGINNING = 1_790_000_000
TERMS = {
    "clock": {"days_per_move": 3},
    "invited": None,
    "invited_by_mail": False,
    "listed": False,
    "private": False,
}
IELLO, TACTICS = Kind("iello"), Kind("iello", tactics=True)


class SlowGame:
    """A game that grows a line of its log at a time. The same for the same chance."""

    def __init__(self, kind: Kind, chance: random.Random, first_player: str = "random") -> None:
        self.chance = chance
        self.lines: list[StoredEvent] = []
        self.now = BEGINNING + chance.randrange(DAY)
        made = CreateGame(
            player=self._id(),
            seat="north",
            edition=kind.edition,
            tactics=kind.tactics,
            expert=kind.expert,
            rounds=kind.rounds,
            first_player=first_player,
            secret=chance.randbytes(32).hex(),
            salt=self._salt(),
            terms=TERMS,
        )
        self.game, events = advance(None, made)
        self._seal(events, "api")
        self.now += chance.randrange(DAY)
        self.take(JoinGame(self._id(), self._salt()), "web")

    def take(self, command: Command, via: str) -> None:
        """Carry a command out."""
        self.game, events = advance(self.game, command)
        self._seal(events, via)

    def play(self, most: int | None = None) -> "SlowGame":
        """Let both take any legal action until the end, or until `most` events are there."""
        mover = None
        while self.game.turn and (most is None or len(self.lines) < most):
            pause = 2 * DAY if self.game.turn != mover else 60
            self.now += self.chance.randrange(pause)
            mover = self.game.turn
            via = {"north": "web", "south": "mail"}[mover]
            self.take(TakeTurn(mover, [self.chance.choice(legal(self.game))]), via)
        return self

    @property
    def players(self) -> list[str]:
        """The ids of the two, north first."""
        return [player for player in self.game.players.values() if player is not None]

    @property
    def texts(self) -> list[str]:
        """The log, as it is stored."""
        return [canonical(line) for line in self.lines]

    def _seal(self, events: Sequence[Event], via: str) -> None:
        game: Game = self.game
        self.lines += seal(
            map(encode, events),
            after=len(self.lines),
            at=timestamp(self.now),
            via=via,
            secret=game.secret,
            previous=self.lines[-1]["hash"] if self.lines else NO_HASH,
        )

    def _id(self) -> str:
        return "".join(self.chance.choices(BASE32, k=16))

    def _salt(self) -> str:
        return urlsafe_b64encode(self.chance.randbytes(32)).rstrip(b"=").decode()


def finished(kind: Kind = IELLO, seed: int = 1) -> SlowGame:
    """A game played to its end."""
    return SlowGame(kind, random.Random(seed)).play()


def running(kind: Kind = IELLO, seed: int = 1, events: int = 20) -> SlowGame:
    """A game in the middle."""
    return SlowGame(kind, random.Random(seed)).play(events)


def game_id(letter: str) -> str:
    return letter * 20


def keep(store: Container, letter: str, game: SlowGame) -> str:
    """Let the store have this game and its players; its id."""
    for number, player in enumerate(game.players):
        store.players.ensure_exists(player, f"Player {letter}{number}")
    assert restore_game(store, game_id(letter), game.lines)
    return game_id(letter)

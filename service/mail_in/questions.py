"""Stores the questions that players were asked about their mails: each holds the turn that a `yes`
plays, or the wish that it fulfils.

st:{mail-in}:asked:GAME:SEAT  JSON: the newest question to the player in this seat, for two weeks
st:{mail-in}:wish:MARK        hash: `asked`, JSON of a wish and the state it depends on, for three
                              days; `taken`, the id of the mail that has said yes

The reply address of the mail that asks holds the mark of its question, so that a `yes` plays what
was asked there and nothing else.
"""

import json
from base64 import b32encode
from typing import Final, NamedTuple, cast

from engine import SEATS, Seat
from letters.commands import WholeTurn
from letters.letter import OpenQuestion
from service.core import ids
from service.core.durations import DAY
from service.core.redis.client import Client

_LIFE: Final = 14 * DAY
_WISH_LIFE: Final = 3 * DAY
_OF_MARK: Final = 9
"""Letters of a mark: an address has room for no more."""


class Asked(NamedTuple):
    """A question about a turn. `head` is the beginning of the log's hash at the version of the mail
    that the player answered."""

    question: OpenQuestion
    head: str


class AskedWish(NamedTuple):
    """A wish that `player` must still confirm: `kind` and `given` are those of its `Deed`.

    A `yes` carries it out only while the state is still `basis`. `by` is the id of the mail that
    asked for it.
    """

    player: str
    kind: str
    given: dict[str, object]
    basis: str
    by: str


class Questions:
    """Stores the open questions. Every call is idempotent."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def ask(self, game: str, seat: Seat, version: int, asked: Asked) -> str:
        """Store a question in place of the seat's earlier one, and return its mark."""
        turn, signature = asked.question
        data = [[turn.actions, turn.message, turn.dependent], signature, asked.head]
        text = json.dumps([version, *data])
        self._redis.set(_key(game, seat), text, ex=_LIFE)
        return _mark(text)

    def find(self, game: str, seat: Seat, mark: str) -> Asked | None:
        """Return the question with this mark; None if it has expired or another was asked since."""
        text = cast(str | None, self._redis.get(_key(game, seat)))
        if text is None or _mark(text) != mark:
            return None
        _, (actions, message, dependent), signature, head = json.loads(text)
        turn = WholeTurn(tuple(actions), message, tuple(dependent))
        return Asked(OpenQuestion(turn, tuple(signature)), head)

    def forget_game(self, game: str) -> None:
        """Delete the questions about a removed game."""
        for seat in SEATS:
            self._redis.unlink(_key(game, seat))

    def ask_wish(self, asked: AskedWish) -> str:
        """Store a wish, and return its mark."""
        text = json.dumps(asked)
        mark = _mark(text)
        with self._redis.pipeline(transaction=True) as pipeline:
            pipeline.hset(_wish_key(mark), "asked", text)
            pipeline.expire(_wish_key(mark), _WISH_LIFE)
            pipeline.execute()
        return mark

    def find_wish(self, player: str, mark: str) -> tuple[AskedWish, str | None] | None:
        """Return this player's wish with this mark, and the id of the mail that has said yes to it,
        if any; None if the wish has expired or is another player's."""
        values = cast(list[str | None], self._redis.hmget(_wish_key(mark), ["asked", "taken"]))
        if values[0] is None:
            return None
        asked = AskedWish(*json.loads(values[0]))
        return (asked, values[1]) if asked.player == player else None

    def take_wish(self, mark: str, mail_id: str) -> bool:
        """Record this mail as the one that says yes; return False if another has. Idempotent."""
        self._redis.hsetnx(_wish_key(mark), "taken", mail_id)
        self._redis.expire(_wish_key(mark), _WISH_LIFE)
        return self._redis.hget(_wish_key(mark), "taken") == mail_id


def _mark(text: str) -> str:
    return b32encode(bytes.fromhex(ids.digest(text))).decode().lower()[:_OF_MARK]


def _key(game: str, seat: Seat) -> str:
    return f"st:{{mail-in}}:asked:{game}:{seat}"


def _wish_key(mark: str) -> str:
    return f"st:{{mail-in}}:wish:{mark}"

"""What a player was asked about a mail of theirs: the turn that a `yes` plays.

st:{mail-in}:asked:GAME:SEAT  JSON: the newest question to the player in this seat, for two weeks

The reply address of the mail that asks holds the mark of its question, so that a `yes` plays what
was asked there and nothing else.
"""

import json
from base64 import b32encode
from typing import Final, NamedTuple, cast

from engine import Seat
from service.core import ids
from service.core.durations import DAY
from service.core.redis.client import Client
from service.mail_in.words.commands import WholeTurn
from service.mail_in.words.letter import OpenQuestion

_KEPT: Final = 14 * DAY
_OF_MARK: Final = 9
"""Letters of a mark: so much room is left in an address."""


class Asked(NamedTuple):
    """A question, and the log at the version of the mail that it is about: how its hash begins."""

    question: OpenQuestion
    head: str


class Questions:
    """The open questions. Every call may be repeated."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def ask(self, game: str, seat: Seat, version: int, asked: Asked) -> str:
        """Keep a question in place of the one before; its mark."""
        turn, signature = asked.question
        data = [[turn.actions, turn.message, turn.standing], signature, asked.head]
        text = json.dumps([version, *data])
        self._redis.set(_key(game, seat), text, ex=_KEPT)
        return _mark(text)

    def find(self, game: str, seat: Seat, mark: str) -> Asked | None:
        """The question with this mark; None where another has been asked since, or it is old."""
        text = cast(str | None, self._redis.get(_key(game, seat)))
        if text is None or _mark(text) != mark:
            return None
        _, (actions, message, standing), signature, head = json.loads(text)
        turn = WholeTurn(tuple(actions), message, tuple(standing))
        return Asked(OpenQuestion(turn, tuple(signature)), head)


def _mark(text: str) -> str:
    return b32encode(bytes.fromhex(ids.digest(text))).decode().lower()[:_OF_MARK]


def _key(game: str, seat: Seat) -> str:
    return f"st:{{mail-in}}:asked:{game}:{seat}"

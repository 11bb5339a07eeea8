"""Stores the words of the newest mail to each seat of a game, to recognise copies of that mail.

st:{mail-in}:words:GAME:SEAT  a filter of half a kilobyte (`SentWords`), for a month
"""

from typing import Final, cast

from engine import SEATS, Seat
from letters.mail.copied import SentWords
from service.core.durations import DAY
from service.core.redis.batch import Query, execute, raising
from service.core.redis.client import Client

_LIFE: Final = 30 * DAY


class SentMailWords:
    """Stores the words of mails. Every call is idempotent."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def store(self, game: str, seat: Seat, text: str) -> None:
        """Store the words of a mail in place of those of the seat's mail before."""
        execute(self._redis, self.store_query(game, seat, text))

    def store_query(self, game: str, seat: Seat, text: str) -> Query[bool]:
        """Return the query that does what `store` does."""
        command = ("SET", _key(game, seat), str(SentWords.of(text)), "EX", _LIFE)
        return Query(command, raising(bool))

    def forget_game(self, game: str) -> None:
        """Delete the words of the mails about a removed game."""
        for seat in SEATS:
            self._redis.unlink(_key(game, seat))

    def find(self, game: str, seat: Seat) -> SentWords:
        """Return the words of the newest mail; empty if it is older than a month."""
        text = cast(str | None, self._redis.get(_key(game, seat)))
        return SentWords.read(text) if text is not None else SentWords()


def _key(game: str, seat: Seat) -> str:
    return f"st:{{mail-in}}:words:{game}:{seat}"

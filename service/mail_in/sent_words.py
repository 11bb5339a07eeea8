"""The words of the newest mail to each seat of a game, by which copies of it are known.

st:{mail-in}:words:GAME:SEAT  a filter of half a kilobyte (`SentWords`), for a month
"""

from typing import Final, cast

from engine import Seat
from service.core.durations import DAY
from service.core.redis.client import Client
from service.mail_in.reading.copied import SentWords

_KEPT: Final = 30 * DAY


class SentMailWords:
    """Keeps the words of mails. Every call may be repeated."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def keep(self, game: str, seat: Seat, text: str) -> None:
        """Keep the words of a mail in place of those of the one before."""
        self._redis.set(_key(game, seat), str(SentWords.of(text)), ex=_KEPT)

    def find(self, game: str, seat: Seat) -> SentWords:
        """The words of the newest mail; none where it is too old."""
        text = cast(str | None, self._redis.get(_key(game, seat)))
        return SentWords.read(text) if text is not None else SentWords()


def _key(game: str, seat: Seat) -> str:
    return f"st:{{mail-in}}:words:{game}:{seat}"

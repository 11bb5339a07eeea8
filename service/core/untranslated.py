"""How often workers said a message in English, because its reader's language lacks it.

st:{untranslated}:counts  hash: language → number, since the store began

A web process counts its own for `/metrics`.
"""

from collections import Counter
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, cast

from service.core.redis.client import Client

_KEY: Final = "st:{untranslated}:counts"


@dataclass(eq=False, repr=False)
class UntranslatedCounts:
    """The counts in the store, and those that this process has still to add to them."""

    _redis: Client
    _waiting: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    def note(self, language: str) -> None:
        """Count one message, until `save` without a word to the store."""
        with self._lock:
            self._waiting[language] += 1

    def save(self) -> None:
        """Add what was noted to the store, in one round trip, or none if there is nothing."""
        with self._lock:
            noted = self._waiting.copy()
            self._waiting.clear()
        if not noted:
            return
        with self._redis.pipeline(transaction=False) as pipeline:
            for language, number in noted.items():
                pipeline.hincrby(_KEY, language, number)
            pipeline.execute()

    def all(self) -> dict[str, int]:
        """The number of messages by language."""
        stored = cast(dict[str, str], self._redis.hgetall(_KEY))
        return {language: int(number) for language, number in sorted(stored.items())}

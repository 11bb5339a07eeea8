"""Who is called what: players by name, whatever its case.

st:named:DIGEST           set: ids of players who have, or once had, this name
"""

import unicodedata
from typing import Final, cast

from service import identifiers
from service.bots import BOTS
from service.connections import Client
from service.refusal import Refused

LASTING_KEYS: Final = ("st:named:*",)
"""Patterns of the keys that a backup keeps."""

_RESERVED: Final = {text.casefold() for bot in BOTS.values() for text in (bot.name, bot.title)}


class Directory:
    """An index of names: it may name too many players, and never too few."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def add(self, name: str, player: str) -> None:
        """Let the player be found by this name."""
        self._redis.sadd(_key(name), player)

    def drop(self, name: str, player: str) -> None:
        """Let the player be found by this name no more."""
        self._redis.srem(_key(name), player)

    def look_up(self, name: str) -> list[str]:
        """The ids of the players who may have this name."""
        return sorted(cast(set[str], self._redis.smembers(_key(name))))


def check_free(name: str) -> None:
    """Raise `Refused` where only a bot may have this name."""
    # Names that look alike, such as one in fullwidth letters, are the same under NFKC.
    if unicodedata.normalize("NFKC", name).casefold() in _RESERVED:
        raise Refused("name-reserved", "This is the name of a bot.")


def _key(name: str) -> str:
    return f"st:named:{identifiers.digest(name.casefold())}"

"""The mark in place of a game that the operator removed.

st:{BUCKET}:g:GAME:removed    hash: at (RFC 3339); words, from the operator to the players; and
                              `of`, the ids of players and lists that may still hold the game
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from marshmallow import fields

from service.core.ids import PLAYER_ID
from service.core.redis.batch import Query, raising
from service.core.redis.snapshot_keys import SnapshotKey, text, timestamp_text
from service.eventlog import keys

LONGEST_WORDS: Final = 300
"""The most characters of the words for the players."""
_IDS: Final = rf"(?:{PLAYER_ID}|lobby|archive)"


class _Mark(fields.Field[object]):
    """The form of a mark in a backup."""

    def _deserialize(self, value: Any, *args: Any, **options: Any) -> Any:
        words = text(rf"(?s:[^\ud800-\udfff]{{0,{LONGEST_WORDS}}})")
        parts = {"at": timestamp_text(), "words": words, "of": text(f"({_IDS}( {_IDS})*)?")}
        fields.Dict(text("at|words|of")).deserialize(value)
        for name, part in parts.items():
            if name in value or name != "of":
                part.deserialize(value.get(name))
        return value


LASTING_KEYS: Final = (SnapshotKey(keys.REMOVED_PATTERN, keys.REMOVED_NAME, "hash", _Mark()),)
"""Keys that a backup holds."""


class Removal(NamedTuple):
    """The removal of a game: its moment (RFC 3339), and the operator's words for the players. `of`
    are the players, and other lists, that may still hold data of the game."""

    at: str
    words: str
    of: tuple[str, ...] = ()


def removal_query(game_id: str) -> Query[Removal | None]:
    """The query for the mark of this game, None without one."""

    def parse(held: dict[str, str]) -> Removal | None:
        return read_removal(held) if held else None

    return Query(("HGETALL", keys.removed_key(game_id)), raising(parse))


def read_removal(held: Mapping[str, str]) -> Removal:
    """The mark from the fields of its key."""
    return Removal(held["at"], held["words"], tuple(held.get("of", "").split()))

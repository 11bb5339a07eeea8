"""All players, sorted by name, for searches by the beginning of a name.

Case, accents and look-alike characters make no difference.

st:{names}:listed         sorted set, all scores 0: FOLDED NUL PLAYER, one for each player, in the
                          order of the bytes; it can be rebuilt from the players

A name is added here after a player takes it, and removed after the player gives it up. So an entry
may be stale, but none is missing for long: check the player before you show one.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, cast

from service.accounts.lookalikes import folded
from service.core.ids import PLAYER_ID
from service.core.redis.client import Client

_KEY: Final = "st:{names}:listed"
_END: Final = "\0"
_AFTER_ALL: Final = b"\xff"
"""A byte that sorts after every text in UTF-8."""
_BATCH: Final = 1000
MAX_FOLDED: Final = 100
"""The most characters of a folded name that are stored: some letters fold to many."""
CURSOR: Final = rf"[^\0]{{1,100}}\0{PLAYER_ID}"
"""A regular expression for the cursor of an entry."""


class NameEntry(NamedTuple):
    """A player in the list, and the `cursor` of that entry: the next page begins after it."""

    player: str
    cursor: str


class NameList:
    """The list of all names."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def add(self, name: str, player: str) -> None:
        """Add the player under this name. May be repeated."""
        self._redis.zadd(_KEY, {_cursor(name, player): 0})

    def remove(self, name: str, player: str, *, new_name: str | None = None) -> None:
        """Remove the entry of a former name, unless that of `new_name` is the same. May be
        repeated."""
        if new_name is None or _cursor(name, player) != _cursor(new_name, player):
            self._redis.zrem(_KEY, _cursor(name, player))

    def page(self, prefix: str, after: str | None, most: int) -> list[NameEntry]:
        """Return up to `most` players whose names begin with `prefix`, after this cursor.

        A name equal to the prefix comes first.
        """
        begin = _fold(prefix).encode()
        start = b"[" + begin if after is None else b"(" + after.encode()
        end = b"(" + begin + _AFTER_ALL
        if start[1:] < begin:  # a cursor of another prefix
            start = b"[" + begin
        members = self._redis.zrangebylex(_KEY, start, end, 0, most)
        return [NameEntry(_player_of(cursor), cursor) for cursor in cast(list[str], members)]

    def sweep(self, name_of: Callable[[str], str | None]) -> None:
        """Remove the entries of names that players no longer have."""
        for cursor in self._cursors():
            player = _player_of(cursor)
            name = name_of(player)
            if name is None or _cursor(name, player) != cursor:
                self._redis.zrem(_KEY, cursor)

    def _cursors(self) -> Iterator[str]:
        start = b"-"
        while members := cast(list[str], self._redis.zrangebylex(_KEY, start, b"+", 0, _BATCH)):
            yield from members
            start = b"(" + members[-1].encode()


def begins(name: str, prefix: str) -> bool:
    """Whether a search for this prefix returns this name."""
    return _fold(name).startswith(_fold(prefix))


def _fold(name: str) -> str:
    return folded(name)[:MAX_FOLDED]


def _cursor(name: str, player: str) -> str:
    return f"{_fold(name)}{_END}{player}"


def _player_of(cursor: str) -> str:
    return cursor.rpartition(_END)[2]

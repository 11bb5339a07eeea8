"""Players by how their names begin, whatever the case, accents and look-alikes.

st:{names}:listed         sorted set, all scores 0: FOLDED NUL PLAYER, one for each player, in the
                          order of the bytes; it follows from the players and can be rebuilt

A name is listed after it is given and taken out after it is given up, so an entry may be stale,
never missing for long: whoever reads one looks at the player.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, cast

from service.accounts.lookalikes import folded
from service.core.ids import PLAYER_ID
from service.core.redis.client import Client

_KEY: Final = "st:{names}:listed"
_END: Final = "\0"
_AFTER_ALL: Final = b"\xff"
"""Follows every text in UTF-8."""
_BATCH: Final = 1000
MAX_FOLDED: Final = 100
"""Characters of a folded name that are kept: some letters fold to many."""
PLACE: Final = rf"[^\0]{{1,100}}\0{PLAYER_ID}"
"""What the place of an entry in the list looks like."""


class Listed(NamedTuple):
    """An entry: a player, by the `place` in the list that follows from their name."""

    player: str
    place: str


class NameList:
    """The list of all names."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def add(self, name: str, player: str) -> None:
        """Let the player be found by this name. May be repeated."""
        self._redis.zadd(_KEY, {_place(name, player): 0})

    def drop(self, name: str, player: str, *, but: str | None = None) -> None:
        """Let the player be found by this name no more, but by `but`. May be repeated."""
        if but is None or _place(name, player) != _place(but, player):
            self._redis.zrem(_KEY, _place(name, player))

    def page(self, prefix: str, after: str | None, most: int) -> list[Listed]:
        """Up to `most` players whose names begin so, after this place; equal names come first."""
        begin = _fold(prefix).encode()
        start = b"[" + begin if after is None else b"(" + after.encode()
        end = b"(" + begin + _AFTER_ALL
        if start[1:] < begin:  # a place of another list
            start = b"[" + begin
        found = self._redis.zrangebylex(_KEY, start, end, 0, most)
        return [Listed(_player_of(place), place) for place in cast(list[str], found)]

    def sweep(self, name_of: Callable[[str], str | None]) -> None:
        """Take out what players are not called any more."""
        for place in self._places():
            player = _player_of(place)
            name = name_of(player)
            if name is None or _place(name, player) != place:
                self._redis.zrem(_KEY, place)

    def _places(self) -> Iterator[str]:
        start = b"-"
        while found := cast(list[str], self._redis.zrangebylex(_KEY, start, b"+", 0, _BATCH)):
            yield from found
            start = b"(" + found[-1].encode()


def begins(name: str, prefix: str) -> bool:
    """Whether this name begins like that, as the list has it."""
    return _fold(name).startswith(_fold(prefix))


def _fold(name: str) -> str:
    return folded(name)[:MAX_FOLDED]


def _place(name: str, player: str) -> str:
    return f"{_fold(name)}{_END}{player}"


def _player_of(place: str) -> str:
    return place.rpartition(_END)[2]

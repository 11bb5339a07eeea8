"""Who is called what: names, each held by one player, with all that could be mistaken for it.

A name is held under each of its skeletons. All keys lie in one slot, so that one script can take
all of them or none.

st:{names}:held:DIGEST    hash: id of the player who holds the name → unix seconds since when. Older
                          versions let several have the same. `GONE` in their place: nobody may have
                          it until the key expires, for it was a deleted account's
st:{names}:complete       `2` once every player is in here and in the list of names
                          (`service.accounts.name_list`): older versions had another index
"""

import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, cast

from marshmallow import fields

from service.accounts.lookalikes import skeletons
from service.accounts.name_form import MAX_NAME
from service.accounts.name_list import Listed, NameList
from service.bots import BOTS
from service.core import ids
from service.core.errors import RequestRejected
from service.core.ids import PLAYER_ID
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import DIGEST, SnapshotKey, derived_key, text

GONE: Final = "-"
REST: Final = 30 * 24 * 60 * 60
"""Seconds for which nobody may have the name of a deleted account."""
GRACE: Final = 60
"""Seconds in which a registration that holds a name is done, or has died."""
LASTING_KEYS: Final = (
    SnapshotKey(
        scan="st:{names}:held:*",
        name=rf"st:\{{names\}}:held:{DIGEST}",
        type="hash",
        content=fields.Dict(text(f"{PLAYER_ID}|{GONE}"), text("[0-9]{1,10}")),
    ),
    # The index of an older version.
    derived_key("st:named:*", f"st:named:{DIGEST}", "set"),
)
"""Keys that a backup may hold."""

_SMALL: Final = range(2, 6)
_COMPLETE: Final = "st:{names}:complete"
_FORM: Final = "2"
"""Of these indexes."""
_RESERVED: Final = frozenset().union(
    *(skeletons(text) for bot in BOTS.values() for text in (bot.name, bot.title))
)

NameOf = Callable[[str], str | None]
"""The name that a player has now; None where there is no such player."""


class NameTaken(RequestRejected):
    """Another player has this name, or one that it could be mistaken for."""

    def __init__(self, suggestion: str) -> None:
        detail = f"Another player has this name or one like it. {suggestion} is free."
        super().__init__("name-taken", detail, suggestion=suggestion)
        self.suggestion = suggestion


class NameIndex:
    """All names. `now` gives unix seconds, `name_of` looks up whether a holder still has it."""

    def __init__(self, redis: Client, name_of: NameOf, now: Callable[[], float]) -> None:
        self._redis = redis
        script = Path(__file__).with_name("hold_name.lua").read_text()
        self._hold = redis.register_script(script)
        self._retire = redis.register_script(
            Path(__file__).with_name("retire_name.lua").read_text()
        )
        self._list = NameList(redis)
        self._name_of = name_of
        self._now = now

    def hold(self, name: str, player: str) -> bool:
        """Let the player have this name; false where another has one like it. May be repeated."""
        keys = _keys(name)
        while holder := cast(list[str], self._hold(keys=keys, args=[player, int(self._now())])):
            if not self._drop_dead(keys, *holder):
                return False
        return True

    def taken(self, name: str) -> NameTaken:
        """The refusal of this name, with one like it that is free just now."""
        return NameTaken(next(other for other in _alternatives(name) if self._is_free(other)))

    def add(self, name: str, player: str) -> None:
        """Let the player be found by this name, whoever else has it."""
        for key in _keys(name):
            self._redis.hdel(key, GONE)
            self._redis.persist(key)
            self._redis.hsetnx(key, player, str(int(self._now())))
        self._list.add(name, player)

    def given(self, name: str, player: str) -> None:
        """The player who holds this name is called so now. May be repeated."""
        self._list.add(name, player)

    def drop(self, name: str, player: str, *, but: str) -> None:
        """The player is called `but` now: the name is free. May be repeated."""
        self._list.drop(name, player, but=but)
        for key in set(_keys(name)).difference(_keys(but)):
            self._redis.hdel(key, player)

    def retire(self, name: str, player: str) -> None:
        """The player's account is deleted: their name rests for a while. May be repeated."""
        self._list.drop(name, player)
        for key in _keys(name):
            self._retire(keys=[key], args=[player, GONE, REST])

    def look_up(self, name: str) -> list[str]:
        """The ids of the players who may have this name or one like it."""
        found: set[str] = set()
        for key in _keys(name):
            found.update(cast(list[str], self._redis.hkeys(key)))
        return sorted(found - {GONE})

    def beginning_with(self, prefix: str, after: str | None, most: int) -> list[Listed]:
        """Up to `most` players whose names begin so, or did, after this place in the list."""
        return self._list.page(prefix, after, most)

    def is_complete(self) -> bool:
        """Whether every player is in here."""
        return self._redis.get(_COMPLETE) == _FORM

    def fill(self, named: Iterable[tuple[str, str]]) -> None:
        """Add every player there is, by name and id. May be repeated."""
        for name, player in named:
            self.add(name, player)
        self._list.sweep(self._name_of)
        self._redis.set(_COMPLETE, _FORM)

    def _is_free(self, name: str) -> bool:
        return not is_reserved(name) and not self._redis.exists(*_keys(name))

    def _drop_dead(self, keys: list[str], key: str, player: str, since: str) -> bool:
        """Take the name from a holder who does not have it: their registration or renaming ended
        half-way, or a deletion did."""
        if player == GONE or int(since) > self._now() - GRACE:
            return False
        name = self._name_of(player)
        if name is not None and key in _keys(name):
            return False
        self._redis.hdel(key, player)
        return True


def is_reserved(name: str) -> bool:
    """Whether only a bot may have this name, or one that it could be mistaken for."""
    return not _RESERVED.isdisjoint(skeletons(name))


def check_free(name: str) -> None:
    """Raise `RequestRejected` where only a bot may have this name."""
    if is_reserved(name):
        raise RequestRejected(
            "name-reserved", "This is the name of a bot, or could be mistaken for it."
        )


def _alternatives(name: str) -> Iterator[str]:
    """Names like this one: with a small number, else with one that is drawn."""
    base = re.sub(r" [0-9]+$", "", name)
    for number in _SMALL:
        yield _numbered(base, number)
    while True:
        yield _numbered(base, 1000 + secrets.randbelow(999_000))


def _numbered(base: str, number: int) -> str:
    ending = f" {number}"
    return base[: MAX_NAME - len(ending)].rstrip() + ending


def _keys(name: str) -> list[str]:
    return [f"st:{{names}}:held:{ids.digest(look)}" for look in sorted(skeletons(name))]

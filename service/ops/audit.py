"""Checks every stored game, one after the other, in a walk that can be interrupted.

st:{audit}:after          the id of the last game checked, during a walk
st:{audit}:faults         hash: game → the fault that this walk found
"""

from collections.abc import Iterator
from typing import cast

from service.core.redis.client import Client
from service.eventlog import EventStore
from service.ops.integrity import fault_in_stored

_AFTER = "st:{audit}:after"
_FAULTS = "st:{audit}:faults"


class Audit:
    """A walk over all games in the order of their ids. It goes on where the last one stopped."""

    def __init__(self, redis: Client, events: EventStore) -> None:
        self._redis = redis
        self._events = events

    def forget(self) -> None:
        """Make the next walk begin at the first game."""
        self._redis.delete(_AFTER, _FAULTS)

    def position(self) -> str:
        """The id of the last game checked by an unfinished walk; empty if none is unfinished."""
        return cast(str | None, self._redis.get(_AFTER)) or ""

    def ahead(self) -> list[str]:
        """The ids of the games still to be checked."""
        position = self.position()
        return sorted(game_id for game_id in self._events.game_ids() if game_id > position)

    def check(self, game_id: str) -> None:
        """Check one game, and save the walk's position."""
        fault = fault_in_stored(self._events, game_id)
        pipeline = self._redis.pipeline()
        if fault is not None:
            pipeline.hset(_FAULTS, game_id, fault)
        pipeline.set(_AFTER, game_id)
        pipeline.execute()

    def forget_game(self, game_id: str) -> None:
        """Delete the recorded fault of a removed game."""
        self._redis.hdel(_FAULTS, game_id)

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield the id and the fault of each unsound game, in the order of their ids."""
        stored = cast(dict[str, str], self._redis.hgetall(_FAULTS))
        yield from sorted(stored.items())

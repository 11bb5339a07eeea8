"""Checks that a game's log is sound: chain, commitment, shuffle and every decision; and all games,
one after the other, in a walk that can be interrupted.

st:{audit}:after          the id of the last game checked, during a walk
st:{audit}:faults         hash: game → the fault that this walk found
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from redis.exceptions import RedisError

from engine import RuleBroken, UnknownEvent
from engine.verify import verify
from service.core.errors import RequestRejected
from service.core.redis.client import Client, unavailable
from service.eventlog import EventStore, UnreadableLog
from service.games.projections.player_games import check_indexable
from service.games.reading import views
from service.games.stored_game import StoredGame


class Damaged(Exception):
    """A game that cannot be processed; the text says why. Other games still can."""


@contextmanager
def reporting_damage() -> Iterator[None]:
    """Turn any error in processing the game inside into `Damaged`.

    A log not written by any version of this program can contain anything. If Redis is away that is
    no fault of the game: that error is raised unchanged.
    """
    try:
        yield
    except RequestRejected as refusal:
        raise Damaged(refusal.detail) from refusal
    except (UnreadableLog, UnknownEvent, RuleBroken) as error:
        raise Damaged(str(error)) from error
    except RedisError as error:
        if unavailable(error):
            raise
        raise Damaged(f"Redis refuses it: {error}") from error
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Damaged(f"its log does not hold what it should: {error!r}") from error
    except OSError as error:  # a moment outside the range of the system's clock
        raise Damaged(f"its log holds a time out of all bounds: {error}") from error
    except (AssertionError, RecursionError) as error:
        raise Damaged(f"its log does not make a game: {error}") from error


def check_readable(stored: StoredGame) -> None:
    """Compute everything that lists, deadlines and views need from this game, to find damage now.
    Raises any error; `reporting_damage` converts it."""
    check_indexable(stored)
    for reader in (None, *stored.players):
        views.to_json(views.view_data(views.game_view(stored, reader, {})))


def fault_in(record: Sequence[object]) -> str | None:
    """Return the fault in a full record read from JSON, naming the event; None if it is sound."""
    try:
        finding = verify(record)
    except UnknownEvent as refusal:
        return str(refusal)
    except RecursionError:
        return "it is nested too deep"
    return None if finding is None else str(finding)


def fault_in_stored(events: EventStore, game_id: str) -> str | None:
    """Return the fault in a stored game; None if it is sound."""
    try:
        with reporting_damage():
            texts = events.read(game_id)
        return fault_in([json.loads(text) for text in texts])
    except Damaged as damaged:
        return str(damaged)
    except (ValueError, RecursionError) as error:
        return f"an event is not JSON: {error}"


_AFTER = "st:{audit}:after"
_FAULTS = "st:{audit}:faults"


@dataclass(frozen=True, slots=True)
class Audit:
    """A walk over all games in the order of their ids. It goes on where the last one stopped."""

    redis: Client
    events: EventStore

    def forget(self) -> None:
        """Make the next walk begin at the first game."""
        self.redis.delete(_AFTER, _FAULTS)

    def position(self) -> str:
        """The id of the last game checked by an unfinished walk; empty if none is unfinished."""
        return cast(str | None, self.redis.get(_AFTER)) or ""

    def ahead(self) -> list[str]:
        """The ids of the games still to be checked."""
        position = self.position()
        return sorted(game_id for game_id in self.events.game_ids() if game_id > position)

    def check(self, game_id: str) -> None:
        """Check one game, and save the walk's position."""
        fault = fault_in_stored(self.events, game_id)
        pipeline = self.redis.pipeline()
        if fault is not None:
            pipeline.hset(_FAULTS, game_id, fault)
        pipeline.set(_AFTER, game_id)
        pipeline.execute()

    def forget_game(self, game_id: str) -> None:
        """Delete the recorded fault of a removed game."""
        self.redis.hdel(_FAULTS, game_id)

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield the id and the fault of each unsound game, in the order of their ids."""
        stored = cast(dict[str, str], self.redis.hgetall(_FAULTS))
        yield from sorted(stored.items())

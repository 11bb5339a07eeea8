"""Checks that a game's log is sound (chain, commitment, shuffle and every decision), all games in a
walk that can be interrupted, and rebuilds what follows from games and players.

st:{audit}:after          the id of the last game checked, during a walk
st:{audit}:faults         hash: game → the fault that this walk found
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from redis.exceptions import RedisError

from engine import RuleBroken, UnknownEvent
from engine.verify import verify
from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.client import Client, unavailable
from service.eventlog import EventStore, UnreadableLog
from service.eventlog.snapshot import Snapshots
from service.games.notices import current_notices
from service.games.projections.player_games import PlayerIndex, check_indexable
from service.games.rating import Result
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
        views.to_json(views.view_data(stored, reader, {}))


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


_ATTEMPTS: Final = 100
"""Number of attempts to read a game while others write to it."""


class Reindexed(NamedTuple):
    """A game, the error that prevented its reindexing (None: it is reindexed), and its result
    (None: it does not count for ratings)."""

    game: str
    fault: str | None
    result: Result | None


def reindex(
    container: Container, game_ids: Iterable[str], notices_due: float | None = None
) -> Iterator[Reindexed]:
    """Rebuild the lists and deadlines of these games; yields each game when it is done.

    The ratings follow from the results of all games, once they are there: `Ratings.rebuild`.

    With `notices_due` (unix seconds), also queue the notices due for the current state of each
    game, in case they were lost: a mail that was sent before goes out again.
    """
    index = container.index
    for game_id in game_ids:
        try:
            with reporting_damage():
                stored = _reindex_game(container, index, game_id, notices_due)
                result = container.games.ratings.result(stored)
            yield Reindexed(game_id, None, result)
        except Damaged as damaged:
            yield Reindexed(game_id, str(damaged), None)


def reindex_players(container: Container) -> int:
    """Rebuild the indexes of names, addresses and identities; returns the number of players."""
    container.players.index_names()
    container.answer_addresses.index_all()
    container.identities.index_all()
    return container.players.index_addresses()


def reindex_challenges(container: Container) -> int:
    """Rebuild the players' lists of open challenges; returns their number."""
    count, events = 0, container.log.events
    for challenge_id in Snapshots(container.redis, events).ids() - {*events.game_ids()}:
        try:
            with reporting_damage():
                count += container.games.challenges.reindex(challenge_id)
        except Damaged:
            continue  # not a challenge
    return count


def sweep(container: Container, damaged: Collection[str] = ()) -> int:
    """Remove games that no longer exist from the players' lists; returns the number of entries.

    Also removes the `damaged` games: one of them would keep a player from reading all the others.
    """
    index = container.index
    there: dict[str, bool] = {}
    gone = 0
    for player, game_id in index.entries():
        if game_id not in there:
            there[game_id] = game_id not in damaged and _is_there(container, game_id)
        if not there[game_id]:
            index.forget(player, game_id)
            gone += 1
    return gone


def sweep_players(container: Container) -> None:
    """Remove the lists of games of players who do not exist, or no longer exist."""
    for player in container.index.players():
        if container.players.find(player) is None:
            container.games.forget(player)


def _is_there(container: Container, game_id: str) -> bool:
    try:
        with reporting_damage():
            return container.log.events.version(game_id) > 0
    except Damaged:
        return True


def _reindex_game(
    container: Container, index: PlayerIndex, game_id: str, notices_due: float | None
) -> StoredGame:
    for _ in range(_ATTEMPTS):
        stored = container.games.load(game_id)
        check_readable(stored)
        index.apply(stored, replace=True)
        due = [] if notices_due is None else current_notices(stored, notices_due)
        # A move in the meantime may have been overwritten in the lists, so repeat.
        if container.log.events.repair(
            game_id, stored.version, notices=due, deadline=stored.deadline
        ):
            return stored
    raise Damaged("it changes too fast to be read, or its log has gaps")

"""What the log promises of a game that begins by referring to another, on every kind of server."""

import json
from typing import NamedTuple

import pytest

from service.core.redis.client import Client
from service.eventlog import (
    Appended,
    EventLog,
    IdempotencyKey,
    Removal,
    Repeated,
    UnreadableLog,
    VersionConflict,
    keys,
)
from service.eventlog.derived import refer
from tests.service.eventlog.contract.written import GAME, NOW, OTHER
from tests.support.stored_games import finished

K = 40
KEY = IdempotencyKey("k", "f")


class Derived(NamedTuple):
    """A log that refers to `OTHER`, and one event more; and all its events."""

    log: EventLog
    reference: str
    events: list[str]


@pytest.fixture
def derived(log: EventLog) -> Derived:
    source = finished()
    log.events.append(OTHER, 0, source.texts)
    data = {"player": "e" * 16}, {"player": "f" * 16}
    reference, texts = refer(OTHER, source.lines[:K], "2026-11-21T12:00:00Z", "web", data)
    assert log.events.append(GAME, 0, [reference], key=KEY, deadline=NOW) == Appended(K)
    assert log.events.append(GAME, K, ['{"one":"more"}'], head=_hash(texts)) == Appended(K + 1)
    return Derived(log, reference, [*texts, '{"one":"more"}'])


def _hash(texts: list[str]) -> str:
    return str(json.loads(texts[-1])["hash"])


def test_it_is_read_as_if_it_held_all_events_and_packed_it_does(
    derived: Derived, store: Client
) -> None:
    events = derived.log.events
    assert events.versions([GAME, "c" * 20]) == {GAME: K + 1, "c" * 20: 0}
    for after, upto in ((0, None), (0, 3), (2, K), (K - 1, K + 1), (K, None), (K + 1, None)):
        assert events.read(GAME, after, upto) == derived.events[after:upto]
    last = [events.last_events_query(GAME, 2, upto) for upto in (None, K, 5)]
    wanted = [derived.events[-2:], derived.events[K - 2 : K], derived.events[3:5]]
    assert events.execute_all(last) == wanted
    assert events.read("c" * 20, upto=5) == []

    assert events.practised_from(OTHER) == {GAME}
    assert events.compact(GAME)
    store.delete(keys.log_key(OTHER))
    assert events.read(GAME) == derived.events


def test_its_first_write_can_be_repeated(derived: Derived) -> None:
    events = derived.log.events
    assert events.append(GAME, 0, [derived.reference], key=KEY) == Repeated(K)
    assert events.append(GAME, 0, [derived.reference]) == VersionConflict(0, K + 1)
    assert events.append(GAME, K, ["{}"]) == VersionConflict(K, K + 1)


def test_it_can_be_repaired_and_removed_at_its_version_alone(derived: Derived) -> None:
    events = derived.log.events
    assert not events.repair(GAME, 2, notices=[], deadline=None)
    assert events.repair(GAME, K + 1, notices=[], deadline=None)
    assert not events.withdraw(GAME, 2, _hash(derived.events[:-1]), 1)
    removal = Removal("2026-11-21T12:00:00Z", "", ())
    assert not events.remove(GAME, 2, removal)
    assert events.remove(GAME, K + 1, removal)
    assert events.version(GAME) == 0


def test_without_the_other_game_it_cannot_be_read(derived: Derived, store: Client) -> None:
    store.delete(keys.log_key(OTHER))
    assert derived.log.events.read(GAME, after=K) == derived.events[K:]
    derived.log.events._expanded.drop(derived.reference)
    with pytest.raises(UnreadableLog, match=OTHER):
        derived.log.events.read(GAME)

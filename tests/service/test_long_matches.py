"""A match of many rounds is read by its rounds: what a request costs does not grow with it."""

import json
import time
from collections.abc import Callable
from dataclasses import fields
from typing import Any, get_args

import pytest

from engine.chain import EVENT_TYPES
from engine.events import ClockEvent
from service.container import Container
from service.core.redis.client import Client
from service.eventlog.compaction import expand
from service.games.repository import LONGEST_ROUND, GameRepository
from service.games.stored_game import StoredGame
from tests.support.event_logs import event_log
from tests.support.matches import (
    MATCH,
    NORTH,
    SOUTH,
    events_read,
    folded,
    lines_of_match,
    put_match,
)
from tests.support.settings import settings

ROUNDS = 5
LINES = lines_of_match(ROUNDS)


@pytest.fixture
def container(redis: Client) -> Container:
    return Container(settings(), redis)


def _said(stored: StoredGame) -> dict[str, Any]:
    """All that a stored game says, its Stones too."""
    game = {field.name: getattr(stored.game, field.name) for field in fields(stored.game)} | {
        "stones": [
            (stone.sides, stone.modes, stone.completed, stone.owner) for stone in stored.game.stones
        ]
    }
    return {**stored._asdict(), "game": game}


def _types() -> dict[int, str]:
    return {line["seq"]: line["type"] for line in map(json.loads, LINES)}


def _telling() -> list[int]:
    """Versions at and around which rounds end and begin, and some in between."""
    edges = [seq for seq, type_ in _types().items() if type_ in ("round_ended", "round_started")]
    near = {seq + step for seq in edges for step in (-1, 0, 1, 2)}
    far = range(1, len(LINES) + 1, 41)
    return sorted(seq for seq in {*near, *far, 2, 3} if seq <= len(LINES))


def test_the_match_is_longer_than_what_is_read_at_once() -> None:
    assert len(LINES) > 1.5 * LONGEST_ROUND
    of_clocks = {class_.TYPE for class_ in get_args(ClockEvent)}
    assert set(_types().values()) >= {type_ for type_, _ in EVENT_TYPES} - of_clocks - {
        *("passed", "resigned", "timed_out", "game_aborted")
    }


@pytest.mark.parametrize("compacted", [False, True])
def test_a_game_is_the_same_whether_read_from_its_first_event_or_its_rounds(
    container: Container, compacted: bool
) -> None:
    put_match(container, ROUNDS)
    assert not compacted or container.log.events.compact(MATCH)
    for version in _telling():
        read = container.games.read(MATCH, None, at=version)
        assert _said(read) == _said(folded(LINES[:version])), version


@pytest.mark.parametrize("version", [len(LINES), len(LINES) - 1, len(LINES) - 100, 500, 3, 1])
def test_a_game_not_seen_before_is_read_from_its_last_round(redis: Client, version: int) -> None:
    log = event_log(redis)
    log.events.append(MATCH, 0, LINES[:version])
    with events_read() as events:
        read = GameRepository(log.events, time.time).latest(MATCH)
    assert read is not None
    assert 0 < len(events) <= LONGEST_ROUND
    assert _said(read) == _said(folded(LINES[:version]))


def test_a_game_goes_on_from_where_it_was_read(container: Container) -> None:
    put_match(container, ROUNDS, 600)
    seen = container.games.load(MATCH)
    Container(settings(), container.redis).log.events.append(MATCH, 600, LINES[600:700])
    assert _said(container.games.load(MATCH)) == _said(folded(LINES[:700]))
    assert seen.version == 600


def test_a_round_longer_than_what_is_read_at_once_is_read_whole(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.repository.LONGEST_ROUND", 20)
    put_match(container, ROUNDS)
    for version in (1, 3, 19, 20, 21, 22, 100, 600, len(LINES)):
        read = container.games.read(MATCH, None, at=version)
        assert _said(read) == _said(folded(LINES[:version])), version


@pytest.mark.parametrize("compacted", [False, True])
def test_the_rounds_of_a_match_are_its_record_in_pieces(
    container: Container, compacted: bool
) -> None:
    put_match(container, ROUNDS)
    assert not compacted or container.log.events.compact(MATCH)
    stored = container.games.load(MATCH)
    rounds: list[list[int]] = []
    while not rounds or rounds[-1][-1] < stored.version:
        at = rounds[-1][-1] + 1 if rounds else 1
        lines = container.snapshots.read(MATCH, None, at).lines
        rounds.append([line["seq"] for line in lines])
        for inside in (lines[0], lines[len(lines) // 2], lines[-1]):
            again = container.snapshots.read(MATCH, None, inside["seq"]).lines
            assert [line["seq"] for line in again] == rounds[-1]
    assert len(rounds) == ROUNDS
    assert [seq for numbers in rounds for seq in numbers] == [*range(1, stored.version + 1)]


@pytest.mark.parametrize(
    "read",
    [
        lambda site, stored: site.games.read(MATCH, None, at=stored.version // 2),
        lambda site, stored: site.games.history.lines(stored, NORTH, after=300, limit=100),
        lambda site, stored: site.snapshots.read(MATCH, SOUTH),
        lambda site, stored: site.snapshots.read(MATCH, None, 400),
        lambda site, stored: site.games.view(stored, NORTH),
    ],
)
def test_what_is_read_at_once_does_not_grow_with_the_match(
    container: Container, read: Callable[[Container, StoredGame], Any]
) -> None:
    put_match(container, ROUNDS)
    stored = container.games.load(MATCH)
    with events_read() as events:
        read(container, stored)
    assert len(events) <= 2 * LONGEST_ROUND


def test_a_whole_record_has_all_events_as_they_are_stored(container: Container) -> None:
    put_match(container, ROUNDS)
    stored = container.games.load(MATCH)
    assert container.games.history.record(stored, None) == "".join(f"{line}\n" for line in LINES)


@pytest.mark.parametrize("reader", [NORTH, SOUTH, None])
@pytest.mark.parametrize("upto", [1, 3, 400])
def test_a_record_hides_what_its_lines_hide(
    container: Container, reader: str | None, upto: int
) -> None:
    put_match(container, ROUNDS, upto)
    stored = container.games.load(MATCH)
    record = container.games.history.record(stored, reader)
    assert [json.loads(line) for line in record.splitlines()] == container.games.history.lines(
        stored, reader
    )
    assert '"secret"' not in record


def test_packed_games_are_unpacked_once_and_not_all_kept(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_match(container, ROUNDS)
    container.log.events.compact(MATCH)
    unpacked: list[bytes] = []

    def noted(value: bytes) -> list[str]:
        unpacked.append(value)
        return expand(value)

    monkeypatch.setattr("service.eventlog.event_store.expand", noted)
    for _ in range(2):
        with events_read() as events:
            container.games.read(MATCH, None, at=100)
        assert len(events) < LONGEST_ROUND
    assert len(unpacked) == 1

"""A walk over all games finds those that are not sound, and can be interrupted."""

from typing import Any

import pytest

from service.container import Container
from service.ops.integrity import Audit
from tests.support.stored_games import TACTICS, finished, keep, running


@pytest.fixture
def games(store: Container) -> list[str]:
    """A compacted game, a running one, and one that was tampered with."""
    changed = finished(seed=3)
    changed.lines[9] = {**changed.lines[9], "via": "mail-"}
    found = [keep(store, "a", finished(TACTICS)), keep(store, "b", running())]
    store.log.events.append("c" * 20, 0, changed.texts)
    return [*found, "c" * 20]


@pytest.fixture
def audit(store: Container) -> Audit:
    return Audit(store.redis, store.log.events)


def walk(audit: Audit) -> list[str]:
    ahead = audit.ahead()
    for game_id in ahead:
        audit.check(game_id)
    return ahead


def test_each_unsound_game_is_named_with_its_event(audit: Audit, games: list[str]) -> None:
    assert walk(audit) == games
    ((game_id, fault),) = audit.faults()
    assert game_id == games[2]
    assert fault.startswith("event 10: ")


def test_an_interrupted_walk_goes_on_and_a_new_one_begins_at_the_first_game(
    store: Container, audit: Audit, games: list[str]
) -> None:
    audit.check(games[0])
    again = Audit(store.redis, store.log.events)
    assert again.position() == games[0]
    assert walk(again) == games[1:]
    assert [game_id for game_id, _ in again.faults()] == [games[2]]

    walk(audit)
    audit.forget()
    assert list(audit.faults()) == []
    assert audit.ahead() == games


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["no JSON"], "not JSON"),
        (['{"seq": 1}'], "not an event"),
        ([text.replace('"v":1', '"v":7') for text in finished().texts], "event 1"),
    ],
)
def test_what_cannot_even_be_read_is_named_and_does_not_end_the_walk(
    store: Container, audit: Audit, texts: Any, says: str
) -> None:
    store.log.events.append("a" * 20, 0, texts)
    keep(store, "b", running())
    walk(audit)
    ((_, fault),) = audit.faults()
    assert says in fault

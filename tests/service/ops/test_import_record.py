"""Records of games played elsewhere are verified, stored and shown like any other."""

import json
from typing import Any

import pytest

from engine.chain import redact
from engine.record import from_jsonl, from_text, to_jsonl, to_text
from service.container import Container
from service.ops.restore import NotImported, import_record
from tests.support.clock import Clock
from tests.support.stored_games import TACTICS, finished, game_id, keep, running


@pytest.fixture
def record() -> Any:
    return finished(TACTICS).lines


def test_an_imported_game_replays_and_exports_the_same(store: Container, record: Any) -> None:
    game_id = import_record(store, from_jsonl(to_jsonl(record)))
    stored = store.games.load(game_id)
    assert stored.game.over
    assert store.games.history.lines(stored, None) == record
    assert stored.head == record[-1]["hash"]


def test_the_text_form_is_the_same_game(store: Container, record: Any) -> None:
    assert import_record(store, from_text(to_text(record))) == import_record(store, record)
    assert len(list(store.log.events.game_ids())) == 1


def test_what_was_exported_here_can_be_imported_elsewhere(
    store: Container, elsewhere: Container, record: Any
) -> None:
    stored = store.games.load(import_record(store, record))
    exported = store.games.history.lines(stored, None)
    game_id = import_record(elsewhere, exported)
    assert elsewhere.games.history.lines(elsewhere.games.load(game_id), None) == record


def test_a_changed_record_is_refused_at_its_event(store: Container, record: Any) -> None:
    record[20] = {**record[20], "via": "order"}
    with pytest.raises(NotImported, match="event 21: "):
        import_record(store, record)
    assert list(store.log.events.game_ids()) == []


def test_a_game_that_goes_on_is_refused(store: Container) -> None:
    with pytest.raises(NotImported, match="finished"):
        import_record(store, running().lines)


def test_a_redacted_record_is_refused(store: Container, record: Any) -> None:
    with pytest.raises(NotImported, match="salt is missing"):
        import_record(store, [redact(line, "north", over=False) for line in record])


def test_a_deal_of_the_day_can_be_imported_once_its_day_is_over(
    store: Container, elsewhere: Container, clock: Clock
) -> None:
    """Before, its secret is not out, and the game would be sealed."""
    store.players.ensure_exists("e" * 16, "Eve")
    over = store.games.resign(store.games.daily.begin("e" * 16).id, "e" * 16)
    record = [json.loads(text) for text in store.log.events.read(over.id)]
    assert over.daily is not None
    clock.time = over.daily.ends - 1
    with pytest.raises(NotImported, match=f"the deal of {over.daily.date}, and that day is not"):
        import_record(elsewhere, record)
    assert list(elsewhere.log.events.game_ids()) == []
    clock.time = over.daily.ends
    imported = elsewhere.games.read(import_record(elsewhere, record), None)
    assert (imported.imported, imported.sealed) == (True, False)


def test_an_imported_game_shows_as_imported_wherever_it_is_shown(
    store: Container, record: Any
) -> None:
    players = [line["data"]["player"] for line in record[:2]]
    store.players.ensure_exists(players[0], "Ada")
    stored = store.games.load(import_record(store, record))
    assert store.games.view(stored, None).imported
    assert store.games.view(store.games.read(stored.id, None, at=2), None).imported
    (listed,), _ = store.games.lists.of_player(players[0])
    assert (listed["id"], listed["imported"]) == (stored.id, True)
    # The other one is not here.
    assert store.games.lists.of_player(players[1]) == ([], None)


def test_the_record_of_a_game_that_was_played_here_gives_that_game(
    store: Container, elsewhere: Container
) -> None:
    played = finished(TACTICS)
    here = keep(store, "a", played)
    assert import_record(store, played.lines) == here
    assert list(store.log.events.game_ids()) == [here]
    stored = store.games.load(here)
    assert not store.games.view(stored, None).imported
    assert import_record(elsewhere, played.lines) != here


def test_another_game_of_the_same_moment_is_another(store: Container, record: Any) -> None:
    keep(store, "a", finished(TACTICS, seed=2))
    assert import_record(store, record) != game_id("a")
    assert len(list(store.log.events.game_ids())) == 2

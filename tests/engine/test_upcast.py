"""Events of older versions are read as today's, and unknown ones are refused by name.

All types are in their first version: the tests let a type be in its second, and invent later ones.
"""

from typing import Any

import pytest

from engine import UnknownEvent, replay
from engine.chain import EVENT_TYPES, UPCASTERS, EncodedEvent, encode, to_event, upcast
from engine.events import CardDrawn, TurnEnded
from engine.record import to_jsonl, to_text
from engine.record_form import _DATA
from engine.value_checks import flag, object_of
from engine.verify import RecordFault, verify
from tests.engine.games import Kind, forged, record_of, whole_game


def before_decks_had_names(event: CardDrawn) -> EncodedEvent:
    """`card_drawn` as it might have been before version 2."""
    return encode(event)._replace(v=1, data={"tactic": event.deck == "tactic"})


def name_the_deck(event: EncodedEvent) -> EncodedEvent:
    return event._replace(data={"deck": "tactic" if event.data["tactic"] else "clan"})


@pytest.fixture
def _second_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let today's `card_drawn` be in its second version."""
    first, second = ("card_drawn", 1), ("card_drawn", 2)
    monkeypatch.setattr(CardDrawn, "VERSION", 2)
    monkeypatch.delitem(EVENT_TYPES, first)
    monkeypatch.setitem(EVENT_TYPES, second, CardDrawn)
    monkeypatch.setitem(UPCASTERS, first, name_the_deck)
    monkeypatch.setitem(_DATA, second, _DATA[first])
    monkeypatch.setitem(_DATA, first, object_of({"tactic": flag}))


@pytest.fixture(scope="module")
def played() -> Any:
    return whole_game(Kind("iello", tactics=True), 3)


@pytest.fixture(scope="module")
def old_record(played: Any) -> Any:
    """A game that was stored when `card_drawn` was in the older version."""
    game, events = played
    old = [before_decks_had_names(e) if isinstance(e, CardDrawn) else e for e in events]
    return record_of(old, game.secret)


@pytest.mark.usefixtures("_second_version")
class TestAnOlderVersion:
    def test_it_is_read_as_the_newest(self, played: Any, old_record: Any) -> None:
        _, events = played
        assert [to_event(line) for line in old_record] == events

    def test_its_record_verifies_with_the_hashes_it_was_stored_with(self, old_record: Any) -> None:
        assert verify(old_record) is None

    def test_it_is_exported_as_it_was_stored(self, old_record: Any) -> None:
        assert '"data":{"tactic":false}' in to_jsonl(old_record)
        assert "+C" in to_text(old_record)

    def test_a_change_to_it_is_still_found(self, old_record: Any) -> None:
        place = next(n for n, line in enumerate(old_record) if line["type"] == "card_drawn")
        changed = [dict(line) for line in old_record]
        changed[place]["data"] = {"tactic": True}
        assert verify(changed).seq == place + 1


def test_the_text_form_tells_an_older_beginning_as_todays(
    monkeypatch: pytest.MonkeyPatch, played: Any
) -> None:
    def name_the_edition(event: EncodedEvent) -> EncodedEvent:
        data = dict(event.data)
        return event._replace(data={"edition": data.pop("rulebook"), **data})

    monkeypatch.setitem(UPCASTERS, ("game_created", 0), name_the_edition)
    game, [made, *later] = played
    encoded = encode(made)
    older = {key: value for key, value in encoded.data.items() if key != "edition"}
    begun = encoded._replace(v=0, data={**older, "rulebook": "iello"})
    assert to_text(record_of([begun, *later], game.secret)).startswith('[Edition "iello"]')


def test_several_steps_lead_to_the_newest_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(UPCASTERS, ("noted", 1), lambda e: e._replace(data={"b": e.data["a"]}))
    monkeypatch.setitem(UPCASTERS, ("noted", 2), lambda e: e._replace(data={"c": e.data["b"]}))
    noted = EncodedEvent("noted", None, {"a": 5})
    assert upcast(noted) == EncodedEvent("noted", None, {"c": 5}, v=3)
    assert noted.data == {"a": 5}


@pytest.mark.usefixtures("_second_version")
def test_an_older_version_without_an_upcaster_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, old_record: Any
) -> None:
    monkeypatch.delitem(UPCASTERS, ("card_drawn", 1))
    with pytest.raises(UnknownEvent, match="card_drawn v1"):
        replay(map(to_event, old_record))


@pytest.mark.parametrize(
    ("change", "name"), [({"v": 2}, "turn_ended v2"), ({"type": "turn_taken"}, "turn_taken v1")]
)
def test_a_later_version_or_type_is_refused_by_name(
    played: Any, change: dict[str, int] | dict[str, str], name: str
) -> None:
    game, events = played
    later = [encode(e)._replace(**change) if isinstance(e, TurnEnded) else e for e in events]
    with pytest.raises(UnknownEvent, match=name):
        replay(map(to_event, record_of(later, game.secret)))


def test_later_rules_are_refused_by_their_version(played: Any) -> None:
    game, events = played
    record = record_of([forged(events[0], rules_version=3), *events[1:]], game.secret)
    with pytest.raises(UnknownEvent, match="Rules of version 3"):
        replay(map(to_event, record))
    problem = "its data.rules_version is that of a later version of this program"
    assert verify(record) == RecordFault(1, problem)

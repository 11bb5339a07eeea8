"""What `verify` says of a record that is not sound: at which event, and what is wrong there."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine import Abandon, CreateGame, Event, JoinGame, Resign, UnknownEvent, advance
from engine.chain import EncodedEvent, encode, redact, to_event
from engine.events import (
    CardPlayed,
    GameAborted,
    GameEnded,
    Resigned,
    RoundStarted,
    TurnEnded,
)
from engine.verify import RecordFault, action_of, command_of, is_redacted, verify, verify_chain
from tests.engine.games import Kind, begin, forged, record_of, whole_game

KIND = Kind("bga", tactics=True, rounds=2)


@pytest.fixture(scope="module")
def played() -> Any:
    game, events = whole_game(KIND, 5)
    return events, game.secret


def with_private(event: Event, private: dict[str, Any] | None) -> EncodedEvent:
    return encode(event)._replace(private=private)


def test_a_sound_record_has_no_finding_and_hides_nothing(played: Any) -> None:
    lines = record_of(*played)
    assert verify(lines) is None
    assert verify_chain(lines) is None
    assert not is_redacted(lines)
    assert is_redacted([redact(line, "north", over=False) for line in lines[:-2]])


def test_an_empty_record_holds_no_events() -> None:
    assert verify([]) == verify_chain([]) == RecordFault(None, "it holds no events")
    assert str(verify([])) == "the record: it holds no events"


def test_a_hidden_event_with_another_number_is_found(played: Any) -> None:
    lines = [redact(line, None, over=False) for line in record_of(*played)[:-2]]
    hidden = next(n for n, line in enumerate(lines) if line["salt"] is None and n > 3)
    lines[hidden] = {**lines[hidden], "seq": 999}
    found = verify_chain(lines)
    assert found.seq == hidden + 1
    assert str(found) == f"event {hidden + 1}: it says that it is event 999"


def test_a_hash_that_is_not_its_contents_is_found_at_its_event(played: Any) -> None:
    lines = record_of(*played)
    lines[6] = {**lines[6], "at": "2026-11-21T12:00:01Z"}
    assert verify_chain(lines).seq == verify(lines).seq == 7


def test_a_fraction_in_an_event_is_a_finding_and_no_crash(played: Any) -> None:
    lines = record_of(*played)
    lines[2] = {**lines[2], "data": {"round": 1.5}}
    assert verify_chain(lines).seq is None


def test_a_record_with_another_or_no_secret_is_found_at_its_event(played: Any) -> None:
    events, secret = played
    found = verify(record_of([forged(events[0], commitment="00" * 32), *events[1:]], secret))
    assert found == RecordFault(1, "the commitment is not that of the secret")

    hidden, empty = (
        verify(record_of([with_private(events[0], private), *events[1:]], secret))
        for private in (None, {})
    )
    assert hidden == RecordFault(1, "the commitment is not that of the secret")
    assert empty == RecordFault(1, "its private is without secret")

    found = verify(record_of([*events[:-1], forged(events[-1], secret="ee" * 32)], secret))
    assert found.seq == len(events)
    assert "another secret" in found.problem


def test_salts_from_elsewhere_and_unknown_actions_are_found(played: Any) -> None:
    events, _ = played
    found = verify(record_of(events, "ee" * 32))
    assert found == RecordFault(1, "its salt does not follow from the secret")

    with pytest.raises(UnknownEvent, match="round_started v1"):
        action_of(next(event for event in events if isinstance(event, RoundStarted)))


@pytest.mark.parametrize("deck", ["clan", "tactic"])
def test_other_decks_than_the_shuffle_gives_are_found_at_their_round(
    played: Any, deck: str
) -> None:
    events, secret = played
    place = [n for n, event in enumerate(events) if isinstance(event, RoundStarted)][1]
    dealt = encode(events[place]).private
    assert dealt is not None
    turned = with_private(events[place], {**dealt, deck: dealt[deck][::-1]})
    found = verify(record_of([*events[:place], turned, *events[place + 1 :]], secret))
    assert found == RecordFault(place + 1, "the decks are not those of the verifiable shuffle")


def test_a_fact_that_the_rules_refuse_or_decide_otherwise_is_found(played: Any) -> None:
    events, secret = played
    place = next(n for n, event in enumerate(events) if isinstance(event, CardPlayed))
    nobody_holds = forged(events[place], card="JOK")
    found = verify(record_of([*events[:place], nobody_holds, *events[place + 1 :]], secret))
    assert found == RecordFault(place + 1, "the rules refuse it: You do not hold Joker.")

    place = next(n for n, event in enumerate(events) if isinstance(event, TurnEnded))
    again = forged(events[place], next=events[place].by)
    found = verify(record_of([*events[:place], again, *events[place + 1 :]], secret))
    assert found.seq == place + 1
    assert found.problem.startswith(f"the rules decide turn_ended by {events[place].by}")
    assert f"it says turn_ended by {events[place].by}" in found.problem


def test_an_event_by_nobody_is_told_as_the_servers() -> None:
    game, events = begin(Kind("iello"), random.Random(3))
    late = forged(events[2], first="north" if game.first == "south" else "south")
    found = verify(record_of([*events[:2], late], game.secret))
    assert "round_started by the server" in found.problem


def test_a_record_without_its_end_or_its_parts_is_a_finding(played: Any) -> None:
    events, secret = played
    found = verify(record_of(events[:-1], secret))
    assert found == RecordFault(None, "it ends where game_ended should follow")
    assert verify(record_of(events[:2], secret)).seq is None  # the round does not start

    place = next(n for n, event in enumerate(events) if isinstance(event, CardPlayed))
    broken = encode(events[place])._replace(data={})
    found = verify(record_of([*events[:place], broken, *events[place + 1 :]], secret))
    assert found == RecordFault(place + 1, "its data is without card")


def test_a_game_that_nobody_joined_is_sound_as_it_is() -> None:
    made = CreateGame("ann", "south", "iello", True, False, 1, "random", "ab" * 32, "salt")
    game, events = advance(None, made)
    assert verify(record_of(events, "ab" * 32)) is None
    assert verify(record_of(events + advance(game, Abandon("south"))[1], "ab" * 32)) is None


@pytest.mark.parametrize("by", ["north", "south", None])
def test_whoever_agreed_resigned_or_called_off_is_part_of_the_command(by: str | None) -> None:
    game, events = begin(Kind("iello"), random.Random(3))
    assert command_of(GameEnded(by, None, "agreement", {}, ""), game) == Abandon(by)
    assert command_of(GameAborted(by, ""), game) == Abandon(by)
    if by:
        assert command_of(Resigned(by), game) == Resign(by)
    assert command_of(events[1], game) == JoinGame("bob", "salt of bob", None)


@pytest.mark.parametrize("type_", ["game_created", "round_started", "round_ended"])
def test_a_fact_that_no_command_begins_with_is_found_out_of_its_place(
    played: Any, type_: str
) -> None:
    events, secret = played
    stray = next(event for event in events if type_ == event.TYPE)
    place = next(n for n, event in enumerate(events, 1) if isinstance(event, TurnEnded))
    found = verify(record_of([*events[:place], stray, *events[place:]], secret))
    assert found == RecordFault(place + 1, f"nothing that a player does leads to {type_} here")


WRONG: list[Any] = [None, True, 7, "7", [], {}]


def mistyped(event: Event) -> Iterator[EncodedEvent]:
    """The event with a value of another type in each place of its parts, and in each option."""
    whole = encode(event)
    for part in ("data", "private"):
        members = getattr(whole, part) or {}
        for name, other in others(members):
            yield whole._replace(**{part: {**members, name: other}})
        for name, other in others(members.get("options", {})):
            options = {**members["options"], name: other}
            yield whole._replace(data={**members, "options": options})


def others(members: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each of these members with each value of another type."""
    for name, member in members.items():
        for value in WRONG:
            if type(value) is not type(member):
                yield name, value


def test_a_member_of_another_type_is_found_at_its_event(played: Any) -> None:
    """Compiled, the rules check types by themselves; as Python, they take what comes."""
    events, secret = played
    firsts = {event.TYPE: place for place, event in reversed([*enumerate(events)])}
    assert len(firsts) > 8
    for place in firsts.values():
        for other in mistyped(events[place]):
            found = verify(record_of([*events[:place], other, *events[place + 1 :]], secret))
            assert found is not None, other
            assert found.seq == place + 1, other


def test_a_line_that_is_no_event_is_found_and_no_crash(played: Any) -> None:
    lines: list[Any] = list(record_of(*played))
    for value in (None, 7, [], {}, {**lines[5], "seq": "6"}, {**lines[5], "via": ["api"]}):
        assert verify([*lines[:5], value, *lines[6:]]).seq == 6


def test_facts_read_back_as_they_were_recorded(played: Any) -> None:
    events, secret = played
    assert [to_event(line) for line in record_of(events, secret)] == events

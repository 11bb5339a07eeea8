"""Records: sealed, redacted, written, read back and verified."""

import copy
import json
import re
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from engine import Abandon, CreateGame, Resign, TimeOut, advance, replay
from engine.chain import canonical, encode, redact, to_event
from engine.events import TurnEnded
from engine.record import BadRecord, from_jsonl, from_text, to_jsonl, to_text, turns
from engine.verify import is_redacted, verify, verify_chain
from tests.engine.games import KINDS, THOROUGHNESS, Kind, forged, record_of, whole_game

TACTICAL = Kind("iello", tactics=True)


def tactical_record(seed: Any = 3) -> Any:
    game, events = whole_game(TACTICAL, seed)
    return record_of(events, game.secret)


texts = st.text(st.characters(exclude_categories=["Cs"]))
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | texts,
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(st.characters(max_codepoint=127)), inner)
    ),
)


@given(plain)
def test_canonical_json_is_rfc_8785(value: Any) -> None:
    assert canonical(value).encode() == rfc8785.dumps(value)


def test_canonical_json_refuses_fractions() -> None:
    with pytest.raises(ValueError, match="fractions"):
        canonical({"a": [1.5]})


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_played_record_verifies_and_both_forms_read_back(kind: Any) -> None:
    game, events = whole_game(kind._replace(rounds=2), 7)
    lines = record_of(events, game.secret)
    assert verify(lines) is None
    assert from_jsonl(to_jsonl(lines)) == lines
    assert from_text(to_text(lines)) == lines


@pytest.mark.parametrize(
    "ending", [Resign("south"), Resign("north"), TimeOut("north"), TimeOut("south"), Abandon(None)]
)
def test_every_other_way_to_end_verifies_and_reads_back(ending: Any) -> None:
    game, events = whole_game(TACTICAL, 5)
    cut = [place for place, event in enumerate(events) if isinstance(event, TurnEnded)][20]
    begun = replay(events[: cut + 1])
    if isinstance(ending, TimeOut):
        ending = TimeOut(begun.turn)
    _, more = advance(begun, ending)
    lines = record_of(events[: cut + 1] + more, game.secret)
    assert verify(lines) is None
    assert from_text(to_text(lines)) == lines


def test_a_game_aborted_before_its_start_verifies_and_reads_back() -> None:
    made = CreateGame(
        "ann",
        "south",
        "bga",
        True,
        False,
        3,
        "scotland",
        "12" * 32,
        'a "salt" \\ ü\n',
        "2020-02-02",
    )
    game, events = advance(None, made)
    _, more = advance(game, Abandon("south"))
    lines = record_of(events + more, game.secret)
    assert verify(lines) is None
    assert from_text(to_text(lines)) == lines


def test_the_text_form_is_headers_then_a_numbered_line_a_turn() -> None:
    rows = to_text(tactical_record()).splitlines()
    gap = rows.index("")
    assert all(row.startswith("[") for row in rows[:gap])
    assert rows[gap + 1].startswith("1. ")
    assert rows[-1].startswith(f"{len(rows) - gap - 1}. ")


def test_a_changed_turn_in_the_text_form_is_refused() -> None:
    text = to_text(tactical_record())
    with pytest.raises(BadRecord):
        from_text(text.replace("\n1. ", "\n1. R1@1 "))
    with pytest.raises(BadRecord):
        from_text(text.replace('[Head "', '[Head "0'))
    with pytest.raises(BadRecord):
        from_text(text.replace("[Secret", "[Sacred"))
    with pytest.raises(BadRecord):
        from_text(text + "and then?\n")


@pytest.mark.parametrize("text", ["", "x", "[]", "{}", '{"seq": 1}', "nul"])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        from_jsonl(text)


def test_one_changed_byte_anywhere_is_found() -> None:
    text = to_jsonl(tactical_record())
    step = len(text) // 150
    for place in range(0, len(text) - 1, step):
        changed = text[:place] + ("0" if text[place] != "0" else "1") + text[place + 1 :]
        try:
            lines = from_jsonl(changed)
        except BadRecord:
            continue
        assert verify(lines) is not None, place


def resealed(change: Any) -> Any:
    """A record whose events were changed and whose chain was then made anew."""
    lines = copy.deepcopy(tactical_record())
    change(lines)
    secret = lines[0]["private"]["secret"]
    return record_of([to_event(line) for line in lines], secret)


def at(lines: Any, type_: Any) -> Any:
    return next(line for line in lines if line["type"] == type_)


def test_a_stacked_deck_is_found_even_in_a_whole_chain() -> None:
    def stack(lines: Any) -> None:
        deck = at(lines, "round_started")["private"]["clan"]
        deck[-1], deck[-2] = deck[-2], deck[-1]

    assert "shuffle" in str(verify(resealed(stack)))


def test_a_move_that_the_rules_refuse_is_found_even_in_a_whole_chain() -> None:
    def cheat(lines: Any) -> None:
        at(lines, "card_played")["data"]["card"] = at(lines, "round_started")["private"]["clan"][-1]

    found = verify(resealed(cheat))
    assert "the rules" in found.problem
    assert found.seq == 4


def test_a_verdict_other_than_the_rules_give_is_found() -> None:
    def cheat(lines: Any) -> None:
        at(lines, "stone_claimed")["data"]["reason"] = "unbeatable"

    assert "the rules decide" in str(verify(resealed(cheat)))


def test_a_card_drawn_from_elsewhere_in_the_deck_is_found() -> None:
    def cheat(lines: Any) -> None:
        at(lines, "card_drawn")["private"]["cards"] = ["R1"]

    assert "the rules decide" in str(verify(resealed(cheat)))


def test_events_left_out_or_cut_short_are_found() -> None:
    lines = tactical_record()
    assert verify_chain(lines[:9] + lines[10:]) is not None
    assert verify_chain([*lines[:9], lines[10], lines[9], *lines[11:]]) is not None
    assert verify_chain([]) is not None

    assert "should follow" in str(verify(tactical_record()[:-1]))


def test_another_secret_than_was_committed_to_is_found() -> None:
    lines = copy.deepcopy(tactical_record())
    lines[0]["private"]["secret"] = "ff" * 32
    otherwise = record_of([to_event(line) for line in lines], "ff" * 32)
    assert "commitment" in str(verify(otherwise))


def test_before_the_end_a_reader_sees_only_the_own_private_cards() -> None:
    lines = tactical_record()
    for line in lines:
        shown = redact(line, "north", over=False)
        own = line["by"] == "north" and line["type"] not in ("game_created",)
        if line["private"] is None or own:
            assert shown == line
        else:
            assert (shown["private"], shown["salt"]) == (None, None)
            assert shown["hash"] == line["hash"]
        assert redact(line, None, over=True) == line


def test_a_redacted_chain_holds_as_far_as_it_can_be_seen_and_hides_what_was_private_alone() -> None:
    shown = [redact(line, "south", over=False) for line in tactical_record()[:30]]
    assert is_redacted(shown)
    assert verify_chain(shown) is None
    shown[5] = {**shown[5], "hash": "0" * 64}
    assert verify_chain(shown) is not None

    played = next(place for place, line in enumerate(shown) if line["type"] == "card_played")
    hidden = {**shown[played], "salt": None, "data": {"card": "R1", "stone": 1}}
    assert "hides nothing" in str(verify_chain([*shown[:played], hidden, *shown[played + 1 :]]))
    shown[2] = {**shown[2], "private": {"clan": ["R1"]}}
    assert "hides nothing" in str(verify_chain(shown))


def test_nothing_is_hidden_of_a_finished_game() -> None:
    shown = [redact(line, "south", over=False) for line in tactical_record()]
    assert "the game is over" in str(verify_chain(shown))
    assert "the game is over" in str(verify(shown))


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("[Winner", '[Winner "nobody"]'),
        ("[Reason", '[Reason "luck"]'),
        ("[Commitment", '[Commitment "00"]'),
        ("[Expert", '[Expert "false."]'),
        ("[Score", None),
        ("[Commitment", None),
    ],
)
def test_every_header_of_the_text_form_is_checked(line: str, instead: str | None) -> None:
    rows = to_text(tactical_record()).split("\n")
    place = next(place for place, row in enumerate(rows) if row.startswith(line))
    doubled = [*rows[:place], rows[place], *rows[place:]]
    changed = [*rows[:place], *([instead] if instead else []), *rows[place + 1 :]]
    for other in (doubled, changed):
        with pytest.raises(BadRecord):
            from_text("\n".join(other))


def test_the_text_form_of_a_game_that_goes_on_is_only_for_reading() -> None:
    shown = [redact(line, "north", over=False) for line in tactical_record()[:30]]
    with pytest.raises(BadRecord, match="before the game ended"):
        from_text(to_text(shown))


def test_a_redacted_record_hides_returned_cards_in_the_text_form_too() -> None:
    game = None
    for seed in range(40):
        lines = tactical_record(seed)
        if any(line["type"] == "cards_returned" for line in lines):
            game = [redact(line, None, over=False) for line in lines]
            break
    assert any("-?" in turn for turn in turns(game))


def test_a_record_line_is_plain_json() -> None:
    line = json.loads(to_jsonl(tactical_record()).splitlines()[0])
    assert list(line) == sorted(
        ["seq", "v", "at", "type", "by", "via", "data", "private", "salt", "hash"]
    )


@pytest.mark.parametrize("odd", ["\u2028", "\u0085", "\x1c", "\r", "a\nb"])
def test_a_salt_with_another_line_break_does_not_break_its_line(odd: str) -> None:
    game, events = whole_game(Kind("iello"), 3)
    lines = record_of([forged(events[0], salt=odd), *events[1:]], game.secret)
    assert from_jsonl(to_jsonl(lines)) == lines
    headers = to_text(lines).split("\n\n")[0].split("\n")
    assert all(header.startswith("[") and header.endswith("]") for header in headers)


@pytest.mark.parametrize("key", ["seq", "v", "at", "type", "by", "via", "data", "private", "hash"])
def test_a_line_with_a_value_of_another_kind_is_no_event(key: str) -> None:
    line = {**tactical_record()[0], key: 1.5}
    with pytest.raises(BadRecord, match=f"event 1: .*{key}"):
        from_jsonl(json.dumps(line))


def fault_of(text: bytes) -> str:
    """What reading and verifying a record says; it has to say something."""
    try:
        return str(verify(from_jsonl(text.decode())))
    except BadRecord as bad:
        return str(bad)


def test_any_changed_byte_is_refused_at_its_event() -> None:
    text = to_jsonl(tactical_record()).encode()
    for place in range(0, len(text), 149 // THOROUGHNESS or 1):
        if text[place] == ord("\n"):
            continue
        changed = text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :]
        number = text.count(b"\n", 0, place) + 1
        assert re.match(rf"(event|Line) {number}\b", fault_of(changed))


@pytest.mark.parametrize(
    ("type_", "part", "value"),
    [
        ("game_created", "data", {}),
        ("game_created", "private", {"secret": "no hex"}),
        ("card_played", "data", {"card": "R1"}),
        ("card_played", "data", {"card": "R1", "stone": "three"}),
        ("round_started", "private", None),
        ("card_drawn", "data", {"deck": 1.5}),
    ],
)
def test_a_sealed_record_without_sense_is_a_finding_and_no_crash(
    type_: str, part: str, value: Any
) -> None:
    game, events = whole_game(Kind("iello"), 3)
    place = next(n for n, event in enumerate(events) if type_ == event.TYPE)
    broken = encode(events[place])._replace(**{part: value})
    if part == "data" and value == {"deck": 1.5}:
        lines = [*record_of(events, game.secret)]
        lines[place] = {**lines[place], "data": value}
    else:
        lines = record_of([*events[:place], broken, *events[place + 1 :]], game.secret)
    assert verify(lines) is not None

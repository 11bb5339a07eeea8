"""A compacted log gives back its events byte for byte, whatever they are."""

import hashlib
import json
import random
from typing import Any

import pytest

from engine import Abandon, Resign, TimeOut
from engine.chain import EncodedEvent, canonical, seal
from service.eventlog.compaction import (
    COMMON_TEXT,
    ENCODED,
    PLAIN,
    UnreadableLog,
    compact,
    compacted_version,
    encode,
    expand,
)
from tests.engine.games import KINDS, Kind
from tests.golden.corpus import FOLDER
from tests.support.stored_games import IELLO, TACTICS, SlowGame, finished, running


def form(compacted: bytes) -> bytes:
    return compacted.split(b" ")[0]


@pytest.mark.parametrize("kind", [*KINDS, Kind("iello", tactics=True, rounds=3)], ids=str)
def test_every_kind_of_game_has_a_shorthand_that_gives_back_the_same_bytes(kind: Any) -> None:
    texts = finished(kind).texts
    compacted = compact(texts)
    assert form(compacted) == ENCODED
    assert expand(compacted) == texts
    assert compacted_version(compacted) == len(texts)


def test_the_events_of_a_clock_have_one_too() -> None:
    record = FOLDER / "bga+tactics-rules2-clocked-0.jsonl"
    texts = record.read_text(encoding="utf-8").split("\n")[:-1]
    compacted = compact(texts)
    assert form(compacted) == ENCODED
    assert expand(compacted) == texts


@pytest.mark.parametrize("ending", ["resigned", "timed_out", "by agreement", "before the start"])
def test_every_way_to_end_has_one_too(ending: str) -> None:
    game = SlowGame(TACTICS, random.Random(3))
    if ending == "before the start":
        game.lines = game.lines[:1]
        secret = game.game.secret
        aborted = EncodedEvent("game_aborted", "north", {"secret": secret})
        game.lines += seal(
            [aborted], after=1, at=game.lines[0]["at"], via="web", secret=secret,
            previous=game.lines[0]["hash"],
        )  # fmt: skip
    else:
        game.play(30)
        mover = game.game.turn
        command = {"resigned": Resign("south"), "timed_out": TimeOut(mover)}
        game.take(command.get(ending, Abandon("north")), "clock")
    compacted = compact(game.texts)
    assert form(compacted) == ENCODED
    assert expand(compacted) == game.texts


@pytest.mark.parametrize("kind", [IELLO, TACTICS], ids=str)
def test_a_packed_game_is_small(kind: Any) -> None:
    sizes = [len(compact(finished(kind, seed).texts)) for seed in range(10)]
    assert max(sizes) < 1300


def test_what_the_rules_would_decide_is_written_down_and_not_asked_again() -> None:
    texts = finished().texts
    short = encode([json.loads(text) for text in texts])
    claims = [json.loads(text)["data"] for text in texts if '"stone_claimed"' in text]
    assert claims
    assert all(f"!{canonical(claim)}" in short for claim in claims)


def altered(**changes: object) -> list[str]:
    """A sealed log in which one event says something that does not follow from the others."""
    game = running(events=12)
    secret, previous = game.game.secret, game.lines[-1]["hash"]
    said = {"type": "card_drawn", "by": "north", "data": {"deck": "clan"}, "private": None, "v": 1}
    event = EncodedEvent(**{**said, **changes})  # type: ignore[arg-type]
    game.lines += seal([event], after=len(game.lines), at=game.lines[-1]["at"], via="api",
                       secret=secret, previous=previous)  # fmt: skip
    return game.texts


UNFORESEEN = {
    "another card than the next": {"private": {"cards": ["R1"]}},
    "a version to come": {"v": 2},
    "the other player": {"by": "south"},
    "more data": {"data": {"deck": "clan", "note": "a\nb\t{}"}},
    "a type to come": {"type": "card_swapped", "data": {"é": [1, None, {"x": "y"}]}},
}


@pytest.mark.parametrize("changes", UNFORESEEN.values(), ids=UNFORESEEN.keys())
def test_what_does_not_follow_is_written_in_full(changes: Any) -> None:
    texts = altered(**changes)
    compacted = compact(texts)
    assert form(compacted) == ENCODED
    assert expand(compacted) == texts


STRANGE = {
    "no game at all": ['{"a": 1}', "not even JSON\n", ""],
    "another spelling of the same": [finished().texts[0].replace('":', '": ')],
    "a broken chain": finished().texts[1:],
    "an unknown deck": altered(data={"deck": "joker"}),
    "a moment with fractions": [t.replace("Z", ".5Z") for t in finished().texts],
}


@pytest.mark.parametrize("texts", STRANGE.values(), ids=STRANGE.keys())
def test_a_log_without_shorthand_is_packed_as_it_is(texts: Any) -> None:
    compacted = compact(texts)
    assert form(compacted) == PLAIN
    assert expand(compacted) == texts
    assert compacted_version(compacted) == len(texts)


def test_a_form_of_a_later_program_is_refused_by_name() -> None:
    later = b"7 " + compact(finished().texts).split(b" ", 1)[1]
    assert compacted_version(later) == len(finished().texts)
    with pytest.raises(UnreadableLog, match="form 7, which only a later version can read"):
        expand(later)


def test_damage_is_never_read_as_another_game() -> None:
    compacted = compact(finished().texts)
    for place in range(compacted.index(b" ", 2) + 1, len(compacted)):
        damaged = compacted[:place] + bytes([compacted[place] ^ 1]) + compacted[place + 1 :]
        with pytest.raises(UnreadableLog, match="damaged"):
            expand(damaged)


def test_the_common_text_is_the_one_that_all_packed_games_were_packed_with() -> None:
    digest = hashlib.sha256(COMMON_TEXT).hexdigest()
    assert digest == "34432d7d5d602d68635243b9644856426a0fde1846cf4ed4a50ff09c69bb5dae"

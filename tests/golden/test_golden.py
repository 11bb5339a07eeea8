"""Every record of the golden corpus verifies, replays and reads back, to the byte."""

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import evolve, replay
from engine.chain import StoredEvent, to_event
from engine.events import CardsRecruited, RusePlayed
from engine.notation import Move
from engine.record import from_jsonl, from_text, to_jsonl, to_text
from engine.verify import verify
from tests.engine.invariants import violations
from tests.golden.corpus import FOLDER

TEXTS = sorted(FOLDER.glob("*.txt"))
WHOLE = sorted(FOLDER.glob("*.jsonl"))


def test_the_corpus_is_there() -> None:
    assert len(TEXTS) >= 200
    assert len(WHOLE) >= 10


@cache
def lines_of(path: Path) -> tuple[StoredEvent, ...]:
    """The events of a text record, read once for all tests."""
    return tuple(from_text(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_text_record_verifies_and_reads_back(path: Any) -> None:
    lines = lines_of(path)
    assert verify(lines) is None
    assert to_text(lines) == path.read_text(encoding="utf-8")
    assert violations(replay(map(to_event, lines))) == []


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_a_whole_record_verifies_and_reads_back(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    lines = from_jsonl(text)
    assert verify(lines) is None
    assert to_jsonl(lines) == text
    assert replay(map(to_event, lines)).over


def test_what_the_versions_of_the_rules_differ_in_is_in_the_corpus() -> None:
    kept, moved = 0, set()
    for path in FOLDER.glob("*-rules2-*.txt"):
        game = None
        for event in map(to_event, lines_of(path)):
            game = evolve(game, event)
            assert game.rules_version == 2
            match event:
                case CardsRecruited(by) if len(game.returnable(by)) < len(game.hands[by]):
                    kept += 1
                case RusePlayed(action=Move("TRA", _, stone, to)):
                    moved.add((game.options.traitor_to, to == stone))
    assert kept
    assert moved == {("any", True), ("any", False), ("another", False)}


def test_every_way_to_end_a_game_is_in_the_corpus() -> None:
    ends: Counter[str] = Counter()
    for path in TEXTS:
        game = replay(map(to_event, lines_of(path)))
        ends[game.reason or game.status] += 1
    assert set(ends) == {
        "three-adjacent", "five-stones", "stalemate", "resignation", "time-out", "agreement",
        "aborted",
    }  # fmt: skip

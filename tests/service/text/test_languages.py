"""Whatever a game says is said in its reader's language: nothing but names stays as it is."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import engine
from engine import Game
from engine.chain import to_event
from engine.record import from_jsonl
from service.core.words import PSEUDO_CODE, Languages
from service.text.board import board_text
from service.text.card_names import card_name, parts, people, unmarked
from service.text.claim_words import claim_states, claims_so_far
from service.text.history import narrate
from service.text.options import claim_lines, held_back, order_words, play_lines, played
from tests.service.text.table import NAMES, at_random, begun

RECORDS = Path(__file__).parents[2] / "golden"

_NAMED = re.compile(r"\b(Ann|Bob|v([1-9]v)?|[ROYGBP][1-9]|JOK|SPY|SHB|BMB|MUD|REC|STR|BAN|TRA)\b")
"""Names of players, codes of cards, and the marks of a drawn board."""
PSEUDO = Languages().words(PSEUDO_CODE)
GAMES = [(seed, tactics) for seed in range(4) for tactics in (False, True)]


def unsaid(text: str) -> str:
    """What stands outside the brackets of messages, without names and codes."""
    while (inner := re.sub(r"\[[^\[\]]*\]", "", text)) != text:
        text = inner
    return _NAMED.sub("", text)


def english(texts: Iterable[str]) -> list[str]:
    """Those of the texts that hold words outside the brackets of messages."""
    return [text for text in texts if re.search("[A-Za-z]", unsaid(text))]


def said(game: Game) -> Iterator[str]:
    """Whatever is said of a game in its present state to the player to move."""
    seat = game.turn
    assert seat is not None
    legal = engine.legal(game)
    for state in claim_states(PSEUDO, game, seat, "Bob").values():
        yield from (state.words, state.why, *state.because)
    for state in claim_states(PSEUDO, game, seat).values():
        yield from (state.words, state.why, *state.because)
    yield from play_lines(PSEUDO, legal)
    yield from claim_lines(PSEUDO, engine.verdicts(game, seat), game.hands[seat])
    yield order_words(PSEUDO, legal)
    yield played(PSEUDO, game, seat, "Bob")
    if game.phase == "play":
        yield from held_back(PSEUDO, game, seat, legal, "Bob")
    for reader in (None, *engine.SEATS):
        yield board_text(PSEUDO, engine.view(game, reader), NAMES)


@pytest.mark.parametrize(("seed", "tactics"), GAMES)
def test_all_that_is_said_of_a_position_is_a_message(seed: int, tactics: bool) -> None:
    game, _ = begun(tactics=tactics)
    for later in at_random(game, seed, 60):
        if later.turn is not None:
            assert english(said(later)) == []


@pytest.mark.parametrize("record", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.stem)
@pytest.mark.parametrize("reader", [None, *engine.SEATS])
def test_all_that_is_said_of_a_whole_game_is_a_message(
    record: Path, reader: engine.Seat | None
) -> None:
    events = from_jsonl(record.read_text())
    game = engine.replay([to_event(line) for line in events])

    told = narrate(PSEUDO, events, NAMES, reader, card_name)
    claims = claims_so_far(PSEUDO, game, events, NAMES, reader)

    assert english(sentence.text for sentence in told) == []
    assert english(text for each in claims.values() for text in (each.words, *each.because)) == []


def test_a_player_called_like_a_card_is_none_in_any_language() -> None:
    name = card_name(PSEUDO, "R7")
    sentence = f"{people(PSEUDO, {'north': name})['north']} played {name}"

    assert [code for code, _ in parts(PSEUDO, sentence)] == ["", "R7"]
    assert unmarked(sentence) == f"{name} played {name}"

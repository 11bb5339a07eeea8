"""A turn in which no card can be played: why, and what a pass leads to."""

import pytest

from engine import Game
from service.core.words import ENGLISH
from service.games.turn_draft import draft_turn
from service.web.game.sentences import prompt
from service.web.game.turn_choices import choices, idle_words
from tests.engine.positions import FULL, position, stone

LOST = {number: stone(cards, first="south") for number, cards in FULL.items()}
LOST[8] = stone("| G8 B8 P8", owner="south")
RUN = "P3 P4 P5 | R6 O1 Y2"
PASS = "No card can be played now: pass."


def held(edition: str, **table: str) -> Game:
    tables = {**LOST, **{int(number[1:]): stone(cards) for number, cards in table.items()}}
    return position(tables, north="P9 P7", clan="", edition=edition)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (held("iello"), PASS),
        (
            held("iello", s7=RUN),
            "No card can be played now. Pass, then you can claim Stone 7.",
        ),
        (
            held("iello", s7=RUN, s2="G1 G2 G3 | R7 O5 Y6"),
            "No card can be played now. Pass, then you can claim Stones 2 and 7.",
        ),
        (held("scottentots", s7=RUN), PASS),
    ],
)
def test_a_claim_that_only_a_pass_leads_to_is_named(game: Game, said: str) -> None:
    assert prompt(ENGLISH, draft_turn(game, "north", ()), "", "play", "Bob") == said


def test_a_full_side_is_told_once_and_of_the_stones_still_open() -> None:
    draft = draft_turn(held("iello"), "north", ())
    offered = choices(ENGLISH, draft.game.hands["north"], draft.legal, "")
    said = idle_words(ENGLISH, draft.game, "north", offered)
    assert said == "Your side is full at every Stone still open."

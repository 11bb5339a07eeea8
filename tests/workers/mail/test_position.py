"""What a mail says about the board beside the cards: what matters now, and nothing else."""

from dataclasses import replace

import engine
from engine import Game, SeenStone
from service.core.words import ENGLISH
from tests.service.text.table import begun
from workers.mail.position import PositionShown

NAMES = {"north": "You", "south": "Bob"}


def position(game: Game, *stones: SeenStone) -> PositionShown:
    """The position as north sees it, with these Stones put into it."""
    shown = engine.view(game, "north")
    known = {stone.number: stone for stone in stones}
    every = [known.get(stone.number, stone) for stone in shown.stones]
    return PositionShown(ENGLISH, replace(shown, stones=every), game, NAMES, "north")


def test_a_combat_mode_in_force_is_said_in_a_line() -> None:
    game, _ = begun(tactics=True)
    muddy = SeenStone(2, None, [], [], ["MUD"], None)
    blind = SeenStone(5, None, [], [], ["BMB"], None)
    claimed = SeenStone(7, "south", [], [], ["MUD"], None)
    assert position(game, muddy, blind, claimed).modes == [
        "On Stone 2 each side takes four cards: a Mud Fight.",
        "On Stone 5 only the sums count: Blind-Man’s Bluff.",
    ]


def test_the_tactic_cards_played_are_told_only_where_one_side_is_ahead() -> None:
    game, _ = begun(tactics=True)
    assert "played" not in position(game).small_print
    ahead = replace(game, tactics_played={"north": 0, "south": 1})
    assert "Tactic cards played: you 0, Bob 1." in position(ahead).small_print


def test_the_decks_are_told_as_on_the_page_and_the_tactic_cards_played_in_a_line_before() -> None:
    game, _ = begun(tactics=True)
    ahead = replace(game, tactics_played={"north": 0, "south": 1})
    assert position(ahead).other_cards[1:] == [
        "Tactic cards played: you 0, Bob 1.",
        "40 Clan and 10 Tactic cards to draw.",
    ]

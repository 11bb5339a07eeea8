"""Rulings 29 to 31: how rounds and matches end."""

from typing import Any

import pytest

from engine import Abandon, CreateGame, Game, JoinGame, Resign, RuleBroken, TimeOut, advance, legal
from engine.game import Stone
from tests.engine.invariants import violations
from tests.engine.positions import FULL, play, position, stone


def won(*numbers: int, seat: Any = "north") -> dict[int, Stone]:
    cards = {"north": "{0}9 {0}8 {0}7 |", "south": "| {0}9 {0}8 {0}7"}[seat]
    return {n: stone(cards.format(c), owner=seat) for n, c in zip(numbers, "ROYGBP", strict=False)}


def ready(number: int) -> dict[int, str]:
    return {number: "P9 P8 P7 |"}


def test_ruling_29_three_adjacent_stones_win_at_once() -> None:
    game = play(position({**won(3, 5), **ready(4)}, edition="community"), "!4")
    assert (game.status, game.winner, game.reason) == ("finished", "north", "three-adjacent")


def test_ruling_29_any_five_stones_win_at_once() -> None:
    game = play(position({**won(1, 3, 5, 7), **ready(9)}, edition="community"), "!9")
    assert (game.winner, game.reason) == ("north", "five-stones")


def test_ruling_29_three_adjacent_is_the_reason_where_both_hold() -> None:
    game = play(position({**won(1, 3, 6, 9), **ready(2)}, edition="community"), "!2")
    assert game.reason == "three-adjacent"


def test_ruling_29_four_apart_or_three_not_adjacent_do_not_win() -> None:
    assert not play(position({**won(1, 3, 5), **ready(7)}, edition="community"), "!7").over
    assert not play(position({**won(1, 2), **ready(4)}, edition="community"), "!4").over


def stuck(**table: Any) -> Game:
    return position(FULL, clan="", **table)


def test_ruling_30_four_idle_turns_in_a_row_are_a_stalemate() -> None:
    game = play(stuck(), "pass end", "pass end", "pass end")
    assert not game.over
    game = play(game, "pass end")
    assert (game.over, game.winner, game.reason) == (True, None, "stalemate")
    assert legal(game) == []


def test_ruling_30_a_claim_between_begins_the_count_anew() -> None:
    game = play(stuck(), "pass end", "pass end", "pass !1 end")
    assert game.idle_turns == 0
    assert not play(game, "pass end", "pass end", "pass end").over


def test_ruling_30_a_draw_between_begins_the_count_anew() -> None:
    game = position(FULL, clan="R1 R2 R3 R4 R5 R6 R7 R8")
    assert play(game, "pass +C", "pass +C").idle_turns == 0


def test_ruling_30_each_scores_only_the_stones_held() -> None:
    table = {**FULL, **won(1, 5), **won(9, seat="south")}
    game = play(position(table, clan=""), *["pass end"] * 4)
    assert (game.winner, game.scores) == (None, {"north": 2, "south": 1})


def test_ruling_31_the_winner_scores_five_and_the_opponent_one_a_stone() -> None:
    table = {**won(3, 5), **won(7, 9, seat="south"), **ready(4)}
    assert play(position(table, edition="community"), "!4").scores == {"north": 5, "south": 2}


def new_match(rounds: int) -> Game:
    made = CreateGame("ann", "north", "iello", False, False, rounds, "creator", "cd" * 32, "a")
    return advance(advance(None, made)[0], JoinGame("bob", "b"))[0]


def after(game: Game, *commands: Any) -> Game:
    for command in commands:
        game = advance(game, command)[0]
    return game


def test_ruling_31_a_new_round_starts_by_itself_the_winner_first() -> None:
    game = after(new_match(3), Resign("north"))
    assert (game.status, game.round, game.turn) == ("active", 2, "south")
    assert game.scores == {"north": 0, "south": 5}
    assert game.stones_of("south") == []
    assert violations(game) == []


def test_ruling_2_after_a_drawn_round_whoever_did_not_begin_it_begins() -> None:
    game = position(FULL, clan="", rounds=2)
    game = play(game, *["pass end"] * 4)
    assert (game.round, game.first) == (2, "south")


def test_ruling_31_the_higher_total_wins_the_match() -> None:
    game = after(new_match(3), Resign("north"), Resign("south"), TimeOut("north"))
    assert (game.winner, game.reason) == ("south", "time-out")
    assert game.scores == {"north": 5, "south": 10}


def test_ruling_31_equal_totals_draw_the_match() -> None:
    game = after(new_match(2), Resign("north"), Resign("south"))
    assert (game.status, game.winner, game.reason) == ("finished", None, "resignation")


def test_ruling_31_an_abandoned_round_ends_the_match() -> None:
    game = after(new_match(5), Resign("north"), Abandon(None))
    assert (game.status, game.winner, game.reason) == ("finished", "south", "agreement")
    assert game.scores == {"north": 0, "south": 5}


def test_whoever_is_not_to_move_may_resign_too() -> None:
    game = after(new_match(1), Resign("south"))
    assert (game.winner, game.reason, game.scores) == (
        "north",
        "resignation",
        {"north": 5, "south": 0},
    )


def test_only_the_player_to_move_can_run_out_of_time() -> None:
    with pytest.raises(RuleBroken, match="opponent’s turn"):
        advance(new_match(1), TimeOut("south"))


@pytest.mark.parametrize(
    "command", [Resign("north"), TimeOut("north"), Abandon(None), JoinGame("eve", "c")]
)
def test_nothing_happens_after_the_end(command: Any) -> None:
    with pytest.raises(RuleBroken) as refused:
        advance(after(new_match(1), Resign("south")), command)
    assert refused.value.code == "game-over"


def test_a_game_called_off_before_the_start_is_aborted() -> None:
    made = CreateGame("ann", "south", "iello", False, False, 1, "random", "cd" * 32, "a")
    game = after(advance(None, made)[0], Abandon("south"))
    assert (game.status, game.over, game.turn) == ("aborted", True, None)


def test_a_round_may_end_in_the_middle_of_a_recruiter() -> None:
    game = position(north="REC R1", tactics=True, clan="B1 B2 B3 B4")
    ended = after(play(game, "REC:CCC"), Resign("north"))
    assert len(ended.hands["north"]) == 4
    assert not any("holds" in violation for violation in violations(ended))

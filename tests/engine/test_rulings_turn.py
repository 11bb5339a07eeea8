"""Rulings 1 to 7: the deal, who begins, and the shape of a turn."""

import pytest

from engine import CreateGame, Game, JoinGame, RuleBroken, TakeTurn, advance, legal
from tests.engine.positions import events_of, options, play, position, refusal, stone

FULL_NORTH = {number: f"R{number} O{number} Y{number} |" for number in range(1, 10)}


def new_game(first_player: str = "creator", **made: object) -> Game:
    asked = {
        "edition": "iello",
        "tactics": False,
        "expert": False,
        "rounds": 1,
        "visited": None,
        **made,
    }
    joined = JoinGame("bob", "salt of bob", asked.pop("joiner_visited", None))  # type: ignore[arg-type]
    game, _ = advance(
        None,
        CreateGame(
            player="ann",
            seat="north",
            first_player=first_player,
            secret="ab" * 32,
            salt="salt of ann",
            **asked,  # type: ignore[arg-type]
        ),
    )
    return advance(game, joined)[0]


def test_ruling_1_six_clan_cards_each_dealt_one_at_a_time_from_the_first_player() -> None:
    game = new_game("opponent")
    deck = [
        card for pair in zip(game.hands["south"], game.hands["north"], strict=True) for card in pair
    ]
    assert len(deck) == 12
    assert len(game.decks["clan"]) == 42
    assert game.decks["tactic"] == ()


def test_ruling_1_seven_clan_cards_each_with_tactics_and_no_tactic_card() -> None:
    game = new_game(tactics=True)
    assert [len(game.hands[seat]) for seat in ("north", "south")] == [7, 7]
    assert all(len(card) == 2 for card in game.hands["north"] + game.hands["south"])
    assert len(game.decks["tactic"]) == 10


def test_ruling_2_the_creator_or_the_opponent_begins_as_agreed() -> None:
    assert new_game("creator").turn == "north"
    assert new_game("opponent").turn == "south"


def test_ruling_2_the_later_visit_to_scotland_begins() -> None:
    assert new_game("scotland", visited="2026-05-31", joiner_visited="2025-12-31").turn == "north"
    assert new_game("scotland", visited="2024-05-31", joiner_visited="2025-12-31").turn == "south"


@pytest.mark.parametrize(
    "visits", [("2026-01-01", "2026-01-01"), (None, "2026-01-01"), (None, None)]
)
def test_ruling_2_equal_or_missing_visits_are_decided_by_lot(
    visits: tuple[None, None] | tuple[None, str] | tuple[str, str],
) -> None:
    by_lot = new_game("random").turn
    assert new_game("scotland", visited=visits[0], joiner_visited=visits[1]).turn == by_lot


CLAIMABLE = {5: "R9 R8 R7 | G1 G2 B5"}


def test_ruling_3_after_play_claims_come_between_the_play_and_the_draw() -> None:
    game = position(CLAIMABLE, north="R1 R2 R3 R4 R5 R6")
    assert options(game, "!") == set()
    assert refusal(game, "!5").ruling == 3
    game = play(game, "R1@1")
    assert options(game, "!") == {"!5"}
    assert game.phase == "finish"


@pytest.mark.parametrize(
    ("edition", "expert"), [("scottentots", False), ("iello", True), ("community", True)]
)
def test_ruling_3_before_play_claims_come_first_and_never_after_the_play(
    edition: str, expert: bool
) -> None:
    game = position(CLAIMABLE, north="R1 R2 R3 R4 R5 R6", edition=edition, expert=expert)
    assert options(game, "!") == {"!5"}
    assert refusal(game, "R1@1 !5").ruling == 3
    assert events_of(game, "R1@1")[-2:] == ["card_drawn", "turn_ended"]


def test_ruling_3_any_time_claims_come_before_and_after_the_play() -> None:
    game = position(CLAIMABLE, north="R1 R2 R3 R4 R5 R6", edition="community")
    assert options(game, "!") == {"!5"}
    assert options(play(game, "R1@1"), "!") == {"!5"}


def test_ruling_3_the_whole_turn_is_one_request() -> None:
    game = position({**CLAIMABLE, 7: "P9 P8 | G3"}, north="P7 R1 R2 R3 R4 R5", edition="community")
    kinds = events_of(game, "!5 P7@7 !7 +C")
    assert kinds == ["stone_claimed", "card_played", "stone_claimed", "card_drawn", "turn_ended"]


def test_ruling_4_a_side_has_room_for_three_cards() -> None:
    game = position({1: "R1 O1 Y2 |"}, north="G7")
    assert "G7@1" not in legal(game)
    refused = refusal(game, "G7@1")
    assert (refused.refusal, refused.ruling) == ("no-room", 4)


def test_ruling_4_a_side_has_room_for_four_cards_on_a_mud_fight() -> None:
    assert "G7@1" in legal(position({1: "R1 O1 Y2 | | MUD"}, north="G7", tactics=True))
    assert refusal(position({1: "R1 O1 Y2 G4 | | MUD"}, north="G7"), "G7@1").ruling == 4


def test_ruling_4_only_a_card_of_the_hand_can_be_played() -> None:
    refused = refusal(position(north="R1"), "R2@1")
    assert (refused.refusal, refused.ruling) == ("card-not-in-hand", 4)


def test_ruling_5_a_draw_refills_the_hand_and_ends_the_turn() -> None:
    game = play(position(north="R1 R2 R3 R4 R5 R6", clan="B9 B8"), "R1@1")
    assert game.hands["north"] == ("R2", "R3", "R4", "R5", "R6", "B9")
    assert game.decks["clan"] == ("B8",)
    assert game.turn == "south"


def test_ruling_5_without_a_deck_the_turn_just_ends() -> None:
    game = position(north="R1 R2", south="R3", clan="")
    assert events_of(game, "R1@1") == ["card_played", "turn_ended"]


def test_ruling_5_with_tactics_the_deck_is_the_players_choice() -> None:
    game = position(north="R1", tactics=True, clan="B9", tactic="JOK")
    game = play(game, "R1@1")
    assert legal(game) == ["+C", "+T"]
    assert play(game, "+T").hands["north"] == ("JOK",)


def test_ruling_5_the_only_deck_with_cards_is_drawn_from_without_asking() -> None:
    game = play(position(north="R1", tactics=True, clan="", tactic="JOK SPY"), "R1@1")
    assert game.hands["north"] == ("JOK",)


def test_ruling_5_a_full_hand_draws_nothing() -> None:
    hand = "JOK SPY SHB BMB MUD REC STR"
    game = position(FULL_NORTH, north=hand, tactics=True, clan="B9", tactics_played=(1, 0))
    assert events_of(game, "pass") == ["passed", "turn_ended"]


def test_ruling_6_whoever_can_place_a_clan_card_may_not_pass() -> None:
    game = position(north="R1 JOK", tactics=True)
    assert "pass" not in legal(game)
    assert refusal(game, "pass").ruling == 6


def test_ruling_6_passing_is_open_where_no_side_has_room() -> None:
    assert legal(position(FULL_NORTH, north="B7", clan="")) == ["pass"]


def test_ruling_6_passing_is_open_with_tactic_cards_alone_beside_playing_one() -> None:
    game = position(north="SPY", tactics=True)
    assert "pass" in legal(game)
    assert "SPY@1" in legal(game)


def test_ruling_6_claiming_goes_on_in_a_turn_in_which_one_passes() -> None:
    game = position({5: "R9 R8 R7 | G1"}, north="", clan="")
    assert legal(play(game, "pass")) == ["!5", "end"]


def test_ruling_7_a_claim_may_be_left_alone() -> None:
    game = play(position(CLAIMABLE, north="R1 R2 R3 R4 R5 R6"), "R1@1")
    assert play(game, "+C").turn == "south"


def test_the_last_action_left_is_taken_by_itself_only_where_it_is_a_draw_or_an_end() -> None:
    game = position({5: "R9 R8 R7 | G1"}, north="R1 R2", clan="")
    assert play(game, "R1@1").phase == "finish"  # a claim is open
    assert play(game, "R1@1", "!5").turn == "south"


def test_a_turn_is_refused_to_whoever_is_not_to_move() -> None:
    with pytest.raises(RuleBroken) as refused:
        advance(position(north="R1", south="G1"), TakeTurn("south", ["G1@1"]))
    assert refused.value.code == "not-your-turn"


def test_a_turn_is_all_or_nothing() -> None:
    game = position(north="R1 R2", south="G1")
    assert refusal(game, "R1@1 end R2@2").refusal == "must-draw"
    assert refusal(game, "R1@1 +C R2@2").refusal == "after-the-turn"
    assert game.hands["north"] == ("R1", "R2")
    assert game.stone(1).sides["north"] == stone().sides["north"]

"""Why a held Tactic card has to wait, in words: rulings 21, 22 and 27."""

import engine
from service.core.words import ENGLISH
from service.text.options import held_back, played
from tests.engine.positions import position

AHEAD, LEVEL = (1, 0), (1, 1)


def why(game: engine.Game) -> list[str]:
    return held_back(ENGLISH, game, "north", engine.legal(game), "Otto")


def test_how_many_each_side_has_played_is_told() -> None:
    game = position(tactics=True, tactics_played=(2, 1))
    assert played(ENGLISH, game, "north", "Otto") == "Tactic cards played: you 2, Otto 1."
    assert played(ENGLISH, game, "south", "Otto") == "Tactic cards played: you 1, Otto 2."


def test_ruling_21_who_is_one_ahead_has_to_wait() -> None:
    game = position(tactics=True, north="R1 JOK SPY", tactics_played=AHEAD)
    assert why(game) == ["You cannot play your Tactic cards now: you are one ahead of Otto."]
    game = position(tactics=True, north="R1 MUD", tactics_played=AHEAD)
    assert why(game) == ["You cannot play the Mud Fight now: you are one ahead of Otto."]


def test_ruling_22_the_second_joker_stays_in_the_hand() -> None:
    both = {"tactics": True, "tactics_played": LEVEL, "jokers_played": (1, 0)}
    one = position({1: "JOK |"}, north="R1 JOK SPY", **both)
    assert why(one) == [
        "You cannot play the Joker now: you have played one, and the other stays in your hand."
    ]
    other = position({1: "JOK |"}, north="R1 JOK SPY", edition="bga", **both)
    assert why(other) == [
        "You cannot play the Joker now: the other Joker has to leave your side first."
    ]


def test_ruling_27_a_ruse_without_a_target_says_so() -> None:
    game = position(tactics=True, north="R1 STR BAN TRA")
    assert why(game) == [
        "You cannot play the Strategist now: there is no card of yours to move.",
        "You cannot play the Banshee now: Otto has no card that it could discard.",
        "You cannot play the Traitor now: there is no Clan card to take, or no room for it on your"
        " side.",
    ]
    none_left = position(tactics=True, north="R1 REC", clan="")
    assert why(none_left) == ["You cannot play the Recruiter now: the decks are empty."]


def test_an_elite_troop_without_room_says_so() -> None:
    full = dict.fromkeys(range(1, 10), "R1 R2 R3 |")
    game = position(full, tactics=True, north="SPY MUD")  # type: ignore[arg-type]
    assert why(game) == ["You cannot play the Spy now: your sides of the free Stones are full."]


def test_what_can_be_played_is_not_spoken_of() -> None:
    assert why(position({1: "| G4"}, tactics=True, north="R1 JOK BAN MUD REC")) == []
    assert why(position(north="R1 R2")) == []

"""A Stone as a value: what changes it returns another, and proofs are remembered between looks."""

from typing import Any

import pytest

import engine.game
from engine.cards import ALL_CLAN, bits
from tests.engine.invariants import violations
from tests.engine.positions import position, stone


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The sides that were judged, as often as they were."""
    if engine.COMPILED:
        pytest.skip("a call between compiled modules cannot be replaced")
    sides: list[tuple[str, ...]] = []
    judge = engine.game.judge  # type: ignore[attr-defined]

    def counting(mine: Any, *rest: Any) -> Any:
        sides.append(mine)
        return judge(mine, *rest)

    monkeypatch.setattr(engine.game, "judge", counting)
    return sides


def test_a_proof_that_held_is_not_made_again(judged: list[tuple[str, ...]]) -> None:
    here = stone("R9 R8 R7 | G1")
    unseen = ALL_CLAN & ~bits(["R9", "R8", "R7", "G1"])
    assert here.provable("north", unseen) is True
    assert here.provable("north", unseen & ~bits(["B1"])) is True
    assert judged == [("R9", "R8", "R7")]


def test_a_refutation_holds_as_long_as_its_cards_are_unseen(judged: list[tuple[str, ...]]) -> None:
    here = stone("R5 R6 R7 | G9")  # G8 and G7 would beat it
    unseen = ALL_CLAN & ~bits(["R5", "R6", "R7", "G9"])
    assert here.provable("north", unseen) is False
    assert here.provable("north", unseen & ~bits(["B1"])) is False
    assert len(judged) == 1
    assert here.provable("north", unseen & ~bits(["G8"])) is True
    assert len(judged) == 2


def test_a_proof_from_a_turn_that_was_only_tried_does_not_hold_in_the_game() -> None:
    here = stone("R5 R6 R7 | G9")  # only G8 and G7 would beat it
    unseen = ALL_CLAN & ~bits(["R5", "R6", "R7", "G9"])
    assert here.provable("north", unseen & ~bits(["G8"])) is True
    assert here.provable("north", unseen) is False


def test_an_incomplete_or_claimed_side_proves_nothing_and_is_not_judged(
    judged: list[tuple[str, ...]],
) -> None:
    assert stone("R9 R8 |").provable("north", ALL_CLAN) is False
    assert stone("R9 R8 R7 |", owner="north").provable("north", ALL_CLAN) is False
    assert stone("R9 R8 R7 |").provable("south", ALL_CLAN) is False
    assert judged == []


def test_a_changed_stone_is_proved_anew() -> None:
    here = stone("R9 R8 R7 |")
    unseen = ALL_CLAN & ~bits(["R9", "R8", "R7"])
    assert here.provable("north", unseen)
    assert (
        not here.without_card("north", "R9").with_card("north", "B1", 9).provable("north", unseen)
    )


def test_changes_leave_the_stone_they_are_made_to_as_it_was() -> None:
    here = stone("R1 R2 | G1")
    fuller = here.with_card("north", "R3", 40)
    assert (fuller.sides["north"], fuller.completed) == (("R1", "R2", "R3"), {"north": 40})
    assert (here.sides["north"], here.completed) == (("R1", "R2"), {})
    assert fuller.without_card("north", "R2").sides["north"] == ("R1", "R3")
    assert fuller.without_card("south", "G1").completed == {"north": 40}
    assert fuller.with_mode("BMB").completed == {"north": 40}
    assert fuller.with_mode("MUD").completed == {}
    assert fuller.with_mode("MUD").with_mode("BMB").modes == ("BMB", "MUD")
    claimed = fuller.claimed_by("north")
    assert (claimed.owner, claimed.open_to, fuller.open_to) == ("north", (), ("south",))


def test_a_side_that_was_completed_by_the_last_event_is_sound() -> None:
    game = position({5: stone("R9 R8 R7 |", version=97)})
    assert game.stone(5).completed == {"north": game.version}
    assert not any("future" in violation for violation in violations(game))


@pytest.mark.parametrize(
    ("phase", "turn", "cards", "sound"),
    [
        ("return", "north", 9, True),
        ("return", "north", 10, False),
        ("return", "south", 9, False),
        ("finish", "north", 8, False),
        ("finish", "north", 7, True),
    ],
)
def test_only_in_the_middle_of_a_recruiter_a_hand_may_hold_two_more(
    phase: str, turn: str, cards: int, sound: bool
) -> None:
    hand = [f"{color}{strength}" for color in "RO" for strength in range(1, 6)][:cards]
    game = position(north=" ".join(hand), tactics=True, phase=phase, turn=turn)
    told = f"north holds {cards} cards"
    assert (told not in violations(game)) == sound

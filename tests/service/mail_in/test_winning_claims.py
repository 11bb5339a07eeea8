"""Claims in one letter stop at the one that wins; nothing else is left out behind it."""

import pytest

from engine import RuleBroken, TakeTurn, advance
from letters.commands import WholeTurn
from letters.grammar import Dependent
from service.mail_in.turns import actions_of
from tests.engine.positions import play, position, stone

RUN = stone("R7 R8 R9 |", owner="north")
STONES = {1: RUN, 2: RUN, 3: "G7 G8 G9 |", 4: "B7 B8 B9 |"}
TO_PLAY = position(STONES, north="R1")
PLAYED = play(TO_PLAY, "R1@9")


@pytest.mark.parametrize(
    ("actions", "dependent", "plays"),
    [
        ((), ("claim all",), ["!3"]),
        ((), ("claim both",), ["!3"]),
        (("!3", "!4"), (), ["!3"]),
        (("!4", "!3"), (), ["!4", "!3"]),
        ((), ("claim all", "done"), ["!3"]),
    ],
)
def test_claims_stop_at_the_one_that_wins(
    actions: tuple[str, ...], dependent: tuple[Dependent, ...], plays: list[str]
) -> None:
    turn = WholeTurn(actions, dependent=dependent)
    assert actions_of(PLAYED, "north", turn) == plays
    assert advance(PLAYED, TakeTurn("north", plays))[0].winner == "north"
    whole = WholeTurn(("R1@9", *actions), dependent=dependent)
    assert actions_of(TO_PLAY, "north", whole) == ["R1@9", *plays]


@pytest.mark.parametrize("actions", [("!3", "+C"), ("!3", "!4", "+C"), ("!3", "!4", "end")])
def test_another_action_behind_it_stays_refused(actions: tuple[str, ...]) -> None:
    taken = actions_of(PLAYED, "north", WholeTurn(actions))
    with pytest.raises(RuleBroken, match="wins the round"):
        advance(PLAYED, TakeTurn("north", taken))

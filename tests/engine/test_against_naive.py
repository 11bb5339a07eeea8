"""The engine against the naive model of the rules, after every step of whole matches."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from engine import Resign, RuleBroken, advance, legal
from engine.cards import SEATS
from tests.engine.comparison import Pair
from tests.engine.games import KINDS, OLDER_KINDS, THOROUGHNESS


@pytest.mark.parametrize("kind", [*KINDS, *OLDER_KINDS], ids=str)
@pytest.mark.parametrize("seed", range(2 * THOROUGHNESS))
def test_a_whole_game_agrees_with_the_naive_model_at_every_step(kind: Any, seed: Any) -> None:
    pair = Pair(kind, seed)
    while not pair.game.over:
        pair.act(pair.rng.choice(legal(pair.game)))


class AgreesWithTheNaiveModel(RuleBasedStateMachine):
    """Matches that Hypothesis steers: it looks for the steps after which the two differ."""

    @initialize(
        kind=st.sampled_from([*KINDS, *OLDER_KINDS]),
        rounds=st.integers(1, 3),
        seed=st.integers(0, 2**32 - 1),
    )
    def sit_down(self, kind: Any, rounds: Any, seed: Any) -> None:
        self.pair = Pair(kind._replace(rounds=rounds), seed)
        self.pair.compare()

    @precondition(lambda self: not self.pair.game.over)
    @rule(choice=st.integers(0, 2**16))
    def act(self, choice: Any) -> None:
        actions = legal(self.pair.game)
        self.pair.act(actions[choice % len(actions)])

    @precondition(lambda self: not self.pair.game.over)
    @rule(choice=st.integers(0, 2**16))
    def claim_or_play_a_tactic_card(self, choice: Any) -> None:
        """What random play seldom gets to, a claim or a Tactic card, is taken where it can be."""
        actions = [text for text in legal(self.pair.game) if text[0] in "!-" or text[1].isalpha()]
        if actions:
            self.pair.act(actions[choice % len(actions)])

    @precondition(lambda self: not self.pair.game.over and len(self.pair.done) > 30)
    @rule(seat=st.sampled_from(SEATS))
    def resign(self, seat: Any) -> None:
        self.pair.resign(seat)

    @precondition(lambda self: not self.pair.game.over and len(self.pair.done) > 30)
    @rule()
    def time_out(self) -> None:
        self.pair.time_out()

    @precondition(lambda self: self.pair.game.over)
    @rule(seat=st.sampled_from(SEATS))
    def nothing_follows_the_end(self, seat: Any) -> None:
        with pytest.raises(RuleBroken):
            advance(self.pair.game, Resign(seat))


TestAgreesWithTheNaiveModel = AgreesWithTheNaiveModel.TestCase
TestAgreesWithTheNaiveModel.settings = settings(
    max_examples=25,
    stateful_step_count=90,
    deadline=None,
    print_blob=True,
    # Shrinking a whole match takes minutes, and the actions up to the difference are told anyway.
    phases=[Phase.reuse, Phase.generate],
    suppress_health_check=list(HealthCheck),
)

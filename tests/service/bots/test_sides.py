"""What a side may become, as a table that is played on counts it."""

from engine.cards import ALL_CLAN, bits
from service.bots.playout import WON, Odds, complete_worth, completions, kind_of, mask_of

PLAIN = kind_of(())


def test_the_strongest_completion_comes_first() -> None:
    (strength, value, cards), second, *_ = completions(PLAIN, mask_of(["R7", "R8"]))
    assert (strength, cards) == (
        complete_worth(PLAIN, mask_of(["R7", "R8", "R9"]))[0],
        bits(["R9"]),
    )
    assert second[2] == bits(["R6"])
    assert value > second[1]


class TestASideThatLacksACard:
    """With the red seven and eight on it, while half of all unseen cards are yet to come."""

    side = mask_of(["R7", "R8"])
    odds = Odds(ALL_CLAN & ~side, 0.5)

    def expected(self, held: list[str], to_beat: float = -1.0) -> tuple[float, int, float]:
        return self.odds.expected(PLAIN, self.side, self.odds.unseen, bits(held), to_beat)

    def test_counts_on_the_card_in_the_hand(self) -> None:
        value, counted, without = self.expected(["R9", "G2"])
        assert value == complete_worth(PLAIN, mask_of(["R7", "R8", "R9"]))[1]
        assert counted == bits(["R9"])
        assert without < self.expected(["G2"])[0] < value

    def test_counts_on_none_of_two_that_are_as_good(self) -> None:
        value, counted, without = self.expected(["G9", "B9"])
        assert counted == 0
        assert value == without

    def test_is_worth_nothing_against_what_it_cannot_beat(self) -> None:
        best = complete_worth(PLAIN, mask_of(["G7", "G8", "G9"]))[0]
        assert self.expected(["R9"], to_beat=best)[0] == 0.0
        assert self.expected(["R9"], to_beat=best - 1)[0] == WON


def test_a_side_promises_more_while_its_neighbours_are_unseen() -> None:
    seven = mask_of(["R7"])
    free = Odds(ALL_CLAN & ~seven, 0.4)
    blocked = Odds(ALL_CLAN & ~mask_of(["R7", "R8", "R6", "R9", "R5"]), 0.4)
    assert free.promise(PLAIN, seven, 2) > blocked.promise(PLAIN, seven, 2)


def test_a_side_that_the_unseen_cards_cannot_complete_promises_nothing() -> None:
    assert Odds(bits(["R1"]), 0.5).promise(PLAIN, mask_of(["R7"]), 2) == (-1.0, 0.0)

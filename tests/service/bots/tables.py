"""Tables as bots play them on, set up card by card."""

from collections.abc import Mapping

from engine.cards import ALL_CLAN, bits
from service.bots.playout import Odds, Table, mask_of

Sides = Mapping[int, tuple[list[str], list[str]]]


def table_of(
    sides: Sides, hands: tuple[list[str], list[str]], deck: list[str] | None = None
) -> Table:
    """A table with these cards on the Stones, which number from 1."""
    by_player = [
        [sides.get(stone, ([], []))[player] for stone in range(1, 10)] for player in (0, 1)
    ]
    shown = [card for player in by_player for side in player for card in side]
    return Table(
        sides=([mask_of(side) for side in by_player[0]], [mask_of(side) for side in by_player[1]]),
        lacking=(
            [3 - len(side) for side in by_player[0]],
            [3 - len(side) for side in by_player[1]],
        ),
        kinds=[0] * 9,
        owners=[-1] * 9,
        first=[
            next((player for player in (0, 1) if len(by_player[player][stone]) == 3), -1)
            for stone in range(9)
        ],
        hands=([mask_of([card]) for card in hands[0]], [mask_of([card]) for card in hands[1]]),
        deck=[mask_of([card]) for card in deck or []],
        unseen=ALL_CLAN & ~bits(shown),
    )


def odds_of(table: Table) -> Odds:
    """Odds by which each unseen card comes with a chance of 40 %."""
    return Odds(table.unseen, 0.4)

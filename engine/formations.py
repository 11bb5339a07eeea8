"""Formations: the worth of a side's cards, and the best formation of an unfinished side.

Rulings 8, 9, 11 and 17. Combinations are not enumerated: ranks are tried from the strongest down,
each from its highest total down, and the first formation found is the best. Clan cards are bits
(`engine.cards`), so "which runs are still open to this side" is a table look-up and a mask.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine.cards import BIT, CLAN_CARDS, COLORS, JOKER, SHIELD_BEARER, SPY

RANKS: Final = ("sum", "run", "color", "three-of-a-kind", "color-run")
"""The names of the ranks, from the weakest to the strongest; a rank's number is its index here."""

SUM, RUN, COLOR, THREE_OF_A_KIND, COLOR_RUN = range(5)

_LEAST_FLEXIBLE_FIRST: Final = (SPY, SHIELD_BEARER, JOKER)

_NINE: Final = 0b111111111
_SEVEN: Final = 1 << 6
_LOW: Final = 0b111
_BEST_STRENGTH: Final = {JOKER: 9, SPY: 7, SHIELD_BEARER: 3}
_OPEN_TO: Final = {JOKER: _NINE, SPY: _SEVEN, SHIELD_BEARER: _LOW}
"""The strengths an Elite Troop may take (ruling 17), as nine bits."""


@dataclass(frozen=True, slots=True)
class Formation:
    """The worth of a side. `values` are its cards in the order played, each Elite Troop as the card
    that it counts as.

    `added` are the Clan cards that completed the side, if it was incomplete.
    """

    rank: int
    total: int
    values: tuple[str, ...]
    added: tuple[str, ...] = ()

    def beats(self, other: "Formation") -> bool:
        """Whether this is strictly stronger: by rank, then by total (rulings 8, 9)."""
        return (self.rank, self.total) > (other.rank, other.total)

    def to_data(self) -> dict[str, object]:
        """The form of events, the API and the judge: `{"rank", "total", "as"}`."""
        return {"rank": RANKS[self.rank], "total": self.total, "as": list(self.values)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Formation":
        """The formation read from an event. `added` is not stored."""
        rank, total, values = data["rank"], data["total"], data["as"]
        return cls(RANKS.index(rank), total, tuple(values))


@dataclass(slots=True)
class Group:
    """The cards of one side, with everything that the searches below need. It is never changed."""

    cards: tuple[str, ...]
    colors: tuple[int, ...]  # colours that all its Clan cards share: all six, one or none
    strengths: int  # its Clan cards' strengths, nine bits
    distinct: bool  # no strength twice
    total: int  # with each Elite Troop at its highest
    elite: tuple[str, ...]  # the least flexible first: Spy, Shield-Bearer, Jokers
    alike: int  # the strengths that all its cards could have at once, nine bits


_COLOR_BIT: Final = {card: 1 << COLORS.index(card[0]) for card in CLAN_CARDS}
_STRENGTH: Final = {card: int(card[1]) for card in CLAN_CARDS}
_SHARED: Final = [
    tuple(range(len(COLORS)))
    if not present
    else (present.bit_length() - 1,)
    if present.bit_count() == 1
    else ()
    for present in range(1 << len(COLORS))
]
"""The colours that all cards share. The index has a bit for each colour present."""


@lru_cache(maxsize=1 << 16)
def group(cards: tuple[str, ...]) -> Group:
    """The group of one side's cards."""
    colors = strengths = total = 0
    alike = _NINE
    elite = []
    for card in cards:
        if card in _STRENGTH:
            strength = 1 << _STRENGTH[card] - 1
            colors |= _COLOR_BIT[card]
            strengths |= strength
            alike &= strength
            total += _STRENGTH[card]
        else:
            elite.append(card)
            alike &= _OPEN_TO[card]
            total += _BEST_STRENGTH[card]
    distinct = strengths.bit_count() == len(cards) - len(elite)
    elite.sort(key=_LEAST_FLEXIBLE_FIRST.index)
    return Group(cards, _SHARED[colors], strengths, distinct, total, tuple(elite), alike)


_FALLING: Final = [
    tuple(strength for strength in range(9, 0, -1) if strengths >> (strength - 1) & 1)
    for strengths in range(512)
]
"""The strengths in each set of nine bits, highest first."""

_RUNS: Final = {
    size: [((1 << size) - 1) << (low - 1) for low in range(10 - size, 0, -1)] for size in (3, 4)
}
_RUNS_WITH: Final = {
    size: [tuple(run for run in runs if run & has == has) for has in range(512)]
    for size, runs in _RUNS.items()
}
"""The runs still possible, highest first, by the size of a side and the strengths present."""

_RUN_TOTAL: Final = {run: sum(_FALLING[run]) for runs in _RUNS.values() for run in runs}
_TOP: Final = [[falling[:count] for falling in _FALLING] for count in range(5)]
_TOP_TOTAL: Final = [[sum(top) for top in tops] for tops in _TOP]
"""The `count` highest strengths in each set of nine bits, and their sum."""

_OF_STRENGTH: Final = [
    sum(BIT[f"{color}{strength}"] for color in COLORS) for strength in range(1, 10)
]


@lru_cache(maxsize=1 << 16)
def formation(cards: tuple[str, ...], bluff: bool) -> Formation:
    """The best formation of a complete side of three or four cards; `bluff`: by total alone.

    Elite Troops take the values that serve the side best (ruling 17).
    """
    best = strongest(cards, len(cards), 0, bluff)
    assert best is not None, "any cards make a sum"
    return best


_NOTHING: Final = (-1, 0)


def strongest(
    cards: tuple[str, ...], size: int, unseen: int, bluff: bool, above: tuple[int, int] = _NOTHING
) -> Formation | None:
    """The strongest formation of `size` that `cards` and Clan cards out of `unseen` make.

    `above` is a rank and a total. None if no formation is stronger, or if `unseen` holds too few
    cards to complete the side.
    """
    lacking = size - len(cards)
    if unseen.bit_count() < lacking:
        return None
    side = group(cards)
    for rank in (SUM,) if bluff else (COLOR_RUN, THREE_OF_A_KIND, COLOR, RUN, SUM):
        if rank < above[0]:
            return None
        at_least = above[1] + 1 if rank == above[0] else 0
        if (formation_made := _SEARCHES[rank](side, lacking, unseen, at_least)) is not None:
            return formation_made
    return None


def best_of_rank(rank: int, cards: tuple[str, ...], size: int, unseen: int) -> Formation | None:
    """The strongest formation of `rank` alone, searched as in `strongest`; None if there is
    none."""
    return _SEARCHES[rank](group(cards), size - len(cards), unseen, 0)


def _color_run(side: Group, lacking: int, unseen: int, at_least: int) -> Formation | None:
    for run in _open_runs(side, lacking):
        if _RUN_TOTAL[run] < at_least:
            return None
        for color in side.colors:
            if (roles := _assign_elite(side, run, unseen >> 9 * color)) is not None:
                letter = COLORS[color]
                added = tuple(f"{letter}{strength}" for strength in _FALLING[roles[-1]])
                return Formation(COLOR_RUN, _RUN_TOTAL[run], _values(side, roles, letter), added)
    return None


def _three_of_a_kind(side: Group, lacking: int, unseen: int, at_least: int) -> Formation | None:
    size = len(side.cards) + lacking
    for strength in _FALLING[side.alike]:
        if size * strength < at_least:
            return None
        alike = unseen & _OF_STRENGTH[strength - 1]
        if alike.bit_count() >= lacking:
            roles = (1 << (strength - 1),) * len(side.elite)
            values = _values(side, roles, COLORS[0])
            return Formation(THREE_OF_A_KIND, size * strength, values, _first(alike, lacking))
    return None


def _color(side: Group, lacking: int, unseen: int, at_least: int) -> Formation | None:
    best, best_total = None, max(at_least - side.total - 1, -1)
    for color in side.colors:
        strengths = unseen >> 9 * color & _NINE
        total = _TOP_TOTAL[lacking][strengths]
        if total > best_total and strengths.bit_count() >= lacking:
            best, best_total = color, total
    if best is None:
        return None
    letter = COLORS[best]
    added = tuple(f"{letter}{top}" for top in _TOP[lacking][unseen >> 9 * best & _NINE])
    return Formation(COLOR, side.total + best_total, _values_at_best(side, letter), added)


def _run(side: Group, lacking: int, unseen: int, at_least: int) -> Formation | None:
    strengths = 0
    for color in range(len(COLORS)):
        strengths |= unseen >> 9 * color
    for run in _open_runs(side, lacking):
        if _RUN_TOTAL[run] < at_least:
            return None
        if (roles := _assign_elite(side, run, strengths)) is not None:
            added = [_first(unseen & _OF_STRENGTH[top - 1], 1)[0] for top in _FALLING[roles[-1]]]
            values = _values(side, roles, COLORS[0])
            return Formation(RUN, _RUN_TOTAL[run], values, tuple(added))
    return None


def _sum(side: Group, lacking: int, unseen: int, at_least: int) -> Formation | None:
    added: tuple[str, ...] = ()
    total = side.total
    for strength in range(9, 0, -1):
        if len(added) == lacking:
            break
        highest = _first(unseen & _OF_STRENGTH[strength - 1], lacking - len(added))
        added += highest
        total += strength * len(highest)
    if total < at_least:
        return None
    return Formation(SUM, total, _values_at_best(side, COLORS[0]), added)


_SEARCHES: Final = (_sum, _run, _color, _three_of_a_kind, _color_run)
"""The searches by rank: the best formation of that rank with a total of `at_least`, or None."""


def _open_runs(side: Group, lacking: int) -> tuple[int, ...]:
    return _RUNS_WITH[len(side.cards) + lacking][side.strengths] if side.distinct else ()


def _assign_elite(side: Group, run: int, unseen: int) -> tuple[int, ...] | None:
    """Give each Elite Troop a strength in `run`; None if troops and `unseen` cannot fill the run.

    Returns the strengths taken, a bit each in the order of `side.elite`, and last the strengths
    left for Clan cards. The least flexible troop goes first, and each troop takes a strength that
    no unseen card has, if it can.
    """
    gap = run & ~side.strengths
    missing = gap & ~unseen
    if not side.elite:
        return None if missing else (gap,)
    if missing.bit_count() > len(side.elite):
        return None
    roles = []
    for troop in side.elite:
        choice = missing & _OPEN_TO[troop] or gap & _OPEN_TO[troop]
        if not choice:
            return None
        taken = 1 << choice.bit_length() - 1
        gap &= ~taken
        missing &= ~taken
        roles.append(taken)
    return None if missing else (*roles, gap)


def _values(side: Group, roles: tuple[int, ...], letter: str) -> tuple[str, ...]:
    """The side's cards with each Elite Troop as a card of colour `letter` in its role."""
    if not side.elite:
        return side.cards
    taken = list(zip(side.elite, roles, strict=False))
    values = []
    for card in side.cards:
        if card in BIT:
            values.append(card)
        else:
            place = next(place for place, (troop, _) in enumerate(taken) if troop == card)
            values.append(f"{letter}{taken.pop(place)[1].bit_length()}")
    return tuple(values)


def _values_at_best(side: Group, letter: str) -> tuple[str, ...]:
    return tuple(card if card in BIT else f"{letter}{_BEST_STRENGTH[card]}" for card in side.cards)


def _first(cards: int, count: int) -> tuple[str, ...]:
    """The first `count` cards of a set of Clan cards, in canonical order; fewer if it holds
    fewer."""
    cards_of_set: list[str] = []
    while cards and len(cards_of_set) < count:
        lowest = cards & -cards
        cards_of_set.append(CLAN_CARDS[lowest.bit_length() - 1])
        cards ^= lowest
    return tuple(cards_of_set)

"""Formations and claim proofs (rulings 8-17) by trying everything.

Cards are the codes of the rulings ("R7", "JOK"). A side is any sequence of codes; modes are any
collection of "BMB" and "MUD". A strength is `(rank_index, total)`: the greater pair is stronger.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from math import comb

COLOURS = "ROYGBP"
CLAN = [colour + str(value) for colour in COLOURS for value in range(1, 10)]
TACTIC = ["JOK", "JOK", "SPY", "SHB", "BMB", "MUD", "REC", "STR", "BAN", "TRA"]
IDENTITIES = {
    "JOK": CLAN,
    "SPY": [colour + "7" for colour in COLOURS],
    "SHB": [colour + str(value) for colour in COLOURS for value in (1, 2, 3)],
}
RANKS = {5: "color-run", 4: "three-of-a-kind", 3: "color", 2: "run", 1: "sum"}

# Up to this many completions are simply tried one after the other.
FEW = 5000

Strength = tuple[int, int]
Witness = tuple[str, ...] | None


def full_size(modes: Collection[str]) -> int:
    """How many cards complete a side (ruling 11)."""
    return 4 if "MUD" in modes else 3


def rank_name(rank_index: int) -> str:
    """The rulings' name of a rank: 5 is "color-run", 1 is "sum"."""
    return RANKS[rank_index]


def formation(cards: Sequence[str], modes: Collection[str]) -> Strength:
    """The strength of a side of Clan cards alone (rulings 8 and 11)."""
    values = sorted(int(card[1]) for card in cards)
    total = sum(values)
    if "BMB" in modes:
        return 1, total
    consecutive = values == list(range(values[0], values[0] + len(values)))
    one_colour = len({card[0] for card in cards}) == 1
    if one_colour and consecutive:
        return 5, total
    if values[0] == values[-1]:
        return 4, total
    if one_colour:
        return 3, total
    if consecutive:
        return 2, total
    return 1, total


def strength(cards: Sequence[str], modes: Collection[str]) -> Strength:
    """The best strength of a complete side: every identity of every Elite Troop is tried (17)."""
    return _strength(tuple(sorted(cards)), frozenset(modes))


@cache
def _strength(cards: tuple[str, ...], modes: frozenset[str]) -> Strength:
    choices = [IDENTITIES.get(card, [card]) for card in cards]
    return max(formation(chosen, modes) for chosen in product(*choices))


def strength_with_shared_colour(cards: Sequence[str], modes: Collection[str]) -> Strength:
    """The same as `strength`, trying only values for the Elite Troops and not colours.

    A colour counts only when all cards share it, and sharing it never weakens a side; so each
    Elite Troop may as well take the colour of a Clan card beside it (or red, if there is none).
    """
    colour = next((card[0] for card in cards if card not in IDENTITIES), "R")
    choices = [
        [identity for identity in IDENTITIES[card] if identity[0] == colour]
        if card in IDENTITIES
        else [card]
        for card in cards
    ]
    return max(formation(chosen, modes) for chosen in product(*choices))


def claim(
    mine: Sequence[str],
    theirs: Sequence[str],
    seen: Iterable[str],
    first: str | None,
    modes: Collection[str],
) -> tuple[bool, Witness]:
    """Whether a claim stands (rulings 12-16), and if not what beats it.

    `seen` are the face-up Clan cards (those of the two sides may be left out), `first` is "mine"
    or "theirs": who completed a side first, of two complete ones. The witness is None when the
    claim stands or the claimer's side is incomplete; else the unseen Clan cards that, added to
    `theirs`, beat `mine`: none, when the side lying there does so already.
    """
    return _claim(
        tuple(sorted(mine)), tuple(sorted(theirs)), frozenset(seen), first, frozenset(modes)
    )


@lru_cache(maxsize=100_000)
def _claim(
    mine: tuple[str, ...],
    theirs: tuple[str, ...],
    seen: frozenset[str],
    first: str | None,
    modes: frozenset[str],
) -> tuple[bool, Witness]:
    if len(mine) < full_size(modes):
        return False, None
    to_beat = strength(mine, modes)
    if len(theirs) == full_size(modes):
        answer = strength(theirs, modes)
        stands = to_beat > answer or (to_beat == answer and first == "mine")
        return stands, None if stands else ()
    unseen = [card for card in CLAN if card not in seen and card not in mine + theirs]
    witness = beating_completion(to_beat, theirs, unseen, modes)
    return witness is None, witness


def beating_completion(
    to_beat: Strength, theirs: Sequence[str], unseen: Sequence[str], modes: Collection[str]
) -> Witness:
    """Unseen cards that complete `theirs` to something strictly stronger, or None (14)."""
    missing = full_size(modes) - len(theirs)
    if comb(len(unseen), missing) <= FEW:
        return try_each_completion(to_beat, theirs, unseen, modes)
    return look_through_ranked(to_beat, theirs, unseen, modes)


def try_each_completion(
    to_beat: Strength, theirs: Sequence[str], unseen: Sequence[str], modes: Collection[str]
) -> Witness:
    """The proof as the rulings put it: each completion out of unseen cards, one by one."""
    missing = full_size(modes) - len(theirs)
    for added in combinations(unseen, missing):
        if strength_with_shared_colour((*theirs, *added), modes) > to_beat:
            return added
    return None


def look_through_ranked(
    to_beat: Strength, theirs: Sequence[str], unseen: Sequence[str], modes: Collection[str]
) -> Witness:
    """The same, among the completions out of all Clan cards, strongest first.

    Once those left are no stronger than `to_beat` the search ends, so few are ever looked at.
    """
    hidden = frozenset(unseen)
    for answer, completions in ranked_completions(tuple(sorted(theirs)), frozenset(modes)):
        if answer <= to_beat:
            return None
        for added in completions:
            if hidden.issuperset(added):
                return added
    return None


@lru_cache(maxsize=128)
def ranked_completions(
    theirs: tuple[str, ...], modes: frozenset[str]
) -> list[tuple[Strength, list[tuple[str, ...]]]]:
    """Every completion of a side out of the 54 Clan cards, by strength, strongest first.

    Those that repeat a card of the side are in it too: such a card is never unseen.
    """
    by_strength: dict[Strength, list[tuple[str, ...]]] = {}
    for added in combinations(CLAN, full_size(modes) - len(theirs)):
        answer = strength_with_shared_colour((*theirs, *added), modes)
        by_strength.setdefault(answer, []).append(added)
    return sorted(by_strength.items(), reverse=True)

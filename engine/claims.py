"""Claims: whether a Stone may be taken, the reasons, and counterexamples (rulings 12 to 18).

A proof uses face-up cards alone. It never looks at a hand or a deck, so it can be shown to anyone.
"""

from dataclasses import dataclass
from typing import Literal

from engine.cards import ALL_CLAN, BIT, BLIND_MANS_BLUFF, CLAN_CARDS, MUD_FIGHT, bits
from engine.errors import N_
from engine.formations import COLOR_RUN, SUM, Formation, best_of_rank, formation, strongest

Reason = Literal[
    "stronger",
    "completed-first",
    "unbeatable",
    "cannot-be-completed",
    "incomplete",
    "weaker",
    "completed-later",
    "tied",
    "beatable",
]

REFUSAL_TEXT: dict[Reason, str] = {
    "incomplete": N_("Stone %(stone)s cannot be claimed: the claimer’s own side is not complete."),
    "weaker": N_(
        "Stone %(stone)s cannot be claimed: the other side’s formation is stronger (%(cards)s)."
    ),
    "completed-later": N_(
        "Stone %(stone)s cannot be claimed: the formations are equal and the claimer did not"
        " complete the side first (%(cards)s)."
    ),
    "beatable": N_(
        "Stone %(stone)s cannot be claimed: unseen cards could still make the other side stronger"
        " (%(cards)s)."
    ),
}
"""The reason why a claim fails, in words for the player; %(cards)s would beat the claimer."""

REFUSAL_RULING: dict[Reason, int] = {
    "incomplete": 12,
    "weaker": 13,
    "completed-later": 9,
    "beatable": 14,
}
"""The ruling that refuses the claim."""


@dataclass(slots=True)
class Verdict:
    """The judgement of one claim.

    `mine` is None if the claimer's side is not complete, `theirs` if the other side is not.
    `refutation` is the formation with which the incomplete other side would beat the claimer. It
    is None if the claim succeeds, or if the complete other side beats it as it is.
    """

    # Not frozen: `judge` makes hundreds of thousands a second, and freezing doubles their cost.

    stands: bool
    reason: Reason
    mine: Formation | None
    theirs: Formation | None
    refutation: Formation | None

    @property
    def counterexample(self) -> tuple[str, ...] | None:
        """The Clan cards that make the `refutation`, if there is one."""
        return None if self.refutation is None else self.refutation.added

    def to_data(self) -> dict[str, object]:
        """The verdict as plain data, for the API and `scottenbury judge`."""
        return {
            "claimable": self.stands,
            "reason": self.reason,
            "mine": self.mine and self.mine.to_data(),
            "theirs": self.theirs and self.theirs.to_data(),
            "counterexample": None if self.counterexample is None else list(self.counterexample),
        }


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The reason why the incomplete other side makes no formation of `rank` that beats the
    claimer's.

    `best` is the best that it can still make of this rank, not strictly stronger; only for the
    claimer's own rank. If it is None, the side makes none of this rank: then `seen` is a minimal
    set of face-up Clan cards that prevent it; if `seen` is empty, the cards already on the side do.
    """

    rank: int
    best: Formation | None
    seen: tuple[str, ...]


def side_size(modes: tuple[str, ...]) -> int:
    """The number of cards that complete a side of a Stone: 3, or 4 on a Mud Fight (rulings 4,
    11)."""
    return 4 if MUD_FIGHT in modes else 3


def judge(
    mine: tuple[str, ...],
    theirs: tuple[str, ...],
    unseen: int,
    first: Literal["mine", "theirs"] | None,
    modes: tuple[str, ...],
) -> Verdict:
    """Judge a claim of the Stone where `mine` faces `theirs`.

    `unseen`: the Clan cards that lie face-up nowhere, as bits (ruling 15). `first`: the side that
    was completed first (rulings 9, 10). `modes`: the Combat Modes on the Stone.
    """
    size, bluff = side_size(modes), BLIND_MANS_BLUFF in modes
    if len(mine) < size:
        return Verdict(False, "incomplete", None, None, None)
    best = formation(mine, bluff)
    if len(theirs) == size:
        return _compare(best, formation(theirs, bluff), first)
    if unseen.bit_count() < size - len(theirs):
        return Verdict(True, "cannot-be-completed", best, None, None)
    stronger = strongest(theirs, size, unseen, bluff, above=(best.rank, best.total))
    if stronger is None:
        return Verdict(True, "unbeatable", best, None, None)
    return Verdict(False, "beatable", best, None, stronger)


def _compare(
    mine: Formation, theirs: Formation, first: Literal["mine", "theirs"] | None
) -> Verdict:
    if mine.beats(theirs):
        return Verdict(True, "stronger", mine, theirs, None)
    if theirs.beats(mine):
        return Verdict(False, "weaker", mine, theirs, None)
    if first == "mine":
        return Verdict(True, "completed-first", mine, theirs, None)
    return Verdict(False, "completed-later" if first else "tied", mine, theirs, None)


def obstacles(
    mine: Formation, theirs: tuple[str, ...], unseen: int, modes: tuple[str, ...]
) -> list[Obstacle]:
    """One obstacle for each rank at or above that of `mine`, the strongest first. Together they
    prove a claim that is `unbeatable`."""
    size = side_size(modes)
    ranks = (SUM,) if BLIND_MANS_BLUFF in modes else range(COLOR_RUN, mine.rank - 1, -1)
    return [_obstacle(rank, theirs, size, unseen) for rank in ranks]


def _obstacle(rank: int, theirs: tuple[str, ...], size: int, unseen: int) -> Obstacle:
    if (best := best_of_rank(rank, theirs, size, unseen)) is not None:
        return Obstacle(rank, best, ())
    # Suppose every card unseen that changes nothing by it: those that remain are needed.
    supposed = unseen
    face_up = ALL_CLAN & ~unseen & ~bits(theirs)
    seen = []
    for card in CLAN_CARDS:
        if face_up & BIT[card]:
            if best_of_rank(rank, theirs, size, supposed | BIT[card]) is None:
                supposed |= BIT[card]
            else:
                seen.append(card)
    return Obstacle(rank, None, tuple(seen))

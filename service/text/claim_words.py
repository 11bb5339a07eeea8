"""Whether a Stone can be claimed, and why, in words for the player."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import engine
from engine import Seat
from engine.cards import in_order
from engine.claims import Obstacle, Verdict, obstacles, side_size
from engine.formations import RANKS, Formation
from engine.game import STONES
from service.text.card_names import full_name
from service.text.history import FORMATIONS, join_words

_RULING: Final = {
    "incomplete": 12,
    "stronger": 13,
    "weaker": 13,
    "unbeatable": 14,
    "cannot-be-completed": 14,
    "beatable": 14,
    "completed-first": 9,
    "completed-later": 9,
    "tied": 9,
}
_WHEN: Final = {
    "after_play": "Stones are claimed after playing a card.",
    "before_play": "Stones are claimed at the start of a turn, before playing.",
}


_MOST_NAMED: Final = 8


class ClaimState(NamedTuple):
    """The state of a player's claim to a Stone.

    `beaten_by` are cards that would beat the player if added; `ruling` is the ruling that explains
    it. `because` gives, for each stronger formation, the reason why the incomplete other side
    cannot make it.
    """

    claimable: bool
    words: str
    beaten_by: tuple[str, ...]
    ruling: int
    because: tuple[str, ...] = ()


def claim_states(game: engine.Game, seat: Seat) -> dict[int, ClaimState]:
    """The state of the claims of `seat`, for each unclaimed Stone."""
    verdicts = engine.verdicts(game, seat)
    free = [number for number in range(1, 10) if game.stone(number).owner is None]
    return {
        number: _complete_state(game, seat, number, verdicts[number])
        if number in verdicts
        else _incomplete(game, seat, number)
        for number in free
    }


def _complete_state(game: engine.Game, seat: Seat, number: int, verdict: Verdict) -> ClaimState:
    stone = game.stone(number)
    places = dict.fromkeys(game.discard, "in the discard")
    for each in STONES:
        for cards in game.stone(each).sides.values():
            places.update(dict.fromkeys(cards, f"on Stone {each}"))
    theirs = stone.sides[engine.OTHER[seat]]
    return claim_state(verdict, because(verdict, theirs, game.unseen, stone.modes, places))


def timing(game: engine.Game) -> str:
    """A sentence about when Stones can be claimed in this game; empty if at any time."""
    return _WHEN.get(game.options.claim_timing, "")


def _incomplete(game: engine.Game, seat: Seat, number: int) -> ClaimState:
    stone = game.stone(number)
    missing = side_size(stone.modes) - len(stone.sides[seat])
    cards = "1 more card" if missing == 1 else f"{missing} more cards"
    return ClaimState(False, f"Your side needs {cards}.", (), _RULING["incomplete"])


def claim_state(verdict: Verdict, because: tuple[str, ...] = ()) -> ClaimState:
    """Put a verdict of the engine into words."""
    beaten_by = tuple(in_order(verdict.counterexample or ()))
    words = _WORDS[verdict.reason](verdict)
    return ClaimState(verdict.stands, words, beaten_by, _RULING[verdict.reason], because)


def because(
    verdict: Verdict,
    theirs: tuple[str, ...],
    unseen: int,
    modes: tuple[str, ...],
    places: Mapping[str, str],
) -> tuple[str, ...]:
    """A sentence for each formation that would beat a proven claim: why `theirs` cannot become it.

    Empty for other claims. `places`: the place of each face-up Clan card.
    """
    mine = verdict.mine
    if verdict.reason != "unbeatable" or mine is None:
        return ()
    return tuple(
        _obstacle(each, mine.total, places) for each in obstacles(mine, theirs, unseen, modes)
    )


def _obstacle(obstacle: Obstacle, total: int, places: Mapping[str, str]) -> str:
    name = FORMATIONS[RANKS[obstacle.rank]]
    if obstacle.best is not None:
        best = obstacle.best.total
        later = ", and it would be complete later" if best == total else ""
        return f"No {name} above {total}: {best} is the best still possible{later}."
    if not obstacle.seen:
        return f"No {name}: the other side's cards cannot be part of one."
    if len(obstacle.seen) > _MOST_NAMED:
        return f"No {name}: each would need one of {len(obstacle.seen)} cards that lie face-up."
    by_place: dict[str, list[str]] = {}
    for card in obstacle.seen:
        by_place.setdefault(places.get(card, "face-up"), []).append(full_name(card))
    lie = [
        f"{join_words(names)} {'lies' if len(names) == 1 else 'lie'} {place}"
        for place, names in by_place.items()
    ]
    return f"No {name}: {'; '.join(lie)}."


def formation(of: Formation | None) -> str:
    """A formation in words: `colour run of 24`."""
    return f"{FORMATIONS[RANKS[of.rank]]} of {of.total}" if of else "incomplete side"


def _mine(verdict: Verdict) -> str:
    return f"your {formation(verdict.mine)}"


def _theirs(verdict: Verdict) -> str:
    return formation(verdict.theirs)


_WORDS: Final[dict[str, Callable[[Verdict], str]]] = {
    "stronger": lambda verdict: (
        f"Yours: {_mine(verdict)} beats the other side's {_theirs(verdict)}."
    ),
    "completed-first": lambda verdict: (
        f"Yours: both sides are a {formation(verdict.mine)}, and yours was complete first."
    ),
    "unbeatable": lambda verdict: (
        f"Yours: no cards still unseen can make the other side beat {_mine(verdict)}."
    ),
    "cannot-be-completed": lambda verdict: (
        "Yours: too few unseen cards are left to complete the other side."
    ),
    "weaker": lambda verdict: f"The other side's {_theirs(verdict)} beats {_mine(verdict)}.",
    "completed-later": lambda verdict: (
        f"Both sides are a {formation(verdict.mine)}, and the other side was complete first."
    ),
    "incomplete": lambda verdict: "Your side is not complete yet: only a complete side can claim.",
    "tied": lambda verdict: f"Both sides are a {formation(verdict.mine)}.",
    "beatable": lambda verdict: (
        f"Not proven: {join_words(map(full_name, in_order(verdict.counterexample or ())))}"
        f" would beat {_mine(verdict)}."
    ),
}
"""Makes the sentence for each reason that a verdict may give."""

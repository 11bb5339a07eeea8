"""Whether a Stone can be claimed, and why, in words for the player."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import engine
from engine import Seat
from engine.cards import in_order
from engine.claims import Obstacle, obstacles, side_size
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


class Standing(NamedTuple):
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


def standings(game: engine.Game, seat: Seat) -> dict[int, Standing]:
    """The state of the claims of `seat`, for each unclaimed Stone."""
    proofs = {proof["stone"]: proof for proof in engine.proofs(game, seat)}
    free = [number for number in range(1, 10) if game.stone(number).owner is None]
    return {
        number: _standing_in(game, seat, proofs[number])
        if number in proofs
        else _incomplete(game, seat, number)
        for number in free
    }


def _standing_in(game: engine.Game, seat: Seat, proof: Mapping[str, Any]) -> Standing:
    stone = game.stone(proof["stone"])
    places = dict.fromkeys(game.discard, "in the discard")
    for number in STONES:
        for cards in game.stone(number).sides.values():
            places.update(dict.fromkeys(cards, f"on Stone {number}"))
    theirs = stone.sides[engine.OTHER[seat]]
    return standing(proof, because(proof, theirs, game.unseen, stone.modes, places))


def timing(game: engine.Game) -> str:
    """A sentence about when Stones can be claimed in this game; empty if at any time."""
    return _WHEN.get(game.options.claim_timing, "")


def _incomplete(game: engine.Game, seat: Seat, number: int) -> Standing:
    stone = game.stone(number)
    missing = side_size(stone.modes) - len(stone.sides[seat])
    cards = "1 more card" if missing == 1 else f"{missing} more cards"
    return Standing(False, f"Your side needs {cards}.", (), _RULING["incomplete"])


def standing(proof: Mapping[str, Any], because: tuple[str, ...] = ()) -> Standing:
    """A verdict of the engine, given as data, in words."""
    reason = proof["reason"]
    beaten_by = tuple(in_order(proof["counterexample"] or ()))
    words = _WORDS[reason](proof)
    return Standing(proof["claimable"], words, beaten_by, _RULING[reason], because)


def because(
    proof: Mapping[str, Any],
    theirs: tuple[str, ...],
    unseen: int,
    modes: tuple[str, ...],
    places: Mapping[str, str],
) -> tuple[str, ...]:
    """A sentence for each formation that would beat a proven claim: why `theirs` cannot become it.

    Empty for other claims. `places`: the place of each face-up Clan card.
    """
    if proof["reason"] != "unbeatable":
        return ()
    mine = Formation.from_data(proof["mine"])
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


def formation(described: Mapping[str, Any] | None) -> str:
    """A formation in words: `colour run of 24`."""
    if described is None:
        return "incomplete side"
    return f"{FORMATIONS[described['rank']]} of {described['total']}"


def _mine(proof: Mapping[str, Any]) -> str:
    return f"your {formation(proof['mine'])}"


def _theirs(proof: Mapping[str, Any]) -> str:
    return formation(proof["theirs"])


_WORDS: Final[dict[str, Callable[[Mapping[str, Any]], str]]] = {
    "stronger": lambda proof: f"Yours: {_mine(proof)} beats the other side's {_theirs(proof)}.",
    "completed-first": lambda proof: (
        f"Yours: both sides are a {formation(proof['mine'])}, and yours was complete first."
    ),
    "unbeatable": lambda proof: (
        f"Yours: no cards still unseen can make the other side beat {_mine(proof)}."
    ),
    "cannot-be-completed": lambda proof: (
        "Yours: too few unseen cards are left to complete the other side."
    ),
    "weaker": lambda proof: f"The other side's {_theirs(proof)} beats {_mine(proof)}.",
    "completed-later": lambda proof: (
        f"Both sides are a {formation(proof['mine'])}, and the other side was complete first."
    ),
    "incomplete": lambda proof: "Your side is not complete yet: only a complete side can claim.",
    "tied": lambda proof: f"Both sides are a {formation(proof['mine'])}.",
    "beatable": lambda proof: (
        f"Not proven: {join_words(map(full_name, in_order(proof['counterexample'])))}"
        f" would beat {_mine(proof)}."
    ),
}
"""By the reason that the proof states."""

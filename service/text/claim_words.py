"""Whether a Stone can be claimed, or was, and why, in words for the reader."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, cast

import engine
from engine import Seat
from engine.cards import BIT, full_name, in_order
from engine.chain import StoredEvent
from engine.claims import Obstacle, Reason, Verdict, obstacles, side_size
from engine.events import CardPlayed, RoundStarted, StoneClaimed
from engine.formations import RANKS, Formation
from engine.game import STONES
from service.text.game_terms import join_words
from service.text.history import FORMATIONS

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
OTHER_SIDE: Final = "the other side"


class ClaimState(NamedTuple):
    """The state of a player's claim to a Stone.

    `beaten_by` are cards that would beat the player if added; `ruling` is the ruling that explains
    it. `because` gives, for each stronger formation, the reason why the incomplete other side
    cannot make it. `since` is the number of the event that claimed the Stone; None before.
    """

    claimable: bool
    words: str
    beaten_by: tuple[str, ...]
    ruling: int
    because: tuple[str, ...] = ()
    since: int | None = None


def claim_states(game: engine.Game, seat: Seat, other: str = OTHER_SIDE) -> dict[int, ClaimState]:
    """The state of the claims of `seat`, for each unclaimed Stone. `other`: what to call the
    other player."""
    verdicts, places, states = engine.verdicts(game, seat), _places(game), dict[int, ClaimState]()
    for number in STONES:
        stone = game.stone(number)
        if (verdict := verdicts.get(number)) is not None:
            theirs = stone.sides[engine.OTHER[seat]]
            whose = f"{other}'s"
            reasons = because(verdict, theirs, game.unseen, stone.modes, places, whose)
            states[number] = claim_state(verdict, reasons, other)
        elif stone.owner is None:
            missing = side_size(stone.modes) - len(stone.sides[seat])
            words = f"Your side needs {missing} more {'card' if missing == 1 else 'cards'}."
            states[number] = ClaimState(False, words, (), _RULING["incomplete"])
    return states


def claims_so_far(
    game: engine.Game, lines: Sequence[StoredEvent], names: Mapping[str, str], reader: Seat | None
) -> dict[int, ClaimState]:
    """The reason for each claim so far in the round, by Stone, for a player or a spectator.

    `lines` may begin with earlier rounds, and go on after the version of `game`; `names` are the
    players', by seat.
    """
    states, unseen, places = dict[int, ClaimState](), game.unseen, _places(game)
    for line in reversed(lines):
        if line["seq"] > game.version:
            continue
        if line["type"] == RoundStarted.TYPE:
            break
        if line["type"] == CardPlayed.TYPE:
            unseen |= BIT.get(line["data"]["card"], 0)
        elif line["type"] == StoneClaimed.TYPE:
            claim = StoneClaimed.from_data(line["by"], line["data"], None)
            # Nothing changes at a claimed Stone: its sides are those that were judged.
            reason, stone = cast("Reason", claim.reason), game.stone(claim.stone)
            verdict = Verdict(True, reason, claim.mine, claim.theirs, None)
            theirs = stone.sides[engine.OTHER[claim.by]]
            parties = _Parties.of(claim.by, names, reader)
            states[claim.stone] = ClaimState(
                False,
                _CLAIMED[reason](verdict, parties),
                (),
                _RULING[reason],
                because(verdict, theirs, unseen, stone.modes, places, parties.losers),
                line["seq"],
            )
    return states


class _Parties(NamedTuple):
    """The two players of a claim, as the reader calls them: `you`, `yours`, `Bob's`."""

    winner: str
    winners: str
    losers: str

    @classmethod
    def of(cls, winner: Seat, names: Mapping[str, str], reader: Seat | None) -> "_Parties":
        loser = engine.OTHER[winner]
        return cls(
            "you" if reader == winner else names[winner],
            "yours" if reader == winner else f"{names[winner]}'s",
            "your" if reader == loser else f"{names[loser]}'s",
        )


def _places(game: engine.Game) -> dict[str, str]:
    """The place of each face-up card: `on Stone 4`, `in the discard`."""
    places = dict.fromkeys(game.discard, "in the discard")
    for each in STONES:
        for cards in game.stone(each).sides.values():
            places.update(dict.fromkeys(cards, f"on Stone {each}"))
    return places


def timing(game: engine.Game) -> str:
    """A sentence about when Stones can be claimed in this game; empty if at any time."""
    return _WHEN.get(game.options.claim_timing, "")


def claim_state(
    verdict: Verdict, because: tuple[str, ...] = (), other: str = OTHER_SIDE
) -> ClaimState:
    """Put a verdict of the engine into words. `other`: what to call the other player."""
    beaten_by = tuple(in_order(verdict.counterexample or ()))
    words = _WORDS[verdict.reason](verdict, other)
    return ClaimState(verdict.stands, words, beaten_by, _RULING[verdict.reason], because)


def because(
    verdict: Verdict,
    theirs: tuple[str, ...],
    unseen: int,
    modes: tuple[str, ...],
    places: Mapping[str, str],
    whose: str = f"{OTHER_SIDE}'s",
) -> tuple[str, ...]:
    """A sentence for each formation that would beat a proven claim: why `theirs` cannot become it.

    Empty for other claims. `places`: the place of each face-up Clan card. `whose`: whose cards
    `theirs` are.
    """
    mine = verdict.mine
    if verdict.reason != "unbeatable" or mine is None:
        return ()
    found = obstacles(mine, theirs, unseen, modes)
    return tuple(_obstacle(each, mine.total, places, whose) for each in found)


def _obstacle(obstacle: Obstacle, total: int, places: Mapping[str, str], whose: str) -> str:
    name = FORMATIONS[RANKS[obstacle.rank]]
    if obstacle.best is not None:
        best = obstacle.best.total
        later = ", and it would be complete later" if best == total else ""
        return f"No {name} above {total}: {best} is the best still possible with Clan cards{later}."
    if not obstacle.seen:
        return f"No {name}: {whose} cards cannot be part of one."
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


_WORDS: Final[dict[str, Callable[[Verdict, str], str]]] = {
    "stronger": lambda verdict, other: (
        f"Yours: your {formation(verdict.mine)} beats {other}'s {formation(verdict.theirs)}."
    ),
    "completed-first": lambda verdict, other: (
        f"Yours: both sides are a {formation(verdict.mine)}, and yours was complete first."
    ),
    "unbeatable": lambda verdict, other: (
        f"Yours: none of the unseen Clan cards can make {other} beat your"
        f" {formation(verdict.mine)}."
    ),
    "cannot-be-completed": lambda verdict, other: (
        f"Yours: too few unseen Clan cards are left for {other} to be complete."
    ),
    "weaker": lambda verdict, other: (
        f"Your {formation(verdict.mine)} loses to {other}'s {formation(verdict.theirs)}."
    ),
    "completed-later": lambda verdict, other: (
        f"Both sides are a {formation(verdict.mine)}, and {other} was complete first."
    ),
    "incomplete": lambda verdict, other: (
        "Your side is not complete yet: only a complete side can claim."
    ),
    "tied": lambda verdict, other: f"Both sides are a {formation(verdict.mine)}.",
    "beatable": lambda verdict, other: (
        f"Not proven: {join_words(map(full_name, in_order(verdict.counterexample or ())))}"
        f" would make a {formation(verdict.refutation)} and beat your {formation(verdict.mine)}."
    ),
}
"""Makes the sentence for each reason that a verdict may give."""

_CLAIMED: Final[dict[str, Callable[[Verdict, _Parties], str]]] = {
    "stronger": lambda verdict, who: (
        f"Claimed by {who.winner}: a {formation(verdict.mine)} beats a {formation(verdict.theirs)}."
    ),
    "completed-first": lambda verdict, who: (
        f"Claimed by {who.winner}: both sides are a {formation(verdict.mine)}, and {who.winners}"
        " was complete first."
    ),
    "unbeatable": lambda verdict, who: (
        f"Claimed by {who.winner}: none of the Clan cards then unseen could make {who.losers} side"
        f" beat a {formation(verdict.mine)}."
    ),
    "cannot-be-completed": lambda verdict, who: (
        f"Claimed by {who.winner}: too few unseen Clan cards were left to complete"
        f" {who.losers} side."
    ),
}
"""Makes the sentence for each reason of a successful claim."""

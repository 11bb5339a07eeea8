"""Whether a Stone can be claimed, or was, and why, in words for the reader.

The other player has a name, or is the other side where a board was set up.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, cast

import engine
from engine import OTHER, Seat
from engine.cards import BIT, in_order
from engine.chain import StoredEvent
from engine.claims import Obstacle, Reason, Verdict, obstacles, side_size
from engine.events import CardPlayed, RoundStarted, StoneClaimed
from engine.formations import RANKS, Formation
from engine.game import STONES
from service.core.words import N_, Words
from service.text.card_names import the_cards
from service.text.event_words import FORMATIONS

Place = int | Literal["discard", "yours"]
"""Where a face-up card lies: on a Stone, in the discard, or on the reader's side."""
Names = Mapping[str, str]

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
AFTER_PLAY: Final = N_("Stones are claimed after playing a card or passing.")
_WHEN: Final = {
    "after_play": AFTER_PLAY,
    "before_play": N_("Stones are claimed at the start of a turn, before playing."),
}
_HAND_PROVES_NOTHING: Final = N_("Your own hand proves nothing: only cards that lie face-up do.")
_MOST_NAMED: Final = 8


class ClaimState(NamedTuple):
    """The state of a player's claim to a Stone.

    `beaten_by` are cards that would beat the player if added; `ruling` is the ruling that explains
    it. `because` gives, for each stronger formation, the reason why the incomplete other side
    cannot make it. `since` is the number of the event that claimed the Stone; None before. `why`
    gives the reason where the Stone is offered for a claim, so known to be the reader's.
    """

    claimable: bool
    words: str
    beaten_by: tuple[str, ...]
    ruling: int
    because: tuple[str, ...] = ()
    since: int | None = None
    why: str = ""


class _Parties(NamedTuple):
    """The two players of a claim by name: no `winner` where the reader claims, no `loser` where the
    reader has lost, or where the reader claims against the other side of a board."""

    winner: str | None
    loser: str | None


def claim_states(
    words: Words, game: engine.Game, seat: Seat, other: str | None = None
) -> dict[int, ClaimState]:
    """The state of the claims of `seat`, for each unclaimed Stone where they have a card. `other`:
    the name of the other player, None for the other side."""
    verdicts, places, states = engine.verdicts(game, seat), _places(game), dict[int, ClaimState]()
    for number in STONES:
        stone = game.stone(number)
        if (verdict := verdicts.get(number)) is not None:
            theirs = stone.sides[OTHER[seat]]
            reasons = because(words, verdict, theirs, game.unseen, stone.modes, places, other)
            states[number] = claim_state(words, verdict, reasons, other, game.hands[seat])
        elif stone.owner is None and stone.sides[seat]:
            missing = side_size(stone.modes) - len(stone.sides[seat])
            needs = words.plural(
                "Your side needs %(number)s more card.",
                "Your side needs %(number)s more cards.",
                missing,
            )
            states[number] = ClaimState(False, needs, (), _RULING["incomplete"])
    return states


def claims_so_far(
    words: Words, game: engine.Game, lines: Sequence[StoredEvent], names: Names, reader: Seat | None
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
            theirs = stone.sides[OTHER[claim.by]]
            winner, loser = (
                None if seat == reader else names[seat] for seat in (claim.by, OTHER[claim.by])
            )
            states[claim.stone] = ClaimState(
                False,
                _claimed(words, verdict, _Parties(winner, loser)),
                (),
                _RULING[reason],
                because(words, verdict, theirs, unseen, stone.modes, places, loser, winner),
                line["seq"],
            )
    return states


def _places(game: engine.Game) -> dict[str, Place]:
    """The place of each face-up card."""
    places: dict[str, Place] = dict.fromkeys(game.discard, "discard")
    for each in STONES:
        for cards in game.stone(each).sides.values():
            places.update(dict.fromkeys(cards, each))
    return places


def timing(words: Words, game: engine.Game) -> str:
    """A sentence about when Stones can be claimed in this game; empty if at any time."""
    when = _WHEN.get(game.options.claim_timing)
    return words.say(when) if when else ""


def claim_state(
    words: Words,
    verdict: Verdict,
    because: tuple[str, ...] = (),
    other: str | None = None,
    hand: Sequence[str] = (),
) -> ClaimState:
    """Put a verdict of the engine into words. `other`: the name of the other player; `hand`: the
    reader's cards, one of which may be what keeps the claim from being proven."""
    beaten_by = tuple(in_order(verdict.counterexample or ()))
    said = {
        "mine": formation(words, verdict.mine),
        "theirs": formation(words, verdict.theirs),
        "refutation": formation(words, verdict.refutation),
        "cards": the_cards(words, beaten_by),
    }

    def say(named: str, unnamed: str) -> str:
        return words.say(named, name=other, **said) if other else words.say(unnamed, **said)

    sentence, ruling = say(*_JUDGED[verdict.reason]), _RULING[verdict.reason]
    why = say(*_WHY[verdict.reason]) if verdict.stands else ""
    if set(hand) & set(beaten_by):
        sentence = f"{sentence} {words.say(_HAND_PROVES_NOTHING)}"
    return ClaimState(verdict.stands, sentence, beaten_by, ruling, because, why=why)


def _claimed(words: Words, verdict: Verdict, who: _Parties) -> str:
    by_reader, from_reader, of_others = _CLAIMED[verdict.reason]
    mine, theirs = formation(words, verdict.mine), formation(words, verdict.theirs)
    message = by_reader if not who.winner else of_others if who.loser else from_reader
    return words.say(message, winner=who.winner, loser=who.loser, mine=mine, theirs=theirs)


def because(
    words: Words,
    verdict: Verdict,
    theirs: tuple[str, ...],
    unseen: int,
    modes: tuple[str, ...],
    places: Mapping[str, Place],
    other: str | None = None,
    winner: str | None = None,
) -> tuple[str, ...]:
    """A sentence for each formation that would beat a proven claim: why `theirs` cannot become it.

    Empty for other claims. `places`: the place of each face-up Clan card. `other`: the name of the
    player whose cards `theirs` are; `winner`: that of the claimant, None for the reader.
    """
    mine, who = verdict.mine, _Parties(winner, other)
    if verdict.reason != "unbeatable" or mine is None:
        return ()
    found = obstacles(mine, theirs, unseen, modes)
    return tuple(_obstacle(words, each, mine.total, places, who) for each in found)


def _obstacle(
    words: Words, obstacle: Obstacle, total: int, places: Mapping[str, Place], who: _Parties
) -> str:
    formation = words.say(FORMATIONS[RANKS[obstacle.rank]])
    if obstacle.best is not None:
        said = {"formation": formation, "total": total, "best": obstacle.best.total}
        if obstacle.best.total == total:
            return words.say(
                "No %(formation)s above %(total)s: %(best)s is the best still possible with Clan"
                " cards, and it would be complete later.",
                **said,
            )
        return words.say(
            "No %(formation)s above %(total)s: %(best)s is the best still possible with Clan"
            " cards.",
            **said,
        )
    if not obstacle.seen:
        return _impossible(words, formation, who)
    if len(obstacle.seen) > _MOST_NAMED:
        return words.say(
            "No %(formation)s: each would need one of %(count)s cards that lie face-up.",
            formation=formation,
            count=len(obstacle.seen),
        )
    by_place: dict[Place | None, list[str]] = {}
    for card in obstacle.seen:
        by_place.setdefault(places.get(card), []).append(card)
    lie = words.parts(_lie(words, cards, place) for place, cards in by_place.items())
    # Note: %(places)s is such as "Red 7 lies on Stone 3; Red 8 and Red 9 lie in the discard"
    return words.say("No %(formation)s: %(places)s.", formation=formation, places=lie)


def _impossible(words: Words, formation: str, who: _Parties) -> str:
    if who.loser:
        message = N_("No %(formation)s: %(name)s’s cards cannot be part of one.")
        return words.say(message, formation=formation, name=who.loser)
    if who.winner is None:
        message = N_("No %(formation)s: the other side’s cards cannot be part of one.")
        return words.say(message, formation=formation)
    return words.say("No %(formation)s: your cards cannot be part of one.", formation=formation)


def _lie(words: Words, codes: list[str], place: Place | None) -> str:
    cards, number = the_cards(words, codes), len(codes)
    match place:
        case "discard":
            # Note: %(cards)s is one card, or several: "Red 7 and Green 2"
            return words.plural(
                "%(cards)s lies in the discard", "%(cards)s lie in the discard", number, cards=cards
            )
        case "yours":
            # Note: %(cards)s is one card, or several
            return words.plural(
                "%(cards)s lies on your side", "%(cards)s lie on your side", number, cards=cards
            )
        case None:
            # Note: %(cards)s is one card, or several
            return words.plural(
                "%(cards)s lies face-up", "%(cards)s lie face-up", number, cards=cards
            )
    # Note: %(cards)s is one card, or several
    return words.plural(
        "%(cards)s lies on Stone %(stone)s",
        "%(cards)s lie on Stone %(stone)s",
        number,
        cards=cards,
        stone=place,
    )


def formation(words: Words, of: Formation | None) -> str:
    """A formation in words: `colour run of 24`."""
    if of is None:
        return words.say("incomplete side")
    return words.say(_OF_TOTAL[RANKS[of.rank]], total=of.total)


_OF_TOTAL: Final = {
    # Note: a formation and its sum, in sentences such as "Your … beats Bob's …"; as the next four
    "color-run": N_("colour run of %(total)s"),
    "three-of-a-kind": N_("three of a kind of %(total)s"),
    "color": N_("colour of %(total)s"),
    "run": N_("run of %(total)s"),
    "sum": N_("sum of %(total)s"),
}

_JUDGED: Final = {
    "stronger": (
        N_("Yours: your %(mine)s beats %(name)s’s %(theirs)s."),
        N_("Yours: your %(mine)s beats the other side’s %(theirs)s."),
    ),
    "completed-first": (
        N_("Yours: both sides are a %(mine)s, and yours was complete first."),
        N_("Yours: both sides are a %(mine)s, and yours was complete first."),
    ),
    "unbeatable": (
        N_("Yours: none of the unseen Clan cards can make %(name)s beat your %(mine)s."),
        N_("Yours: none of the unseen Clan cards can make the other side beat your %(mine)s."),
    ),
    "cannot-be-completed": (
        N_("Yours: too few unseen Clan cards are left for %(name)s to be complete."),
        N_("Yours: too few unseen Clan cards are left for the other side to be complete."),
    ),
    "weaker": (
        N_("Your %(mine)s loses to %(name)s’s %(theirs)s."),
        N_("Your %(mine)s loses to the other side’s %(theirs)s."),
    ),
    "completed-later": (
        N_("Both sides are a %(mine)s, and %(name)s was complete first."),
        N_("Both sides are a %(mine)s, and the other side was complete first."),
    ),
    "incomplete": (
        N_("Your side is not complete yet: only a complete side can claim."),
        N_("Your side is not complete yet: only a complete side can claim."),
    ),
    "tied": (N_("Both sides are a %(mine)s."), N_("Both sides are a %(mine)s.")),
    "beatable": (
        N_("%(cards)s would make a %(refutation)s and beat your %(mine)s: not proven yet."),
        N_("%(cards)s would make a %(refutation)s and beat your %(mine)s: not proven yet."),
    ),
}
"""The sentence for each reason that a verdict may give: against a player with a name, or without
one."""

_WHY: Final = {
    "stronger": (
        N_("Your %(mine)s beats %(name)s’s %(theirs)s."),
        N_("Your %(mine)s beats the other side’s %(theirs)s."),
    ),
    "completed-first": (
        N_("Both sides are a %(mine)s, and yours was complete first."),
        N_("Both sides are a %(mine)s, and yours was complete first."),
    ),
    "unbeatable": (
        N_("None of the unseen Clan cards can make %(name)s beat your %(mine)s."),
        N_("None of the unseen Clan cards can make the other side beat your %(mine)s."),
    ),
    "cannot-be-completed": (
        N_("Too few unseen Clan cards are left for %(name)s to be complete."),
        N_("Too few unseen Clan cards are left for the other side to be complete."),
    ),
}
"""The same for claims that succeed, where it is known that the Stone can be the reader's."""

_CLAIMED: Final = {
    "stronger": (
        N_("Claimed by you: a %(mine)s beats a %(theirs)s."),
        N_("Claimed by %(winner)s: a %(mine)s beats a %(theirs)s."),
        N_("Claimed by %(winner)s: a %(mine)s beats a %(theirs)s."),
    ),
    "completed-first": (
        N_("Claimed by you: both sides are a %(mine)s, and yours was complete first."),
        N_(
            "Claimed by %(winner)s: both sides are a %(mine)s, and %(winner)s’s was complete first."
        ),
        N_(
            "Claimed by %(winner)s: both sides are a %(mine)s, and %(winner)s’s was complete first."
        ),
    ),
    "unbeatable": (
        N_(
            "Claimed by you: none of the Clan cards then unseen could make %(loser)s’s side beat a"
            " %(mine)s."
        ),
        N_(
            "Claimed by %(winner)s: none of the Clan cards then unseen could make your side beat a"
            " %(mine)s."
        ),
        N_(
            "Claimed by %(winner)s: none of the Clan cards then unseen could make %(loser)s’s side"
            " beat a %(mine)s."
        ),
    ),
    "cannot-be-completed": (
        N_("Claimed by you: too few unseen Clan cards were left to complete %(loser)s’s side."),
        N_("Claimed by %(winner)s: too few unseen Clan cards were left to complete your side."),
        N_(
            "Claimed by %(winner)s: too few unseen Clan cards were left to complete %(loser)s’s"
            " side."
        ),
    ),
}
"""The sentence for each reason of a successful claim: by the reader, against the reader, between
others."""

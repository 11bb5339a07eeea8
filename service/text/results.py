"""How games and rounds end, in words."""

from collections.abc import Mapping
from typing import Final, cast

from engine import OTHER, Seat
from service.core.words import N_, Words

Names = Mapping[str, str]

REASONS: Final = {
    # Note: why a game ended, after "Bob won", "A draw" or "Drawn"; as the next five
    "three-adjacent": N_("with three adjacent Stones"),
    "five-stones": N_("with five Stones"),
    "stalemate": N_("by stalemate"),
    "resignation": N_("by resignation"),
    "time-out": N_("on time"),
    "agreement": N_("by agreement"),
}


def result(
    words: Words,
    winner: str | None,
    reason: str | None,
    names: Names,
    reader: str | None = None,
    *,
    rounds: int = 1,
) -> str:
    """The result of a round, or of a game of so many rounds, as a title: `Bob won with five
    Stones`."""
    if winner is None:
        if reason is None:
            return words.say("A draw")
        # Note: %(how)s is "by agreement", "by stalemate" …
        return words.say("A draw %(how)s", how=words.say(REASONS[reason]))
    if reason == "resignation" and rounds == 1:
        return _won_by_resignation(words, winner, names, reader)
    name = names[winner]
    if reason == "resignation":  # whoever resigned its last round may have won it
        if winner == reader:
            return words.say("You won the match")
        return words.say("%(name)s won the match", name=name)
    if reason is None:
        return words.say("You won") if winner == reader else words.say("%(name)s won", name=name)
    how = words.say(REASONS[reason])
    if winner == reader:
        # Note: %(how)s is "with five Stones", "on time" …
        return words.say("You won %(how)s", how=how)
    # Note: %(how)s is "with five Stones", "on time" …
    return words.say("%(name)s won %(how)s", name=name, how=how)


def _won_by_resignation(words: Words, winner: str, names: Names, reader: str | None) -> str:
    loser = OTHER[cast(Seat, winner)]
    if winner == reader:
        return words.say("You won: %(name)s resigned", name=names[loser])
    if loser == reader:
        return words.say("%(name)s won: you resigned", name=names[winner])
    return words.say("%(winner)s won: %(loser)s resigned", winner=names[winner], loser=names[loser])


def outcome(
    words: Words,
    winner: str | None,
    reason: str | None,
    names: Names,
    reader: str | None = None,
    *,
    rounds: int = 1,
) -> str:
    """The result as a sentence: `Bob won with five Stones.`"""
    return as_sentence(words, result(words, winner, reason, names, reader, rounds=rounds))


def as_sentence(words: Words, title: str) -> str:
    """A title as a sentence of its own, with a full stop."""
    # Note: adds a full stop to something that stands without one elsewhere, such as "You won"
    return words.say("%(sentence)s.", sentence=title)


def score(words: Words, scores: Mapping[Seat, int], names: Names, reader: str | None = None) -> str:
    """The points: `Ann 5, Bob 2.`"""
    said = [
        # Note: in a list of points: "You 5, Bob 2."
        words.say("You %(points)s", points=points)
        if seat == reader
        # Note: in a list of points: "Ann 5, Bob 2."
        else words.say("%(name)s %(points)s", name=names[seat], points=points)
        for seat, points in scores.items()
    ]
    return as_sentence(words, ", ".join(said))

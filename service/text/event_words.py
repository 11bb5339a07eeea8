"""What single events of a game say, its clock's too: clauses of a turn, or whole sentences; and how
games and rounds end.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from engine import OTHER, Event, Seat, View
from engine.cards import RECRUITER, STRATEGIST, in_order
from engine.clock_events import (
    CalendarChanged,
    ClockAdjusted,
    ClockMoved,
    ClockPaused,
    ClockResumed,
    FlagHeld,
    TimeGiven,
)
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsRecruited,
    CardsReturned,
    GameAborted,
    GameCreated,
    GameEnded,
    Passed,
    PlayerJoined,
    Resigned,
    RoundEnded,
    RoundStarted,
    RusePlayed,
    StoneClaimed,
    TimedOut,
    TurnEnded,
)
from engine.formations import RANKS
from engine.notation import Banish, Recruit
from service.core.times import MINUTE, unix
from service.core.words import N_, Words
from service.text.card_names import count_cards, with_article
from service.text.moments import MomentWords, duration

Names = Mapping[str, str]

REASONS: Final = {
    # Note: why a game ended, after "Bob won", "A draw" or "Drawn"; as the next six
    "three-adjacent": N_("with three adjacent Stones"),
    "both": N_("with three adjacent Stones, and five in all"),
    "five-stones": N_("with five Stones"),
    "stalemate": N_("by stalemate"),
    "resignation": N_("by resignation"),
    "time-out": N_("on time"),
    "agreement": N_("by agreement"),
}


def won_by_both(reason: str | None, held: int) -> bool:
    """Whether a winner by three adjacent Stones, who holds so many, has five in all too: the record
    names the first reason that holds."""
    return reason == "three-adjacent" and held >= 5


def whole_reason(view: View) -> str | None:
    """The reason for the result of a game, and "both" where its winner won by both counts."""
    held = sum(stone.owner == view.winner for stone in view.stones)
    return "both" if view.winner and won_by_both(view.reason, held) else view.reason


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


CardName = Callable[[Words, str], str]

FORMATIONS: Final = {
    "color-run": N_("colour run"),
    "three-of-a-kind": N_("three of a kind"),
    "color": N_("colour"),
    "run": N_("run"),
    "sum": N_("sum"),
}


@dataclass(frozen=True)
class Teller:
    """Tells a reader of events: in their language, and as `You` of what they did themselves."""

    words: Words
    names: Names
    reader: Seat | None
    name_of: CardName
    when: MomentWords

    def by(self, seat: str | None, you: str, other: str, /, **places: object) -> str:
        """Say `you` if the reader sits there, or else `other`, of the player with that `name`."""
        if seat is not None and seat == self.reader:
            return self.words.say(you, **places)
        return self.words.say(other, name=self.names[seat or ""], **places)

    def name(self, code: str) -> str:
        """A card's name, where the message has what belongs to it."""
        return self.name_of(self.words, code)

    def card(self, code: str) -> str:
        """A card after a verb, where some languages have an article."""
        return with_article(self.words, code, self.name(code))

    def cards(self, codes: Iterable[str]) -> str:
        return self.words.joined(map(self.card, in_order(codes)))


# A player's actions: a verb and its objects


def _played(event: CardPlayed, tell: Teller) -> str:
    card = tell.card(event.card)
    # Note: a clause, after "Bob"
    return tell.words.say("played %(card)s on Stone %(stone)s", card=card, stone=event.stone)


def _ruse(event: RusePlayed, tell: Teller) -> str:
    say, action = tell.words.say, event.action
    if isinstance(action, Recruit):
        cards = count_cards(tell.words, action.clan, action.tactic)
        # Note: a clause, after "Bob"; %(card)s is the Tactic card Recruiter
        return say("played the %(card)s, drawing %(cards)s", card=tell.name(RECRUITER), cards=cards)
    places = {"card": tell.card(action.card), "ruse": tell.name(action.ruse), "stone": action.stone}
    if isinstance(action, Banish) or action.to is None:
        # Note: a clause, after "Bob"; %(ruse)s is a Tactic card
        return say("discarded %(card)s from Stone %(stone)s with the %(ruse)s", **places)
    places["to"] = action.to
    if action.ruse == STRATEGIST:
        # Note: a clause, after "Bob"; %(ruse)s is a Tactic card
        return say(
            "moved %(card)s from Stone %(stone)s to Stone %(to)s with the %(ruse)s", **places
        )
    # Note: a clause, after "Bob"; %(ruse)s is a Tactic card
    return say("took %(card)s from Stone %(stone)s to Stone %(to)s with the %(ruse)s", **places)


def _recruited(event: CardsRecruited, tell: Teller) -> str:
    if not event.cards:
        return ""
    # Note: a clause, after "Bob": the Recruiter let the player draw these cards
    return tell.words.say("found %(cards)s", cards=tell.cards(event.cards))


def _returned(event: CardsReturned, tell: Teller) -> str:
    counted = count_cards(tell.words, event.clan, event.tactic)
    cards = tell.cards(event.cards) if event.cards else counted
    if event.clan and event.tactic:
        # Note: a clause, after "Bob"
        return tell.words.say("put %(cards)s under the decks", cards=cards)
    # Note: a clause, after "Bob"
    return tell.words.say("put %(cards)s under the deck", cards=cards)


def _passed(event: Passed, tell: Teller) -> str:
    # Note: a clause, after "Bob"
    return tell.words.say("passed")


def claimed_words(event: StoneClaimed, tell: Teller) -> str:
    # Note: a claimed Stone, with the formation and its sum: "Stone 3 (colour run, sum 24)"
    message = N_("Stone %(stone)s (%(formation)s, sum %(total)s)")
    formation = RANKS[event.mine.rank]
    if formation == "sum":
        # Note: a claimed Stone, with three cards that only count by their sum
        message = N_("Stone %(stone)s (sum %(total)s)")
    say = tell.words.say
    named = say(FORMATIONS[formation])
    return say(message, stone=event.stone, formation=named, total=event.mine.total)


def _drew(event: CardDrawn, tell: Teller) -> str:
    """The clause about a drawn card; empty for a hidden Clan card, since nearly every turn draws
    one."""
    if event.cards:
        # Note: a clause, after "Bob"
        return tell.words.say("drew %(cards)s", cards=tell.cards(event.cards))
    # Note: a clause, after "Bob"
    return tell.words.say("drew a Tactic card") if event.deck == "tactic" else ""


CLAUSES: dict[type[Event], Callable[[Any, Teller], str]] = {
    CardPlayed: _played,
    RusePlayed: _ruse,
    CardsRecruited: _recruited,
    CardsReturned: _returned,
    Passed: _passed,
    StoneClaimed: claimed_words,
    CardDrawn: _drew,
    TurnEnded: lambda event, tell: "",
}


# Events that each make a sentence


def _started(event: RoundStarted, tell: Teller) -> str:
    you, other = N_("You got the first turn."), N_("%(name)s got the first turn.")
    first = tell.by(event.first, you, other)
    if event.round == 1:
        return first
    return " ".join((tell.words.say("Round %(round)s began.", round=event.round), first))


def _round_ended(event: RoundEnded, tell: Teller) -> str:
    return tell.words.say(
        # Note: "Round 1: Bob won with five Stones. Ann 2, Bob 5."
        "Round %(round)s: %(outcome)s %(score)s",
        round=event.round,
        outcome=_ended(event, tell),
        score=score(tell.words, event.scores, tell.names, tell.reader),
    )


def _ended(event: RoundEnded | GameEnded, tell: Teller) -> str:
    # The sentence before it has told who resigned.
    reason = None if event.reason == "resignation" else event.reason
    return outcome(tell.words, event.winner, reason, tell.names, tell.reader)


def _calendar(event: CalendarChanged, tell: Teller) -> str:
    """A sentence about the parts of a calendar that count in a game; the zone is left out if
    nothing depends on it."""
    say, when = tell.words.say, tell.when
    parts = [
        say("vacation from %(start)s to %(end)s", start=when(first), end=when(last))
        for first, last in event.vacations
    ]
    if event.sleep is not None:
        start, end = event.sleep
        parts.insert(0, say("nights from %(start)s to %(end)s", start=start, end=end))
    if event.sleep is not None or event.zone != "UTC":
        parts.append(say("time zone %(zone)s", zone=event.zone))
    # Note: %(times)s is a list: "nights from 23:00 to 07:00, time zone Europe/Berlin"
    you, other = (
        N_("Your calendar in this game: %(times)s."),
        N_("%(name)s’s calendar in this game: %(times)s."),
    )
    times = ", ".join(parts) or say("no nights and no vacation")
    return tell.by(event.by, you, other, times=times)


def _given(event: TimeGiven, tell: Teller) -> str:
    by, to = tell.names[event.by], tell.names[event.seat]
    span = duration(tell.words, event.seconds)
    if event.by == tell.reader:
        return tell.words.say("You gave %(name)s %(span)s more.", name=to, span=span)
    if event.seat == tell.reader:
        return tell.words.say("%(name)s gave you %(span)s more.", name=by, span=span)
    return tell.words.say("%(name)s gave %(other)s %(span)s more.", name=by, other=to, span=span)


def _moved(event: ClockMoved, tell: Teller) -> str:
    you, other = (
        N_("In this sandbox you let %(span)s pass."),
        N_("In this sandbox %(name)s let %(span)s pass."),
    )
    return tell.by(event.by, you, other, span=duration(tell.words, event.seconds))


def _paused(event: ClockPaused, tell: Teller) -> str:
    if event.until is None:
        you, other = (
            N_("You agreed: the clock is paused."),
            N_("%(name)s agreed: the clock is paused."),
        )
        return tell.by(event.by, you, other)
    you, other = (
        N_("You agreed: the clock is paused until %(moment)s."),
        N_("%(name)s agreed: the clock is paused until %(moment)s."),
    )
    return tell.by(event.by, you, other, moment=tell.when(event.until, is_end=True))


def _resumed(event: ClockResumed, tell: Teller) -> str:
    if event.by is None:
        return tell.words.say("The server resumed the clock.")
    return tell.by(event.by, N_("You resumed the clock."), N_("%(name)s resumed the clock."))


def _adjusted(event: ClockAdjusted, tell: Teller) -> str:
    span = {"start": tell.when(event.since), "end": tell.when(event.until)}
    if event.reason == "outage" or event.seat is None:
        if unix(event.until) - unix(event.since) < MINUTE:
            return tell.words.say("The server was away for a moment, which does not count.")
        message = N_("The server was away: %(start)s to %(end)s does not count.")
        return tell.words.say(message, **span)
    if event.reason == "vacation":
        you = N_(
            "Your time was out, and a vacation began by itself: %(start)s to %(end)s does not"
            " count."
        )
        other = N_(
            "%(name)s’s time was out, and a vacation began by itself: %(start)s to %(end)s does not"
            " count."
        )
        return tell.by(event.seat, you, other, **span)
    you = N_("You had not been told of the turn: %(start)s to %(end)s does not count.")
    other = N_("%(name)s had not been told of the turn: %(start)s to %(end)s does not count.")
    return tell.by(event.seat, you, other, **span)


def _held(event: FlagHeld, tell: Teller) -> str:
    you = N_(
        "Your time is up, but you have not been told of the turn: nothing ends before %(moment)s."
    )
    other = N_(
        "%(name)s’s time is up, but %(name)s has not been told of the turn: nothing ends before"
        " %(moment)s."
    )
    return tell.by(event.seat, you, other, moment=tell.when(event.until))


def _of_player(you: str, other: str) -> Callable[[Any, Teller], str]:
    return lambda event, tell: tell.by(event.by, you, other)


SENTENCES: dict[type[Event], Callable[[Any, Teller], str]] = {
    GameCreated: _of_player(N_("You created the game."), N_("%(name)s created the game.")),
    PlayerJoined: _of_player(N_("You joined."), N_("%(name)s joined.")),
    RoundStarted: _started,
    Resigned: _of_player(N_("You resigned."), N_("%(name)s resigned.")),
    TimedOut: lambda event, tell: tell.by(
        event.seat, N_("You ran out of time."), N_("%(name)s ran out of time.")
    ),
    RoundEnded: _round_ended,
    GameEnded: _ended,
    GameAborted: lambda event, tell: tell.words.say("The game was cancelled."),
    CalendarChanged: _calendar,
    TimeGiven: _given,
    ClockMoved: _moved,
    ClockPaused: _paused,
    ClockResumed: _resumed,
    ClockAdjusted: _adjusted,
    FlagHeld: _held,
}

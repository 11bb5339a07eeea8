"""The events since the reader's own last turn, in sentences and as marks on the board; and the
cards that this turn added to their hand."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from engine import OTHER, Seat, View
from engine.cards import STRATEGIST
from engine.chain import StoredEvent, to_event
from engine.clock_events import CalendarChanged, ClockPaused
from engine.events import (
    ONE_A_TURN,
    CardDrawn,
    CardPlayed,
    CardsRecruited,
    GameCreated,
    GameEnded,
    PlayerJoined,
    RoundEnded,
    RoundStarted,
    RusePlayed,
    StoneClaimed,
    TurnEnded,
)
from engine.notation import Banish, Move
from service.core.words import Words
from service.games.drafts import OrderOutcome
from service.text.card_names import card_name
from service.text.history import Sentence, narrate, told_to
from service.web.moments import with_moments

_DRAWS: Final = (CardDrawn.TYPE, CardsRecruited.TYPE)
_SILENT: Final = (
    GameCreated.TYPE,
    PlayerJoined.TYPE,
    CardDrawn.TYPE,
    TurnEnded.TYPE,
    CalendarChanged.TYPE,
    ClockPaused.TYPE,
)
"""Events without a sentence: the page names the players and says when the clock stops, and nobody
sees the card that is drawn."""
_THE_END: Final = (RoundEnded.TYPE, GameEnded.TYPE)
"""Events without a sentence at the end: the page names the winner, and the flags are the score."""


class Since(NamedTuple):
    """The news after an event: sentences, and marks on the board.

    `laid`: Stones and the cards laid there; `taken`: Stones, sides and the cards that a Ruse took
    from there; `claimed`: Stones, and the seat that claimed each; `claimed_at`: the numbers of
    those events.
    """

    sentences: list[Sentence]
    laid: list[tuple[int, str]]
    taken: list[tuple[int, Seat, str]]
    claimed: dict[int, Seat]
    claimed_at: Mapping[int, int] = MappingProxyType({})

    def took_before(self, shown: int) -> list[int]:
        """Return the Stones whose claims are not among the `shown` last sentences."""
        told = [each.seq for each in self.sentences[: -shown or None]]
        return [stone for stone, seq in self.claimed_at.items() if told and seq <= told[-1]]

    def with_plan(self, outcome: OrderOutcome, seat: Seat | None, became: str) -> "Since":
        """Return it with `became` in place of the sentence of a planned turn that was played,
        unless that tells of a claim that was not planned."""
        claims = {f"!{stone}" for stone, by in self.claimed.items() if by == seat}
        own = [each for each in self.sentences if each.by == seat and each.seq <= outcome.version]
        if outcome.outcome != "played" or not own or not claims <= set(outcome.actions):
            return self
        begun = max(
            (each.seq for each in self.sentences if each.by != seat and each.seq < own[-1].seq),
            default=0,
        )
        left = [each for each in self.sentences if each not in own or each.seq < begun]
        told = sorted([*left, own[-1]._replace(text=became)], key=lambda each: each.seq)
        return self._replace(sentences=told)

    def taken_from(self, stone: int, seat: Seat, room: int) -> list[str]:
        """Return the cards that a Ruse took from this side of a Stone, at most `room` of them."""
        return [card for *place, card in self.taken if place == [stone, seat]][: max(room, 0)]


def since(
    words: Words,
    lines: Sequence[StoredEvent],
    seq: int | None,
    names: Mapping[str, str],
    reader: Seat | None,
) -> Since:
    """Return the news in a round's lines after event `seq`; None: the news of the last turn."""
    after = _before_the_last_turn(lines) if seq is None else seq
    over = bool(lines) and lines[-1]["type"] == GameEnded.TYPE
    silent = _SILENT + _THE_END if over else _SILENT
    new = [line for line in lines if line["seq"] > after and line["type"] not in silent]
    laid, taken = list[tuple[int, str]](), list[tuple[int, Seat, str]]()
    claimed, claimed_at = dict[int, Seat](), dict[int, int]()
    for line in new:
        match event := to_event(line):
            case RoundStarted():
                for marks in (laid, taken, claimed, claimed_at):
                    marks.clear()
            case CardPlayed():
                laid.append((event.stone, event.card))
            case RusePlayed(action=Move() as move):
                side = event.by if move.ruse == STRATEGIST else OTHER[event.by]
                taken.append((move.stone, side, move.card))
                laid += [(move.to, move.card)] if move.to else []
            case RusePlayed(action=Banish() as banish):
                taken.append((banish.stone, OTHER[event.by], banish.card))
            case StoneClaimed():
                claimed[event.stone], claimed_at[event.stone] = event.by, line["seq"]
    told = [line for line in new if not (laid and _deals_first(line))]
    told = told_to(told, reader)
    sentences = narrate(words, told, names, reader, card_name, with_moments)
    return Since(sentences, laid, taken, claimed, claimed_at)


def _deals_first(line: StoredEvent) -> bool:
    """Whether the event began the first round: who had the first turn is plain once they played."""
    return line["type"] == RoundStarted.TYPE and line["data"]["round"] == 1


def of_step(
    words: Words,
    lines: Sequence[StoredEvent],
    at: int,
    story: Sequence[Sentence],
    names: Mapping[str, str],
    reader: Seat | None,
) -> Since:
    """Return what the sentence of `story` about event `at` tells, up to this event."""
    before = max((each.seq for each in story if each.seq < at), default=0)
    return since(words, [line for line in lines if line["seq"] <= at], before, names, reader)


def _before_the_last_turn(lines: Sequence[StoredEvent]) -> int:
    begun = [line["seq"] for line in lines if line["type"] in ONE_A_TURN]
    return begun[-1] - 1 if begun else 0


def drawn_places(view: View, lines: Sequence[StoredEvent]) -> frozenset[int]:
    """Return the positions in the hand of this view, from 0, of cards drawn in the player's last
    turn.

    `lines` are those of the round, as the player may see them.
    """
    seat = view.seat
    drawn, places = Counter(_drawn_last(seat, lines)), set()
    for place, card in enumerate(view.own_cards):
        if drawn[card] > 0:
            drawn[card] -= 1
            places.add(place)
    return frozenset(places)


def _drawn_last(seat: str | None, lines: Sequence[StoredEvent]) -> Iterable[str]:
    for line in reversed(lines):
        if line["type"] == RoundStarted.TYPE:
            return
        if line["by"] != seat:
            continue
        if line["type"] in _DRAWS and line["private"]:
            yield from line["private"]["cards"]
        if line["type"] in ONE_A_TURN:
            return

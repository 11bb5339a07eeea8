"""Carrying out standing orders: what they add to a change before it is written.

Who gets the turn by a change may have left orders for it. What they lead to is written together
with the change, in one append, so that no crash and no other writer can come between.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import engine
from engine import OTHER, SEATS, Seat, chain
from engine.events import (
    TURN_BEGINS,
    CardDrawn,
    CardPlayed,
    Passed,
    RusePlayed,
    StoneClaimed,
)
from engine.notation import Draw, End
from engine.rules import claimable_stones, legal
from engine.verify import action_of
from service.eventlog import FieldChange
from service.games.draft import Draft
from service.games.orders.model import Orders, Result, TurnOrder, orders_text, read_orders
from service.games.side_state_fields import OF_PLAY

LONGEST_TURN: Final = 40
"""Lines: more than any turn has."""
_SHOWN: Final = (CardPlayed, RusePlayed, Passed, StoneClaimed, CardDrawn)

Step = Callable[[Draft, engine.Command], Draft]


class Outcome(NamedTuple):
    """A draft with all that the orders add, and what is then noted; `ended_a_turn` tells whether
    they ended one, `cancelled` whose turn order came to nothing."""

    draft: Draft
    notes: list[FieldChange]
    ended_a_turn: bool = False
    cancelled: tuple[str, ...] = ()


def without(draft: Draft) -> Outcome:
    """The draft as it is: right if there is no note in any of the fields that it concerns."""
    return Outcome(draft, [FieldChange(field, "", "") for field in _concerned(draft)])


def is_for_orders(draft: Draft) -> bool:
    """Whether there could be orders that add to this draft, or end with it."""
    before = draft.before
    return before is not None and before.game.status == "active" and bool(_concerned(draft))


def may_have_begun_earlier(game: engine.Game) -> bool:
    """Whether what has been done in the turn so far may be in the log already."""
    return game.phase != "play" or game.options.claim_timing != "after_play"


def carried_out(
    draft: Draft, noted: Mapping[str, str], step: Step, recent: Sequence[str]
) -> Outcome:
    """The draft with what follows from the orders in these notes.

    `step` adds a command to a draft; `recent` are the last lines of the log before it, for a turn
    that began there. Little of it depends on whether there are orders: who waits for the answer
    must not learn that.
    """
    if draft.after.game.over:
        return _closed(draft, noted, False, ())
    orders = {seat: read_orders(noted.get(seat, "")) for seat in SEATS}
    carrier = _Carrier(draft, orders, step, recent)
    carrier.run()
    done = carrier.draft
    cancelled = tuple(done.after.game.players[seat] or "" for seat in carrier.cancelled)
    if done.after.game.over:
        return _closed(done, noted, carrier.ended_a_turn, cancelled)
    changes = [
        FieldChange(seat, noted.get(seat, ""), orders_text(carrier.orders[seat])) for seat in SEATS
    ]
    return Outcome(done, changes, carrier.ended_a_turn, cancelled)


def _concerned(draft: Draft) -> tuple[str, ...]:
    """The fields whose notes may add to this draft, or end with it."""
    game = draft.after.game
    if game.over:
        return OF_PLAY
    if game.turn is None:
        return ()
    return (game.turn,) if draft.hands_over or claimable_stones(game, game.turn) else ()


def _closed(
    draft: Draft, noted: Mapping[str, str], ended_a_turn: bool, cancelled: tuple[str, ...]
) -> Outcome:
    """Nothing is left to be noted once the game is over."""
    changes = [FieldChange(field, noted.get(field, ""), "") for field in OF_PLAY]
    return Outcome(draft, changes, ended_a_turn, cancelled)


class _Carrier:
    """Plays on for as long as orders say how."""

    def __init__(
        self, draft: Draft, orders: Mapping[Seat, Orders], step: Step, recent: Sequence[str]
    ) -> None:
        self.draft = draft
        self.orders = dict(orders)
        self.ended_a_turn = False
        self.cancelled: list[Seat] = []
        self._step = step
        self._recent = list(recent)
        self._read = 0
        self._events: list[engine.Event] = []
        self._round = 0

    def run(self) -> None:
        begun = self.draft.hands_over
        self._read_on()
        while (seat := self._game.turn) is not None:
            self._round = self._game.round
            self._act(seat, begun)
            if self._to_move(seat):
                return
            self.ended_a_turn = begun = True

    @property
    def _game(self) -> engine.Game:
        return self.draft.after.game

    def _to_move(self, seat: Seat) -> bool:
        return (self._game.turn, self._game.round) == (seat, self._round)

    def _act(self, seat: Seat, begun: bool) -> None:
        orders = self.orders[seat]
        if orders.claim_proved:
            self._claim_all(seat)
        if begun and orders.turn is not None and self._to_move(seat):
            self._take(seat, orders.turn, orders.claim_proved)
        if begun and orders.pass_when_stuck and self._to_move(seat) and _stuck(self._game):
            self._do(seat, ["pass"])
        if orders.claim_proved:
            self._claim_all(seat)

    def _do(self, seat: Seat, actions: Iterable[str]) -> None:
        self.draft = self._step(self.draft, engine.TakeTurn(seat, list(actions)))

    def _claim_all(self, seat: Seat) -> None:
        while self._to_move(seat) and (stones := claimable_stones(self._game, seat)):
            self._do(seat, [f"!{stones[0]}"])

    def _take(self, seat: Seat, order: TurnOrder, claiming: bool) -> None:
        try:
            result = self._played(seat, order, claiming)
        except engine.RuleBroken as refusal:
            result = self._cancelled(seat, order, refusal.code, refusal.detail)
        self.orders[seat] = self.orders[seat]._replace(turn=None, last=result)

    def _played(self, seat: Seat, order: TurnOrder, claiming: bool) -> Result:
        missing = set(order.when).difference(self._last_turn(seat) if order.when else ())
        if missing:
            detail = f"The opponent's turn was without {', '.join(sorted(missing))}."
            return self._cancelled(seat, order, "not-as-foreseen", detail)
        # As a whole it must be legal, whatever claims are put in before its end.
        engine.decide(self._game, engine.TakeTurn(seat, order.actions))
        head, tail = _split(order.actions) if claiming else (order.actions, ())
        if head:
            self._do(seat, head)
        if claiming:
            self._claim_all(seat)
        if tail and self._to_move(seat):
            self._do(seat, tail)
        return Result("played", order.actions, self.draft.after.version)

    def _cancelled(self, seat: Seat, order: TurnOrder, code: str, detail: str) -> Result:
        self.cancelled.append(seat)
        return Result("cancelled", order.actions, self.draft.after.version, code, detail)

    def _last_turn(self, seat: Seat) -> set[str]:
        """What the opponent was seen to do in the turn before this one."""
        self._read_on()
        events = self._events
        ends = [i for i, event in enumerate(events) if isinstance(event, TURN_BEGINS)]
        if not ends or events[ends[-1]].by != OTHER[seat]:
            return set()
        begin = ends[-2] if len(ends) > 1 else 0
        turn = events[begin : ends[-1]]
        return {action_of(event) for event in turn if isinstance(event, _SHOWN)}

    def _read_on(self) -> None:
        """Read the lines that were added meanwhile; those of the change itself in any case."""
        lines = [*self._recent, *self.draft.lines]
        self._events += [chain.to_event(json.loads(text)) for text in lines[self._read :]]
        self._read = len(lines)


def _split(actions: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The actions up to the one that ends the turn, and that one."""
    if isinstance(engine.parse(actions[-1]), Draw | End):
        return actions[:-1], actions[-1:]
    return actions, ()


def _stuck(game: engine.Game) -> bool:
    """Whether no card at all can be played."""
    return [action for action in legal(game) if not action.startswith("!")] == ["pass"]

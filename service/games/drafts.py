"""A change to a game before it is written, and the standing orders that extend it.

A draft may give the turn to a player who has left orders. Their results are written in the same
append, so no crash and no other writer can come between. Orders are stored in the side state, in
the field of the player's seat, and only their owner sees them.

The response time must not reveal whether the opponent has left orders. So the side state is read
whenever orders are possible, and the work here hardly depends on them.

The fields of the side state:

north, south   the seat's standing orders (`Orders`)
abandonment    the last offer to abandon the game, open or closed (`agreements`)
pause          the same for an offer to pause the clock; its terms are the end (`open`: none)
challenge      the challenge from which the game may come (`challenges`)
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

import engine
from engine import OTHER, SEATS, Seat, chain
from engine.events import (
    CLOCK_EVENTS,
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
from service.core.errors import RequestRejected
from service.core.words import N_
from service.eventlog import FieldChange
from service.games.stored_game import StoredGame, changed

ABANDONMENT: Final = "abandonment"
PAUSE: Final = "pause"
CHALLENGE: Final = "challenge"
PLAY_FIELDS: Final = (*SEATS, ABANDONMENT, PAUSE)
"""The fields that matter only while the game runs."""


CLOCK: Final = "clock"
"""The `via` of changes that a deadline causes."""


class DeadlinePassed(RequestRejected):
    """The refusal of a request that arrived after the deadline. Usually the round is over."""

    def __init__(self, version: int, *, is_over: bool = True) -> None:
        message = N_("The time for this turn was up before your request came.")
        if is_over:
            message = N_(
                "The time for this turn was up before your request came: the round is over."
            )
        super().__init__("time-out", message, version=version)


@dataclass(frozen=True, slots=True)
class Draft:
    """A change that the rules allow: the game before and after it, its events and their lines.

    `at` is the moment of all its events, in unix seconds.
    """

    before: StoredGame | None
    after: StoredGame
    events: list[engine.Event]
    lines: list[str]
    at: float

    def then(self, command: engine.Command, via: str) -> "Draft":
        """This draft with one more command: both are written, or neither.

        Raises `engine.RuleBroken`.
        """
        after, events, lines = changed(self.after.id, self.after, command, self.at, via)
        return Draft(self.before, after, self.events + events, self.lines + lines, self.at)

    @property
    def hands_over(self) -> bool:
        """Whether the draft gives somebody the turn: the other player, or either in a new round."""
        if self.before is None:
            return True
        before, after = self.before.game, self.after.game
        return (before.turn, before.round) != (after.turn, after.round)


def check_in_time(stored: StoredGame, at: float, via: str) -> None:
    """Raise `DeadlinePassed` if only the clock may change the game at this moment."""
    if via != CLOCK and stored.is_late(at):
        raise DeadlinePassed(stored.version)


def draft(
    game_id: str, before: StoredGame | None, command: engine.Command, at: float, via: str
) -> Draft:
    """A draft of `command` at this moment; with `before` None it creates the game.

    Raises `engine.RuleBroken`, and `DeadlinePassed` if only the clock may change the game.
    """
    if before is not None:
        check_in_time(before, at, via)
    after, events, lines = changed(game_id, before, command, at, via)
    return Draft(before, after, events, lines, at)


class TurnOrder(NamedTuple):
    """Actions to take when the turn comes, in action text, if they are legal then.

    With `when`, only if the opponent's turn had all of these actions.
    """

    actions: tuple[str, ...]
    when: tuple[str, ...] = ()


class OrderOutcome(NamedTuple):
    """The outcome of a turn order, when the game was at `version`.

    A cancelled one has a `code`, that of the rules' refusal or `not-as-foreseen`, and a `message`
    that says why, to be said with its `places`. Former versions stored it with these filled in.
    """

    outcome: Literal["played", "cancelled"]
    actions: tuple[str, ...]
    version: int
    code: str | None = None
    message: str | None = None
    places: Mapping[str, str] = {}


class Orders(NamedTuple):
    """The orders of one player. `claim_proved` and `pass_when_stuck` stay in force, `turn` counts
    once.

    `last` is the outcome of the latest turn order.
    """

    claim_proved: bool = False
    pass_when_stuck: bool = False
    turn: TurnOrder | None = None
    last: OrderOutcome | None = None


NONE = Orders()


def read_orders(text: str) -> Orders:
    """The orders in a field of the side state; none for an empty text."""
    if not text:
        return NONE
    stored: dict[str, Any] = json.loads(text)
    turn, last = stored["turn"], stored["last"]
    return Orders(
        stored["claim_proved"],
        stored["pass_when_stuck"],
        turn and TurnOrder(*map(tuple, turn)),
        last and OrderOutcome(last[0], tuple(last[1]), *last[2:]),
    )


def orders_text(orders: Orders) -> str:
    """The orders as text for the side state; empty without orders."""
    return "" if orders == NONE else json.dumps(orders._asdict(), ensure_ascii=False)


_VISIBLE: Final = (CardPlayed, RusePlayed, Passed, StoneClaimed, CardDrawn)


@dataclass(frozen=True, slots=True)
class CompletedDraft:
    """A draft with the results of orders, and the changes to the side state.

    `ended_turn`: whether orders ended a turn; `cancelled`: the players whose order was cancelled.
    """

    draft: Draft
    side_state: list[FieldChange] = field(default_factory=list)
    ended_turn: bool = False
    cancelled: tuple[str, ...] = ()


def may_meet_orders(draft: Draft) -> bool:
    """Whether orders could extend this draft, or must be cleared because it ends the game."""
    before = draft.before
    return before is not None and before.game.status == "active" and _concerns_orders(draft)


def is_amid_turn(stored: StoredGame) -> bool:
    """Whether the log may already hold part of the current turn."""
    game = stored.game
    return game.phase != "play" or game.options.claim_timing != "after_play"


def execute_orders(
    draft: Draft, side_state: Mapping[str, str], earlier: Sequence[str]
) -> CompletedDraft:
    """The draft with the results of the orders in this side state.

    `earlier` are the last lines of the log, for a turn that began before the draft.
    """
    if not _concerns_orders(draft):
        return CompletedDraft(draft)
    if draft.after.game.over:
        return CompletedDraft(draft, _clearing(side_state))
    orders = {seat: read_orders(side_state.get(seat, "")) for seat in SEATS}
    executor = _Executor(draft, orders, earlier)
    executor.run()
    done = executor.draft
    changes = (
        _clearing(side_state)
        if done.after.game.over
        else [
            FieldChange(seat, side_state.get(seat, ""), orders_text(executor.orders[seat]))
            for seat in SEATS
        ]
    )
    cancelled = tuple(done.after.game.players[seat] or "" for seat in executor.cancelled)
    return CompletedDraft(done, changes, executor.ended_turn, cancelled)


def _concerns_orders(draft: Draft) -> bool:
    game = draft.after.game
    if all(isinstance(event, CLOCK_EVENTS) for event in draft.events):
        return False
    if game.over:
        return True
    return game.turn is not None and (draft.hands_over or bool(claimable_stones(game, game.turn)))


def _clearing(side_state: Mapping[str, str]) -> list[FieldChange]:
    """The changes that clear orders and offers: they mean nothing once the game is over."""
    return [FieldChange(name, side_state.get(name, ""), "") for name in PLAY_FIELDS]


class _Executor:
    """Carries out the players' orders until none applies."""

    def __init__(self, draft: Draft, orders: Mapping[Seat, Orders], earlier: Sequence[str]) -> None:
        self.draft = draft
        self.orders = dict(orders)
        self.ended_turn = False
        self.cancelled: list[Seat] = []
        self._earlier = [chain.to_event(json.loads(line)) for line in earlier]
        self._round = 0

    def run(self) -> None:
        begins = self.draft.hands_over
        while (seat := self._game.turn) is not None:
            self._round = self._game.round
            orders = self.orders[seat]
            if orders.claim_proved:
                self._claim_all(seat)
            if begins and orders.turn is not None and self._has_turn(seat):
                self._take(seat, orders.turn, orders.claim_proved)
            if begins and orders.pass_when_stuck and self._has_turn(seat) and _is_stuck(self._game):
                self._do(seat, ["pass"])
            if orders.claim_proved:
                self._claim_all(seat)
            if self._has_turn(seat):
                return
            self.ended_turn = begins = True

    @property
    def _game(self) -> engine.Game:
        return self.draft.after.game

    def _has_turn(self, seat: Seat) -> bool:
        return (self._game.turn, self._game.round) == (seat, self._round)

    def _do(self, seat: Seat, actions: Iterable[str]) -> None:
        self.draft = self.draft.then(engine.TakeTurn(seat, list(actions)), "order")

    def _claim_all(self, seat: Seat) -> None:
        while self._has_turn(seat) and (stones := claimable_stones(self._game, seat)):
            self._do(seat, [f"!{stones[0]}"])

    def _take(self, seat: Seat, order: TurnOrder, claiming: bool) -> None:
        try:
            result = self._played(seat, order, claiming)
        except engine.RuleBroken as refusal:
            result = self._cancelled(seat, order, refusal.code, refusal.message, refusal.places)
        self.orders[seat] = self.orders[seat]._replace(turn=None, last=result)

    def _played(self, seat: Seat, order: TurnOrder, claiming: bool) -> OrderOutcome:
        if missing := set(order.when).difference(self._last_turn(seat) if order.when else ()):
            message = N_("The opponent’s turn was without %(cards)s.")
            places = {"cards": ", ".join(sorted(missing))}
            return self._cancelled(seat, order, "not-as-foreseen", message, places)
        # The whole order must be legal, whatever claims are added before its end.
        engine.decide(self._game, engine.TakeTurn(seat, order.actions))
        ends = claiming and isinstance(engine.parse(order.actions[-1]), Draw | End)
        head, tail = (order.actions[:-1], order.actions[-1:]) if ends else (order.actions, ())
        if head:
            self._do(seat, head)
        if claiming:
            self._claim_all(seat)
        if tail and self._has_turn(seat):
            self._do(seat, tail)
        return OrderOutcome("played", order.actions, self.draft.after.version)

    def _cancelled(
        self, seat: Seat, order: TurnOrder, code: str, message: str, places: Mapping[str, object]
    ) -> OrderOutcome:
        self.cancelled.append(seat)
        said = {name: str(place) for name, place in places.items()}
        version = self.draft.after.version
        return OrderOutcome("cancelled", order.actions, version, code, message, said)

    def _last_turn(self, seat: Seat) -> set[str]:
        """The visible actions of the opponent's turn before this one."""
        events = [*self._earlier, *self.draft.events]
        ends = [i for i, event in enumerate(events) if isinstance(event, TURN_BEGINS)]
        if not ends or events[ends[-1]].by != OTHER[seat]:
            return set()
        begin = ends[-2] if len(ends) > 1 else 0
        turn = events[begin : ends[-1]]
        return {action_of(event) for event in turn if isinstance(event, _VISIBLE)}


def _is_stuck(game: engine.Game) -> bool:
    """Whether no card at all can be played."""
    return [action for action in legal(game) if not action.startswith("!")] == ["pass"]

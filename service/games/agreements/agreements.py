"""Abandoning a running game, and pausing its clock: one player offers it, the other agrees.

An offer to abandon stays open while the game goes on. The terms of an offer to pause are the end of
the pause, or that it has no end; it lapses once that end has passed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import engine
from service.core.durations import DAY, MINUTE
from service.core.errors import RequestRejected
from service.core.timestamps import unix
from service.eventlog import IdempotencyKey
from service.games import permissions
from service.games.agreements.offers import Offer, Offers, last_offer, read_offer
from service.games.change.draft import ABANDONMENT, PAUSE
from service.games.change.player_changes import PlayerChanges
from service.games.change.writer import ChangeContext
from service.games.clock.changes import running_clock
from service.games.stored_game import StoredGame


class AbandonmentOffer(NamedTuple):
    """A game, with the seat that offers to abandon it and the offer's number: both None without an
    open offer."""

    stored: StoredGame
    by: engine.Seat | None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Abandonments:
    """Offers to abandon a game, in all games."""

    _offers: Offers
    _changes: PlayerChanges

    def of(self, game_id: str, player: str) -> AbandonmentOffer:
        """Return the game and its open offer; without one, `by` and `number` are None.

        Raises `RequestRejected` for anyone but the two players.
        """
        stored = self._offers.game(game_id, player)
        offer = self.offered(stored)
        return AbandonmentOffer(stored, offer and offer.by, offer and offer.number)

    def offered(self, stored: StoredGame) -> Offer | None:
        """The open offer of this game; None without one."""
        return offered_abandonment(stored, self._offers.side_state(stored.id))

    def agree(self, game_id: str, player: str, context: ChangeContext) -> AbandonmentOffer:
        """Offer to abandon the game, or agree to the other player's offer, which ends the game.

        Repeating a request under its key makes no second offer. Raises `RequestRejected`:
        `game-not-started`, `game-over`, `time-out`, `stale-version`.
        """

        def change(stored: StoredGame) -> AbandonmentOffer:
            seat = _seat(stored, player, context)
            made = self._offers.agree(stored, seat, "", engine.Abandon(seat), context)
            if isinstance(made, StoredGame):
                return AbandonmentOffer(made, None)
            return AbandonmentOffer(stored, seat, made.number)

        def answer_again(stored: StoredGame) -> AbandonmentOffer:
            if stored.game.over:
                return AbandonmentOffer(stored, None)
            seat, last = stored.seat_of(player), self._offers.last(stored.id)
            number = last.number if last is not None and last.by == seat else None
            return AbandonmentOffer(stored, seat, number)

        return self._changes.attempt(game_id, context, change, answer_again)

    def accept(self, game_id: str, player: str, number: int, context: ChangeContext) -> StoredGame:
        """Agree to the other player's offer of this number, which ends the game.

        Raises `RequestRejected` as `agree` does, and `no-offer`.
        """

        def change(stored: StoredGame) -> StoredGame:
            seat = _seat(stored, player, context)
            if stored.game.over:
                raise engine.game_over(stored.game)

            def command_of(offer: Offer | None) -> engine.Command:
                if offer is None:
                    raise RequestRejected(
                        "no-offer", "Nobody offers you to abandon the game any more."
                    )
                return engine.Abandon(seat)

            return self._offers.accept(stored, seat, number, command_of, context)

        return self._changes.attempt(game_id, context, change, lambda repeated: repeated)

    def withdraw(
        self, game_id: str, player: str, key: IdempotencyKey | None = None
    ) -> AbandonmentOffer:
        """Withdraw or decline the offer. May be repeated."""
        return AbandonmentOffer(self._offers.withdraw(game_id, player, key), None)

    def was_withdrawn(self, game_id: str, key: IdempotencyKey) -> bool:
        """Whether a request under this key withdrew or declined an offer."""
        return self._offers.was_withdrawn(game_id, key)


def offered_abandonment(stored: StoredGame, side_state: Mapping[str, str]) -> Offer | None:
    """The open offer to abandon this game, read from its side state; None without one."""
    return None if stored.game.over else read_offer(ABANDONMENT, side_state)


def _seat(stored: StoredGame, player: str, context: ChangeContext) -> engine.Seat:
    """The player's seat in a game that has begun. Raises `RequestRejected`."""
    seat = permissions.own_seat(stored, player)
    context.check(stored)
    if stored.game.status == "open":
        raise RequestRejected("game-not-started", "The second seat is still empty.")
    return seat


LONGEST: Final = 90 * DAY
SHORTEST: Final = 10 * MINUTE
"""The shortest pause with an end, in seconds."""
UNLIMITED: Final = "open"
"""The terms of a pause without an end."""


class OfferedPause(NamedTuple):
    """An offer to pause the clock: its seat, and the end of the pause (None: until a player ends
    it). `offer` is the stored offer."""

    by: engine.Seat
    until: str | None
    offer: Offer


class PauseOffer(NamedTuple):
    """A game, and its open offer to pause the clock: None without one."""

    stored: StoredGame
    offered: OfferedPause | None


@dataclass(frozen=True, slots=True)
class Pauses:
    """Offers to pause the clock, in all games. `now` gives unix seconds."""

    _offers: Offers
    _changes: PlayerChanges
    _now: Callable[[], float]

    def of(self, game_id: str, player: str) -> PauseOffer:
        """Return the game and its open offer. Raises `RequestRejected` for anyone but the two
        players."""
        return self._open_offer(self._offers.game(game_id, player))

    def offered(self, stored: StoredGame) -> OfferedPause | None:
        """The open offer of this game; None without one."""
        return offered_pause(stored, self._offers.side_state(stored.id), self._now())

    def declined(self, stored: StoredGame) -> OfferedPause | None:
        """The pause offered last, if it was declined; None otherwise."""
        last = last_offer(PAUSE, self._offers.side_state(stored.id))
        return pause_of(last.offer, 0) if last and last.state == "declined" else None

    def agree(
        self, game_id: str, player: str, until: str | None, context: ChangeContext
    ) -> PauseOffer:
        """Offer to pause the clock, or agree if the other player offers the same.

        Raises `RequestRejected`: `no-clock`, `bad-pause`, `game-over`, …
        """

        def change(stored: StoredGame) -> PauseOffer:
            seat = permissions.own_seat(stored, player)
            self._check(until)
            context.check(stored)
            running_clock(stored)
            command = engine.PauseClock(seat, until)
            lapses = None if until is None else unix(until)
            made = self._offers.agree(stored, seat, until or UNLIMITED, command, context, lapses)
            if isinstance(made, StoredGame):
                return PauseOffer(made, None)
            return PauseOffer(stored, OfferedPause(seat, until, made))

        return self._changes.attempt(game_id, context, change, self._open_offer)

    def accept(self, game_id: str, player: str, number: int, context: ChangeContext) -> PauseOffer:
        """Agree to the pause that the other player offered under this number.

        Raises `RequestRejected` as `agree` does, and `no-offer`.
        """

        def change(stored: StoredGame) -> PauseOffer:
            seat = permissions.own_seat(stored, player)
            context.check(stored)
            running_clock(stored)

            def command_of(offer: Offer | None) -> engine.Command:
                pause = offer and pause_of(offer, self._now())
                if pause is None:
                    raise RequestRejected("no-offer", "No pause is offered to you any more.")
                self._check(pause.until)
                return engine.PauseClock(seat, pause.until)

            agreed = self._offers.accept(stored, seat, number, command_of, context)
            return PauseOffer(agreed, None)

        return self._changes.attempt(
            game_id, context, change, lambda repeated: PauseOffer(repeated, None)
        )

    def withdraw(self, game_id: str, player: str, key: IdempotencyKey | None = None) -> PauseOffer:
        """Withdraw or decline the offer. May be repeated."""
        return PauseOffer(self._offers.withdraw(game_id, player, key), None)

    def was_withdrawn(self, game_id: str, key: IdempotencyKey) -> bool:
        """Whether a request under this key withdrew or declined an offer."""
        return self._offers.was_withdrawn(game_id, key)

    def _open_offer(self, stored: StoredGame) -> PauseOffer:
        return PauseOffer(stored, self.offered(stored))

    def _check(self, until: str | None) -> None:
        if until is None:
            return
        if not SHORTEST <= unix(until) - self._now() <= LONGEST:
            raise RequestRejected(
                "bad-pause",
                f"A pause ends in {SHORTEST // MINUTE} minutes to {LONGEST // DAY} days from now.",
            )


def offered_pause(
    stored: StoredGame, side_state: Mapping[str, str], now: float
) -> OfferedPause | None:
    """The open offer of this game, read from its side state; None without one."""
    offer = read_offer(PAUSE, side_state)
    return None if offer is None or stored.game.over else pause_of(offer, now)


def pause_of(offer: Offer, now: float) -> OfferedPause | None:
    """The offered pause; None once its end has passed."""
    if offer.terms == UNLIMITED:
        return OfferedPause(offer.by, None, offer)
    return OfferedPause(offer.by, offer.terms, offer) if unix(offer.terms) > now else None

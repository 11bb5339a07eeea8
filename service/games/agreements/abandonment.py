"""Abandoning a running game by agreement: one player offers it, the other agrees.

The offer stands while the game goes on.
"""

from collections.abc import Mapping
from typing import NamedTuple

import engine
from service.core.errors import RequestRejected
from service.eventlog import IdempotencyKey
from service.games import permissions
from service.games.agreements.offers import Offer, Offers, read_offer
from service.games.change.player_changes import PlayerChanges
from service.games.change.side_state import ABANDONMENT
from service.games.change.writer import Origin
from service.games.repository import StoredGame


class AbandonmentOffer(NamedTuple):
    """A game, and the seat that offers to abandon it, None where neither does."""

    stored: StoredGame
    by: engine.Seat | None


class Abandonments:
    """The offers of all games."""

    def __init__(self, offers: Offers, changes: PlayerChanges) -> None:
        self._offers = offers
        self._changes = changes

    def of(self, game_id: str, player: str) -> AbandonmentOffer:
        """The offer that stands. Raises `RequestRejected` for anyone but the two players."""
        stored = self._offers.game(game_id, player)
        return AbandonmentOffer(stored, self.offered_by(stored))

    def offered_by(self, stored: StoredGame) -> engine.Seat | None:
        """The seat that offers to abandon this game."""
        return offering_seat(stored, self._offers.side_state(stored.id))

    def agree(self, game_id: str, player: str, origin: Origin) -> AbandonmentOffer:
        """Offer to abandon the game, or agree if the other player offers it: then the game is over.

        A request that is repeated under its key makes no second offer. Raises `RequestRejected`:
        `game-not-started`, `game-over`, `time-out`, `stale-version`.
        """

        def change(stored: StoredGame) -> AbandonmentOffer:
            seat = _seat(stored, player, origin)
            agreed = self._offers.agree(stored, Offer(seat), engine.Abandon(seat), origin)
            return _answer(agreed or stored, player)

        return self._changes.attempt(
            game_id, origin, change, lambda repeated: _answer(repeated, player)
        )

    def accept(self, game_id: str, player: str, origin: Origin) -> StoredGame:
        """Agree to the other player's offer: then the game is over.

        Raises `RequestRejected` as `agree` does, and `no-offer`.
        """

        def change(stored: StoredGame) -> StoredGame:
            seat = _seat(stored, player, origin)
            if stored.game.over:
                raise engine.game_over(stored.game)

            def command_of(offer: Offer | None) -> engine.Command:
                if offer is None:
                    raise RequestRejected(
                        "no-offer", "Nobody offers you to abandon the game any more."
                    )
                return engine.Abandon(seat)

            return self._offers.accept(stored, seat, command_of, origin)

        return self._changes.attempt(game_id, origin, change, lambda repeated: repeated)

    def withdraw(
        self, game_id: str, player: str, key: IdempotencyKey | None = None
    ) -> AbandonmentOffer:
        """Take the offer back, or decline it. May be repeated."""
        return AbandonmentOffer(self._offers.withdraw(game_id, player, key), None)

    def was_withdrawn(self, game_id: str, key: IdempotencyKey) -> bool:
        """Whether a request under this key took an offer back, or declined it."""
        return self._offers.was_withdrawn(game_id, key)


def offering_seat(stored: StoredGame, side_state: Mapping[str, str]) -> engine.Seat | None:
    """The seat from which it is offered to abandon this game, by what is stored beside its log."""
    offer = read_offer(ABANDONMENT, side_state)
    return None if offer is None or stored.game.over else offer.by


def _seat(stored: StoredGame, player: str, origin: Origin) -> engine.Seat:
    """The seat of this player, who may change the game. Raises `RequestRejected`."""
    seat = permissions.own_seat(stored, player)
    origin.check(stored)
    if stored.game.status == "open":
        raise RequestRejected("game-not-started", "The second seat is still empty.")
    return seat


def _answer(stored: StoredGame, player: str) -> AbandonmentOffer:
    """The answer to this player's request: the game is over, or the offer was made."""
    return AbandonmentOffer(stored, None if stored.game.over else stored.seat_of(player))

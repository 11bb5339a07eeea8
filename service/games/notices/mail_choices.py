"""A player's choice of how mail about one game is delivered."""

from service.accounts.mail_preferences import Delivery, MailPreferences
from service.core.errors import RequestRejected
from service.games.permissions import own_seat
from service.games.stored_game import StoredGame


def choose_delivery(
    preferences: MailPreferences, stored: StoredGame, player: str, delivery: Delivery | None
) -> None:
    """Set the delivery of mail about this game; None: like all other mail.

    Raises `RequestRejected`: `not-a-player`, `game-not-found`, `game-over`.
    """
    own_seat(stored, player)
    if stored.game.over:
        raise RequestRejected("game-over", "No more mail is sent about this game.")
    preferences.set_game(player, stored.id, delivery)

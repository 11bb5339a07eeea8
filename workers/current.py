"""Whether a notice about a game is still current, by the game as its reader sees it now."""

from service.core.durations import MINUTE
from service.games.notices.notifications import pause_over_at
from workers.mail.game import GameMail


def is_turn_open(mail: GameMail) -> bool:
    """Whether the notice's turn is still open, and the reader has played nothing of it since."""
    return mail.is_to_move and not mail.acted_after(mail.since)


def is_turn_unplayed(mail: GameMail) -> bool:
    """Whether it is the reader's turn and they have not played any of it yet."""
    return mail.is_to_move and not mail.acted_after(mail.stored.turn_version)


def is_same_turn(mail: GameMail) -> bool:
    """Whether the reader's turn is still open, with the same time limit as in the notice."""
    return mail.stored.timed_version == mail.since and mail.is_to_move


def is_opening(mail: GameMail) -> bool:
    """Whether the opponent is to begin a game that the reader has not seen yet."""
    return mail.stored.game.turn not in (None, mail.seat) and not mail.acted_after(mail.since)


def is_pause_over(mail: GameMail) -> bool:
    """Whether the reader's clock runs again after the agreed pause in the notice."""
    over = pause_over_at(mail.stored)
    if over is None or not mail.is_to_move:
        return False
    return mail.since == over // MINUTE and over <= mail.games.now()


def is_abandonment_offered(mail: GameMail) -> bool:
    """Whether this notice is the latest one about the opponent's offer to abandon the game."""
    return mail.offer is not None and mail.offer.is_latest_notice(mail.since)


def is_pause_offered(mail: GameMail) -> bool:
    """Whether this notice is the latest one about the pause that the opponent offers."""
    return mail.pause_offer is not None and mail.pause_offer.offer.is_latest_notice(mail.since)

"""Permissions to see, join and play a game."""

import engine
from service.core.errors import RequestRejected
from service.core.words import N_
from service.eventlog import Removal
from service.games.stored_game import StoredGame


def hidden() -> RequestRejected:
    """The rejection for a caller who may not see the game: the same as for a missing game."""
    return RequestRejected("game-not-found", "There is no game with this id.")


def removed(removal: Removal) -> RequestRejected:
    """The rejection for a game that the operator has removed."""
    message = N_("The host of this server has removed this game, on %(date)s.")
    if removal.words:
        # Note: %(reason)s is what the host wrote, in whatever language
        message = N_("The host of this server has removed this game, on %(date)s. %(reason)s")
    places = {"date": removal.at[:10], "reason": removal.words}
    return RequestRejected("game-removed", message, places)


def sealed() -> RequestRejected:
    """The rejection of a request for hidden parts of a deal of the day while its day lasts."""
    return RequestRejected(
        "game-not-over", "A deal of the day opens to all once its day is over, at midnight UTC."
    )


def may_see(stored: StoredGame, reader: str | None) -> bool:
    """Whether `reader` may see the game: a private one only its players and the invited player, a
    deal of the day only its player until the day is over."""
    return not (stored.private or stored.sealed) or (
        reader is not None and reader in (*stored.players, stored.invited)
    )


def own_seat(stored: StoredGame, player: str) -> engine.Seat:
    """The seat of this player. Raises `RequestRejected` for everyone else."""
    if (seat := stored.seat_of(player)) is not None:
        return seat
    if not may_see(stored, player):
        raise hidden()
    raise RequestRejected("not-a-player", "Only the two players may do this.")


def check_join(stored: StoredGame, player: str | None, holds_invite: bool, now: float) -> None:
    """Raise `RequestRejected` or `engine.RuleBroken` unless `player` (None: somebody new) may take
    the free seat `now`."""
    if player is not None and player in stored.players:
        if stored.game.players[stored.game.creator] == player:
            raise RequestRejected("own-game", "Nobody plays against themselves.")
        raise RequestRejected("already-joined", "This player sits in the game already.")
    if not holds_invite and not may_see(stored, player):
        raise hidden()
    if len(stored.players) == 2:
        raise RequestRejected("seat-taken", "Both seats are taken.")
    if stored.game.over:
        raise engine.game_over(stored.game)
    if not (holds_invite or stored.listed or player == stored.invited):
        raise invite_required()
    if stored.game.status == "open" and stored.deadline is not None and stored.deadline <= now:
        raise RequestRejected("invitation-expired", "Nobody took the seat of this game in time.")


def invite_required() -> RequestRejected:
    """The rejection of a player for whom this game's free seat is not meant."""
    return RequestRejected("invite-required", "This seat is for the holder of the game’s invite.")

"""Which notices a change to a game gives rise to."""

from typing import Final

from service.games.stored import SECONDS_PER_DAY, StoredGame
from service.log import Notice, notice_id

GUEST = "guest"
"""The recipient of an invitation to an e-mail address, who is no player yet."""

PACK_AFTER: Final = 7 * SECONDS_PER_DAY
"""How long after its end a game's log is packed. Until then a repeated request is answered."""


def notices_of(
    before: StoredGame | None, after: StoredGame, actor: str | None, due: float
) -> list[Notice]:
    """What is to be sent, at `due` (unix seconds), after `actor` (a player's id) did this."""
    if before is None:
        return _invitation(after, due)
    if after.game.over:
        return [
            *(_mail(after, player, "over", due) for player in after.players),
            packing(after, due),
        ]
    mover = after.player_to_move()
    if mover is None or not _new_turn(before, after):
        return []
    if mover != actor:
        return [_mail(after, mover, "turn", due)]
    if before.game.status == "open":
        # Who sat down plays first: the other learns that there is a game.
        return [_mail(after, player, "started", due) for player in after.players if player != actor]
    return []


def standing(stored: StoredGame, due: float) -> list[Notice]:
    """What would be to be sent about the game as it stands, if nothing had been sent yet."""
    if stored.game.over:
        return [packing(stored, due)]
    mover = stored.player_to_move()
    return _invitation(stored, due) if mover is None else [_mail(stored, mover, "turn", due)]


def packing(stored: StoredGame, due: float) -> Notice:
    """That the log of this game, which ended at `due`, is to be packed when its time has come."""
    return Notice(notice_id(stored.id, stored.version, "server", "log", "pack"), due + PACK_AFTER)


def _new_turn(before: StoredGame, after: StoredGame) -> bool:
    return (before.game.turn, before.game.round) != (after.game.turn, after.game.round)


def _invitation(stored: StoredGame, due: float) -> list[Notice]:
    if stored.invited is not None:
        return [_mail(stored, stored.invited, "invitation", due)]
    if stored.game.terms.get("invited_by_mail"):
        return [_mail(stored, GUEST, "invitation", due)]
    # Nobody is told, but its maker has to find it, whatever happens to this process.
    return [Notice(notice_id(stored.id, stored.version, "server", "log", "list"), due)]


def _mail(stored: StoredGame, recipient: str, kind: str, due: float) -> Notice:
    return Notice(notice_id(stored.id, stored.version, recipient, "mail", kind), due)

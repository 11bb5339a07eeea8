"""Which notices a change to a game gives rise to."""

from typing import Final, NamedTuple

from service.bots import bot_at
from service.eventlog import Notice, notice_id
from service.games.draft import Draft
from service.games.repository import SECONDS_PER_DAY, StoredGame

GUEST = "guest"
"""The recipient of an invitation to an e-mail address, who is no player yet."""

PACK_AFTER: Final = 7 * SECONDS_PER_DAY
"""How long after its end a game's log is packed. Until then a repeated request is answered."""


UNUSED_GUEST: Final = "unused-guest"
"""The kind of notice by which it is looked whether a guest is still used."""
GUEST_LIFE: Final = 180 * SECONDS_PER_DAY
"""How long the account of a guest is kept after its last use."""


class Change(NamedTuple):
    """A change to a game, the player who did it (None: the server), and what standing orders did.

    `ordered` tells whether they ended a turn; `cancelled` are the players whose order came to
    nothing.
    """

    draft: Draft
    actor: str | None
    ordered: bool = False
    cancelled: tuple[str, ...] = ()


def notices_of(change: Change, now: float, delay: float) -> list[Notice]:
    """What is to be done because of it: mails `delay` seconds from `now`, the rest at once."""
    before, after = change.draft.before, change.draft.after
    mover, due = after.player_to_move(), now + delay
    if after.game.over:
        over = [_mail(after, person, "over", due) for person in _people(after)]
        return [*over, packing(after, now)]
    if mover is None:
        return _invitation(after, due) if before is None else []
    told = [_mail(after, player, "orders", due) for player in change.cancelled if player != mover]
    if not (change.draft.hands_over or change.ordered):
        return told
    if mover != change.actor or change.ordered:
        return [*told, _turn(after, mover, now, due)]
    if before is None or before.game.status == "open":
        # Who sat down plays first: the other learns that there is a game.
        others = [person for person in _people(after) if person != mover]
        return [_mail(after, person, "started", due) for person in others] or [_listing(after, now)]
    return told


def standing(stored: StoredGame, due: float) -> list[Notice]:
    """What would be to be sent about the game as it stands, if nothing had been sent yet."""
    if stored.game.over:
        return [packing(stored, due)]
    mover = stored.player_to_move()
    return _invitation(stored, due) if mover is None else [_turn(stored, mover, due, due)]


def packing(stored: StoredGame, due: float) -> Notice:
    """That the log of this game, which ended at `due`, is to be packed when its time has come."""
    return Notice(notice_id(stored.id, stored.version, "server", "log", "pack"), due + PACK_AFTER)


def guest_look(guest: str, now: float) -> Notice:
    """That it is to be looked whether this guest is used any more."""
    return Notice(notice_id(guest, 1, guest, "log", UNUSED_GUEST), now + GUEST_LIFE)


def _people(stored: StoredGame) -> list[str]:
    """The players who read mail."""
    return [player for player in stored.players if bot_at(player) is None]


def _turn(stored: StoredGame, mover: str, now: float, due: float) -> Notice:
    """That it is this player's turn: a bot is asked at once, a person is sent a mail."""
    if bot_at(mover) is None:
        return _mail(stored, mover, "turn", due)
    return Notice(notice_id(stored.id, stored.version, mover, "bot", "turn"), now)


def _invitation(stored: StoredGame, due: float) -> list[Notice]:
    if stored.invited is not None:
        return [_mail(stored, stored.invited, "invitation", due)]
    if stored.game.terms.get("invited_by_mail"):
        return [_mail(stored, GUEST, "invitation", due)]
    return [_listing(stored, due)]


def _listing(stored: StoredGame, due: float) -> Notice:
    """Nobody is told, but its maker has to find it, whatever happens to this process."""
    return Notice(notice_id(stored.id, stored.version, "server", "log", "list"), due)


def _mail(stored: StoredGame, recipient: str, kind: str, due: float) -> Notice:
    return Notice(notice_id(stored.id, stored.version, recipient, "mail", kind), due)

"""The notices that a change to a game causes, and whether mail about games can reach its player:
notices for nobody are not stored.

Notices about a turn's time (reminders that it is passing, and that a pause is over) are made with
the turn, and again when an agreed pause or a gift of time changes its time. A reminder's id
contains the version of that change; the id of a notice that a pause is over contains the minute of
its end. When a notice is due it is checked again: by then the turn may be over, or its time
changed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Final

from service.accounts.channels.store import has_channels_query
from service.accounts.mail_preferences import Delivery, MailPreferences
from service.accounts.notice_kinds import LAST_REMINDER, REMINDER
from service.accounts.players import Players
from service.bots import bot_at
from service.core.errors import RequestRejected
from service.core.redis.batch import Batch
from service.core.redis.client import Client
from service.core.times import DAY, MINUTE, unix
from service.eventlog import Notice, notice_id, parse_notice_id
from service.games.drafts import CompletedDraft, Draft
from service.games.permissions import own_seat
from service.games.stored_game import StoredGame

GUEST = "guest"
"""The recipient of an invitation to an e-mail address that is not yet a player's."""

COMPACT_AFTER: Final = 7 * DAY
"""Seconds from the end of a game until its log is compacted.

Until then, a repeated request gets its answer.
"""


FLAG_HELD: Final = "flag-held"
"""The kind of notice to check whether a player with a held flag has been notified by now."""
CALLED_OFF: Final = "called-off"
"""The kind of mail telling somebody invited that the game was cancelled."""
TIME_OUT: Final = "time-out"
"""The kind of mail saying that a win on time can be claimed."""
OPENING: Final = 12
"""The last version that the append of a game's beginning can reach, with a turn by standing orders.
The notice of that append also repairs the players' lists if its writer dies."""
GAME_REMOVED: Final = "game-removed"
"""The kind of mail saying that the operator has removed a game that was going on."""
UNUSED_GUEST: Final = "unused-guest"
"""The kind of notice to check whether a guest's account is still used."""
RESULT: Final = "result"
"""The kind of notice by which a season takes the result of a game."""
LEFT: Final = "left"
"""The kind of notice to check whether a game without a clock was left by its only person."""
GUEST_LIFE: Final = 180 * DAY
"""Seconds for which a guest's account exists after its last use."""


def notices_of(
    completed: CompletedDraft, actor: str | None, now: float, delay: float
) -> list[Notice]:
    """The notices of a change: mails `delay` seconds from `now`, the rest at once.

    `actor` is the player who made the change, None for the server.
    """
    before, after = completed.draft.before, completed.draft.after
    notices = _wanted(after, _of_change(completed, actor, now, delay))
    if before is None:
        return notices + left_notice(after)
    return notices + result_notice(after, now) if after.game.over else notices


def _wanted(stored: StoredGame, notices: list[Notice]) -> list[Notice]:
    """These notices without mails about practice and deals of the day, which nobody asks for."""
    if stored.is_real:
        return notices
    return [one for one in notices if parse_notice_id(one.id).transport != "mail"]


def _of_change(
    completed: CompletedDraft, actor: str | None, now: float, delay: float
) -> list[Notice]:
    draft, ended_turn = completed.draft, completed.ended_turn
    before, after = draft.before, draft.after
    mover, due = after.player_to_move(), now + delay
    if before is not None and after.stands_as_at(before.version):
        return [*moved_notices(before, after, actor, now, due), *_held(before, after, now)]
    if after.game.status == "aborted":
        ended = [*_called_off(after, actor, now, delay)] or [list_notice(after, now)]
        return [*ended, compaction_notice(after, now)]
    if after.game.over:
        over = [_mail(after, person, "over", due) for person in _human_players(after)]
        return over if after.left_at else [*over, compaction_notice(after, now)]
    if mover is None:
        return _invitation(after, due) if before is None else []
    losers = [player for player in completed.cancelled if player != mover]
    cancelled = [_mail(after, player, "orders", due) for player in losers]
    if not (draft.hands_over or ended_turn):
        return cancelled
    return [*_at_turn(completed, mover, actor, now, due), *cancelled, *turn_time_notices(after)]


def _called_off(after: StoredGame, actor: str | None, now: float, delay: float) -> Iterator[Notice]:
    """The notices that a game was cancelled before it began: to its maker, or, if its maker called
    it off, to the invited player whose invitation was already sent."""
    invited, due = _invited(after), now + delay
    if actor not in after.players:
        yield from (_mail(after, maker, "over", due) for maker in after.players)
    elif invited is not None and unix(after.created) + delay <= now:
        yield _mail(after, invited, CALLED_OFF, due)


def _held(before: StoredGame, after: StoredGame, now: float) -> list[Notice]:
    """The notice to check later whether the player was notified, if this change holds their
    flag."""
    mover = after.player_to_move()
    if mover is None or after.untold_until is None or before.untold_until is not None:
        return []
    return [Notice(notice_id(after.id, after.version, mover, "log", FLAG_HELD), now + MINUTE)]


def _at_turn(
    completed: CompletedDraft, mover: str, actor: str | None, now: float, due: float
) -> list[Notice]:
    """The notices for `mover`, who gets the turn."""
    before, after = completed.draft.before, completed.draft.after
    if mover != actor or completed.ended_turn:
        return [_turn(after, mover, now, due)]
    if before is None or before.game.status == "open":
        # The actor has sat down and plays first: the other player learns that the game has begun.
        others = [person for person in _human_players(after) if person != mover]
        return [_mail(after, person, "started", due) for person in others] or [
            list_notice(after, now)
        ]
    return []


def ended_turn_notice(draft: Draft, delay: float) -> Notice | None:
    """Return the notice of the turn that the draft ends, with the latest moment at which it was
    due.

    None if the draft ends no turn, for a bot's turn, and for a turn that may have begun with the
    game. `delay` is the number of seconds from the turn's beginning to its mail.
    """
    before = draft.before
    if before is None or before.turn_since is None or before.turn_version <= OPENING:
        return None
    mover = before.player_to_move()
    if mover is None or bot_at(mover) is not None or not draft.hands_over:
        return None
    notice = notice_id(before.id, before.turn_version, mover, "mail", "turn")
    return Notice(notice, unix(before.turn_since) + 1 + delay)


def current_notices(stored: StoredGame, due: float) -> list[Notice]:
    """The notices due for the current state of a game, if none has been sent yet."""
    if stored.game.over:
        return left_notice(stored) or [compaction_notice(stored, due)]
    mover = stored.player_to_move()
    if mover is None:
        return _invitation(stored, due)
    notices = [_turn(stored, mover, due, due), *turn_time_notices(stored)]
    return _wanted(stored, notices) + left_notice(stored)


def compaction_notice(stored: StoredGame, ended: float) -> Notice:
    """The notice to compact the log of a game that ended at this moment (unix seconds)."""
    notice = notice_id(stored.id, stored.version, "server", "log", "pack")
    return Notice(notice, ended + COMPACT_AFTER)


def left_notice(stored: StoredGame) -> list[Notice]:
    """The notice to check whether a game was left by its only person; none for other games."""
    due = stored.left_at
    if due is None:
        return []
    return [Notice(notice_id(stored.id, stored.version, "server", "log", LEFT), due)]


def result_notice(stored: StoredGame, now: float) -> list[Notice]:
    """The notice by which a season takes the result of a game of it; none for other games."""
    if stored.terms.season is None:
        return []
    return [Notice(notice_id(stored.id, stored.version, "server", "log", RESULT), now)]


def guest_expiry_notice(guest: str, now: float) -> Notice:
    """The notice to check, after `GUEST_LIFE`, whether a guest's account is still used."""
    return Notice(notice_id(guest, 1, guest, "log", UNUSED_GUEST), now + GUEST_LIFE)


def removal_notices(stored: StoredGame, now: float) -> list[Notice]:
    """The notices of a game that the operator removes: to its players, unless it is over."""
    if stored.game.over or not stored.is_real:
        return []
    return [_mail(stored, person, GAME_REMOVED, now) for person in _human_players(stored)]


def _human_players(stored: StoredGame) -> list[str]:
    return [player for player in stored.players if bot_at(player) is None]


def _turn(stored: StoredGame, mover: str, now: float, due: float) -> Notice:
    """The notice of a player's turn: at once for a bot, a mail for a person."""
    if bot_at(mover) is None:
        return _mail(stored, mover, "turn", due)
    return Notice(notice_id(stored.id, stored.version, mover, "bot", "turn"), now)


def _invitation(stored: StoredGame, due: float) -> list[Notice]:
    invited = _invited(stored)
    return [_mail(stored, invited, "invitation", due) if invited else list_notice(stored, due)]


def _invited(stored: StoredGame) -> str | None:
    """The recipient of the invitation to the free seat: a player, or `GUEST`; None without one."""
    return stored.invited or (GUEST if stored.terms.invited_by_mail else None)


def list_notice(stored: StoredGame, due: float) -> Notice:
    """The notice that only updates lists: the creator's list must have the game even after a crash
    now."""
    return Notice(notice_id(stored.id, stored.version, "server", "log", "list"), due)


def time_out_notice(stored: StoredGame, due: float) -> Notice:
    """The notice to the opponent of the player to move that a win on time can be claimed."""
    mover = stored.player_to_move()
    claimer = next(player for player in stored.players if player != mover)
    return _mail(stored, claimer, TIME_OUT, due)


def _mail(stored: StoredGame, recipient: str, kind: str, due: float) -> Notice:
    return Notice(notice_id(stored.id, stored.version, recipient, "mail", kind), due)


SHARES: Final[Mapping[str, tuple[int, int]]] = {REMINDER: (1, 2), LAST_REMINDER: (9, 10)}
"""The share of the turn's time that has passed at each kind of reminder: numerator, denominator."""
CLOCK_RUNS: Final = "clock-runs"
"""The kind of notice telling the player to move that an agreed pause is over."""


def reminder_at(stored: StoredGame, kind: str) -> int | None:
    """The moment when this reminder is due, in unix seconds; None if the turn has no end."""
    return None if stored.clock is None else stored.clock.after_share_of_rest(*SHARES[kind])


def pause_over_at(stored: StoredGame) -> int | None:
    """The end of the last agreed pause in this turn, in unix seconds; None without a pause or
    end."""
    clock = stored.clock
    pause = None if clock is None else clock.paused()
    if clock is None or clock.turn_since is None or pause is None or pause.end is None:
        return None
    return pause.end if pause.end > clock.turn_since else None


def turn_time_notices(stored: StoredGame) -> list[Notice]:
    """The notices about the turn's time for the player to move: reminders, and the end of a pause.

    Empty for a bot, or without a clock.
    """
    mover = stored.player_to_move()
    if mover is None or bot_at(mover) is not None:
        return []
    reminders = [
        Notice(notice_id(stored.id, stored.timed_version, mover, "mail", kind), due)
        for kind in SHARES
        if (due := reminder_at(stored, kind)) is not None
    ]
    over = pause_over_at(stored)
    lasts = over is not None and over > unix(stored.latest)
    return [*reminders, _over(stored, mover, over, over)] if over and lasts else reminders


def moved_notices(
    before: StoredGame, after: StoredGame, actor: str | None, now: float, due: float
) -> list[Notice]:
    """The notices whose moments changed with the clock.

    If the clock was moved beyond them, they are due now. A reminder that was already sent does not
    come again, unless a pause or a gift changes the turn's time, or it restarts. The notice that a
    pause is over is `due` soon, unless the player to move ended it.
    """
    restarts = before.untold_until is not None and after.untold_until is None
    was_due = {notice.id: notice.due for notice in turn_time_notices(before)}
    moved = [
        notice
        for notice in turn_time_notices(after)
        if (notice.due > now and (restarts or was_due.get(notice.id, inf) > now))
        or notice.due <= now < was_due.get(notice.id, 0)
    ]
    mover = after.player_to_move()
    if mover is None or mover == actor or bot_at(mover) is not None:
        return moved
    over = pause_over_at(after)
    if after.retimed > before.version and over == unix(after.latest):
        moved.append(_over(after, mover, over, due))
    return moved


def _over(stored: StoredGame, mover: str, over: int, due: float) -> Notice:
    return Notice(notice_id(stored.id, over // MINUTE, mover, "mail", CLOCK_RUNS), due)


@dataclass(eq=False, repr=False)
class Reachability:
    """Checks whether a notice for a player can reach them.

    With a mail server it reaches players who have given an address, or have another channel. The
    address may be verified before the notice is due, so only delivery checks that. The local
    mailbox reaches everybody.
    """

    _redis: Client
    _players: Players
    _has_mail_server: bool

    def reachable(
        self, notices: Sequence[Notice], answers: Mapping[str, bool] = MappingProxyType({})
    ) -> list[Notice]:
        """Return these notices without mails that would reach nobody.

        `answers` has, by player, whether mails reach them, if that was just read; other players
        take one round trip. Nothing is cached: the response time must not reveal whether another
        player has an address.
        """
        recipients = {notice.id: _player(notice) for notice in notices}
        players = sorted({player for player in recipients.values() if player is not None})
        if not self._has_mail_server or not players:
            return list(notices)
        batch = Batch(self._redis)
        others = self.ask(batch, [player for player in players if player not in answers])
        reached = {**answers, **others()}
        return [notice for notice in notices if reached.get(recipients[notice.id] or "", True)]

    def ask(self, batch: Batch, players: Iterable[str]) -> Callable[[], Mapping[str, bool]]:
        """Add to the batch the queries for whether mails reach these players. The returned function
        gives the answers by player."""
        if not self._has_mail_server:
            return dict
        ways = {
            player: (
                batch.ask(self._players.has_address_query(player)),
                batch.ask(has_channels_query(player)),
            )
            for player in players
        }
        return lambda: {player: any(way.get() for way in asked) for player, asked in ways.items()}


def _player(notice: Notice) -> str | None:
    """The player to whom a notice is mailed; None for other notices."""
    parts = parse_notice_id(notice.id)
    is_mail = parts.transport == "mail" and parts.recipient != GUEST
    return parts.recipient if is_mail else None


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

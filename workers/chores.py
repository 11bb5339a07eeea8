"""What follows from a game or a mail without anybody being told: turns of bots, mail that came in,
analyses, calendars, compaction, guests and games that were left."""

import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Final, Literal

import engine
from service.bots import Bot, bot_at
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.batch import execute_all
from service.core.times import HOUR, MINUTE, unix
from service.eventlog import Notice, parse_notice_id
from service.games import ChangeContext, StoredGame
from service.games.analysis import ANALYSIS
from service.games.calendar_store import CALENDAR
from service.games.notices import FLAG_HELD, LEFT, RESULT, UNUSED_GUEST
from service.mail_in.outcome import MARKED, POLICY
from service.mail_in.store import READ, READ_STRANGERS
from service.ops.operating import finish_left, remove_left
from service.ops.status import PONDER, THINK
from workers import outcomes
from workers.context import WorkerContext
from workers.due import DueNotice

FLAG_PERIOD: Final = MINUTE
"""Seconds between two checks whether a player was notified."""
WEIGHING_BUDGET: Final = 5.0
"""Seconds after which no further turn is begun, so that a worker can end soon."""
LOOK_AGAIN: Final = 5.0
"""Seconds after which a game in the line looks again whether it is its turn, for each before it. It
is called when one leaves the line: this is for what is lost on the way."""
_ALIVE: Final = 60.0
"""Seconds since its last heartbeat in which a worker counts as one that weighs."""

Outcome = Literal["compacted", "listed", "played", "weighed", "dropped", "postponed"]


def play_bot(context: WorkerContext, due: DueNotice) -> Literal["played", "dropped"]:
    """Play the bot's turn from its current state, action by action: it sees only its seat's view,
    and plays through the same actions as a person.

    May be repeated and may overlap with itself: each action depends on, and applies to, one version
    of the game. Then this person's bots, the quick or the slow ones, rest for as long as it took.
    """
    built, bot, stored = context.container, bot_at(due.notice.recipient), due.stored
    if bot is None or stored is None:  # this server no longer has it
        return "dropped"
    begun, has_played = built.now(), False
    try:
        while (current := _at_move(context, stored.id, bot)) is not None:
            origin = ChangeContext("bot", expected=[current.version], is_of_table=True)
            try:
                action = _choose(context, current, bot)
                built.games.play(current.id, bot.player, [action], origin)
                has_played = True
            except RequestRejected as refusal:
                if refusal.code not in ("stale-version", "game-over", "time-out"):
                    raise
        return "played" if has_played else "dropped"
    finally:
        queue = PONDER if bot.is_slow else THINK
        for person in {*stored.players} - {bot.player}:
            built.send_limits.end_turn(person, queue, built.now() - begun)


def _at_move(context: WorkerContext, game_id: str, bot: Bot) -> StoredGame | None:
    """Return the game if it is this bot's turn, else None."""
    try:
        stored = context.container.games.current(game_id)
    except RequestRejected:  # the game no longer exists
        return None
    return stored if stored.player_to_move() == bot.player else None


def _choose(context: WorkerContext, stored: StoredGame, bot: Bot) -> str:
    seen = engine.view(stored.game, stored.seat_of(bot.player))
    key = context.container.settings.secret_key
    # The same game and version give the same choice, so a repeated job repeats it; the same deal of
    # the day gives everybody the same bot.
    deal = stored.daily.date if stored.daily else stored.id
    random = Random(ids.derive(key, "bot", deal, str(stored.version)))
    # Short thoughts stay here; long ones would hold up this process's other threads.
    return context.thinker.choose(bot, seen, random) if bot.is_slow else bot.choose(seen, random)


def read_mail(context: WorkerContext, due: DueNotice) -> Literal["played", "postponed"]:
    """Carry out the commands in the mail; the answer to it is a notice of its own. Postponed while
    the mail's sender has used up the time for reading."""
    incoming = context.container.incoming_mail
    if wait := incoming.wait(due.notice.subject):
        context.container.log.outbox.postpone(due.id, context.container.now() + wait)
        return "postponed"
    if incoming.process(due.notice.subject) in (MARKED, POLICY):
        outcome = incoming.outcome(due.notice.subject)
        if outcome is not None and outcome.about:  # a mail has bounced: its fallbacks may send it
            notice = parse_notice_id(outcome.about)
            by_mail = context.container.ledger.of_notice(notice).get(outcomes.MAIL)
            if by_mail is not None and by_mail.outcome == "reached":
                outcomes.record_failure(context, notice, outcomes.MAIL)
    return "played"


def weigh_game(context: WorkerContext, due: DueNotice) -> Outcome:
    """Weigh turns that are not yet weighed, once it is this game's turn. The notice falls due again
    until all of them are.

    May be repeated and may overlap with itself: a turn's worth is always the same. A game that
    fails leaves the line, and goes to its end at the next try.
    """
    line, outbox = context.container.games.analyses.line, context.container.log.outbox
    now, ages = context.container.now, context.container.heartbeat.ages().values()
    workers = max(1, sum(age < _ALIVE for age in ages))  # each weighs one game
    line.enter(due.id)
    while due.id not in (first := line.first(workers)):
        queries = [outbox.pending_query(notice) for notice in first]
        pending = execute_all(context.container.redis, queries)
        gone = [each for each, is_pending in zip(first, pending, strict=True) if not is_pending]
        for notice in gone:
            line.leave(notice)
        if not gone:
            outbox.postpone(due.id, now() + LOOK_AGAIN * line.ahead(due.id))
            return "postponed"
    line.begin(due.id)
    try:
        outcome = _weigh_some(context, due)
    except Exception:
        _leave(context, due.id, workers)
        raise
    if outcome != "postponed":
        _leave(context, due.id, workers)
    return outcome


def _leave(context: WorkerContext, notice: str, workers: int) -> None:
    """Take a notice out of the line, and call the one whose turn it is then."""
    line = context.container.games.analyses.line
    line.leave(notice)
    for called in line.first(workers)[workers - 1 :]:
        context.container.log.outbox.postpone(called, context.container.now())
    if not line.first(1):
        context.weigher.close()  # it is seldom needed, and takes memory


def _weigh_some(context: WorkerContext, due: DueNotice) -> Outcome:
    games, game_id = context.container.games, due.notice.subject
    try:
        stored = games.load(game_id)
    except RequestRejected:  # the game no longer exists
        return "dropped"
    if not stored.was_played:
        return "dropped"
    store, turns = games.analyses.store, [*games.analyses.turns(stored)]
    if not store.count(game_id, len(turns)):
        return "dropped"
    weighed, end = store.weighed(game_id), time.monotonic() + WEIGHING_BUDGET
    ahead = [number for number in range(len(turns)) if number not in weighed]
    for number in ahead:
        if number != ahead[0] and time.monotonic() > end:
            context.container.log.outbox.postpone(due.id, context.container.now())
            return "postponed"
        if not store.store_turn(game_id, number, context.weigher.weigh(turns[number])):
            return "dropped"
    return "weighed"


def write_calendar(context: WorkerContext, due: DueNotice) -> Literal["listed"]:
    """Write the player's calendar into their running games."""
    context.container.games.calendars.apply(due.notice.recipient)
    return "listed"


def compact(context: WorkerContext, due: DueNotice) -> Literal["compacted", "dropped"]:
    """Compact the log of a finished game if it is still at the notice's version."""
    events, notice = context.container.log.events, due.notice
    if events.version(notice.subject) != notice.version:
        return "dropped"
    return "compacted" if events.compact(notice.subject) else "dropped"


def expire_guest(context: WorkerContext, due: DueNotice) -> Literal["postponed", "dropped"]:
    """Close the account of an unused guest; postpone the notice while the account is in use."""
    next_check = context.container.guests.expire_if_unused(due.notice.recipient)
    if next_check is None:
        return "dropped"
    context.container.log.outbox.postpone(due.id, next_check)
    return "postponed"


def check_flag(context: WorkerContext, due: DueNotice) -> Literal["postponed", "dropped"]:
    """Start the player's time if they have been notified; otherwise check again later."""
    container, notice = context.container, due.notice
    if due.game is None or not container.games.release_if_notified(notice.subject):
        return "dropped"
    container.log.outbox.postpone(due.id, container.now() + FLAG_PERIOD)
    return "postponed"


def end_if_left(context: WorkerContext, due: DueNotice) -> Literal["postponed", "dropped"]:
    """Remove a game without a clock, and so without a rating, that its only person has left.

    A real game is left only by a guest: others can come back from anywhere. Postpone the notice if
    somebody has played meanwhile, or could not because of an outage.
    """
    container, stored = context.container, due.stored
    if stored is None or stored.left_at is None:
        finish_left(container, due.notice.subject)
        return "dropped"
    now, left_at = container.now(), stored.left_at
    liveness, since = container.outages.liveness(), unix(stored.latest)
    left_at += sum(end - max(begin, since) for begin, end in liveness.outages if end > since)
    is_left = left_at <= now and liveness.fresh
    person = next(player for player in stored.players if bot_at(player) is None)
    player = container.players.find(person)
    if is_left and stored.is_real and (player is None or not container.guests.is_guest(player)):
        return "dropped"
    if is_left and remove_left(container, stored, Notice(due.id, now + MINUTE)):
        return "dropped"
    container.log.outbox.postpone(due.id, max(left_at, now + HOUR))
    return "postponed"


def take_result(context: WorkerContext, due: DueNotice) -> Literal["listed"]:
    """Take the result of a game into its season."""
    if due.stored is not None:
        context.container.season_clock.take(due.stored)
    return "listed"


BY_KIND: Final[Mapping[str, Callable[[WorkerContext, DueNotice], Outcome]]] = {
    "pack": compact,
    UNUSED_GUEST: expire_guest,
    FLAG_HELD: check_flag,
    LEFT: end_if_left,
    RESULT: take_result,
    READ: read_mail,
    READ_STRANGERS: read_mail,
    CALENDAR: write_calendar,
    ANALYSIS: weigh_game,
}
"""What is to be done, by the kind of a notice that nobody is told."""

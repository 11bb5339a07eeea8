"""Plays bots' turns: a bot sees only its seat's view, and plays through the same actions as a
person."""

from random import Random
from typing import Literal

import engine
from service.bots import Bot, bot_at
from service.core import ids
from service.core.errors import RequestRejected
from service.games import ChangeContext, StoredGame
from service.ops.status import PONDER, THINK
from workers.context import WorkerContext
from workers.due import DueNotice

BotOutcome = Literal["played", "dropped"]


def play(context: WorkerContext, due: DueNotice) -> BotOutcome:
    """Play the bot's turn from its current state, action by action.

    May be repeated and may overlap with itself: each action depends on, and applies to, one version
    of the game. Then this person's bots, the quick or the slow ones, rest for as long as it took.
    """
    built, bot, stored = context.container, bot_at(due.notice.recipient), due.stored
    if bot is None or stored is None:  # this server no longer has it
        return "dropped"
    begun = built.now()
    try:
        return _play(context, stored.id, bot)
    finally:
        queue = PONDER if bot.is_slow else THINK
        for person in {*stored.players} - {bot.player}:
            built.send_limits.end_turn(person, queue, built.now() - begun)


def _play(context: WorkerContext, game_id: str, bot: Bot) -> BotOutcome:
    games = context.container.games
    outcome: BotOutcome = "dropped"
    while (stored := _at_move(context, game_id, bot)) is not None:
        origin = ChangeContext("bot", expected=[stored.version], is_of_table=True)
        try:
            games.play(stored.id, bot.player, [_choose(context, stored, bot)], origin)
            outcome = "played"
        except RequestRejected as refusal:
            if refusal.code not in ("stale-version", "game-over", "time-out"):
                raise
    return outcome


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

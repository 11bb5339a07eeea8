"""The turns of bots: each thinks about what its seat may see, and plays as a person would."""

from random import Random
from typing import Literal

import engine
from service.bots import Bot, bot_at
from service.core import ids
from service.core.errors import RequestRejected
from service.eventlog import NoticeParts
from service.games import Origin, StoredGame
from workers.context import WorkerContext

Outcome = Literal["played", "dropped"]


def play(context: WorkerContext, notice: NoticeParts) -> Outcome:
    """Take the bot's turn, action by action, from wherever it stands.

    May be repeated and may overlap with itself: each action is for one version of the game, and
    follows from it.
    """
    bot = bot_at(notice.recipient)
    if bot is None:  # this server has it no more
        return "dropped"
    outcome: Outcome = "dropped"
    while (stored := _at_move(context, notice.game, bot)) is not None:
        origin = Origin("bot", expected=[stored.version])
        try:
            context.container.games.play(
                stored.id, bot.player, [_choice(context, stored, bot)], origin
            )
            outcome = "played"
        except RequestRejected as refusal:
            if refusal.code not in ("stale-version", "game-over", "time-out"):
                raise
    return outcome


def _at_move(context: WorkerContext, game_id: str, bot: Bot) -> StoredGame | None:
    """The game, while it is this bot's turn."""
    try:
        stored = context.container.games.current(game_id)
    except RequestRejected:  # there is no such game any more
        return None
    return stored if stored.player_to_move() == bot.player else None


def _choice(context: WorkerContext, stored: StoredGame, bot: Bot) -> str:
    seen = engine.view(stored.game, stored.seat_of(bot.player))
    key = context.container.settings.secret_key
    chance = Random(ids.derive(key, "bot", stored.id, str(stored.version)))
    return bot.choose(seen, chance)

"""The bots: players that are programs. Each thinks with nothing but what its seat may see."""

from service.bots.roster import BOTS, Bot, bot_at, bot_named

__all__ = ["BOTS", "Bot", "bot_at", "bot_named"]

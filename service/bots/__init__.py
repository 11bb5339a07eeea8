"""The bots: players that are programs. Each decides from what its seat may see, nothing else."""

from service.bots.roster import BOTS, BY_LEVEL, Bot, bot_at, bot_named

__all__ = ["BOTS", "BY_LEVEL", "Bot", "bot_at", "bot_named"]

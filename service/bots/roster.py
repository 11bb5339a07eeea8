"""Who the bots are. Their players' ids are reserved; none of them has a token."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine import View
from service.bots import random_bot, steward

Choose = Callable[[View, random.Random], str]


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot: `name` as requests give it, the id and name of its player, and how it plays.

    `choose` takes the view of its seat (`engine.view`, on its turn) and a random generator, and
    returns one of the legal actions, in action text.
    """

    name: str
    player: str
    title: str
    choose: Choose


def _bot(name: str, choose: Choose) -> Bot:
    # As long as every player's id, but readable: no generated id ends in so many twos.
    return Bot(name, f"bot{name}".ljust(16, "2"), f"{name.title()} (bot)", choose)


BOTS: Final = {
    bot.name: bot for bot in (_bot("random", random_bot.choose), _bot("steward", steward.choose))
}
"""The bots of this server by name."""

_BY_PLAYER: Final = {bot.player: bot for bot in BOTS.values()}


def bot_named(name: str | None) -> Bot | None:
    """The bot of this name."""
    return None if name is None else BOTS.get(name)


def bot_at(player: str | None) -> Bot | None:
    """The bot whose player has this id, None for a person."""
    return None if player is None else _BY_PLAYER.get(player)

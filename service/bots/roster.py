"""Who the bots are. Their players' ids are reserved; none of them has a token."""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from service.bots import random_bot, steward

Choose = Callable[[Mapping[str, Any], random.Random], str]


class Bot(NamedTuple):
    """A bot: the name by which it is asked for, its player's id and name, and how it thinks.

    `choose` is given the game view of its seat (of `engine.view`, on its turn) and a source of
    chance, and gives one of the legal actions, in action text.
    """

    name: str
    player: str
    title: str
    choose: Choose


def _bot(name: str, choose: Choose) -> Bot:
    # As long as every player's id, and readable: no drawn id ends in so many twos.
    return Bot(name, f"bot{name}".ljust(16, "2"), f"{name.title()} (bot)", choose)


BOTS: Final = {
    bot.name: bot for bot in (_bot("random", random_bot.choose), _bot("steward", steward.choose))
}
"""The bots of this server by name."""

_AT: Final = {bot.player: bot for bot in BOTS.values()}


def bot_named(name: str | None) -> Bot | None:
    """The bot of this name."""
    return None if name is None else BOTS.get(name)


def bot_at(player: str | None) -> Bot | None:
    """The bot whose player has this id, None for a person."""
    return None if player is None else _AT.get(player)

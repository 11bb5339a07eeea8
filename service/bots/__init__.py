"""The server's own bots: players that are programs. Each decides from what its seat may see,
nothing else. Their players' ids are reserved; none of them has a token."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine import View
from service.bots import steward, strategist

Choose = Callable[[View, random.Random], str]


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot: `name` as requests give it, the id and name of its player, and how it plays. Its words
    are in `service.text.game_terms`.

    `level` says how hard it is to beat, from `easiest` to `hardest`.

    `choose` takes the view of its seat (`engine.view`, on its turn) and a random generator, and
    returns one of the legal actions, in action text: the same for the same view and generator.
    `ratings`, without and with Tactic cards, are in Elo, measured by `bench/bots.py`, the steward's
    being 1500. `face` is the path of
    its picture, drawn in lines in an SVG of 24 by 24. `is_slow`: a choice takes more than a few
    milliseconds.
    """

    name: str
    player: str
    title: str
    level: str
    ratings: tuple[int, int]
    face: str
    choose: Choose
    is_slow: bool


def _bot(
    name: str,
    level: str,
    ratings: tuple[int, int],
    face: str,
    choose: Choose,
    *,
    is_slow: bool = False,
) -> Bot:
    # As long as every player's id, but readable: no generated id ends in so many twos.
    player = f"bot{name}".ljust(16, "2")[:16]
    return Bot(name, player, f"{name.title()} (bot)", level, ratings, face, choose, is_slow)


_HEAD: Final = "M6 11v4a6 6 0 0 0 12 0v-4M10 13v.1M14 13v.1"

BOTS: Final = {
    bot.name: bot
    for bot in (
        _bot(
            "random",
            "easiest",
            (600, 215),
            f"{_HEAD}M6 11C5 6 8 8 9 4c2 3 4 0 6 3 3-1 3 2 3 4M10 17q2-2 4 0",
            steward.any_action,
        ),
        _bot(
            "shepherd",
            "easy",
            (1195, 795),
            f"{_HEAD}M3 11h18M7 11q0-6 5-6t5 6M10 17h4",
            steward.now_and_then,
        ),
        _bot(
            "piper",
            "medium",
            (1400, 930),
            f"{_HEAD}M6 11q1-5 9-5 4 1 3 5M15 6l3-4M12 16v6",
            steward.strongest_side,
        ),
        _bot(
            "steward",
            "hard",
            (1500, 1500),
            f"{_HEAD}M6 11V7q6-4 12 0v4M6 9h12M9 17h6",
            steward.choose,
        ),
        _bot(
            "strategist",
            "hardest",
            (1675, 1670),
            f"{_HEAD}M6 11l-1-7 4 3 3-4 3 4 4-3-1 7zM10 17q2 2 4 0",
            strategist.choose,
            is_slow=True,
        ),
    )
}
"""The bots of this server by name, the weakest first."""

BY_LEVEL: Final = {bot.level: bot for bot in BOTS.values()}
"""The same bots by level."""

_BY_PLAYER: Final = {bot.player: bot for bot in BOTS.values()}


def bot_named(name: str | None) -> Bot | None:
    """The bot of this name; None if there is none."""
    return None if name is None else BOTS.get(name)


def bot_at(player: str | None) -> Bot | None:
    """The bot whose player has this id, None for a person."""
    return None if player is None else _BY_PLAYER.get(player)

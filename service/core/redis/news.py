"""The channels on which scripts say that a game, or a player's list of games, has moved.

st:news:TOPIC             pub/sub channel; the topic is a game's id or a player's
"""

from typing import Final

CHANNEL: Final = "st:news:"
"""How the name of every such channel begins."""


def news_channel(topic: str) -> str:
    """The channel of a game or a player."""
    return CHANNEL + topic

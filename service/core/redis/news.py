"""The pub/sub topics on which scripts announce a change of a game or of a player's list of games.

st:news:TOPIC             pub/sub channel; the topic is a game's id or a player's
"""

from typing import Final

CHANNEL: Final = "st:news:"
"""The beginning of each topic's name."""


def news_channel(topic: str) -> str:
    """The pub/sub channel of a game or a player."""
    return CHANNEL + topic

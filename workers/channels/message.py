"""A message to a player on a channel: a few plain sentences, and where to read more."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    """What is told. `notice` is the id of its notice.

    `type` and `timestamp` (RFC 3339) are those of Standard Webhooks, and `data` holds what programs
    read: always `title`, `text` and `url`.
    """

    notice: str
    type: str
    timestamp: str
    data: Mapping[str, Any]

    @property
    def title(self) -> str:
        """A few words."""
        return str(self.data["title"])

    @property
    def text(self) -> str:
        """A sentence or two."""
        return str(self.data["text"])

    @property
    def url(self) -> str:
        """The page that it is about."""
        return str(self.data["url"])

    def as_json(self) -> str:
        """The body of a webhook, the same each time."""
        told = {"type": self.type, "timestamp": self.timestamp, "data": self.data}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":"))

    def stored(self) -> dict[str, Any]:
        """What a log of deliveries keeps of it."""
        return {"type": self.type, "timestamp": self.timestamp, "data": dict(self.data)}


def stored_message(notice: str, stored: Mapping[str, Any]) -> ChannelMessage:
    """The message that `ChannelMessage.stored` gave."""
    return ChannelMessage(notice, stored["type"], stored["timestamp"], stored["data"])

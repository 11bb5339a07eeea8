"""A message to a player on a channel: a few plain sentences, and a link to the page."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    """The content of a message. `notice` is the id of its notice.

    `type` and `timestamp` (RFC 3339) follow Standard Webhooks. `data` is for programs, and always
    has `title`, `text` and `url`.
    """

    notice: str
    type: str
    timestamp: str
    data: Mapping[str, object]

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
        """The page about the subject."""
        return str(self.data["url"])

    def as_json(self) -> str:
        """Return the body of a webhook, the same each time."""
        fields = {"type": self.type, "timestamp": self.timestamp, "data": self.data}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    def stored(self) -> dict[str, object]:
        """Return the form in which the delivery log stores the message."""
        return {"type": self.type, "timestamp": self.timestamp, "data": dict(self.data)}


def stored_message(notice: str, stored: Mapping[str, Any]) -> ChannelMessage:
    """Read a message from the form that `ChannelMessage.stored` returned."""
    return ChannelMessage(notice, stored["type"], stored["timestamp"], stored["data"])

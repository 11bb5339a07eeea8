"""A message to a player on a channel: a few plain sentences, and a link to the page.

It has no cards, no addresses, and nothing its player may not see.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from service.accounts.channels import Channel
from service.accounts.channels.store import TEST
from service.core.timestamps import timestamp
from workers.about import current
from workers.context import WorkerContext
from workers.due import DueNotice
from workers.kinds import DIGEST, NoticeKind, Subject
from workers.mail import digest
from workers.mail.subjects import ChallengeMail, VacationMail


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


_MOST_LINES: Final = 8
"""Most lines of a digest."""


def write(context: WorkerContext, due: DueNotice, channel: Channel) -> ChannelMessage | None:
    """Return the channel's message about this notice; None if nothing is left to report."""
    container = context.container
    if due.notice.kind == TEST:
        data = {
            "title": "A test from Scottenbury",
            "text": f"If you read this, the channel “{channel.name}” works.",
            "url": f"{container.settings.base_url}/account/channels",
        }
        return _message(due, timestamp(container.now()), data)
    if due.notice.kind == DIGEST:
        return _digest(context, due, channel)
    subject = current(context, due)
    if subject is None:
        return None
    kind, text = due.kind, due.kind.text or due.kind.line
    if kind.title is None or text is None:
        raise ValueError(f"channels have no words for {kind.name}")
    data = {"title": kind.title(subject), "text": text(subject), "url": subject.link}
    if isinstance(subject, ChallengeMail):
        about = {"challenge": subject.challenge.id}
        return _message(due, timestamp(subject.challenge.created), {**about, **data})
    if isinstance(subject, VacationMail):
        return _message(due, timestamp(container.now()), data)
    stored = subject.stored
    other = next((player for player in stored.players if player != subject.player), None)
    seat = stored.seat_of(other)
    game = {
        "game": stored.id,
        "version": stored.version,
        "head": stored.head,
        "seat": subject.seat,
        "opponent": seat and {"id": other, "name": subject.names[seat]},
        "deadline": subject.view.deadline,
    }
    return _message(due, subject.happened_at, {**game, **data})


def _message(due: DueNotice, at: str, data: Mapping[str, object]) -> ChannelMessage:
    return ChannelMessage(due.id, message_type(due.kind), at, data)


def message_type(kind: NoticeKind[Any]) -> str:
    """Return the type of messages of this kind: `game.turn`."""
    prefix = "calendar" if kind.subject is Subject.PLAYER else kind.subject.value
    return f"{'channel' if kind.group is None else prefix}.{kind.name}"


def _digest(context: WorkerContext, due: DueNotice, channel: Channel) -> ChannelMessage | None:
    container = context.container
    entries = [
        entry
        for entry in container.deferred_notices.digest(due.notice.recipient, due.notice.version)
        if channel.would_deliver(entry["kind"], entry["game"])
    ]
    if not entries:
        return None
    turns = sum(entry["kind"] == "turn" for entry in entries)
    lines = [entry["text"] for entry in entries[:_MOST_LINES]]
    if len(entries) > _MOST_LINES:
        lines.append(f"And {len(entries) - _MOST_LINES} more.")
    data = {
        "turns": turns,
        "title": digest.opening(turns),
        "text": "\n".join(lines),
        "url": container.settings.base_url,
    }
    return _message(due, timestamp(due.notice.version * 60), data)

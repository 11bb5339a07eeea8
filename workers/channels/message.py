"""A message to a player on a channel: a few plain sentences, and a link to the page; and the
reasons why one did not arrive, in our own words.

It has no cards, no addresses, and nothing its player may not see.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from service.accounts.channels import ANSWERED, REDIRECTED, Channel
from service.accounts.notice_kinds import DIGEST, TEST
from service.core.times import timestamp
from workers.context import WorkerContext
from workers.due import DueNotice
from workers.mail import digest
from workers.mail.season import SeasonMail
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
    container, words = context.container, context.words_of(due.choice)
    if due.notice.kind == TEST:
        data = {
            "title": words.say("A test from Scottenbury"),
            "text": words.say(
                "If you read this, the channel “%(channel)s” works.", channel=channel.name
            ),
            "url": f"{container.settings.base_url}/account/channels",
        }
        return _message(due, timestamp(container.now()), data)
    if due.notice.kind == DIGEST:
        return _digest(context, due, channel)
    subject = due.current(context)
    if subject is None:
        return None
    title, text = due.kind.on_channels(words, subject)
    data = {"title": title, "text": text, "url": subject.link}
    if isinstance(subject, ChallengeMail):
        about = {"challenge": subject.challenge.id}
        return _message(due, timestamp(subject.challenge.created), {**about, **data})
    if isinstance(subject, SeasonMail):
        moment = subject.season.ended or subject.season.started or ""
        return _message(due, moment, {"season": subject.season.id, **data})
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
    return ChannelMessage(due.id, due.kind.message_type, at, data)


def _digest(context: WorkerContext, due: DueNotice, channel: Channel) -> ChannelMessage | None:
    container, words = context.container, context.words_of(due.choice)
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
        more = len(entries) - _MOST_LINES
        lines.append(words.plural("And %(number)s more.", "And %(number)s more.", more))
    data = {
        "turns": turns,
        "title": digest.opening(words, turns),
        "text": "\n".join(lines),
        "url": container.settings.base_url,
    }
    return _message(due, timestamp(due.notice.version * 60), data)


LONGEST_WISH: Final = 6 * 60 * 60
"""The longest wait, in seconds, that a response may ask of us."""
_LATER: Final = (408, 409, 423, 425, 429)


class EgressFailed(Exception):
    """No response came. The text is our own, and contains nothing that the other side chose."""


class EgressBusy(EgressFailed):
    """Nothing was sent: too many requests go to this network address just now."""


@dataclass(frozen=True)
class Answer:
    """The head of an HTTP response. Its body is not read: nobody needs it, and it may have no
    end."""

    status_code: int
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def ok(self) -> bool:
        return 200 <= self.status_code < 300


class DeliveryError(Exception):
    """A message was not delivered.

    `why` is shown to the player, in their language (`accounts.channels.reason_words`).
    `is_permanent`: trying this message again is useless; `is_gone`:
    the channel's target no longer exists. `wait` is the pause, in seconds, that the other side asks
    for; `answer` is the status of its HTTP response, None if none came.
    """

    def __init__(
        self,
        why: str,
        *,
        answer: int | None = None,
        is_permanent: bool = False,
        is_gone: bool = False,
        wait: float = 0.0,
    ) -> None:
        super().__init__(why)
        self.why = why
        self.answer = answer
        self.is_permanent = is_permanent or is_gone
        self.is_gone = is_gone
        self.wait = wait


def check(answer: Answer, *, gone: tuple[int, ...] = (410,), strict: bool = False) -> None:
    """Raise `DeliveryError` unless this response accepts the message.

    `gone` lists the statuses that mean the target no longer exists. With `strict`, any other
    refusal is permanent too.
    """
    if answer.ok:
        return
    status, wait = answer.status_code, answer.headers.get("Retry-After", "")
    message = REDIRECTED if 300 <= status < 400 else ANSWERED
    raise DeliveryError(
        message % {"status": status},
        answer=status,
        is_permanent=strict and 400 <= status < 500 and status not in _LATER,
        is_gone=status in gone,
        wait=min(int(wait), LONGEST_WISH) if wait.isascii() and wait.isdigit() else 0.0,
    )

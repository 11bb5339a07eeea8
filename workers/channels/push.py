"""Sends push messages to browsers: encrypted for the browser, signed by this server."""

import json
from typing import Final

from py_vapid import Vapid02
from pywebpush import WebPushException, webpush

from service.accounts.channels import Channel
from service.accounts.channels.store import private_key
from service.core.durations import DAY
from workers.channels.egress import Egress
from workers.channels.errors import Answer, DeliveryError, check
from workers.channels.message import ChannelMessage
from workers.context import WorkerContext

LIFE: Final = DAY
"""Seconds for which the push service stores a message for a browser that is away."""
GONE: Final = (404, 410)
"""Statuses which mean that the browser has given up the subscription."""
_TOPIC: Final = 32
"""Longest topic, in characters: a later message with the same topic replaces the earlier one."""


def send(context: WorkerContext, player: str, channel: Channel, message: ChannelMessage) -> None:
    """Hand the message to the browser's push service. Raises `DeliveryError`, `EgressFailed`."""
    settings = context.container.settings
    if settings.contact is None:
        raise DeliveryError("this server has no contact for push services", is_permanent=True)
    target = channel.target
    session = _Session(context.egress)
    topic = message.notice.split(".")[0][:_TOPIC]
    payload = {
        "title": message.title,
        "text": message.text,
        "url": message.url,
        "tag": topic,
        "waiting": context.container.games.lists.count_to_move(player),
    }
    try:
        webpush(
            {
                "endpoint": target["endpoint"],
                "keys": {"p256dh": target["p256dh"], "auth": target["auth"]},
            },
            json.dumps(payload, ensure_ascii=False),
            vapid_private_key=Vapid02(private_key(settings.secret_key)),
            vapid_claims={"sub": settings.contact},
            ttl=int(LIFE),
            headers={"Topic": topic, "Urgency": "normal"},
            requests_session=session,
        )
    except (WebPushException, ValueError):
        if session.answer is None:  # The key is not a browser's.
            raise DeliveryError("its keys are none", is_permanent=True) from None
        check(session.answer, gone=GONE, strict=True)
        raise DeliveryError(f"it answered {session.answer.status_code}") from None


class _PushAnswer(Answer):
    """A response with a body of our own for the library, so that no text of the push service
    reaches the player."""

    reason = text = ""


class _Session:
    """The HTTP session that the library sends with."""

    def __init__(self, egress: Egress) -> None:
        self._egress = egress
        self.answer: Answer | None = None

    def post(self, url: str, *, data: bytes, headers: dict[str, object], timeout: object) -> Answer:
        """Post the data; the parameters are those of `requests.post`."""
        sent = {name: str(value) for name, value in headers.items()}
        answer = self._egress.post(url, data, sent)
        self.answer = _PushAnswer(answer.status_code, answer.headers)
        return self.answer

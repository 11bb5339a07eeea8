"""Sends messages on players' channels.

Webhooks are signed as Standard Webhooks describes. The rest is text: for chat services, each with
its own fixed host, which no player chooses; and for ntfy and Gotify, on a server of the player's
choice; and for browsers, encrypted for the browser and signed by this server.
"""

import html
import json
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode, urlsplit

from standardwebhooks import Webhook

from service.accounts.channels import ANSWERED, Channel, ChannelType
from service.accounts.channels.deliveries import delivery_id
from service.accounts.channels.store import private_key
from service.core.times import DAY
from service.core.words import N_
from workers.channels.egress import Egress
from workers.channels.message import Answer, ChannelMessage, DeliveryError, check
from workers.context import WorkerContext

HOSTS: Final[dict[ChannelType, str]] = {
    "telegram": "https://api.telegram.org",
    "discord": "https://discord.com",
    "slack": "https://hooks.slack.com",
    "pushover": "https://api.pushover.net",
}
_PLAIN: Final = str.maketrans(
    {"@": "(at)", "<": "(", ">": ")", "`": "'", "*": "", "_": " ", "~": "", "[": "(", "]": ")"}
)
"""Characters that these services could read as a mention, a link or markup: names may contain
them."""
_GONE: Final = (404, 410)
"""Statuses which mean that the bot, the webhook or the application has been deleted, or that the
browser has given up the subscription."""


def send(context: WorkerContext, player: str, channel: Channel, message: ChannelMessage) -> None:
    """Send the message. Raises `DeliveryError` and `EgressFailed`."""
    egress, target = context.egress, channel.target
    match channel.type:
        case "push":
            _push(context, player, channel, message)
        case "webhook":
            check(_webhook(context, player, channel, message))
        case "gotify":
            body = {
                "title": message.title,
                "message": message.text,
                "priority": 5,  # high enough for a sound
                "extras": {"client::notification": {"click": {"url": message.url}}},
            }
            url = f"{target['url'].rstrip('/')}/message"
            check(egress.post_json(url, body, {"X-Gotify-Key": target["token"]}))
        case "ntfy":
            topic, token = target["topic"], target.get("token")
            body = {"topic": topic, "title": message.title, "message": message.text}
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            check(egress.post_json(target["url"], {**body, "click": message.url}, headers))
        case _:
            check(_to_service(egress, channel, message), gone=_GONE)


def _webhook(
    context: WorkerContext, player: str, channel: Channel, message: ChannelMessage
) -> Answer:
    body, now = message.as_json(), datetime.fromtimestamp(context.container.now(), UTC)
    message_id = delivery_id(message.notice)
    signer = Webhook(context.container.channels.secret(player, channel))
    headers = {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signer.sign(message_id, now, body),
    }
    return context.egress.post(channel.target["url"], body.encode(), headers)


def _to_service(egress: Egress, channel: Channel, message: ChannelMessage) -> Answer:
    target, url, body = channel.target, HOSTS[channel.type], dict[str, object]()
    title = message.title.translate(_PLAIN)
    text = f"{message.text.translate(_PLAIN)}\n{message.url}"
    escaped = html.escape(title, quote=False), html.escape(text, quote=False)
    match channel.type:
        case "telegram":
            url += f"/bot{target['token']}/sendMessage"
            body |= {"chat_id": target["chat"], "text": "<b>{}</b>\n{}".format(*escaped)}
            body |= {"parse_mode": "HTML", "disable_web_page_preview": True}
        case "discord":
            url += urlsplit(target["url"]).path
            body["content"] = f"{title}\n{text}"
        case "slack":
            url += urlsplit(target["url"]).path
            shown = {"title": escaped[0], "text": escaped[1], "color": "#3AA3E3"}
            body |= {"mrkdwn": False, "attachments": [shown]}
        case "pushover":
            form = {"token": target["token"], "user": target["user"]}
            data = urlencode({**form, "title": title, "message": text}).encode()
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            return egress.post(f"{url}/1/messages.json", data, headers, is_fixed=True)
    return egress.post_json(url, body, is_fixed=True)


PUSH_LIFE: Final = DAY
"""Seconds for which the push service stores a message for a browser that is away."""
_TOPIC: Final = 32
"""Longest topic, in characters: a later message with the same topic replaces the earlier one."""


def _push(context: WorkerContext, player: str, channel: Channel, message: ChannelMessage) -> None:
    """Hand the message to the browser's push service. Raises `DeliveryError`, `EgressFailed`."""
    # Imported on first use: these libraries take 20 MB, which most servers do not need.
    from py_vapid import Vapid02
    from pywebpush import WebPushException, webpush

    settings = context.container.settings
    if settings.contact is None:
        raise DeliveryError(N_("this server has no contact for push services"), is_permanent=True)
    target = channel.target
    session = _Session(context.egress)
    topic = message.notice.split(".")[0][:_TOPIC]
    payload = {
        "title": message.title,
        "text": message.text,
        "url": message.url,
        "tag": topic,
        "waiting": context.container.games.waiting_for.of(player).total,
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
            ttl=int(PUSH_LIFE),
            headers={"Topic": topic, "Urgency": "normal"},
            requests_session=session,
        )
    except (WebPushException, ValueError):
        if session.answer is None:  # The key is not a browser's.
            raise DeliveryError(N_("its keys are none"), is_permanent=True) from None
        check(session.answer, gone=_GONE, strict=True)
        raise DeliveryError(ANSWERED % {"status": session.answer.status_code}) from None


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

"""Sends messages on every channel but browsers'.

Webhooks are signed as Standard Webhooks describes. The rest is text: for chat services, each with
its own fixed host, which no player chooses; and for ntfy and Gotify, on a server of the player's
choice.
"""

import html
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode, urlsplit

from standardwebhooks import Webhook

from service.accounts.channels import Channel, ChannelType
from service.accounts.channels.delivery_log import delivery_id
from workers.channels.egress import Egress
from workers.channels.errors import Answer, check
from workers.channels.message import ChannelMessage
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
"""Statuses which mean that the bot, the webhook or the application has been deleted."""
_COLOUR: Final = "#3AA3E3"
_PRIORITY: Final = 5
"""A message's priority for Gotify: high enough for a sound."""

Send = Callable[[Egress, Mapping[str, str], str, str], Answer]
"""Sends a title and a text to a target."""


def send(context: WorkerContext, player: str, channel: Channel, message: ChannelMessage) -> None:
    """Send the message. Raises `DeliveryError` and `EgressFailed`."""
    if channel.type == "webhook":
        check(_webhook(context, player, channel, message))
        return
    if channel.type in _OWN_SERVERS:
        check(_OWN_SERVERS[channel.type](context.egress, channel.target, message))
        return
    title = message.title.translate(_PLAIN)
    text = f"{message.text.translate(_PLAIN)}\n{message.url}"
    answer = _SERVICES[channel.type](context.egress, channel.target, title, text)
    check(answer, gone=_GONE)


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


def _gotify(egress: Egress, target: Mapping[str, str], message: ChannelMessage) -> Answer:
    body = {
        "title": message.title,
        "message": message.text,
        "priority": _PRIORITY,
        "extras": {"client::notification": {"click": {"url": message.url}}},
    }
    url = f"{target['url'].rstrip('/')}/message"
    return egress.post_json(url, body, {"X-Gotify-Key": target["token"]})


def _ntfy(egress: Egress, target: Mapping[str, str], message: ChannelMessage) -> Answer:
    body = {
        "topic": target["topic"],
        "title": message.title,
        "message": message.text,
        "click": message.url,
    }
    token = target.get("token")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return egress.post_json(target["url"], body, headers)


def _telegram(egress: Egress, target: Mapping[str, str], title: str, text: str) -> Answer:
    body = {
        "chat_id": target["chat"],
        "text": f"<b>{_escaped(title)}</b>\n{_escaped(text)}",
        "parse_mode": "HTML",
        "disable_web_page_preview": True,
    }
    return _post_json(egress, f"{HOSTS['telegram']}/bot{target['token']}/sendMessage", body)


def _discord(egress: Egress, target: Mapping[str, str], title: str, text: str) -> Answer:
    url = f"{HOSTS['discord']}{urlsplit(target['url']).path}"
    return _post_json(egress, url, {"content": f"{title}\n{text}"})


def _slack(egress: Egress, target: Mapping[str, str], title: str, text: str) -> Answer:
    url = f"{HOSTS['slack']}{urlsplit(target['url']).path}"
    shown = {"title": _escaped(title), "text": _escaped(text), "color": _COLOUR}
    return _post_json(egress, url, {"mrkdwn": False, "attachments": [shown]})


def _pushover(egress: Egress, target: Mapping[str, str], title: str, text: str) -> Answer:
    form = {"token": target["token"], "user": target["user"], "title": title, "message": text}
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    url = f"{HOSTS['pushover']}/1/messages.json"
    return egress.post(url, urlencode(form).encode(), headers, is_fixed=True)


def _post_json(egress: Egress, url: str, body: object) -> Answer:
    return egress.post_json(url, body, is_fixed=True)


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


_SERVICES: Final[Mapping[str, Send]] = {
    "telegram": _telegram,
    "discord": _discord,
    "slack": _slack,
    "pushover": _pushover,
}
_OWN_SERVERS: Final[Mapping[str, Callable[[Egress, Mapping[str, str], ChannelMessage], Answer]]] = {
    "gotify": _gotify,
    "ntfy": _ntfy,
}

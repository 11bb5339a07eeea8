"""Gotify, on a server of the player's own."""

from typing import Final

from service.accounts.channels import Channel
from workers.channels.errors import check
from workers.channels.message import ChannelMessage
from workers.context import WorkerContext

_PRIORITY: Final = 5
"""Loud enough for a sound."""


def send(context: WorkerContext, player: str, channel: Channel, message: ChannelMessage) -> None:
    """Post the message as the channel's application. Raises `DeliveryError`, `EgressFailed`."""
    body = {
        "title": message.title,
        "message": message.text,
        "priority": _PRIORITY,
        "extras": {"client::notification": {"click": {"url": message.url}}},
    }
    url = f"{channel.target['url'].rstrip('/')}/message"
    check(context.egress.post_json(url, body, {"X-Gotify-Key": channel.target["token"]}))

"""How each type of channel is sent on."""

from collections.abc import Callable, Mapping
from typing import Final

from service.accounts.channels import Channel, ChannelType
from workers.channels import chat, push, self_hosted, webhook
from workers.channels.message import ChannelMessage
from workers.context import WorkerContext

Sender = Callable[[WorkerContext, str, Channel, ChannelMessage], None]
"""Sends a message to a player. Raises `ChannelTrouble` and `EgressFailed`."""

SENDERS: Final[Mapping[ChannelType, Sender]] = {
    "webhook": webhook.send,
    "push": push.send,
    "ntfy": self_hosted.send_ntfy,
    "gotify": self_hosted.send_gotify,
    "telegram": chat.send,
    "discord": chat.send,
    "slack": chat.send,
    "pushover": chat.send,
}

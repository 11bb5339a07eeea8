"""Chooses the sender for each type of channel."""

from collections.abc import Callable
from importlib import import_module
from typing import Final, cast

from service.accounts.channels import Channel, ChannelType
from workers.channels.message import ChannelMessage
from workers.context import WorkerContext

Sender = Callable[[WorkerContext, str, Channel, ChannelMessage], None]
"""Sends a message to a player. Raises `DeliveryError` and `EgressFailed`."""

_CHATS: Final = ("telegram", "discord", "slack", "pushover")


def sender_of(channel_type: ChannelType) -> Sender:
    """The function that sends on channels of this type.

    It is imported on first use: the libraries for push take 20 MB, which most servers do not need.
    """
    name = "chat" if channel_type in _CHATS else channel_type
    module = import_module(f"workers.channels.{name}")
    return cast(Sender, module.send)

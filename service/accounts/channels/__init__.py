"""Channels: the ways to a player beside mail, and what became of what was sent on them."""

from service.accounts.channels.model import (
    CHANNEL_GROUPS,
    TITLES,
    Channel,
    ChannelType,
    channel_group,
    channel_id_of,
    in_order,
    notice_channel,
)
from service.accounts.channels.store import Channels

__all__ = [
    "CHANNEL_GROUPS",
    "TITLES",
    "Channel",
    "ChannelType",
    "Channels",
    "channel_group",
    "channel_id_of",
    "in_order",
    "notice_channel",
]

"""Channels: ways to notify a player in addition to mail, and the outcomes of their messages."""

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

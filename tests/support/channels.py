"""Players' channels, for tests."""

from collections.abc import Mapping
from typing import Any

from service.accounts.channels import Channel, ChannelType
from service.container import Container


def working_channel(
    container: Container,
    player: str,
    channel_type: ChannelType,
    target: Mapping[str, str],
    **chosen: Any,
) -> Channel:
    """A new channel of this player's, which has taken its first test."""
    channel = container.channels.add(player, channel_type, target, **chosen)
    take_test(container, player, channel.id)
    return container.channels.get(player, channel.id)


def take_test(container: Container, player: str, channel_id: str) -> None:
    """Let the test that is on its way on a channel have arrived."""
    for notice in list(container.log.outbox.pending()):
        if notice.id.endswith(f"-{channel_id}.test"):
            container.log.outbox.finish(notice.id)
    container.channels.record_reached(player, channel_id)

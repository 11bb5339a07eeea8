"""A player's webhooks, and what became of what they were to tell."""

from typing import Any

from service.accounts.channels import Channel
from tests.support.channels import working_channel
from tests.support.receiver import Receiver
from tests.workers.match import Match


def hook(match: Match, receiver: Receiver, **chosen: Any) -> Channel:
    """A webhook of Bob's."""
    target = {"url": f"{receiver.url}/{chosen.pop('path', 'hook')}"}
    return working_channel(match.context.container, match.bob, "webhook", target, **chosen)


def told(match: Match) -> dict[str, str]:
    """What became of the notices to Bob of his turn, by channel."""
    container = match.context.container
    turn = container.ledger.of_turn(match.bob, match.id, match.now().turn_version, 0)
    return {name.partition("-")[0]: one.outcome for name, one in turn.channels.items()}


def state(match: Match, channel: Channel) -> Channel:
    return match.context.container.channels.get(match.bob, channel.id)

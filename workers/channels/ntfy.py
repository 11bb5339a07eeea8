"""ntfy: the public server, or one of the player's own."""

from service.accounts.channels import Channel
from workers.channels.errors import check
from workers.channels.message import ChannelMessage
from workers.context import WorkerContext


def send(context: WorkerContext, player: str, channel: Channel, message: ChannelMessage) -> None:
    """Publish the message under the channel's topic. Raises `DeliveryError`, `EgressFailed`."""
    token = channel.target.get("token")
    body = {
        "topic": channel.target["topic"],
        "title": message.title,
        "message": message.text,
        "click": message.url,
    }
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    check(context.egress.post_json(channel.target["url"], body, headers))

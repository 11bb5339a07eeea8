"""Services that players host themselves, or use with others: ntfy and Gotify."""

from service.accounts.channels import Channel
from workers.channels.message import ChannelMessage
from workers.channels.trouble import check
from workers.context import WorkerContext

_PRIORITY = 5
"""Of Gotify: loud enough for a sound."""


def send_ntfy(
    context: WorkerContext, player: str, channel: Channel, message: ChannelMessage
) -> None:
    """Publish the message under the channel's topic. Raises `ChannelTrouble`, `EgressFailed`."""
    token = channel.target.get("token")
    body = {
        "topic": channel.target["topic"],
        "title": message.title,
        "message": message.text,
        "click": message.url,
    }
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    check(context.egress.post_json(channel.target["url"], body, headers))


def send_gotify(
    context: WorkerContext, player: str, channel: Channel, message: ChannelMessage
) -> None:
    """Post the message as the channel's application. Raises `ChannelTrouble`, `EgressFailed`."""
    body = {
        "title": message.title,
        "message": message.text,
        "priority": _PRIORITY,
        "extras": {"client::notification": {"click": {"url": message.url}}},
    }
    url = f"{channel.target['url'].rstrip('/')}/message"
    check(context.egress.post_json(url, body, {"X-Gotify-Key": channel.target["token"]}))

"""Sends signed webhooks, as Standard Webhooks describes them."""

from datetime import UTC, datetime

from standardwebhooks import Webhook

from service.accounts.channels import Channel
from service.accounts.channels.deliveries import delivery_id
from workers.channels.errors import check
from workers.channels.message import ChannelMessage
from workers.context import WorkerContext


def send(context: WorkerContext, player: str, channel: Channel, message: ChannelMessage) -> None:
    """Post the message, signed. Raises `DeliveryError` and `EgressFailed`."""
    body, now = message.as_json(), datetime.fromtimestamp(context.container.now(), UTC)
    message_id = delivery_id(message.notice)
    signer = Webhook(context.container.channels.secret(player, channel))
    headers = {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signer.sign(message_id, now, body),
    }
    check(context.egress.post(channel.target["url"], body.encode(), headers))

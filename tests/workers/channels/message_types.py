"""The types of messages that the worker can send."""

from service.accounts.channels.model import channel_group
from service.accounts.mail_preferences import KINDS, LAST_REMINDER
from workers.channels.write import _prefix


def types_of_messages() -> set[str]:
    """All of them."""
    told = {kind for kind in (*KINDS, LAST_REMINDER) if channel_group(kind) is not None}
    return {f"{_prefix(kind)}.{kind}" for kind in told} | {"channel.digest", "channel.test"}

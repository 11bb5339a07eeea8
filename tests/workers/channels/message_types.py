"""The types of messages that the worker can send."""

from service.accounts.channels.model import CHANNEL_GROUPS, channel_group
from service.accounts.mail_preferences import KINDS, LAST_REMINDER
from workers.channels.write import _prefix


def types_of_messages() -> set[str]:
    """All of them."""
    told = {kind for kind in (*KINDS, LAST_REMINDER) if channel_group(kind) in CHANNEL_GROUPS}
    return {f"{_prefix(kind)}.{kind}" for kind in told} | {"channel.digest", "channel.test"}

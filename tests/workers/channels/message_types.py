"""The types of messages that the worker can send."""

from service.accounts.notice_kinds import KINDS
from workers.channels.message import message_type


def types_of_messages() -> set[str]:
    """All of them."""
    told = {message_type(kind) for kind in KINDS.values() if kind.is_to_reader}
    return told | {"channel.digest", "channel.test"}

"""The types of messages that the worker can send."""

from workers.channels.message import message_type
from workers.kinds import KINDS


def types_of_messages() -> set[str]:
    """All of them."""
    told = {message_type(kind) for kind in KINDS.values() if kind.is_to_reader}
    return told | {"channel.digest", "channel.test"}

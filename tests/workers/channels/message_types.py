"""The types of messages that the worker can send."""

from workers.channels.message import _prefix
from workers.kinds import KINDS


def types_of_messages() -> set[str]:
    """All of them."""
    told = {f"{_prefix(kind)}.{kind.name}" for kind in KINDS.values() if kind.is_to_reader}
    return told | {"channel.digest", "channel.test"}

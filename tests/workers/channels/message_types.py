"""The types of messages that the worker can send."""

from service.accounts.notice_kinds import KINDS


def types_of_messages() -> set[str]:
    """All of them."""
    told = {kind.message_type for kind in KINDS.values() if kind.is_to_reader}
    return told | {"channel.digest", "channel.test"}

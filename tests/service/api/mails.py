"""Mails that wait to be sent."""

from service.container import Container


def mails(container: Container, kind: str) -> list[str]:
    """Who is to be sent a mail of this kind."""
    parts = (notice.id.split(".") for notice in container.log.outbox.pending())
    return [recipient for _, _, recipient, channel, of in parts if (channel, of) == ("mail", kind)]

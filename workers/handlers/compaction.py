"""The logs of finished games, made small."""

from typing import Literal

from service.eventlog import NoticeParts
from workers.context import Office


def pack(office: Office, notice: NoticeParts) -> Literal["packed", "dropped"]:
    """Pack the log of a game that has ended, unless it is another log than the notice was for."""
    if office.log.version(notice.game) != notice.version:
        return "dropped"
    return "packed" if office.log.pack(notice.game) else "dropped"

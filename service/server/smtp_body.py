"""The bytes of a mail as they come in by SMTP: bounded for one mail, and for all at a time.

The library's own way keeps each line as an object, and a line that never ends for ever.
"""

import re
from types import TracebackType
from typing import Final

MOST_HELD: Final = 64 * 1024 * 1024
"""Bytes of all mails that are coming in at a time."""
_END: Final = b"\r\n.\r\n"
_LEADING_DOT: Final = re.compile(rb"\r\n\.")


class Refused(Exception):
    """A mail that is not taken; the message is the answer to it."""


class Hung(Exception):
    """A mail that breaks off, or is followed by what nobody asked for; the message is the answer to
    it, after which the connection ends."""


class Room:
    """How many bytes of mails are held."""

    def __init__(self) -> None:
        self.held = 0


class MailBody:
    """One mail, of `most` bytes. What it holds of the room is given back when the context ends."""

    def __init__(self, room: Room, most: int) -> None:
        self._room = room
        self._most = most
        self._content = bytearray(b"\r\n")  # a dot may stand in the first line
        self._size = 0
        self._held = 0

    def __enter__(self) -> "MailBody":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._room.held -= self._held

    def take(self, chunk: bytes) -> bytes | None:
        """Take what came in; the mail once it is whole.

        Raises `Refused` at the end of one that is too large, and `Hung` in the middle of one that
        is far too large, where there is no room, and where more follows than a mail.
        """
        self._size += len(chunk)
        begin = max(0, len(self._content) - len(_END))
        self._content += chunk
        end = self._content.find(_END, begin)
        if end < 0:
            self._bound(len(chunk))
            return None
        if len(self._content) > end + len(_END):
            raise Hung("503 5.5.0 Wait for the answer to a mail")
        if self._size > self._most + len(_END):
            raise Refused("552 5.3.4 The mail is too large")
        return _LEADING_DOT.sub(b"\r\n", self._content[: end + 2])[2:]

    def _bound(self, more: int) -> None:
        if self._size > self._most:  # wait for its end to say so, but not for ever
            del self._content[: -len(_END)]
            if self._size > 2 * self._most:
                raise Hung("552 5.3.4 The mail is too large")
            return
        self._room.held += more
        self._held += more
        if self._room.held > MOST_HELD:
            raise Hung("452 4.3.1 Too much mail at once, try again later")

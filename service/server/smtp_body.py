"""Receives the bytes of a mail by SMTP, with limits for each mail and for all mails at a time.

The SMTP library would store each line as an object, and an endless line without limit.
"""

import re
from types import TracebackType
from typing import Final

MOST_HELD: Final = 64 * 1024 * 1024
"""The most bytes of all mails being received at a time."""
_END: Final = b"\r\n.\r\n"
_LEADING_DOT: Final = re.compile(rb"\r\n\.")


class Refused(Exception):
    """A mail is rejected; the message is the SMTP reply."""


class Hung(Exception):
    """A mail is cut short, far too large, or followed by unexpected data, so we hang up.

    The message is the last SMTP reply before that.
    """


class Room:
    """The total of bytes (`held`) of all mails being received."""

    def __init__(self) -> None:
        self.held = 0


class MailBody:
    """One mail of up to `most` bytes. They count in `room` until the context ends."""

    def __init__(self, room: Room, most: int) -> None:
        self._room = room
        self._most = most
        self._content = bytearray(b"\r\n")  # the first line may begin with a dot
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
        """Add received bytes; return the mail once it is complete, None before.

        Raises `Refused` at the end of a mail that is too large. Raises `Hung` before the end of a
        mail that is more than twice too large, or if all mails together are too large, or if data
        follow the mail.
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
        if self._size > self._most:  # wait for its end to reject it, but not for ever
            del self._content[: -len(_END)]
            if self._size > 2 * self._most:
                raise Hung("552 5.3.4 The mail is too large")
            return
        self._room.held += more
        self._held += more
        if self._room.held > MOST_HELD:
            raise Hung("452 4.3.1 Too much mail at once, try again later")

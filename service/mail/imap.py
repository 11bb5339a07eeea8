"""Connects to the mailbox given by an IMAP URL."""

import imaplib
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from imap_tools import BaseMailBox

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
"""Hosts that are reached without a network."""
MOST_BYTES: Final = 6 * 1024 * 1024
MOST_LINES: Final = 5000
"""The longest response to one command, in bytes and in lines: a mail has 2 MiB at most, and a list
of many numbers is one line."""


class ImapMailbox(NamedTuple):
    """The parts of an IMAP URL. Mail that was taken in is moved to the folder `done`, or marked as
    read if that is None."""

    host: str
    port: int
    user: str
    password: str
    folder: str
    encryption: str  # "tls" from the first byte, "starttls", or "none"
    done: str | None


def read_imap_url(url: str) -> ImapMailbox:
    """Read `imaps://user:password@host:port/FOLDER?move=FOLDER` or `imap://…` (`?starttls=1`).

    The folder is INBOX and the port 993, or 143 with `imap`, unless given. Raises ValueError for
    other URLs. The password goes encrypted to any other machine, unless the URL says `starttls=0`.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("imap", "imaps") or not parts.hostname or not parts.username:
        raise ValueError("a mailbox is named imaps://user:password@host/INBOX")
    query = parse_qs(parts.query)
    default = "0" if parts.hostname in LOOPBACK else "1"
    starttls = query.get("starttls", [default])[-1] not in ("0", "")
    encryption = "tls" if parts.scheme == "imaps" else "starttls" if starttls else "none"
    return ImapMailbox(
        parts.hostname,
        parts.port or (993 if encryption == "tls" else 143),
        unquote(parts.username),
        unquote(parts.password or ""),
        unquote(parts.path.strip("/")) or "INBOX",
        encryption,
        query.get("move", [None])[-1],
    )


class _Bounded(imaplib.IMAP4):
    """A connection with limits on the bytes and lines of a response and on its duration, which the
    library lacks."""

    def __init__(self, *address: Any, longest: float, **options: Any) -> None:
        self._bytes = self._lines = 0
        self.cut = threading.Timer(longest, self._cut)
        self.cut.daemon = True
        super().__init__(*address, **options)

    def open(self, *address: Any, **options: Any) -> None:
        super().open(*address, **options)
        self.cut.start()

    def send(self, data: Any) -> None:
        """Send a command, or part of one, and start counting its response."""
        self._bytes = self._lines = 0
        super().send(data)

    def read(self, size: int) -> bytes:
        """Read this many bytes, unless they exceed the limit."""
        self._count(size)
        return super().read(size)

    def readline(self) -> bytes:
        """Read a line, unless it is too long or exceeds the number of lines."""
        line = super().readline()
        self._count(len(line))
        return line

    def shutdown(self) -> None:
        self.cut.cancel()
        super().shutdown()

    def _cut(self) -> None:
        """Cut the connection; a thread that waits for a response gets an error."""
        with suppress(OSError):
            self.socket().shutdown(socket.SHUT_RDWR)

    def _count(self, size: int) -> None:
        self._bytes += size
        self._lines += 1
        if self._bytes > MOST_BYTES or self._lines > MOST_LINES:
            raise OSError("the mailbox says more than it was asked for")


class _BoundedTls(_Bounded, imaplib.IMAP4_SSL):
    """A connection with the limits of `_Bounded`, encrypted from the start (no STARTTLS)."""


class _Box(BaseMailBox):
    """An imap-tools mailbox whose connection is bounded and encrypted as its URL says."""

    def __init__(self, mailbox: ImapMailbox, timeout: float, longest: float) -> None:
        self._mailbox, self._options = mailbox, {"timeout": timeout, "longest": longest}
        super().__init__()

    def _get_mailbox_client(self) -> imaplib.IMAP4:
        address = self._mailbox.host, self._mailbox.port
        if self._mailbox.encryption == "none":
            return _Bounded(*address, **self._options)
        context = ssl.create_default_context()
        if self._mailbox.encryption == "tls":
            return _BoundedTls(*address, ssl_context=context, **self._options)
        client = _Bounded(*address, **self._options)
        try:
            client.starttls(context)
        except Exception:
            client.shutdown()
            raise
        return client


@contextmanager
def opened(mailbox: ImapMailbox, timeout: float, longest: float) -> Iterator[BaseMailBox]:
    """Open the mailbox and its folder while the context lasts. Each response may take `timeout`
    seconds, and all together `longest`: then the connection is cut.

    Raises `OSError`, or the errors of imaplib and imap-tools.
    """
    box = _Box(mailbox, timeout, longest)
    try:
        if mailbox.user.isascii() and mailbox.password.isascii():
            box.login(mailbox.user, mailbox.password, mailbox.folder)
        else:
            box.login_utf8(mailbox.user, mailbox.password, mailbox.folder)
        if mailbox.done is not None and not box.folder.exists(mailbox.done):
            box.folder.create(mailbox.done)
        yield box
        with suppress(Exception):  # all work is done; nobody needs the answer
            box.logout()
    finally:
        with suppress(OSError):  # it may be closed already
            box.client.shutdown()

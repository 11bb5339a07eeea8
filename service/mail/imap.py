"""Connections to the mailbox that an IMAP URL names."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted


class ImapMailbox(NamedTuple):
    """What an IMAP URL says. Mail that was taken in is moved to `done`, or else marked as read."""

    host: str
    port: int
    user: str
    password: str
    folder: str
    encryption: str  # "tls" from the first byte, "starttls", or "none"
    done: str | None


def read_imap_url(url: str) -> ImapMailbox:
    """Read `imaps://user:password@host:port/FOLDER?move=FOLDER` or `imap://…` (`?starttls=1`).

    The folder is INBOX and the port 993, or 143 with `imap`, unless given. ValueError for others.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("imap", "imaps") or not parts.hostname or not parts.username:
        raise ValueError("a mailbox is named imaps://user:password@host/INBOX")
    query = parse_qs(parts.query)
    starttls = query.get("starttls", ["0"])[-1] not in ("0", "")
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


@contextmanager
def opened(mailbox: ImapMailbox, timeout: float, longest: float) -> Iterator[BaseMailBox]:
    """The mailbox with its folder open. No answer may take longer than `timeout` seconds, and all
    together no longer than `longest`: then the connection is cut.

    Raises `OSError`, or the errors of imaplib and imap-tools.
    """
    box = _connect(mailbox, timeout)
    cut = threading.Timer(longest, _cut, [box])
    cut.daemon = True
    cut.start()
    try:
        if mailbox.user.isascii() and mailbox.password.isascii():
            box.login(mailbox.user, mailbox.password, mailbox.folder)
        else:
            box.login_utf8(mailbox.user, mailbox.password, mailbox.folder)
        if mailbox.done is not None and not box.folder.exists(mailbox.done):
            box.folder.create(mailbox.done)
        yield box
        with suppress(Exception):  # everything is done; nobody needs the answer
            box.logout()
    finally:
        cut.cancel()
        with suppress(OSError):  # it may be closed by now
            box.client.shutdown()


def _connect(mailbox: ImapMailbox, timeout: float) -> BaseMailBox:
    if mailbox.encryption == "none":
        return MailBoxUnencrypted(mailbox.host, mailbox.port, timeout)
    context = ssl.create_default_context()
    if mailbox.encryption == "starttls":
        return MailBoxStartTls(mailbox.host, mailbox.port, timeout, ssl_context=context)
    return MailBox(mailbox.host, mailbox.port, timeout, ssl_context=context)


def _cut(box: BaseMailBox) -> None:
    """End the connection; whoever waits for an answer gets an error."""
    with suppress(OSError):
        box.client.socket().shutdown(socket.SHUT_RDWR)

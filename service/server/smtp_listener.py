"""`python -m service.server.smtp_listener`: receives replies to our mails by SMTP.

It runs as a process of its own under the supervisor. Every mail it has accepted with 250 is in
Redis; it stores nothing else, and may be killed at any time. It accepts mail for our own addresses,
and relays none. It reads the bytes by itself, with limits for each mail and for all at a time: the
SMTP library would store each line as an object, and an endless line without limit.
"""

import asyncio
import logging
import os
import re
import signal
import sys
from collections import Counter
from types import TracebackType
from typing import Final

from aiosmtpd.smtp import SMTP, Envelope, Session

from service.container import Container
from service.core import logs
from service.core.errors import STORE_FAILURE, RequestRejected
from service.core.redis.client import connect
from service.core.redis.failures import report
from service.core.settings import BadSetting, Settings
from service.mail_in.intake import IncomingMail
from service.mail_in.store import MAX_SIZE

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


IDLE: Final = 60.0
"""The most seconds that a client may be silent."""
LONGEST: Final = 300.0
"""The most seconds that a connection may last."""
MOST_CONNECTIONS, MOST_OF_ADDRESS = 100, 30
MOST_RECIPIENTS: Final = 5
MOST_CALLS: Final = 500
"""The most times that a connection may give the same command."""
_CHUNK: Final = 64 * 1024

_CODES: Final = {
    "unknown-recipient": "550 5.1.1",
    "malformed-mail": "554 5.6.0",
    "too-many-mails": "450 4.7.1",
}
_LATER: Final = "451 4.3.0 Try again later"

log = logging.getLogger(__name__)


class Handler:
    """Handles the SMTP commands RCPT and DATA."""

    def __init__(self, incoming: IncomingMail) -> None:
        self._incoming = incoming

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: object
    ) -> str:
        """Accept our own addresses only; return the SMTP reply."""
        if not self._incoming.takes(address):
            return "550 5.1.1 This address takes no mail here"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        if isinstance(server, Protocol):
            server.named_an_address()
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Store the mail for each recipient; return the SMTP reply."""
        raw = envelope.content
        assert isinstance(raw, bytes)
        if b"\n" in raw.replace(b"\r\n", b""):
            return "554 5.6.0 A line ends in a line feed alone"
        try:
            for address in envelope.rcpt_tos:
                sender = envelope.mail_from or ""
                await asyncio.to_thread(self._incoming.accept, address, sender, raw)
        except RequestRejected as rejection:
            return f"{_CODES[rejection.code]} {rejection.detail}"
        except (*STORE_FAILURE, OSError) as error:
            report(log, "a mail could not be kept", error)
            return _LATER
        return "250 2.0.0 Kept"

    async def handle_exception(self, error: Exception) -> str:
        """Reply to any other error with a temporary failure: nothing was accepted."""
        log.error("a mail could not be taken: %r", error)
        return _LATER


class Connections:
    """The open connections, in all and by network address, and the bytes of their mails (`room`).

    If there are too many in all, the oldest one that has not named an address of ours is closed.
    """

    def __init__(self) -> None:
        self.room = Room()
        self.strangers: dict[asyncio.Transport, None] = {}
        self._of_address: Counter[str] = Counter()

    def enter(self, address: str, transport: asyncio.Transport) -> bool:
        """Count a new connection; return False if there are too many."""
        if self._of_address[address] >= MOST_OF_ADDRESS:
            return False
        if self._of_address.total() >= MOST_CONNECTIONS:
            if not self.strangers:
                return False
            oldest = next(iter(self.strangers))
            del self.strangers[oldest]
            oldest.abort()
        self.strangers[transport] = None
        self._of_address[address] += 1
        return True

    def leave(self, address: str, transport: asyncio.Transport) -> None:
        """Count a connection as closed."""
        self.strangers.pop(transport, None)
        self._of_address[address] -= 1
        self._of_address += Counter()  # drops counts of 0


class Protocol(SMTP):
    """SMTP with a time limit for every connection."""

    def __init__(self, incoming: IncomingMail, connections: Connections, hostname: str) -> None:
        super().__init__(
            Handler(incoming),
            data_size_limit=MAX_SIZE,
            hostname=hostname,
            ident="Scottenbury",
            timeout=IDLE,
            command_call_limit=MOST_CALLS,
            loop=asyncio.get_running_loop(),
        )
        self._connections = connections
        self._own: asyncio.Transport
        self._address: str | None = None
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the session, unless there are too many connections."""
        assert isinstance(transport, asyncio.Transport)
        address = str((transport.get_extra_info("peername") or ("",))[0])
        if not self._connections.enter(address, transport):
            transport.abort()
            return
        self._address, self._own = address, transport
        self._end = asyncio.get_running_loop().call_later(LONGEST, transport.abort)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """End the session."""
        if self._address is None:
            return
        self._connections.leave(self._address, self._own)
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(error)

    def named_an_address(self) -> None:
        """Record that the client named an address of ours: its connection is not closed to make
        room for others."""
        self._connections.strangers.pop(self._own, None)

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        """Receive a mail, and send the reply to it."""
        if await self.check_helo_needed():
            return
        envelope, self.envelope = self.envelope, Envelope()  # whether this one succeeds or not
        assert envelope is not None
        if not envelope.rcpt_tos:
            await self.push("503 5.5.1 RCPT comes first")
            return
        await self.push("354 End with a line of a single dot")
        try:
            envelope.content = await self._body()
            await self.push(await self.event_handler.handle_DATA(self, self.session, envelope))
        except Refused as refused:
            await self.push(str(refused))
        except Hung as hung:
            await self.push(str(hung))
            assert self.transport is not None
            self.transport.close()

    async def _body(self) -> bytes:
        with MailBody(self._connections.room, MAX_SIZE) as body:
            while chunk := await self._reader.read(_CHUNK):
                if (content := body.take(chunk)) is not None:
                    return content
        raise Hung("421 4.4.2 The mail broke off")


async def listen(container: Container, host: str, port: int) -> asyncio.Server:
    """Return a server that receives mail on this port. Raises OSError if it cannot listen."""
    incoming, connections = container.incoming_mail, Connections()
    return await asyncio.get_running_loop().create_server(
        lambda: Protocol(incoming, connections, incoming.addresses.domain), host, port
    )


async def _serve(container: Container, host: str, port: int) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    server = await listen(container, host, port)
    await stop.wait()
    server.close()


def main() -> int:
    """Listen until SIGTERM or SIGINT; return the exit status."""
    try:
        settings = Settings.from_env()
        if settings.mail_in is None or settings.redis_url is None:
            raise BadSetting("SCOTTENBURY_MAIL_IN and SCOTTENBURY_REDIS_URL must be set.")
        logs.configure("mail-in", settings)
        logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd logs every command
        asyncio.run(_serve(Container(settings, connect(settings.redis_url)), *settings.mail_in))
    except (BadSetting, OSError) as error:
        print(f"scottenbury mail-in: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return os.EX_OK


if __name__ == "__main__":
    sys.exit(main())

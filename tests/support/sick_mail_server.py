"""A mail server that is ill at one step of the conversation, for tests."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal, get_args

Step = Literal["banner", "EHLO", "MAIL", "RCPT", "DATA", "mail"]
STEPS: tuple[Step, ...] = get_args(Step)


class SickMailServer:
    """At the step `at` it says `says`, or says nothing and hangs up where that is empty; None: it
    says nothing for as long as the client waits. It keeps the mails that it has in full."""

    def __init__(self) -> None:
        self.at: Step | None = None
        self.says: str | None = None
        self.mails: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread, which would accept for ever
        self._listener.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._talk, args=[connection], daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with suppress(OSError), connection, connection.makefile("rb") as lines:
            if not self._say(connection, "banner", "220 hello"):
                return
            for line in lines:
                word = line.split()[0].decode().upper().replace("HELO", "EHLO")
                well = {"DATA": "354 go on", "QUIT": "221 bye"}.get(word, "250 OK")
                if not self._say(connection, word, well):
                    return
                if word == "DATA" and not (self.at == "DATA" and self.says):
                    self.mails.append(b"".join(iter(lines.readline, b".\r\n")))
                    if not self._say(connection, "mail", "250 OK"):
                        return

    def _say(self, connection: socket.socket, step: str, well: str) -> bool:
        """Answer at this step; whether the conversation goes on."""
        if step != self.at:
            connection.sendall(f"{well}\r\n".encode())
            return True
        if self.says is None:
            connection.recv(1)  # until the client has had enough
            return False
        if self.says:
            connection.sendall(f"{self.says}\r\n".encode())
        return bool(self.says)


@contextmanager
def sick_mail_server() -> Iterator[SickMailServer]:
    """Such a server, well at first."""
    server = SickMailServer()
    try:
        yield server
    finally:
        server.close()

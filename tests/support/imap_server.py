"""A mailbox that is read by IMAP, for tests: as much of RFC 3501 as fetching mail takes."""

import re
import socket
import threading
from collections.abc import Callable
from typing import IO

_PARTIAL = re.compile(r"BODY\.PEEK\[\]<0\.(\d+)>")
_CAPABLE = b"* CAPABILITY IMAP4rev1 MOVE\r\n"


class ImapServer:
    """Listens while it is entered; holds `mails` by uid, in `folder`.

    `on_fetch` and `on_mark` are called with the uid before a mail is given and marked, `hangs` is
    the command that is never answered (`greeting` before all), `refuses` the one that is refused,
    `floods` the one that is answered by `flood`, again and again.
    """

    def __init__(self) -> None:
        self.mails: dict[int, bytes] = {}
        self.seen: set[int] = set()
        self.moved: dict[str, list[int]] = {}
        self.commands: list[str] = []
        self.fetched: list[int] = []
        self.logins, self.validity = 0, 1
        self.hangs = self.refuses = self.floods = ""
        self.flood = b""
        self.on_fetch: Callable[[int], object] = lambda uid: None
        self.on_mark: Callable[[int], object] = lambda uid: None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._connections: list[socket.socket] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._accept)

    @property
    def url(self) -> str:
        return f"imap://ada:s%2Fecret@127.0.0.1:{self._listener.getsockname()[1]}/INBOX"

    def put(self, *raw: bytes) -> None:
        """Mails that come in."""
        for one in raw:
            self.mails[len(self.mails) + 1] = one

    def __enter__(self) -> "ImapServer":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._connections:
            connection.close()
        self._thread.join()

    def _accept(self) -> None:
        while not self._ended.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._connections.append(connection)
            threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, connection.makefile("rwb") as stream:
                if self.hangs == "greeting":
                    self._ended.wait(30)
                    return
                self._flood(stream, "greeting")
                stream.write(b"* OK ready\r\n")
                stream.flush()
                for line in stream:
                    tag, _, command = line.decode().strip().partition(" ")
                    self.commands.append(command)
                    self._flood(stream, command.removeprefix("UID ").partition(" ")[0])
                    stream.write(self._answer(tag, command))
                    stream.flush()
        except (OSError, ValueError):
            pass  # the client has gone

    def _flood(self, stream: IO[bytes], verb: str) -> None:
        while verb == self.floods and not self._ended.is_set():
            stream.write(self.flood)

    def _answer(self, tag: str, command: str) -> bytes:
        verb, _, rest = command.removeprefix("UID ").partition(" ")
        if verb == self.hangs:
            self._ended.wait(30)
        if verb == self.refuses:
            return f"{tag} NO not now\r\n".encode()
        answers = {
            "CAPABILITY": lambda: _CAPABLE,
            "LOGIN": lambda: self._login(rest),
            "SELECT": lambda: (
                b"* %d EXISTS\r\n* OK [UIDVALIDITY %d]\r\n" % (len(self.mails), self.validity)
            ),
            "LIST": lambda: self._list(rest.split(" ", 1)[1].strip('"')),
            "CREATE": lambda: self._create(rest.strip('"')),
            "SEARCH": lambda: self._search(rest),
            "FETCH": lambda: self._fetch(*rest.split(" ", 1)),
            "STORE": lambda: self._store(int(rest.split(" ")[0])),
            "MOVE": lambda: self._move(*rest.split(" ")),
            "LOGOUT": lambda: b"* BYE\r\n",
        }
        if verb not in answers:
            return f"{tag} BAD unknown\r\n".encode()
        given = answers[verb]()
        return (given or b"") + f"{tag} {'NO' if given is None else 'OK'} done\r\n".encode()

    def _login(self, rest: str) -> bytes | None:
        self.logins += 1
        return b"" if rest == '"ada" "s/ecret"' else None

    def _list(self, folder: str) -> bytes:
        return f'* LIST () "/" "{folder}"\r\n'.encode() if folder in self.moved else b""

    def _create(self, folder: str) -> bytes:
        self.moved[folder] = []
        return b""

    def _search(self, rest: str) -> bytes:
        unseen = [uid for uid in self.mails if rest != "UNSEEN" or uid not in self.seen]
        return f"* SEARCH {' '.join(map(str, unseen))}\r\n".encode()

    def _fetch(self, uid: str, what: str) -> bytes:
        if "RFC822.SIZE" in what:
            known = [int(one) for one in uid.split(",") if int(one) in self.mails]
            lines = (
                f"* 1 FETCH (UID {one} RFC822.SIZE {len(self.mails[one])})\r\n" for one in known
            )
            return "".join(lines).encode()
        self.fetched.append(int(uid))
        self.on_fetch(int(uid))
        partial = _PARTIAL.search(what)
        assert partial is not None, what
        raw = self.mails.get(int(uid))
        if raw is None:
            return b""
        given = raw[: int(partial[1])]
        return b"* 1 FETCH (UID %s BODY[]<0> {%d}\r\n%s)\r\n" % (uid.encode(), len(given), given)

    def _store(self, uid: int) -> bytes:
        self.on_mark(uid)
        self.seen.add(uid)
        return b""

    def _move(self, uid: str, folder: str) -> bytes:
        self.on_mark(int(uid))
        self.moved[folder.strip('"')].append(int(uid))
        del self.mails[int(uid)]
        return b""

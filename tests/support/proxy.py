"""A proxy before a Redis server that loses answers, as a broken network does."""

import select
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingMixIn, UnixStreamServer
from tempfile import TemporaryDirectory
from threading import Thread


class LossyProxy(ThreadingMixIn, UnixStreamServer):
    """Passes everything on, but for the answer it is told to lose, and closes that connection.

    `losses` counts the answers lost so far.
    """

    daemon_threads = True

    def __init__(self, folder: Path, upstream: Path) -> None:
        super().__init__(str(folder / "proxy.sock"), _Connection)
        self.url = f"unix://{self.server_address}"
        self.upstream = upstream
        self.losses = 0
        self._needle: bytes | None = None
        self._meanwhile: Callable[[], object] = lambda: None

    def lose_answer_to(self, request: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Lose the answer to the next request that holds this text; it has been carried out then.

        `meanwhile` is called before the client learns of its loss.
        """
        self._needle, self._meanwhile = request.encode(), meanwhile

    def is_to_lose(self, request: bytes) -> bool:
        """Whether the answer to this request is the one to lose; true once only."""
        if self._needle is None or self._needle not in request:
            return False
        self._needle = None
        return True

    def lose(self) -> None:
        """An answer has just been lost."""
        self.losses += 1
        self._meanwhile()


class _Connection(BaseRequestHandler):
    server: LossyProxy

    def handle(self) -> None:
        client: socket.socket = self.request
        with socket.socket(socket.AF_UNIX) as server:
            server.connect(str(self.server.upstream))
            self._pass_on(client, server)

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        losing = False
        while True:
            source = select.select([client, server], [], [])[0][0]
            data = source.recv(1 << 16)
            if not data:
                return
            if source is server and losing:
                self.server.lose()
                return
            losing = losing or (source is client and self.server.is_to_lose(data))
            (server if source is client else client).sendall(data)


@contextmanager
def lossy_proxy(upstream: Path) -> Iterator[LossyProxy]:
    """A proxy before the server at this socket, for as long as the context lasts."""
    with TemporaryDirectory(prefix="st-") as folder, LossyProxy(Path(folder), upstream) as proxy:
        Thread(target=proxy.serve_forever, args=[0.01], daemon=True).start()
        try:
            yield proxy
        finally:
            proxy.shutdown()

"""A proxy before a web server that cuts connections, as a bad network does."""

import random
import socket
import time
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread


class CuttingProxy(ThreadingTCPServer):
    """Passes bytes on both ways, and cuts each connection after some of them.

    A cut loses a request, an answer, or parts of them. `upstream` is a port of this machine. Each
    direction of a connection carries 500 bytes to 200 kB, small and large alike often. Each part
    comes up to `delay` seconds late. `cuts` counts.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, upstream: int, seed: int = 0, delay: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.upstream, self.delay, self.cuts = upstream, delay, 0
        self.chance = random.Random(seed)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        Thread(target=self.serve_forever, args=[0.05], daemon=True).start()

    def __exit__(self, *error: object) -> None:
        self.shutdown()  # on a closed socket its thread would turn without rest
        super().__exit__(*error)


class _Connection(BaseRequestHandler):
    server: CuttingProxy
    request: socket.socket

    def handle(self) -> None:
        try:
            behind = socket.create_connection(("127.0.0.1", self.server.upstream))
        except OSError:
            return
        with behind:
            ways = [
                Thread(target=self._carry, args=way, daemon=True)
                for way in ((self.request, behind), (behind, self.request))
            ]
            for way in ways:
                way.start()
            for way in ways:
                way.join()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        left = int(500 * 400 ** self.server.chance.random())
        with suppress(OSError):
            while part := source.recv(min(65536, left)):
                if self.server.delay:
                    time.sleep(self.server.delay * self.server.chance.random())
                target.sendall(part)
                left -= len(part)
                if not left:
                    self.server.cuts += 1
                    break
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

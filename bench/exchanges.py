"""Clients that ask as fast as they are answered, over connections that stay open."""

import selectors
import socket
import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from typing import NamedTuple


class Exchange(NamedTuple):
    """Requests for one connection, in this order, each answered with `status`."""

    requests: Sequence[bytes]
    status: int


class Load(NamedTuple):
    """What came of it: answers a second, and the median time for one in milliseconds."""

    rate: float
    median: float


def request(method: str, path: str, headers: dict[str, str], body: str = "") -> bytes:
    """A request as it goes over the wire."""
    given = {"Host": "localhost"}
    if body:
        given |= {"Content-Type": "application/json", "Content-Length": str(len(body.encode()))}
    given |= headers
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n{body}".encode()


def load(port: int, exchanges: Sequence[Exchange], seconds: float, processes: int = 2) -> Load:
    """Send each exchange over a connection of its own, for `seconds` or until one is through.

    Raises ValueError where an answer has another status than expected.
    """
    shares = [exchanges[share::processes] for share in range(processes)]
    with ProcessPoolExecutor(processes) as pool:
        begin = time.time() + 0.5  # when all are there
        found = [pool.submit(_ask, port, share, begin, seconds) for share in shares]
        results = [each.result() for each in found]
    times = list(chain.from_iterable(times for times, _ in results))
    rate = sum(len(times) / spent for times, spent in results)
    return Load(rate, 1000 * statistics.median(times))


class _Connection:
    def __init__(self, port: int, exchange: Exchange) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._left: Iterator[bytes] = iter(exchange.requests)
        self._expected = f"HTTP/1.1 {exchange.status} ".encode()
        self._received = b""
        self._sent = 0.0

    def send(self) -> bool:
        """Send the next request; false where there is none."""
        following = next(self._left, None)
        if following is None:
            return False
        self._received, self._sent = b"", time.perf_counter()
        self.socket.sendall(following)
        return True

    def receive(self) -> float | None:
        """Take in what has come; the seconds that the whole answer took, None before its end."""
        self._received += self.socket.recv(65536)
        head, end, body = self._received.partition(b"\r\n\r\n")
        if not end or len(body) < content_length(head):
            return None
        if not self._received.startswith(self._expected):
            raise ValueError(self._received.decode())
        return time.perf_counter() - self._sent


def _ask(
    port: int, exchanges: Sequence[Exchange], begin: float, seconds: float
) -> tuple[list[float], float]:
    """How long each answer took, and how long all of them."""
    with selectors.DefaultSelector() as selector:
        connections = [_Connection(port, exchange) for exchange in exchanges]
        for connection in connections:
            selector.register(connection.socket, selectors.EVENT_READ, connection)
        time.sleep(max(0.0, begin - time.time()))
        started = time.perf_counter()
        times = _answered(selector, connections, started + seconds)
        return times, time.perf_counter() - started


def _answered(
    selector: selectors.BaseSelector, connections: Sequence[_Connection], end: float
) -> list[float]:
    times: list[float] = []
    going_on = True
    for connection in connections:
        going_on = connection.send() and going_on
    while going_on and time.perf_counter() < end:
        for ready, _ in selector.select(1.0):
            taken = ready.data.receive()
            if taken is not None:
                times.append(taken)
                going_on = ready.data.send() and going_on
    return times


def content_length(head: bytes) -> int:
    """The bytes of the body that this head announces; 0 if it announces none."""
    _, _, rest = head.lower().partition(b"content-length: ")
    return int(rest.partition(b"\r\n")[0] or 0)

"""Measures whether a thousand idle streams slow a move down: its latency with and without them.

    python -m bench.streams [--streams N] [--moves N]

One client sends one move at a time. The rounds alternate: without streams, without them once more,
and with streams open on another game. The medians come from one run, so their ratio can be compared
between machines; the ratio of the first two shows how much is chance.
"""

import argparse
import random
import socket
import statistics
import time
from contextlib import ExitStack

from bench.api import Move, move_request, planned, prepared, served
from bench.exchanges import request
from service.container import Container

ROUNDS = 3


def main() -> None:
    """Print both medians and their ratio."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--streams", type=int, default=1000)
    arguments.add_argument("--moves", type=int, default=200)
    given = arguments.parse_args()
    with ExitStack() as stack:
        container, environment = stack.enter_context(prepared())
        port = stack.enter_context(served("service.server.http_server", environment))
        without, again, during = list[float](), list[float](), list[float]()
        for _ in range(ROUNDS):
            without += _latencies(container, port, given.moves)
            again += _latencies(container, port, given.moves)
            streams = _open_streams(container, port, given.streams)
            during += _latencies(container, port, given.moves)
            for stream in streams:
                stream.close()
    quiet, quiet_again, busy = map(statistics.median, (without, again, during))
    print(f"a move without streams {quiet:7.2f} ms")
    print(f"once more              {quiet_again:7.2f} ms   ratio {quiet_again / quiet:.2f}")
    print(f"with {given.streams:5} idle streams {busy:7.2f} ms   ratio {busy / quiet:.2f}")


def _open_streams(container: Container, port: int, count: int) -> list[socket.socket]:
    """Open streams of a game in which nothing happens. Each has sent its first part."""
    move = planned(container, random.Random(0))[0]
    follow = {"Authorization": f"Bearer {move.token}", "Accept": "text/event-stream"}
    sent = request("GET", f"/v1/games/{move.game}/events", follow)
    streams = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    for stream in streams:
        stream.sendall(sent)
        assert stream.recv(4096).startswith(b"HTTP/1.1 200")
    return streams


def _latencies(container: Container, port: int, count: int) -> list[float]:
    """The milliseconds that each of `count` moves takes."""
    moves: list[Move] = []
    while len(moves) < count:
        moves += planned(container, random.Random(len(moves)))
    with socket.create_connection(("127.0.0.1", port)) as connection:
        return [_timed(connection, move_request(move)) for move in moves[:count]]


def _timed(connection: socket.socket, sent: bytes) -> float:
    start = time.perf_counter()
    connection.sendall(sent)
    received = b""
    while b"\r\n\r\n" not in received or len(received) < _length(received):
        received += connection.recv(65536)
    assert received.startswith(b"HTTP/1.1 200"), received[:200]
    return 1000 * (time.perf_counter() - start)


def _length(received: bytes) -> int:
    """The length of the whole answer, according to its head."""
    head, _, _ = received.lower().partition(b"\r\n\r\n")
    _, _, stated = head.partition(b"\r\ncontent-length:")
    return len(head) + 4 + int(stated.split(b"\r\n")[0])


if __name__ == "__main__":
    main()

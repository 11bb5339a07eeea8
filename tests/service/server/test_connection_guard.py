"""The guard over the connections of this very process."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from service.server import http_server
from service.server.http_server import ConnectionGuard


class Listener:
    """A server that accepts, and its clients in the order in which they came."""

    def __init__(self, stack: ExitStack, clients: int) -> None:
        self.listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.address = self.listener.getsockname()
        self.clients = [
            stack.enter_context(socket.create_connection(self.address)) for _ in range(clients)
        ]
        self.accepted = [stack.enter_context(self.listener.accept()[0]) for _ in range(clients)]


@pytest.fixture
def server() -> Iterator[Listener]:
    with ExitStack() as stack:
        yield Listener(stack, clients=5)


def closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False


def test_some_of_too_many_connections_of_an_address_are_closed(server: Listener) -> None:
    ConnectionGuard(server.address[1], per_address=2).inspect()
    assert sum(map(closed, server.clients)) == 3


def test_behind_a_proxy_none_is_closed(server: Listener) -> None:
    ConnectionGuard(server.address[1], per_address=None).inspect()
    assert not any(map(closed, server.clients))


def test_connections_to_other_ports_are_none_of_its_business(server: Listener) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        ConnectionGuard(other.getsockname()[1], per_address=0).inspect()
    assert not any(map(closed, server.clients))


def test_what_a_client_may_leave_unread_is_limited_for_those_too_who_come_later(
    server: Listener,
) -> None:
    ConnectionGuard(server.address[1], per_address=None).inspect()
    with socket.create_connection(server.address):
        accepted, _ = server.listener.accept()
        with accepted:
            timeout = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            room = accepted.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
    assert timeout == 1000 * http_server.READ_SECONDS
    assert room == 2 * http_server.SEND_BUFFER

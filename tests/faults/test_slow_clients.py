"""Clients who are silent, slow, deaf or too many: the server lets go of them, and serves others."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.faults.impatient import CONNECTIONS
from tests.faults.raw import answer_to, connected, head, impatient_server, until_closed
from tests.support.servers import SocketServer
from tests.support.waiting import until
from tests.support.web_server import WebServer


@pytest.fixture(scope="module")
def web(
    redis_server: SocketServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebServer]:
    with impatient_server(redis_server.url, tmp_path_factory.mktemp("data"), 1) as server:
        yield server


def test_a_client_that_sends_no_head_is_cut_off(web: WebServer) -> None:
    with connected(web) as silent, connected(web) as halfway, connected(web) as idle:
        halfway.sendall(b"GET /healthz HTTP/1.1\r\nHost:")
        idle.sendall(head("GET", "/healthz"))
        assert answer_to(idle).status == 200
        for connection in (silent, halfway, idle):
            until_closed(connection)


def test_http_2_is_not_spoken(web: WebServer) -> None:
    with connected(web) as connection, connected(web) as silent:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9))
        until_closed(connection)
        assert not _is_closed(silent)  # it did not take a silent client's time


def test_a_body_that_never_ends_is_refused(web: WebServer) -> None:
    with connected(web) as connection:
        connection.sendall(head("POST", "/v1/players", Content_Length=1000) + b"{")
        refused = until_closed(connection)
        assert refused.startswith(b"HTTP/1.1 408 ")
        assert json.loads(refused.partition(b"\r\n\r\n")[2])["code"] == "request-timeout"


def test_a_client_that_never_reads_is_cut_off(web: WebServer) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", web.port))
        connection.sendall(head("GET", "/docs/static/swagger-ui/swagger-ui-bundle.js"))
        until(lambda: _is_refused(connection))


def test_the_quiet_ones_of_too_many_connections_of_an_address_are_cut_off(web: WebServer) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(connected(web)) for _ in range(3 * CONNECTIONS)]
        until(lambda: sum(map(_is_closed, silent)) >= 2 * CONNECTIONS)
        asking = stack.enter_context(connected(web))
        asking.sendall(head("GET", "/healthz"))
        assert answer_to(asking).status == 200


def _is_refused(connection: socket.socket) -> bool:
    """Whether the other end knows nothing of this connection any more; it is told by one byte."""
    try:
        connection.send(b"G")
    except OSError:
        return True
    return False


def _is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True

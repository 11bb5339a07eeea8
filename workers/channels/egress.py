"""Sends requests to URLs that a player has given: never into our own network, and never for long.

A host name is resolved once, all its addresses are checked, and we connect to a checked one.
Redirects are not followed, and the environment is ignored (proxies, `.netrc`).
"""

import json
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from requests import Session
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from service.core.egress import AllowedEgress, url_problem
from workers.channels.addresses import policy_for
from workers.channels.error_words import words_of
from workers.channels.errors import Answer, EgressBusy, EgressFailed

CONNECT_TIMEOUT: Final = 4.0
READ_TIMEOUT: Final = 6.0
TOTAL_TIMEOUT: Final = 10.0
"""Seconds: to connect, to receive each piece of the response's head, and in total from the look-up
of the host name to the end of the head."""
USER_AGENT: Final = "Scottenbury"
MayConnect = Callable[[str], bool]
"""Count a request to a network address, and return whether it may go there now."""


class Egress:
    """Sends requests. `may_connect` is asked about each checked network address; `verify` is the
    parameter of `requests`: the authorities that may sign certificates."""

    def __init__(
        self,
        allowed: AllowedEgress,
        may_connect: MayConnect = lambda address: True,
        *,
        verify: bool | str = True,
    ) -> None:
        self._allowed = allowed
        self._may_connect = may_connect
        self._verify = verify

    def post_json(
        self,
        url: str,
        body: object,
        headers: Mapping[str, str] | None = None,
        *,
        is_fixed: bool = False,
    ) -> Answer:
        """Post a JSON document, and return the head of the response. Raises `EgressFailed`."""
        data = json.dumps(body, ensure_ascii=False).encode()
        named = {"Content-Type": "application/json", **(headers or {})}
        return self.post(url, data, named, is_fixed=is_fixed)

    def post(
        self,
        url: str,
        data: bytes,
        headers: Mapping[str, str],
        timeout: float | None = None,
        *,
        is_fixed: bool = False,
    ) -> Answer:
        """Post these bytes, and return the head of the response. Raises `EgressFailed`. It takes
        `TOTAL_TIMEOUT` seconds at most.

        `is_fixed`: no player chose the host, so requests to it are not counted.
        """
        if url_problem(url, self._allowed) is not None:
            raise EgressFailed("the address is not one that requests may go to")
        may_connect: MayConnect = _always if is_fixed else self._may_connect
        request = _Request(url, data, headers, self._allowed, may_connect, self._verify)
        # The library does not limit the total time of a request, nor the system that of a look-up.
        threading.Thread(target=request.run, name="egress", daemon=True).start()
        try:
            return request.answer.result(TOTAL_TIMEOUT if timeout is None else timeout)
        except FutureTimeout:
            raise EgressFailed("it did not answer in time") from None
        finally:
            request.sockets.close()


def _always(address: str) -> bool:
    return True


class _Sockets:
    """The sockets of one request, which can be closed from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._closed = False

    def add(self, sock: socket.socket) -> None:
        """Register this socket for closing. Raises OSError if the sockets are closed already."""
        with self._lock:
            if self._closed:
                sock.close()
                raise OSError("the request has been given up")
            # TLS takes the socket over; a copy can still shut it down.
            self._open.append(sock.dup())

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for sock in self._open:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
                sock.close()
            self._open.clear()


_current = threading.local()
"""The `sockets` and `may_connect` of the request that this thread sends."""


class _Watched(HTTPConnection):
    """A connection whose socket can be closed from outside. Its host has been resolved to an
    address."""

    def _new_conn(self) -> socket.socket:
        if not _current.may_connect(self.host.strip("[]")):
            raise EgressBusy("too much goes to its network address just now")
        sock = super()._new_conn()
        _current.sockets.add(sock)
        return sock

    def putheader(self, header: str, *values: str) -> None:  # type: ignore[override]
        """Write a header; add the port to `Host`."""
        if header.lower() == "host":
            values = tuple(map(self._with_port, values))
        super().putheader(header, *values)

    def _with_port(self, host: str) -> str:
        name = f"[{host}]" if ":" in host and not host.startswith("[") else host
        return name if self.port == self.default_port else f"{name}:{self.port}"


class _WatchedTLS(_Watched, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Watched


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls = _WatchedTLS


@dataclass
class _Request:
    """One request, sent in a thread of its own."""

    url: str
    data: bytes
    headers: Mapping[str, str]
    allowed: AllowedEgress
    may_connect: MayConnect
    verify: bool | str
    sockets: _Sockets = field(default_factory=_Sockets)
    answer: "Future[Answer]" = field(default_factory=Future)

    def run(self) -> None:
        """Send the request, and set `answer`."""
        _current.sockets, _current.may_connect = self.sockets, self.may_connect
        try:
            with self._session() as session:
                self.answer.set_result(self._sent(session))
        except EgressBusy as busy:
            self.answer.set_exception(busy)
        except Exception as error:
            self.answer.set_exception(EgressFailed(words_of(error)))

    def _session(self) -> Session:
        session: Session = policy_for(self.url, self.allowed).get_antissrf_session()
        session.trust_env = False
        session.verify = self.verify
        session.headers = CaseInsensitiveDict({"User-Agent": USER_AGENT, "Accept": "*/*"})
        for adapter in session.adapters.values():
            assert isinstance(adapter, HTTPAdapter)
            pools = {"http": _Pool, "https": _TLSPool}
            adapter.poolmanager.pool_classes_by_scheme = pools
        return session

    def _sent(self, session: Session) -> Answer:
        with session.post(
            self.url,
            data=self.data,
            headers=dict(self.headers),
            timeout=(CONNECT_TIMEOUT, READ_TIMEOUT),
            allow_redirects=False,
            stream=True,
        ) as response:
            return Answer(response.status_code, response.headers)

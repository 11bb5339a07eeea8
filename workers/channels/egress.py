"""Sends requests to URLs that a player has given: never into our own network, and never for long.

A host name is resolved once, all its addresses are checked, and we connect to a checked one.
Redirects are not followed, and the environment is ignored (proxies, `.netrc`). The ranges are those
of `microsoft-antissrf`, which connects only to addresses it has checked. We add the IPv6 forms of
IPv4 addresses that it would let pass.
"""

import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Final

from AntiSSRF import AntiSSRFError, AntiSSRFPolicy, PolicyConfigOptions
from requests import Session
from requests.adapters import HTTPAdapter
from requests.exceptions import ConnectTimeout, RequestException, SSLError, Timeout
from requests.structures import CaseInsensitiveDict
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError
from urllib3.util.ssl_match_hostname import CertificateError

from service.core.network import AllowedEgress, Network, split_url, url_problem
from service.core.words import N_
from workers.channels.message import Answer, EgressBusy, EgressFailed

CONNECT_TIMEOUT: Final = 4.0
READ_TIMEOUT: Final = 6.0
TOTAL_TIMEOUT: Final = 10.0
"""Seconds: to connect, to receive each piece of the response's head, and in total from the look-up
of the host name to the end of the head."""
USER_AGENT: Final = "Scottenbury"
MayConnect = Callable[[str], bool]
"""Count a request to a network address, and return whether it may go there now."""


@dataclass(frozen=True, slots=True)
class Egress:
    """Sends requests. `may_connect` is asked about each checked network address; `verify` is the
    parameter of `requests`: the authorities that may sign certificates."""

    allowed: AllowedEgress
    may_connect: MayConnect = lambda address: True
    verify: bool | str = True

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
        if url_problem(url, self.allowed) is not None:
            raise EgressFailed("the address is not one that requests may go to")
        may_connect: MayConnect = (lambda address: True) if is_fixed else self.may_connect
        request = _Request(url, data, headers, self.allowed, may_connect, self.verify)
        # The library does not limit the total time of a request, nor the system that of a look-up.
        threading.Thread(target=request.run, name="egress", daemon=True).start()
        try:
            return request.answer.result(TOTAL_TIMEOUT if timeout is None else timeout)
        except FutureTimeout:
            raise EgressFailed("it did not answer in time") from None
        finally:
            request.sockets.close()


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
            raise EgressBusy(N_("too much goes to its network address just now"))
        sock = super()._new_conn()
        _current.sockets.add(sock)
        return sock

    def putheader(self, header: str, *values: str) -> None:  # type: ignore[override]
        """Write a header; add the port to `Host`."""
        if header.lower() == "host":
            port = "" if self.port == self.default_port else f":{self.port}"
            bare = (":" in host and not host.startswith("[") for host in values)
            hosts = zip(values, bare, strict=True)
            values = tuple((f"[{host}]" if is_bare else host) + port for host, is_bare in hosts)
        super().putheader(header, *values)


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
        _current.sockets, _current.may_connect = self.sockets, self.may_connect
        try:
            with (
                self._session() as session,
                session.post(
                    self.url,
                    data=self.data,
                    headers=dict(self.headers),
                    timeout=(CONNECT_TIMEOUT, READ_TIMEOUT),
                    allow_redirects=False,
                    stream=True,
                ) as response,
            ):
                self.answer.set_result(Answer(response.status_code, response.headers))
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
            adapter.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}
        return session


EMBEDDED: Final = ("::/96", "::ffff:0:0:0/96")
"""IPv4-compatible (RFC 4291) and IPv4-translated (RFC 7915) addresses."""
_MAPPED: Final = "::ffff:0:0/96"
"""The library writes IPv4 addresses in this range, so `::/0` would contain them all."""
METADATA: Final = (
    *("169.254.0.0/16", "fe80::/10"),
    *("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"),
)
"""Addresses at which clouds serve a machine its secrets: blocked unless this very address is
allowed."""
_LOOPBACK: Final = ("127.0.0.0/8", "::1")
_SENSELESS: Final = ("0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4", "ff00::/8", "::")
_TUNNELS: Final = ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
_NEVER: Final = (*METADATA, *_LOOPBACK, *_SENSELESS, *_TUNNELS, *EMBEDDED, _MAPPED)
"""Addresses that stay blocked even if the operator allows a network around them."""


def policy_for(url: str, allowed: AllowedEgress) -> AntiSSRFPolicy:
    """Return the policy that says to which addresses a request to this URL may connect. Raises
    ValueError for a URL without a host."""
    parts, host = split_url(url)
    hosts = allowed.on(parts)
    if (alone := hosts.single_address(host)) is not None:
        return _only([str(alone)])
    if host in hosts.names:  # any address that a host can have, as the operator has named it
        policy = AntiSSRFPolicy(PolicyConfigOptions.NONE)
        policy.add_allowed_addresses(["::1"])  # which is in a range of those that are denied
        policy.add_denied_addresses([*EMBEDDED, *METADATA, *_SENSELESS, *_TUNNELS])
        policy.allow_plain_text_http = True
        return policy
    # Without this machine itself and the addresses that serve secrets.
    harmless = list(hosts.networks)
    for one in map(ipaddress.ip_network, _NEVER):
        harmless = [part for whole in harmless for part in _minus(whole, one)]
    networks = list(map(str, harmless))
    if parts.scheme != "https":
        return _only(networks)
    policy = AntiSSRFPolicy(PolicyConfigOptions.EXTERNAL_ONLY_LATEST)
    policy.add_denied_addresses([*EMBEDDED, *METADATA])
    if networks:
        policy.add_allowed_addresses(networks)
    policy.add_xff_header = False
    return policy


def _only(networks: list[str]) -> AntiSSRFPolicy:
    policy = AntiSSRFPolicy(PolicyConfigOptions.INTERNAL_ONLY)
    if networks:
        policy.add_allowed_addresses(networks)
    policy.allow_plain_text_http = bool(networks)
    return policy


def _minus(whole: Network, part: Network) -> list[Network]:
    if whole.version != part.version or not whole.overlaps(part):
        return [whole]
    if whole.subnet_of(part):  # type: ignore[arg-type]
        return []
    return list(whole.address_exclude(part))  # type: ignore[arg-type]


_OTHER_NAME: Final = N_("its certificate is for another name")
_UNKNOWN_ISSUER: Final = N_(
    "who signed its certificate is not known here, or a certificate in between is missing"
)
_OF_CERTIFICATES: Final = {
    9: N_("its certificate is not valid yet"),
    10: N_("its certificate has expired"),
    18: N_("its certificate is signed by itself alone"),
    19: _UNKNOWN_ISSUER,
    20: _UNKNOWN_ISSUER,
    21: _UNKNOWN_ISSUER,
    62: _OTHER_NAME,
    64: _OTHER_NAME,
}
"""Words by OpenSSL's error number (X509_V_ERR_…)."""
_NO_CONNECTION: Final = N_("no connection to it")
"""One text for every host that may not run a web server: different texts would reveal open
ports."""
_OTHERS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (AntiSSRFError, N_("its network address is not one that requests may go to")),
    (CertificateError, _OTHER_NAME),
    (SSLError, _NO_CONNECTION),
    (ConnectTimeout, _NO_CONNECTION),
    (Timeout, N_("it did not answer in time")),
    (HTTPException, _NO_CONNECTION),
    (RequestException, _NO_CONNECTION),
    (OSError, _NO_CONNECTION),
)


def words_of(error: BaseException) -> str:
    """Return the reason why a request failed, in our own words, to follow "It failed: ". It is a
    message."""
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _OF_CERTIFICATES.get(cause.verify_code, N_("its certificate is not valid"))
    for kind, words in _OTHERS:
        if any(isinstance(cause, kind) for cause in causes):
            return words
    return N_("the request could not be sent")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and the errors it wraps, in `reason` or among its arguments, as urllib3
    does."""
    yield error
    if isinstance(error, RequestException | HTTPError):
        for inner in (getattr(error, "reason", None), *error.args):
            if isinstance(inner, BaseException):
                yield from _causes(inner)

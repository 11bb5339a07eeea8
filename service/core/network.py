"""The forms in which mail addresses are compared, and network addresses counted by limits and
budgets; this machine's own addresses, and trusted peers: proxies that the operator lists.

Allowed targets of this server's requests: the internet, and the operator's allow-list.

Only syntax is checked here. Resolved addresses are checked when the connection is made.
"""

import ipaddress
import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final, TypeAlias
from urllib.parse import SplitResult, urlsplit


def comparable(address: str) -> str:
    """The address in lower case, if it is ASCII, as all of ours are.

    Any other stays unchanged: in lower case the Kelvin sign (U+212A) would become the `k` of
    another address.
    """
    return address.lower() if address.isascii() else address


_UNKNOWN: Final = "unknown"
_LONGEST: Final = 64
"""The most characters of a caller without an address, like the name of a socket."""
_BRACKETED: Final = re.compile(r"\[([^\]]*)\](?::\d*)?")
_WITH_PORT: Final = re.compile(r"([^:]*):\d*")


def is_loopback(host: str | None) -> bool:
    """Whether this host name or address means the machine itself (loopback): useless on any
    other."""
    name = (host or "").lower().rstrip(".")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


@lru_cache(1000)
def network_address(text: str | None) -> str:
    """The address without its port; for IPv6 its /64 network, which one subscriber gets.

    `9.9.9.9`, `9.9.9.9:1001` and `::ffff:9.9.9.9` are the same caller, and so are `2001:db8::1` and
    `[2001:db8::2]:443`.
    """
    host = _without_port((text or "").strip())
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:_LONGEST] or _UNKNOWN
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address.packed, 64), strict=False).network_address)


def _without_port(text: str) -> str:
    for pattern in (_BRACKETED, _WITH_PORT):
        if match := pattern.fullmatch(text):
            return match[1]
    return text


Peers: TypeAlias = tuple[IPv4Network | IPv6Network, ...]


def read_peers(text: str) -> Peers:
    """Read addresses and networks, separated by commas. Raises ValueError for anything else, and
    for a network that holds every address."""
    entries = [entry.strip() for entry in text.split(",") if entry.strip()]
    peers = tuple(ipaddress.ip_network(entry) for entry in entries)
    if any(network.prefixlen == 0 for network in peers):
        raise ValueError("a network of all addresses")
    return peers


def is_listed(address: str, peers: Peers) -> bool:
    """Whether this address of a connection, in any spelling, belongs to a peer."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if parsed.version == 6 else None
    return any((mapped or parsed) in network for network in peers)


Network = IPv4Network | IPv6Network

LONGEST_URL: Final = 2000
_NAME: Final = re.compile(r"(?=.{1,253}\Z)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_VISIBLE: Final = re.compile(r"[!-~]+")


DEFAULT_PORTS: Final = {"http": 80, "https": 443}
EVERY_PORT: Final = "*"


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The operator's allow-list for one port: hosts by name, and networks.

    A single address is a network, and is allowed as a host in its written form.
    """

    names: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    def names_host(self, host: str) -> bool:
        """Whether this host itself is allowed, by name or as an address."""
        return host in self.names or self.single_address(host) is not None

    def single_address(self, host: str) -> Network | None:
        """The network of this host alone if it is an allowed address; None otherwise."""
        address = _address(host)
        if address is None:
            return None
        alone = ipaddress.ip_network(address)
        return alone if alone in self.networks else None


@dataclass(frozen=True, slots=True)
class AllowedEgress:
    """The operator's allow-list: hosts and networks, each with its open ports."""

    entries: tuple[tuple[str | Network, frozenset[int] | None], ...] = ()
    """Hosts and networks with their ports; None: every port."""

    def on(self, parts: SplitResult) -> AllowedHosts:
        """Return the hosts and networks that are allowed at the port of this URL."""
        port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
        open_there = [host for host, ports in self.entries if ports is None or port in ports]
        return AllowedHosts(
            frozenset(host for host in open_there if isinstance(host, str)),
            tuple(host for host in open_there if not isinstance(host, str)),
        )


def read_allowed(text: str) -> AllowedEgress:
    """The allow-list from a setting: names, addresses and networks, separated by commas.

    Each may name a port after a colon, `*` for every port; without one it means the ports of http
    and https. An IPv6 address with a port is in brackets. Raises ValueError for anything else.
    """
    entries = (part.strip().lower() for part in text.split(","))
    return AllowedEgress(tuple(_read_entry(entry) for entry in entries if entry))


def _read_entry(entry: str) -> tuple[str | Network, frozenset[int] | None]:
    host, colon, port = entry.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")) or port.endswith("]"):
        host, port = entry, ""
    elif port != EVERY_PORT and not (re.fullmatch("[0-9]{1,5}", port) and 0 < int(port) < 2**16):
        raise ValueError(entry)
    named = {int(port)} if port.isdigit() else DEFAULT_PORTS.values()
    ports = None if port == EVERY_PORT else frozenset(named)
    try:
        return ipaddress.ip_network(host.replace("[", "").replace("]", "")), ports
    except ValueError:
        if "/" in host or not _is_name(host):
            raise ValueError(entry) from None
    return host, ports


def url_problem(url: str, allowed: AllowedEgress) -> str | None:
    """Return the reason to refuse this URL, which completes "The address …"; None if it is
    allowed."""
    if len(url) > LONGEST_URL or not _VISIBLE.fullmatch(url) or "\\" in url:
        return f"must be at most {LONGEST_URL} visible ASCII characters."
    try:
        parts, host = split_url(url)
    except ValueError:
        return "cannot be read."
    if parts.username is not None or parts.password is not None:
        return "must hold no user name or password."
    if not (_is_name(host) or _address(host)):
        return "must name a host."
    hosts = allowed.on(parts)
    if not _may_be_reached(host, hosts):
        return "must be one of the internet."
    if parts.scheme == "https":
        return None
    if parts.scheme == "http" and (hosts.names_host(host) or hosts.networks):
        return None
    return "must begin with https://."


def _may_be_reached(host: str, allowed: AllowedHosts) -> bool:
    """Whether the host is allowed, or at least not plainly an address of our own network or
    machine."""
    address = _address(host)
    if address is None or address.is_global:
        return True
    return any(address in network for network in allowed.networks)


def split_url(url: str) -> tuple[SplitResult, str]:
    """The parts of a URL, and its host in lower case. Raises ValueError if it has no host."""
    parts = urlsplit(url)
    if not parts.hostname or parts.port == 0:
        raise ValueError("no host")
    return parts, parts.hostname.lower()


def _is_name(host: str) -> bool:
    """Whether this is a name rather than another way to write an address, such as 0x7f.1."""
    last = host.removesuffix(".").rpartition(".")[2]
    return bool(_NAME.fullmatch(host.removesuffix("."))) and not _NUMBER.fullmatch(last)


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return None if "%" in host else ipaddress.ip_address(host)
    except ValueError:
        return None

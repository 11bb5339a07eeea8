"""The forms in which mail addresses are compared, and network addresses counted by limits and
budgets; this machine's own addresses, and trusted peers: proxies that the operator lists."""

import ipaddress
import re
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network
from typing import Final, TypeAlias


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

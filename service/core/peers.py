"""Trusted peers: proxies that the operator lists by address."""

import ipaddress
from ipaddress import IPv4Network, IPv6Network
from typing import TypeAlias

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

"""Decides which network addresses a request may connect to, by the host in its URL.

The ranges are those of `microsoft-antissrf`, which connects only to addresses it has checked. We
add the IPv6 forms of IPv4 addresses that it would let pass.
"""

import ipaddress
from collections.abc import Iterable, Iterator
from typing import Final

from AntiSSRF import AntiSSRFPolicy, PolicyConfigOptions

from service.core.egress import AllowedEgress, Network, split_url

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
    if host in hosts.names:
        return _own_host()
    networks = list(_harmless(hosts.networks))
    if parts.scheme != "https":
        return _only(networks)
    policy = AntiSSRFPolicy(PolicyConfigOptions.EXTERNAL_ONLY_LATEST)
    policy.add_denied_addresses([*EMBEDDED, *METADATA])
    if networks:
        policy.add_allowed_addresses(networks)
    policy.add_xff_header = False
    return policy


def _own_host() -> AntiSSRFPolicy:
    """Allow any address that a host can have, for a host that the operator has named."""
    policy = AntiSSRFPolicy(PolicyConfigOptions.NONE)
    policy.add_allowed_addresses(["::1"])  # which is in a range of those that are denied
    policy.add_denied_addresses([*EMBEDDED, *METADATA, *_SENSELESS, *_TUNNELS])
    policy.allow_plain_text_http = True
    return policy


def _only(networks: list[str]) -> AntiSSRFPolicy:
    policy = AntiSSRFPolicy(PolicyConfigOptions.INTERNAL_ONLY)
    if networks:
        policy.add_allowed_addresses(networks)
    policy.allow_plain_text_http = bool(networks)
    return policy


def _harmless(networks: Iterable[Network]) -> Iterator[str]:
    """Yield these networks without this machine itself and the addresses that serve secrets."""
    never = list(map(ipaddress.ip_network, _NEVER))
    for network in networks:
        yield from map(str, _without(network, never))


def _without(network: Network, never: Iterable[Network]) -> list[Network]:
    left = [network]
    for one in never:
        left = [part for whole in left for part in _minus(whole, one)]
    return left


def _minus(whole: Network, part: Network) -> list[Network]:
    if whole.version != part.version or not whole.overlaps(part):
        return [whole]
    if whole.subnet_of(part):  # type: ignore[arg-type]
        return []
    return list(whole.address_exclude(part))  # type: ignore[arg-type]

"""Whom the network names as the caller, whatever way a proxy writes it."""

import pytest

from service.core.network import network_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("9.9.9.9", "9.9.9.9"),
        ("9.9.9.9:1001", "9.9.9.9"),
        (" 9.9.9.9:1002 ", "9.9.9.9"),
        ("::ffff:9.9.9.9", "9.9.9.9"),
        ("[::ffff:9.9.9.9]:80", "9.9.9.9"),
        ("2001:db8::1", "2001:db8::"),
        ("[2001:db8::1]", "2001:db8::"),
        ("[2001:db8::2]:443", "2001:db8::"),
        ("2001:db8:0:0:ffff::9", "2001:db8::"),
        ("2001:db8:0:1::1", "2001:db8:0:1::"),
        ("fe80::1%eth0", "fe80::"),
        ("unix:/run/socket", "unix:/run/socket"),
        ("", "unknown"),
        (None, "unknown"),
        ("[]:443", "unknown"),
        ("x" * 5000, "x" * 64),
    ],
)
def test_one_caller_has_one_address(text: str | None, address: str) -> None:
    assert network_address(text) == address

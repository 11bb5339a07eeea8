"""Which addresses players may give, what the operator's allow-list may say, and whom the network
names as the caller, whatever way a proxy writes it."""

import pytest

from service.core.network import AllowedEgress, network_address, read_allowed, url_problem

INTERNET = AllowedEgress()


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.org/a?b=c",
        "https://hooks.example.org:8443",
        "https://9.9.9.9/",
        "https://[2620:fe::fe]/",
        "https://xn--bcher-kva.example/",
    ],
)
def test_any_host_of_the_internet_can_be_asked_over_https(url: str) -> None:
    assert url_problem(url, INTERNET) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/",
        "ftp://hooks.example.org/",
        "file:///etc/passwd",
        "gopher://hooks.example.org/",
        "hooks.example.org",
        "https://",
        "https:///path",
        "https://user@hooks.example.org/",
        "https://user:word@hooks.example.org/",
        "https://hooks.example.org:0/",
        "https://hooks.example.org:99999/",
        "https://hooks.example.org\\@127.0.0.1/",
        "https://hooks.example.org/\r\nX: y",
        "https://hooks example.org/",
        "https://bücher.example/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://0x7f.1/",
        "https://127.0.0.0x1/",
        "https://[fe80::1%25eth0]/",
        "https://10.0.0.1/",
        "https://127.0.0.1/",
        "https://169.254.169.254/",
        "https://[::ffff:10.0.0.1]/",
        "https://[fd00:ec2::254]/",
        "https://[::1/",
        "https://hooks.example.org/" + "a" * 2000,
        "",
    ],
)
def test_other_addresses_are_refused_at_once(url: str) -> None:
    assert url_problem(url, INTERNET) is not None


def test_plain_http_goes_to_what_the_operator_allows_alone() -> None:
    allowed = read_allowed("ntfy.lan:8080, 192.168.1.5,[fd12::7]")
    assert url_problem("http://ntfy.lan:8080/", allowed) is None
    assert url_problem("http://192.168.1.5/", allowed) is None
    assert url_problem("http://[fd12::7]/", allowed) is None
    assert url_problem("http://ntfy.lan:8080/", INTERNET) is not None


@pytest.mark.parametrize(
    "text",
    [
        "ntfy.lan:0",
        "ntfy.lan:65536",
        "ntfy.lan:x",
        "https://ntfy.lan",
        "10.0.0.0/33",
        "a b",
        "127.1",
    ],
)
def test_an_entry_that_is_neither_name_nor_network_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read_allowed(text)


def test_a_list_of_nothing_allows_nothing() -> None:
    assert read_allowed(" , ") == INTERNET


@pytest.mark.parametrize("host", ["ntfy.lan", "192.168.1.5", "[fd12::7]"])
def test_a_host_is_open_on_the_ports_of_the_web_or_on_the_one_that_is_named(host: str) -> None:
    def is_open(allowed: str, port: str) -> bool:
        return url_problem(f"http://{host}{port}/", read_allowed(allowed)) is None

    ports = ["", ":443", ":6379", ":8080"]
    assert [is_open(host, port) for port in ports] == [True, True, False, False]
    assert [is_open(f"{host}:8080", port) for port in ports] == [False, False, False, True]
    assert [is_open(f"{host}:*", port) for port in ports] == [True] * 4
    assert [is_open(f"{host}, {host}:8080", port) for port in ports] == [True, True, False, True]


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

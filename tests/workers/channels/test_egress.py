"""Requests leave for the internet alone, whatever a name resolves to, and come back in time."""

import socket
import threading
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from service.accounts.channels.send_limits import OF_ADDRESS, SendLimits
from service.core.network import read_allowed
from service.core.redis.client import Client
from tests.support.clock import NOON
from tests.support.receiver import Receiver
from workers.channels import egress
from workers.channels.egress import Egress
from workers.channels.message import EgressBusy, EgressFailed

PRIVATE = """
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254
169.254.0.1 169.254.169.254 169.254.170.2 168.63.129.16 100.100.100.200 172.16.0.1 172.31.255.255
192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1
224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::10.0.0.1 ::169.254.169.254
::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:100.64.0.1 ::ffff:0:127.0.0.1
64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::10.0.0.1 64:ff9b:1:ffff::7f00:1
2002:7f00:1:: 2002:a00:1:: 2002:a9fe:a9fe:: 2001:0:4136:e378:8000:63bf:3fff:fdd2
2001:db8::1 2001:2::1 2001:10::1 100::1 3fff::1 5f00::1 fc00::1 fd12:3456::1 fd00:ec2::254
fd20:ce::254 fe80::1 fec0::1 ff02::1
"""
PUBLIC = ["9.9.9.9", "1.1.1.1", "100.128.0.1", "172.32.0.1", "::ffff:9.9.9.9", "2620:fe::fe"]

Resolve = Callable[..., None]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as started:
        yield started


@pytest.fixture
def resolve(monkeypatch: pytest.MonkeyPatch) -> Resolve:
    """Let every name resolve to these addresses; of several lists, to the next each time."""
    really = socket.getaddrinfo

    def to(*answers: list[str]) -> None:
        left = list(answers)

        def look_up(host: str, port: Any, *args: Any, **options: Any) -> list[Any]:
            try:
                socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host)
            except OSError:
                found = left.pop(0) if len(left) > 1 else left[0]
                return [really(address, port, *args, **options)[0] for address in found]
            return really(host, port, *args, **options)

        monkeypatch.setattr(socket, "getaddrinfo", look_up)

    return to


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Where connections were opened to; none of them gets anywhere."""
    tried: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], *args: Any, **options: Any) -> socket.socket:
        tried.append(address)
        raise OSError("not in a test")

    monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
    return tried


def words_of(url: str, allowed: str = "") -> str:
    with pytest.raises(EgressFailed) as raised:
        Egress(read_allowed(allowed)).post(url, b"{}", {})
    return str(raised.value)


def host_in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address


@pytest.mark.parametrize("address", PRIVATE.split())
def test_no_private_address_is_connected_to(
    address: str, resolve: Resolve, connected: list[tuple[str, int]]
) -> None:
    resolve([address])
    assert "not one that requests may go to" in words_of("https://rebound.example.org/")
    assert "not one that requests may go to" in words_of(f"https://{host_in_url(address)}/")
    assert connected == []


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_connected_to(
    address: str, resolve: Resolve, connected: list[tuple[str, int]]
) -> None:
    resolve([address])
    assert words_of("https://hooks.example.org/") == "no connection to it"
    assert [(ip_address(host), port) for host, port in connected] == [(ip_address(address), 443)]


def test_one_private_address_among_public_ones_is_enough_to_refuse(
    resolve: Resolve, connected: list[tuple[str, int]]
) -> None:
    resolve(["9.9.9.9", "10.0.0.1"])
    words_of("https://hooks.example.org/")
    assert connected == []


def test_a_name_that_changes_its_answer_is_connected_to_where_it_was_checked(
    resolve: Resolve, connected: list[tuple[str, int]]
) -> None:
    resolve(["9.9.9.9"], ["127.0.0.1"])
    words_of("https://hooks.example.org/")
    assert connected == [("9.9.9.9", 443)]


def test_no_redirect_is_followed(receiver: Receiver) -> None:
    with Receiver() as elsewhere:
        receiver.status, receiver.headers = 307, {"Location": f"{elsewhere.url}/latest/meta-data"}
        answer = Egress(read_allowed("127.0.0.1:*")).post(f"{receiver.url}/hook", b"{}", {})
        assert (answer.status_code, answer.ok) == (307, False)
        assert elsewhere.received == []


def test_proxies_and_passwords_of_the_environment_do_not_count(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ada password word\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    Egress(read_allowed("127.0.0.1:*")).post(f"{receiver.url}/hook", b"{}", {})
    assert "Authorization" not in receiver.received[0].headers


def test_the_host_is_named_with_its_port(receiver: Receiver) -> None:
    Egress(read_allowed("127.0.0.1:*")).post(f"{receiver.url}/hook", b"{}", {})
    assert receiver.received[0].headers["Host"] == f"127.0.0.1:{receiver.port}"


def test_this_machine_is_reached_by_exact_host_alone(receiver: Receiver, resolve: Resolve) -> None:
    url = f"{receiver.url}/hook"
    assert Egress(read_allowed("127.0.0.1:*")).post(url, b"{}", {}).ok
    for allowed in ("", "127.0.0.0/8:*", "0.0.0.0/0:*", "::/0", "localhost:*", "127.0.0.2:*"):
        assert "requests may go to" in words_of(url, allowed), allowed
    resolve(["127.0.0.1"])
    named = f"http://ntfy.lan:{receiver.port}/hook"
    assert Egress(read_allowed("ntfy.lan:*")).post(named, b"{}", {}).ok
    assert "requests may go to" in words_of(named, "127.0.0.1:*")


@pytest.mark.parametrize(
    "address", ["169.254.169.254", "::ffff:169.254.169.254", "fd00:ec2::254", "fe80::1"]
)
def test_no_name_and_no_network_opens_the_way_to_metadata(
    address: str, resolve: Resolve, connected: list[tuple[str, int]]
) -> None:
    resolve([address])
    for allowed in ("ntfy.lan", "169.254.0.0/16", "0.0.0.0/0", "fc00::/7, fe80::/10", "::/0"):
        words_of("http://ntfy.lan/", allowed)
        words_of("https://ntfy.lan/", allowed)
    assert connected == []


def test_an_allowed_network_is_reached_with_and_without_tls(
    resolve: Resolve, connected: list[tuple[str, int]]
) -> None:
    resolve(["192.168.1.9"])
    words_of("http://gotify.example.org:8080/", "192.168.1.0/24:8080")
    words_of("https://gotify.example.org/", "192.168.1.0/24")
    assert connected == [("192.168.1.9", 8080), ("192.168.1.9", 443)]
    words_of("https://gotify.example.org/", "192.168.2.0/24")
    resolve(["9.9.9.9"])
    words_of("http://gotify.example.org/", "192.168.1.0/24")  # without TLS in the network alone
    assert len(connected) == 2


def test_the_other_addresses_of_such_a_network_are_reached(
    resolve: Resolve, connected: list[tuple[str, int]]
) -> None:
    resolve(["100.100.100.201"])
    words_of("http://ntfy.example.org/", "100.64.0.0/10")
    resolve(["100.100.100.200"])
    words_of("http://ntfy.example.org/", "100.64.0.0/10")
    assert connected == [("100.100.100.201", 80)]


def test_where_too_much_goes_to_an_address_nothing_more_does_whatever_its_name(
    resolve: Resolve, connected: list[tuple[str, int]], redis: Client
) -> None:
    resolve(["2620:fe::1"], ["2620:fe::2"], ["9.9.9.9"])
    sending, left = SendLimits(redis), OF_ADDRESS - 1
    for _ in range(left):
        assert sending.may_connect("2620:fe::3", NOON)
    egress = Egress(read_allowed(""), lambda address: sending.may_connect(address, NOON))
    with pytest.raises(EgressFailed, match="no connection to it"):
        egress.post("https://one.example.org/", b"{}", {})
    with pytest.raises(EgressBusy):
        egress.post("https://two.example.org/", b"{}", {})
    with pytest.raises(EgressFailed, match="no connection to it"):
        egress.post("https://three.example.org/", b"{}", {})
    assert [ip_address(host) for host, _ in connected] == [
        ip_address(host) for host in ("2620:fe::1", "9.9.9.9")
    ]
    assert sending.may_connect("2620:fe::1", NOON + 60)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "TOTAL_TIMEOUT", 0.4)


@pytest.mark.parametrize("trouble", ["hangs", "drips"])
def test_who_hangs_or_drips_is_given_up(trouble: str, receiver: Receiver, hurried: None) -> None:
    setattr(receiver, trouble, True)
    assert words_of(f"{receiver.url}/hook", "127.0.0.1:*") == "it did not answer in time"


def test_a_name_that_takes_for_ever_to_look_up_is_given_up(
    hurried: None, monkeypatch: pytest.MonkeyPatch, connected: list[tuple[str, int]]
) -> None:
    answered, hurry = [], threading.Event()

    def slow(*args: Any, **options: Any) -> list[Any]:
        hurry.wait()
        answered.append(1)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("9.9.9.9", 0))]

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    assert words_of("https://hooks.example.org/") == "it did not answer in time"
    assert not answered
    hurry.set()


def test_the_body_of_an_answer_is_not_read(receiver: Receiver) -> None:
    receiver.endless_body = True
    assert Egress(read_allowed("127.0.0.1:*")).post(f"{receiver.url}/hook", b"{}", {}).ok


def test_a_host_is_open_on_the_ports_that_are_named_alone(receiver: Receiver) -> None:
    url = f"{receiver.url}/hook"
    assert Egress(read_allowed(f"127.0.0.1:{receiver.port}")).post(url, b"{}", {}).ok
    for allowed in ("127.0.0.1", "127.0.0.1:1", f"127.0.0.2:{receiver.port}"):
        assert "requests may go to" in words_of(url, allowed)
    assert len(receiver.received) == 1


def test_an_error_says_nothing_of_the_address(closed_port: int) -> None:
    words = words_of(f"http://127.0.0.1:{closed_port}/very-secret", "127.0.0.1:*")
    assert words == "no connection to it"


def test_tls_is_for_the_name_and_not_for_the_address(
    receiver: Receiver, resolve: Resolve, tmp_path: Path
) -> None:
    certificate = receiver.use_tls("hooks.example.org", tmp_path)
    resolve(["127.0.0.1"])
    known = Egress(
        read_allowed("hooks.example.org:*, other.example.org:*"), verify=str(certificate)
    )
    url = f"https://hooks.example.org:{receiver.port}/hook"
    assert known.post(url, b"{}", {}).ok
    assert receiver.asked_for == ["hooks.example.org"]
    with pytest.raises(EgressFailed, match="its certificate is for another name"):
        known.post(url.replace("hooks", "other"), b"{}", {})
    assert words_of(url, "hooks.example.org:*") == "its certificate is signed by itself alone"
    assert len(receiver.received) == 1


@pytest.mark.parametrize(
    ("certificate", "words"),
    [
        ({"valid_from": -3}, "its certificate has expired"),
        ({"valid_from": 1}, "its certificate is not valid yet"),
        ({"issuer": "Nobody"}, "who signed its certificate is not known here"),
    ],
)
def test_what_is_wrong_with_a_certificate_is_told(
    receiver: Receiver, tmp_path: Path, certificate: dict[str, Any], words: str
) -> None:
    trusted = receiver.use_tls("127.0.0.1", tmp_path, **certificate)
    verify = True if "issuer" in certificate else str(trusted)
    with pytest.raises(EgressFailed, match=words):
        Egress(read_allowed("127.0.0.1:*"), verify=verify).post(tls_url(receiver), b"{}", {})


def test_a_server_that_speaks_no_tls_is_told_from_one_whose_tls_is_another(
    receiver: Receiver,
) -> None:
    assert words_of(tls_url(receiver), "127.0.0.1:*") == "no connection to it"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=refuse_tls, args=[listening], daemon=True).start()
        url = f"https://127.0.0.1:{listening.getsockname()[1]}/"
        assert words_of(url, "127.0.0.1:*") == "no connection to it"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"", "no connection to it"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "no connection to it"),
        (b"HTTP/1.1 two hundred\r\n\r\n", "no connection to it"),
        (b"HTTP/1.1 200 OK\r\n" + b"x" * 70_000, "no connection to it"),
        (b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200 + b"\r\n", "no connection to it"),
    ],
)
def test_an_answer_that_is_none_is_told(receiver: Receiver, answer: bytes, words: str) -> None:
    receiver.raw = answer
    assert words_of(f"{receiver.url}/hook", "127.0.0.1:*") == words


def tls_url(receiver: Receiver) -> str:
    return f"{receiver.url.replace('http', 'https')}/hook"


def refuse_tls(listening: socket.socket) -> None:
    """Take one connection, and answer with an alert: a handshake fails."""
    connection, _ = listening.accept()
    with connection:
        connection.recv(4096)
        connection.sendall(bytes([21, 3, 3, 0, 2, 2, 40]))

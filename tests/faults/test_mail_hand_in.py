"""Mail handed in by HTTP over real connections, on either web server: a picture fits in."""

from base64 import encodebytes
from http.client import HTTPConnection
from itertools import count

import pytest

from service.core.redis.client import Client
from service.mail_in.addresses import ReplyAddresses, ReplyTo
from service.mail_in.store import MAX_SIZE
from tests.faults.raw import MAIL_TOKEN, Answer, answer_to, connected, head
from tests.support.settings import settings
from tests.support.waiting import PATIENCE
from tests.support.web_server import WebServer

SAID = {"Authorization": f"Bearer {MAIL_TOKEN}", "Content-Type": "message/rfc822"}
RAW_SAID = {name.replace("-", "_"): value for name, value in SAID.items()}
_numbers = count()


@pytest.fixture
def address(web: WebServer) -> str:
    """Where Ada answers the mail about her turn."""
    ada, bo = (
        web.request("POST", "/players", {"name": name, "email": f"{name}@example.org"}).json[
            "token"
        ]
        for name in ("Ada", "Bo")
    )
    wanted = {"first_player": "creator", "seat": "north"}
    made = web.request("POST", "/games", wanted, token=ada).json
    path, invite = f"/games/{made['id']}/join", {"invite": made["invite"]}
    version = web.request("POST", path, invite, token=bo).json["version"]
    turn = ReplyTo("turn", made["id"], version, "north")
    return ReplyAddresses(settings(mail_in_token=MAIL_TOKEN)).write(turn)


def with_logo(size: int, address: str) -> bytes:
    """An answer of so many bytes, most of them a picture in the signature."""
    begin = (
        f"From: ada@example.org\r\nTo: {address}\r\nMessage-ID: <{next(_numbers)}@example.org>\r\n"
        'Content-Type: multipart/related; boundary="b"\r\n\r\n--b\r\n\r\nR7@3\r\n'
        "--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    ).encode()
    end = b"\r\n--b--\r\n"
    room = size - len(begin) - len(end)
    logo = encodebytes(b"\x89PNG" * room).replace(b"\n", b"\r\n")[:room]
    return begin + logo.rstrip(b"\r\n").ljust(room, b"A") + end


def hand_in(web: WebServer, mail: bytes) -> int:
    connection = HTTPConnection("localhost", web.port, timeout=PATIENCE)
    connection.request("POST", "/mail-in", mail, SAID)
    try:
        return connection.getresponse().status
    finally:
        connection.close()


def kept(redis: Client) -> list[bytes]:
    return [
        str(redis.hget(key, "raw")).encode("latin-1") for key in redis.scan_iter("st:mail-in:*")
    ]


@pytest.mark.parametrize("size", [70_000, 300_000, MAX_SIZE])
def test_a_mail_with_a_picture_is_kept_whole(
    web: WebServer, redis: Client, address: str, size: int
) -> None:
    mail = with_logo(size, address)
    assert len(mail) == size
    assert hand_in(web, mail) == 202
    assert kept(redis) == [mail]


def asked(web: WebServer, path: str, length: int, **said: str) -> Answer:
    """The answer to the head of a request alone, whose body never comes."""
    with connected(web) as connection:
        connection.sendall(head("POST", path, Content_Length=length, **said))
        return answer_to(connection)


def test_one_that_comes_in_chunks_is_refused(web: WebServer, redis: Client) -> None:
    with connected(web) as connection:
        connection.sendall(head("POST", "/mail-in", Transfer_Encoding="chunked", **RAW_SAID))
        assert answer_to(connection).status == 411
    assert kept(redis) == []


def test_a_larger_one_is_refused_before_it_is_sent(web: WebServer, redis: Client) -> None:
    assert asked(web, "/mail-in", MAX_SIZE + 1, **RAW_SAID).status == 413
    assert asked(web, "/v1/players", 70_000, Content_Type="application/json").status == 413
    assert kept(redis) == []

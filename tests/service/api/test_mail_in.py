"""Mail that a provider hands in by HTTP."""

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.container import EXTENSION
from service.core.redis.client import Client
from service.mail_in.addresses import ReplyAddresses, ReplyTo
from service.server.app import create_app
from tests.service.mail_in.malformed import MALFORMED
from tests.support.settings import settings

SETTINGS = settings(mail_in_token="a token for tests")
ADDRESS = ReplyAddresses(SETTINGS).write(ReplyTo("turn", "a" * 20, 7, "north"))
MAIL = f"From: ada@example.org\nTo: {ADDRESS}\n\nR7@3\n".encode()


@pytest.fixture
def client(redis: Client) -> FlaskClient:
    return create_app(SETTINGS, redis).test_client()


def send(
    client: FlaskClient, body: bytes = MAIL, token: str = "a token for tests", **more: str
) -> TestResponse:
    headers = {"Authorization": f"Bearer {token}", "Host": "localhost"}
    kind = more.get("kind", "message/rfc822")
    return client.post("/mail-in", data=body, headers=headers, content_type=kind)


def test_a_mail_is_kept(client: FlaskClient, redis: Client) -> None:
    assert send(client).status_code == 202
    assert len(list(redis.scan_iter("st:mail-in:*"))) == 1


@pytest.mark.parametrize(("token", "is_ready"), [("a token for tests", True), (None, False)])
def test_the_words_of_mails_are_loaded_before_the_first_request_where_mail_is_handed_in(
    redis: Client, token: str | None, is_ready: bool
) -> None:
    app = create_app(settings(mail_in_token=token), redis)
    assert ("incoming_mail" in vars(app.extensions[EXTENSION])) == is_ready


def test_a_mail_may_be_larger_than_other_bodies(client: FlaskClient) -> None:
    assert send(client, MAIL + b"x\n" * 500_000).status_code == 202
    assert send(client, MAIL + b"x\n" * 2_000_000).status_code == 413


def test_only_the_holder_of_the_token_hands_in(client: FlaskClient, redis: Client) -> None:
    assert send(client, token="another").status_code == 401
    assert send(client, token="").status_code == 401
    assert send(create_app(settings(), redis).test_client()).status_code == 404


def test_what_cannot_be_taken_is_told(client: FlaskClient) -> None:
    assert send(client, kind="text/plain").status_code == 415
    assert send(client, b"To: ada@example.org\n\nR7@3").status_code == 404
    assert send(client, MAIL + b"a\rb").status_code == 422


@pytest.mark.parametrize("mail", MALFORMED.values(), ids=MALFORMED)  # type: ignore[arg-type]
def test_what_is_out_of_form_is_refused(client: FlaskClient, redis: Client, mail: bytes) -> None:
    assert send(client, b"To: %b\r\n%b" % (str(ADDRESS).encode(), mail)).status_code == 422
    assert list(redis.scan_iter("st:mail-in:*")) == []


def test_a_mail_of_30_mb_is_refused(client: FlaskClient) -> None:
    assert send(client, MAIL + b"x\n" * 15_000_000).status_code == 413

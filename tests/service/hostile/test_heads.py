"""Requests whose heads are long: 60 KiB fit into what the web server reads of one."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.people import Person, code

LONG = 60 * 1024
HEADERS = {
    "Accept": "a/b;q=0.1,",
    "Accept-Encoding": "a;q=0.1,",
    "Accept-Language": "a;q=0.1,",
    "Authorization": "Bearer ",
    "Content-Type": 'application/json;a="b";',
    "Cookie": "a=b;",
    "Idempotency-Key": "a",
    "If-Match": '"1",',
    "If-None-Match": '"1",',
    "Last-Event-ID": "1",
    "Origin": "a.",
    "Range": "1-2,",
    "User-Agent": "Chrome/1 ",
}


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client that sends the cookies of its headers, and no others."""
    return app.test_client(use_cookies=False)


@pytest.mark.parametrize("path", ["/v1/me", "/", "/nothing", "/healthz"])
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_too_long_to_be_parsed_is_refused(
    client: FlaskClient, path: str, header: str
) -> None:
    text = HEADERS[header] * (LONG // len(HEADERS[header]))
    answer = client.get(path, headers={header: text})
    assert (answer.status_code, code(answer)) == (431, "head-too-large")


def test_a_query_too_long_to_be_parsed_is_refused(client: FlaskClient) -> None:
    answer = client.get("/v1/games", query_string="a&" * (LONG // 2))
    assert (answer.status_code, code(answer)) == (431, "head-too-large")


def test_what_browsers_send_is_taken(client: FlaskClient, ada: Person) -> None:
    headers = {
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
        "Accept-Language": "de-AT,de;q=0.9,fr;q=0.8,en-GB;q=0.7,en;q=0.6," * 5,
        "Cookie": "; ".join(f"other{number}={'x' * 1000}" for number in range(12)),
    }
    assert client.get("/", headers=headers).status_code == 200
    assert ada.get("/me", headers={"X-Of-A-Proxy": "x" * 8000}).status_code == 200

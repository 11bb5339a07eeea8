"""A visitor makes an account with a name and an address, beside the form to sign in."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.web.people import Browser, hidden, press

URL = "smtp://mail"
ZOE = {"name": "Zoe", "email": "zoe@example.org"}


@pytest.fixture
def app(redis: Client, clock: Clock) -> Flask:
    """A server that sends mail."""
    return create_app(settings(smtp_url=URL), redis, clock)


def test_it_is_signed_in_and_its_address_waits_for_the_link(
    client: FlaskClient, container: Container
) -> None:
    made = press(client, "/sign-in", "/account", **ZOE)
    assert made.location == "/"
    (zoe,) = container.players.named("Zoe")
    assert (zoe.email, zoe.verified) == ("zoe@example.org", False)
    assert "open the link in the mail to zoe@example.org" in client.get(made.location).text


@pytest.mark.parametrize("mail_domain", [None, "games.example.org"])
def test_an_answer_is_offered_in_place_of_the_link_where_one_is_read(
    redis: Client, clock: Clock, mail_domain: str | None
) -> None:
    client = create_app(settings(smtp_url=URL, mail_domain=mail_domain), redis, clock).test_client()
    press(client, "/sign-in", "/account", **ZOE)
    for path in ("/", "/account/mail?saved=address"):
        page = client.get(path).text
        assert "open the link in the mail to zoe@example.org" in page
        assert ("or answer it with “yes”" in page) == (mail_domain is not None)


def test_its_mails_name_hours_in_the_browser_s_time_zone(
    client: FlaskClient, container: Container
) -> None:
    press(client, "/sign-in", "/account", **ZOE, zone="Europe/Berlin")
    (zoe,) = container.players.named("Zoe")
    assert container.mail_preferences.choice(zoe.id).time_zone == "Europe/Berlin"


def test_the_same_form_makes_it_once(client: FlaskClient, container: Container) -> None:
    fields = {**hidden(client.get("/sign-in").text), **ZOE}
    for _ in range(2):
        assert client.post("/account", data=fields).status_code == 303
        client.delete_cookie("scottenbury_session")  # the first answer was lost
    assert len(container.players.named("Zoe")) == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"email": "nowhere"}, "That is not a valid e-mail address."),
        ({"name": " "}, 'id="name-wrong"'),
        ({"name": "Ann"}, 'value="Ann 2"'),
    ],
)
def test_what_is_wrong_is_said_beside_it_and_makes_none(
    client: FlaskClient, container: Container, ann: Browser, fields: dict[str, str], said: str
) -> None:
    page = press(client, "/sign-in", "/account", **{**ZOE, **fields})
    assert (page.status_code, said in page.text) == (422, True)
    assert container.players.named("Zoe") == []
    assert 'value="zoe@example.org"' in page.text or "nowhere" in fields.values()


def test_whoever_is_signed_in_goes_to_their_own_address(ann: Browser, container: Container) -> None:
    answer = ann.client.post("/account", data={**hidden(ann.client.get("/account").text), **ZOE})
    assert answer.location == "/account/mail"
    assert container.players.named("Zoe") == []


def test_a_server_that_admits_by_invitation_offers_none(redis: Client, clock: Clock) -> None:
    app = create_app(settings(registration="invited", smtp_url=URL), redis, clock)
    visitor = app.test_client()
    page = visitor.get("/sign-in").text
    assert "Make the account" not in page
    refused = visitor.post("/account", data={**hidden(page), **ZOE})
    assert (refused.status_code, "by invitation" in refused.text) == (403, True)


def test_a_server_without_mail_offers_none(redis: Client, clock: Clock) -> None:
    visitor = create_app(settings(base_url="https://play.example.org"), redis, clock).test_client()
    assert "Make the account" not in visitor.get("/sign-in").text

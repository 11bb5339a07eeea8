"""How long a browser stays signed in, and what it is called."""

import pytest
from flask.testing import FlaskClient

from service.accounts.email_addresses import AddressVerification
from service.accounts.tokens import GUEST_SESSION_LIFE, SESSION_LIFE
from service.container import Container
from service.core.times import DAY
from tests.support.application import Server
from tests.support.clock import Clock
from tests.web.people import link_for, send

ANN = "ann@example.org"


def signed_in(client: FlaskClient, container: Container, email: str | None = ANN) -> str:
    """The id of a player whose session this browser holds."""
    player = container.registrations.register("Ann", email).player.id
    if email:
        send(client, link_for(container, email), player=player)
    else:
        session = container.tokens.open_session(player, "a browser", GUEST_SESSION_LIFE)
        client.set_cookie("scottenbury_session", session)
    return player


def expiries(container: Container, player: str) -> list[str | None]:
    return [token.expires for token in container.tokens.all_of(player) if token.kind == "session"]


def test_a_session_that_is_used_goes_on(client: FlaskClient, server: Server) -> None:
    signed_in(client, server.container)
    for _ in range(5):
        server.clock.time += SESSION_LIFE - DAY
        assert client.get("/account").status_code == 200


def test_a_session_that_is_not_used_ends_and_the_page_says_so(
    client: FlaskClient, container: Container, clock: Clock
) -> None:
    signed_in(client, container)
    clock.time += SESSION_LIFE
    assert "no longer signed in" in client.get("/account", follow_redirects=True).text


def test_it_is_renewed_once_a_day(client: FlaskClient, container: Container, clock: Clock) -> None:
    player = signed_in(client, container)
    before = expiries(container, player)
    client.get("/account")  # which follows the form that signed in
    clock.time += DAY - 1
    assert "Set-Cookie" not in client.get("/account").headers
    assert expiries(container, player) == before
    clock.time += 2
    assert f"Max-Age={SESSION_LIFE}" in "".join(
        client.get("/account").headers.getlist("Set-Cookie")
    )
    assert expiries(container, player) != before


def test_a_guest_who_could_not_sign_in_again_stays_as_long_as_a_cookie_can(
    client: FlaskClient, container: Container, clock: Clock
) -> None:
    signed_in(client, container, email=None)
    for _ in range(3):
        clock.time += GUEST_SESSION_LIFE - DAY
        answer = client.get("/account")
        assert answer.status_code == 200
        assert f"Max-Age={GUEST_SESSION_LIFE}" in "".join(answer.headers.getlist("Set-Cookie"))


def test_a_guest_who_confirms_an_address_has_an_ordinary_session(
    client: FlaskClient, container: Container, clock: Clock
) -> None:
    player = container.players.find(signed_in(client, container, email=None))
    assert player is not None
    container.players.set_address(player, ANN)
    container.players.verify(AddressVerification(player.id, ANN, 0))
    clock.time += DAY + 1
    assert f"Max-Age={SESSION_LIFE}" in "".join(
        client.get("/account").headers.getlist("Set-Cookie")
    )


def test_a_session_that_was_ended_is_not_renewed(client: FlaskClient, server: Server) -> None:
    player = signed_in(client, server.container)
    cookie = client.get_cookie("scottenbury_session")
    assert cookie is not None
    server.container.tokens.revoke_all(player)
    server.clock.time += 2 * DAY
    assert not server.container.tokens.renew_session(cookie.value, SESSION_LIFE)
    assert expiries(server.container, player) == []


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox on Linux",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
            "Safari on an iPhone",
        ),
        ("<script>alert(1)</script>", "a browser"),
        ("", "a browser"),
    ],
)
def test_a_browser_is_called_by_known_words_alone(
    client: FlaskClient, container: Container, agent: str, name: str
) -> None:
    player = container.registrations.register("Ann", ANN).player.id
    path = link_for(container)
    client.environ_base["HTTP_USER_AGENT"] = agent
    send(client, path, player=player)
    assert [t.name for t in container.tokens.all_of(player) if t.kind == "session"] == [name]

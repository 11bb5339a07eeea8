"""Browsers of players, and the forms that they send."""

import re
from typing import NamedTuple

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine import Seat
from service.container import Container
from service.core.redis.client import Client
from tests.support.clock import Clock
from tests.support.people import clock_of, container_of
from tests.web.pressing import Visitor
from tests.web.shown import Shown, signed_in


class Browser(NamedTuple):
    """A browser, and the id of who is signed in there."""

    client: FlaskClient
    player: str

    @property
    def container(self) -> Container:
        """The use cases of the server whose pages it shows."""
        return container_of(self.client)

    @property
    def clock(self) -> Clock:
        """The time of that server."""
        return clock_of(self.client)

    def get(self, path: str) -> str:
        """The text of a page that is there."""
        answer = self.client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.text

    def press(self, page: str, path: str, **fields: object) -> TestResponse:
        """Send a form of `page` to `path`."""
        return press(self.client, page, path, **fields)


def browser_of(app: Flask, container: Container, name: str, email: str | None = None) -> Browser:
    """A new player's browser."""
    player = container.registrations.register(name, email).player.id
    client = app.test_client()
    client.set_cookie("scottenbury_session", container.tokens.open_session(player, "a browser"))
    return Browser(client, player)


def hidden(text: str) -> dict[str, str]:
    """The hidden fields that all forms of a page share, of its first form: what its signs are sent
    with is none, and counts where there is no other."""
    field = r'<input type="hidden" name="(form|once)" value="([^"]+)"'
    found = dict((re.findall(rf"{field}(?! data-sign)", text) or re.findall(field, text))[:2])
    assert "form" in found, text
    return found


def press(client: FlaskClient, page: str, path: str, **fields: object) -> TestResponse:
    """Send a form of `page` to `path`, which has to be one that the page leads to."""
    text = client.get(page).text
    assert f'action="{path}"' in text, path
    return client.post(path, data={**hidden(text), **fields})


def dump(redis: Client) -> dict[str, object]:
    """Everything that is stored."""
    return {key: redis.dump(key) for key in redis.keys("*")}


def form_of(page: TestResponse) -> str:
    tokens = set(re.findall(r'name="form" value="([^"]+)"', page.text))
    assert len(tokens) == 1
    return str(tokens.pop())


def send(client: FlaskClient, page: str, path: str | None = None, **fields: object) -> TestResponse:
    """Send the form on a page, to `path` if it does not lead back there."""
    return client.post(path or page, data={"form": form_of(client.get(page)), **fields})


def link_for(container: Container, email: str = "ann@example.org") -> str:
    """The path of a link to sign in, as the mail would have it."""
    known = {notice.id for notice in container.log.outbox.pending()}
    container.sign_in.request_link(email)
    (notice,) = {notice.id for notice in container.log.outbox.pending()} - known
    found = container.sign_in.link_to_send(notice.partition(".")[0])
    assert found is not None
    return found[1].removeprefix(container.settings.base_url)


def is_signed_in(client: FlaskClient, name: str) -> bool:
    """Whether the player of this name is."""
    page = client.get("/account")
    return page.status_code == 200 and f">{name}</h1>" in page.text


def visitor(app: Flask, player: str) -> Visitor:
    """A browser in which this player is signed in."""
    return Visitor(signed_in(app, player))


def both(app: Flask, game: Shown) -> dict[Seat, Visitor]:
    """Browsers of the two players, on the page of their game."""
    people: dict[Seat, Visitor] = {"north": visitor(app, game.ann), "south": visitor(app, game.bob)}
    for person in people.values():
        person.go(f"/games/{game.id}")
    return people


def put_together(person: Visitor, stone: int = 3) -> None:
    """The first card of the hand, on this Stone."""
    person.press(person.hand[0])
    person.press(f"Play on Stone {stone}")

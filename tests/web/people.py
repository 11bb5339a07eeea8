"""Browsers of players, and the forms that they send."""

import re
from typing import NamedTuple

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.container import Container


class Browser(NamedTuple):
    """A browser, and the id of who is signed in there."""

    client: FlaskClient
    player: str

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
    player = container.players.register(name, email).player.id
    client = app.test_client()
    client.set_cookie("scottenbury_session", container.tokens.open_session(player, "a browser"))
    return Browser(client, player)


def hidden(text: str) -> dict[str, str]:
    """The hidden fields that all forms of a page share, of its first form."""
    found = dict(re.findall(r'<input type="hidden" name="(form|once)" value="([^"]+)"', text)[:2])
    assert "form" in found, text
    return found


def press(client: FlaskClient, page: str, path: str, **fields: object) -> TestResponse:
    """Send a form of `page` to `path`, which has to be one that the page leads to."""
    text = client.get(page).text
    assert f'action="{path}"' in text, path
    return client.post(path, data={**hidden(text), **fields})

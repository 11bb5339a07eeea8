"""The bots of a player, on the page about programs."""

import re

from flask.testing import FlaskClient

from service.container import Container
from tests.web.people import Browser


def test_a_bot_is_made_listed_and_ended_there(container: Container, ann: Browser) -> None:
    made = ann.press("/account/tokens", "/account/bots", name="Deep").text
    shown = re.search("The token of Deep \\(bot\\), shown only this once: <code>(.+)</code>", made)
    assert shown is not None
    access = container.tokens.authenticate(shown[1])
    assert access is not None
    assert shown[1] not in ann.get("/account/tokens")
    ann.press("/account/tokens", f"/account/bots/{access.player}/end")
    assert "Deep (bot)" not in ann.get("/account/tokens")
    assert container.players.find(access.player) is None


def test_a_refused_name_is_explained(ann: Browser, bob: Browser) -> None:
    bob.press("/account/tokens", "/account/bots", name="Deep")
    refused = ann.press("/account/tokens", "/account/bots", name="Deep")
    assert refused.status_code == 422
    assert "Deep 2 (bot) is free." in refused.text


def test_who_is_not_signed_in_makes_none(client: FlaskClient) -> None:
    assert client.get("/account/tokens").status_code == 303

"""A GET at an address that takes forms leads back to the page that the form is on."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.core.redis.client import Client
from tests.web.people import both, dump, put_together
from tests.web.shown import Shown


@pytest.mark.parametrize(
    ("form", "page"),
    [
        ("/games/{}/turns", "/games/{}"),
        ("/games/{}/seat", "/games/{}"),
        ("/games/{}/orders/plan", "/games/{}/orders"),
        ("/games/{}/orders/plan/withdrawal", "/games/{}/orders"),
        ("/challenges/{}/accept", "/challenges/{}"),
        ("/lobby/{}/join", "/lobby"),
        ("/invitations/{}/accept", "/"),
        ("/account/mails", "/account"),
        ("/play-the-steward", "/"),
    ],
)
def test_it_leads_up_to_the_page(
    client: FlaskClient, game: Shown, redis: Client, form: str, page: str
) -> None:
    before = dump(redis)
    answer = client.get(form.format(game.id))
    assert (answer.status_code, answer.location) == (303, page.format(game.id))
    assert dump(redis) == before


def test_after_a_refused_turn_its_address_shows_the_game(app: Flask, game: Shown) -> None:
    ann = both(app, game)["north"]
    put_together(ann)
    action, fields = ann.fields_of(ann.send_button)
    ann.post(action, [(n, "P9@99" if n == "turn" else value) for n, value in fields])
    assert ann.answer.status_code == 422
    assert ann.path == f"/games/{game.id}/turns"
    ann.go(ann.path)
    assert ann.path == f"/games/{game.id}"
    assert ann.status.startswith("Your turn")


@pytest.mark.parametrize("path", ["/v1/games/x/turns", "/mail-in", "/v1/players/x/y"])
def test_what_programs_use_answers_as_before(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code in (404, 405)


def test_no_other_method_is_led_anywhere(client: FlaskClient, game: Shown) -> None:
    assert client.put(f"/games/{game.id}/turns").status_code == 405

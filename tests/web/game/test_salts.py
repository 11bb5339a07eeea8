"""The player's share in the shuffle, as pages send it."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.games import NewGame
from tests.support.application import Server
from tests.web.people import send
from tests.web.shown import Shown, signed_in


@pytest.fixture
def ann(container: Container) -> str:
    return container.registrations.register("Ann").player.id


NEW = {"whom": "link", "edition": "iello", "first": "random", "rounds": "1"}


def test_a_game_takes_the_seal_and_the_salt_of_its_maker(server: Server, ann: str) -> None:
    seal = server.container.games.seals.make(ann)
    send(signed_in(server.app, ann), "/games/new", **NEW, seal=seal.id, salt="ab" * 16)
    (made,), _ = server.container.games.lists.of_player(ann)
    game = server.container.games.load(made["id"]).game
    assert game.commitment == seal.commitment
    assert game.salts[game.creator] == "ab" * 16


@pytest.mark.parametrize("wrong", [{"seal": "no seal"}, {"salt": "x" * 201}, {"salt": "a\nb"}])
def test_what_cannot_be_used_makes_no_game(server: Server, ann: str, wrong: dict[str, str]) -> None:
    assert send(signed_in(server.app, ann), "/games/new", **NEW, **wrong).status_code == 422
    assert server.container.games.lists.of_player(ann) == ([], None)


@pytest.mark.parametrize(
    ("page", "form"), [("/games/new", {**NEW, "own_name": "Cleo"}), ("/", {"level": "easy"})]
)
def test_a_guest_s_first_game_takes_the_seal_of_its_form(
    client: FlaskClient, container: Container, page: str, form: dict[str, str]
) -> None:
    once = "o" * 43
    seal = send(client, page, "/seals", once=once).get_json()
    target = "/play-the-steward" if page == "/" else page
    fields = {**form, "once": once, "seal": seal["seal"], "salt": "ab" * 16}

    answer = send(client, page, target, **fields)

    game = container.games.load(answer.location.rpartition("/")[2]).game
    assert game.commitment == seal["commitment"]
    assert game.salts[game.creator] == "ab" * 16


def test_only_a_player_or_a_guest_to_be_gets_a_seal(
    app: Flask, client: FlaskClient, ann: str
) -> None:
    assert send(client, "/sign-in", "/seals", once="").status_code == 401
    answer = send(signed_in(app, ann), "/games/new", "/seals")
    assert set(answer.get_json()) == {"seal", "commitment"}


def test_a_page_of_another_site_gets_none(app: Flask, ann: str) -> None:
    assert signed_in(app, ann).post("/seals").status_code == 403


def test_the_form_for_the_free_seat_tells_the_commitment(
    app: Flask, client: FlaskClient, container: Container, ann: str
) -> None:
    made = container.games.create(ann, NewGame(first_player="creator", listed=True))
    page = client.get(f"/games/{made.id}").text
    again = send(client, f"/games/{made.id}", f"/games/{made.id}/seat", name="")
    assert again.status_code == 422
    for text in (page, again.text):
        assert f'data-commitment="{made.game.commitment}"' in text
        assert "/salt.js" in text  # which makes the salt


def test_a_game_against_the_bot_takes_both_as_well(server: Server, ann: str) -> None:
    browser, seal = signed_in(server.app, ann), server.container.games.seals.make(ann)
    assert 'action="/play-the-steward" class="press"  data-seals="/seals"' in browser.get("/").text
    send(browser, "/", "/play-the-steward", seal=seal.id, salt="ab" * 16)
    (made,), _ = server.container.games.lists.of_player(ann)
    game = server.container.games.load(made["id"]).game
    assert game.commitment == seal.commitment
    assert game.salts[game.creator] == "ab" * 16


def test_an_invitation_to_a_player_shows_the_commitment_and_takes_a_salt(
    app: Flask, container: Container, ann: str
) -> None:
    bob = container.registrations.register("Bob").player.id
    made = container.games.create(ann, NewGame(opponent=bob))
    browser, accept = signed_in(app, bob), f"/invitations/{made.id}/accept"
    form = f'action="{accept}" class="press" data-commitment="{made.game.commitment}"'
    assert form in browser.get("/").text
    send(browser, "/", accept, salt="cd" * 16)
    assert "cd" * 16 in container.games.load(made.id).game.salts.values()


def test_a_running_game_asks_for_nothing(client: FlaskClient, game: Shown) -> None:
    assert "data-seals" not in client.get(f"/games/{game.id}").text

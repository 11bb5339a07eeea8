"""Going through a game step by step, with plain links."""

import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from tests.support.application import Server
from tests.web.pressing import read
from tests.web.shown import Shown, begin, play_on, signed_in


@pytest.fixture
def over(container: Container, game: Shown) -> Shown:
    """A game that Bob has resigned after Ann's first turn."""
    container.games.play(game.id, game.ann, ["R4@3"])
    container.games.resign(game.id, game.bob)
    return game


def test_a_game_is_shown_as_it_stood(
    client: FlaskClient, container: Container, game: Shown
) -> None:
    container.games.play(game.id, game.ann, ["R4@3"])
    page = client.get(f"/games/{game.id}?at=4").text
    assert 'value="4" aria-valuetext="After turn 1 of 1"' in page
    assert "Ann played Red 4 on Stone 3" in re.sub("<[^>]+>", "", page)
    assert f'href="/games/{game.id}?at=3">Back</a>' in page
    assert f'href="/games/{game.id}?at=6">Forward</a>' in page
    assert 'aria-label="Red 4"' in page
    assert 'aria-label="Red 4"' not in client.get(f"/games/{game.id}?at=3").text


def test_forward_and_back_go_turn_by_turn(
    client: FlaskClient, container: Container, game: Shown
) -> None:
    for player, turn in ((game.ann, "R4@3"), (game.bob, "O7@3")):
        container.games.play(game.id, player, [turn])
    page = client.get(f"/games/{game.id}?at=6").text
    assert f'href="/games/{game.id}?at=3">Back</a>' in page
    assert f'href="/games/{game.id}?at=9">Forward</a>' in page


def test_the_first_and_last_steps_lead_no_further(client: FlaskClient, game: Shown) -> None:
    first, last = client.get(f"/games/{game.id}?at=3").text, client.get(f"/games/{game.id}").text
    for name in ("First", "Back"):
        assert f'<a class="step" aria-disabled="true">{name}</a>' in first
    for name in ("Forward", "Last"):
        assert f'<a class="step" aria-disabled="true">{name}</a>' in last


@pytest.mark.parametrize("at", [1, 2])
def test_a_step_before_the_deal_leads_to_the_deal_so_there_is_always_a_board(
    client: FlaskClient, over: Shown, at: int
) -> None:
    answer = client.get(f"/games/{over.id}?at={at}&eyes=both")
    assert answer.location == f"/games/{over.id}?at=3&eyes=both"
    assert 'class="board"' in client.get(answer.location).text


@pytest.mark.parametrize("at", ["0", "99", "-1", "x", "²", "9" * 5000])
def test_a_step_that_is_not_there_is_not_found(client: FlaskClient, game: Shown, at: str) -> None:
    assert client.get(f"/games/{game.id}?at={at}").status_code == 404


def test_both_hands_are_shown_once_the_game_is_over(client: FlaskClient, over: Shown) -> None:
    assert client.get(f"/games/{over.id}?at=3").text.count("both</a>") == 1
    both = {eyes: hands(client, over, eyes) for eyes in ("north", "south", "both")}
    assert both["both"] == both["north"] | both["south"]
    assert len(both["north"]) == len(both["south"]) == 6


def test_a_player_who_goes_back_sees_the_own_hand_first(app: Flask, over: Shown) -> None:
    page = read(signed_in(app, over.ann).get(f"/games/{over.id}?at=3").text)
    shown = [part.name for part in page.all("section") if part.name.startswith("Hand of")]
    assert shown == ["Hand of Ann"]


def test_the_end_too_shows_the_hand_that_is_asked_for(
    client: FlaskClient, container: Container, over: Shown
) -> None:
    last = container.games.load(over.id).version
    both = {eyes: hands(client, over, eyes, last) for eyes in ("north", "south", "both")}
    assert both["both"] == both["north"] | both["south"]
    assert len(both["north"]) == len(both["south"]) == 6


def test_the_last_step_is_named_by_the_result(
    app: Flask, container: Container, over: Shown
) -> None:
    ann, last = signed_in(app, over.ann), container.games.load(over.id).version
    pages = [ann.get(f"/games/{over.id}?at={at}&eyes=south").text for at in (last - 2, last)]
    titles = [re.findall('<p class="state">(.*?)</p>', page) for page in pages]
    assert titles == [["After turn 1 of 1"], ["You won: Bob resigned"]]


def hands(client: FlaskClient, game: Shown, eyes: str, at: int = 3) -> set[str]:
    """The cards in hands that the page shows."""
    page = read(client.get(f"/games/{game.id}?at={at}&eyes={eyes}").text)
    shown = [part for part in page.all("section") if part.name.startswith("Hand of")]
    return {item.text for part in shown for item in part.all("li")}


@pytest.mark.parametrize("eyes", ["north", "south", "both"])
def test_nobody_looks_through_other_eyes_while_the_game_goes_on(
    app: Flask, game: Shown, eyes: str
) -> None:
    client = signed_in(app, game.ann)
    assert client.get(f"/games/{game.id}?at=3&eyes={eyes}").status_code == 404
    assert "both</a>" not in client.get(f"/games/{game.id}?at=3").text


def test_eyes_that_nobody_has_are_not_found(client: FlaskClient, over: Shown) -> None:
    assert client.get(f"/games/{over.id}?at=3&eyes=west").status_code == 404


def test_a_player_goes_to_what_happened_since_the_last_turn(server: Server, game: Shown) -> None:
    client = signed_in(server.app, game.ann)
    assert "Show what Bob did" not in client.get(f"/games/{game.id}").text
    server.container.games.play(game.id, game.ann, ["R4@3"])
    assert "Show what Bob did" not in client.get(f"/games/{game.id}").text
    reply = server.container.games.view(server.container.games.load(game.id), game.bob).legal[0]
    server.container.games.play(game.id, game.bob, [reply])
    assert f'/games/{game.id}?at=6" data-replay="since"' in client.get(f"/games/{game.id}").text


def test_before_the_first_turn_there_is_no_last_one(server: Server, game: Shown) -> None:
    """Bob has joined, and Ann has played since."""
    server.container.games.play(game.id, game.ann, ["R4@3"])
    assert "Show what Bob did" not in signed_in(server.app, game.bob).get(f"/games/{game.id}").text


def test_the_record_is_given_as_the_reader_may_see_it(
    app: Flask, client: FlaskClient, container: Container, game: Shown
) -> None:
    def hidden(client: FlaskClient) -> list[int]:
        lines = client.get(f"/games/{game.id}/record").text.splitlines()
        return [line["seq"] for line in map(json.loads, lines) if line["salt"] is None]

    container.games.play(game.id, game.ann, ["R4@3"])
    assert hidden(client) == [1, 3, 5]
    assert hidden(signed_in(app, game.ann)) == [1, 3]


def test_the_record_of_a_private_game_is_its_players_own(
    app: Flask, client: FlaskClient, container: Container
) -> None:
    game = begin(container, "Cleo", private=True)
    assert client.get(f"/games/{game.id}/record").status_code == 404
    assert signed_in(app, game.ann).get(f"/games/{game.id}/record").status_code == 200


def test_a_player_keeps_the_own_side_nearest_in_the_replay(
    app: Flask, client: FlaskClient, over: Shown
) -> None:
    def nearest(client: FlaskClient) -> str:
        page = client.get(f"/games/{over.id}?at=4").text
        return (
            page.rpartition('class="player below')[2].partition("<b>")[2].partition("<")[0].strip()
        )

    assert nearest(signed_in(app, over.ann)) == "Ann"
    assert nearest(signed_in(app, over.bob)) == "Bob"
    assert nearest(client) == "Bob"


def test_a_claimed_stone_says_why_to_everybody_and_leads_to_its_claim(
    app: Flask, client: FlaskClient, container: Container, game: Shown
) -> None:
    play_on(container, game, 60)
    lines = container.games.history.lines(container.games.load(game.id), None)
    claim = next(line for line in lines if line["type"] == "stone_claimed")
    then = f'<a href="/games/{game.id}?at={claim["seq"]}">The board at that time</a>'
    by, stone = claim["by"], claim["data"]["stone"]
    player, name = {"north": (game.ann, "Ann"), "south": (game.bob, "Bob")}[by]
    assert f"Claimed by {name}: " in client.get(f"/games/{game.id}").text
    page = signed_in(app, player).get(f"/games/{game.id}").text
    assert f"Why is Stone {stone} claimed?" in page
    assert "Claimed by you: " in page
    assert then in page
    assert "Claimed by" not in client.get(f"/games/{game.id}?at={claim['seq'] - 1}").text

"""A record from a file, replayed on a page."""

import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.record import from_jsonl, to_text
from service.container import Container
from service.server.app import LARGER_BODIES, MAX_BODY
from tests.web.people import send
from tests.web.shown import Shown, begin, play_on, signed_in

RECORD = Path(__file__).parents[2] / "golden/bga+tactics+expert-abandoned-0.jsonl"
TEXT = RECORD.read_text()


def replay(client: FlaskClient, record: str = TEXT, **more: str) -> TestResponse:
    return send(client, "/replay", record=record, **more)


@pytest.mark.parametrize("record", [TEXT, to_text(from_jsonl(TEXT))], ids=["json", "text"])
def test_a_record_is_replayed_in_either_form(client: FlaskClient, record: str) -> None:
    page = replay(client, record, at="30").text
    assert "The record is sound: every card" in page
    assert "After turn 9 of 40" in page
    assert "Hand of North" in page
    assert "Hand of South" in page


def test_a_file_is_replayed(client: FlaskClient) -> None:
    with RECORD.open("rb") as file:
        page = send(client, "/replay", file=file, record="").text
    assert "After turn 40 of 40" in page


def test_the_record_of_a_long_match_is_replayed_step_by_step(client: FlaskClient) -> None:
    """Such a record is larger than what other pages take: here by spaces."""
    text = "\n".join(line + " " * 2000 for line in TEXT.splitlines())
    assert MAX_BODY < len(text) < LARGER_BODIES["/replay"]
    file = (BytesIO(text.encode()), "match.jsonl")
    assert "After turn 40 of 40" in send(client, "/replay", file=file, record="").text
    again = {"record": text, "at": "30"}
    assert "After turn 9 of 40" in send(client, "/replay", **again).text


@pytest.mark.parametrize("at", ["30", "124"])
def test_one_hand_is_shown_alone_at_the_end_too(client: FlaskClient, at: str) -> None:
    page = replay(client, at=at, eyes="south").text
    assert "Hand of South" in page
    assert "Hand of North" not in page


def test_a_record_that_is_too_large_is_refused(client: FlaskClient) -> None:
    assert send(client, "/replay", record=" " * LARGER_BODIES["/replay"]).status_code == 413


@pytest.mark.parametrize("at", ["0", "125", "-1", "x", "²", "9" * 5000])
def test_a_step_that_is_not_there_is_told(client: FlaskClient, at: str) -> None:
    answer = replay(client, at=at)
    assert answer.status_code == 422
    assert "the record has 124" in answer.text


def test_a_tampered_record_is_refused_with_its_event(client: FlaskClient) -> None:
    events = [json.loads(line) for line in TEXT.splitlines()]
    events[9]["via"] = "web" if events[9]["via"] != "web" else "api"
    answer = replay(client, "\n".join(map(json.dumps, events)))
    assert answer.status_code == 422
    assert "This record is not sound: event 10" in answer.text


@pytest.mark.parametrize("record", ["", "   ", "no record", "[", "{}", "null", "[" * 5000])
def test_what_is_no_record_is_told(client: FlaskClient, record: str) -> None:
    answer = replay(client, record)
    assert answer.status_code == 422
    assert 'role="status"' in answer.text


def test_a_record_that_hides_cards_is_told_to_be_verified(client: FlaskClient) -> None:
    events = [json.loads(line) for line in TEXT.splitlines()][:20]
    for event in events:
        if event["private"] is not None:
            event["private"] = event["salt"] = None
    assert "hides cards" in replay(client, "\n".join(map(json.dumps, events))).text


def test_what_is_pasted_comes_back_as_text_alone(client: FlaskClient) -> None:
    page = replay(client, "</textarea><script>alert(1)</script>").text
    assert "<script>alert" not in page


def test_nothing_is_replayed_for_another_site(client: FlaskClient) -> None:
    assert client.post("/replay", data={"record": TEXT}).status_code == 403


def test_a_claimed_stone_says_why(client: FlaskClient) -> None:
    text = RECORD.with_name("bga+expert-abandoned-0.jsonl").read_text("utf-8")
    page = replay(client, text).text
    claim = next(line for line in from_jsonl(text) if line["type"] == "stone_claimed")
    who = "North" if claim["by"] == "north" else "South"
    assert f"Why is Stone {claim['data']['stone']} claimed?" in page
    assert f"Claimed by {who}: " in page
    assert "The board at that time" not in page  # the steps of a record have no addresses


class TestGameHere:
    """The record of a game of this server names its players; any other has North and South."""

    @pytest.fixture
    def over(self, container: Container, game: Shown) -> Shown:
        play_on(container, game, 2)
        container.games.resign(game.id, game.bob)
        return game

    def test_its_page_leads_to_it(self, client: FlaskClient, over: Shown) -> None:
        page = client.get(f"/replay?game={over.id}").text
        assert "Hand of Ann" in page
        assert f'href="/games/{over.id}"' in page

    def test_its_players_see_it_from_their_own_side(self, app: Flask, over: Shown) -> None:
        for player, name in ((over.ann, "Ann"), (over.bob, "Bob")):
            page = signed_in(app, player).get(f"/replay?game={over.id}").text
            _, below = page.split('class="player below', 1)
            assert re.search(r"<b>(\w+)</b>", below)[1] == name  # type: ignore[index]

    def test_a_downloaded_file_is_known_by_its_name(self, client: FlaskClient, over: Shown) -> None:
        answer = client.get(f"/games/{over.id}/record")
        file = (BytesIO(answer.data), f"{over.id}.jsonl")
        assert "Hand of Ann" in send(client, "/replay", file=file, record="").text
        assert "Hand of Ann" in replay(client, answer.text, game=over.id).text

    def test_no_other_record_is_taken_for_it(self, client: FlaskClient, over: Shown) -> None:
        page = replay(client, game=over.id).text
        assert "Hand of North" in page
        assert "Ann" not in page

    def test_only_a_finished_game_is_shown_and_to_whom_it_may_be(
        self, app: Flask, client: FlaskClient, container: Container
    ) -> None:
        game = begin(container, private=True)
        player, path = signed_in(app, game.ann), f"/replay?game={game.id}"
        assert player.get(path).status_code == 404
        container.games.resign(game.id, game.bob)
        assert client.get(path).status_code == 404
        assert player.get(path).status_code == 200

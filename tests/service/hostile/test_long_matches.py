"""A long match costs its readers no more than a short game does."""

import json
import re
from typing import Any

import pytest
from flask import Flask, request
from flask.testing import FlaskClient

from service.api.schemas.inputs import EVENTS_AT_ONCE, MOST_EVENTS
from service.container import Container
from service.core.redis.client import Client
from service.games.repository import LONGEST_ROUND
from service.realtime.deferred import DEFERRAL, OpenStream
from service.realtime.serving import CALLER
from service.server.app import create_app
from tests.support.matches import events_read, lines_of_match, put_match
from tests.support.people import Person, code
from tests.support.servers import SocketServer
from tests.support.settings import settings

ROUNDS = 5
EVENTS = [json.loads(line) for line in lines_of_match(ROUNDS)]
LINES = {"Accept": "application/x-ndjson"}


@pytest.fixture
def match(container: Container) -> str:
    """A finished match, which everything of can be seen."""
    return put_match(container, ROUNDS)


def _next(answer: Any) -> str | None:
    link = answer.headers.get("Link")
    found = link and re.fullmatch(r'<(.+)>; rel="next"', link)
    return found[1] if found else None


class TestEvents:
    def test_no_answer_holds_more_than_its_share(self, client: FlaskClient, match: str) -> None:
        answer = client.get(f"/v1/games/{match}/events").json
        assert answer["version"] == len(EVENTS)
        assert answer["events"] == EVENTS[:EVENTS_AT_ONCE]
        assert answer["next"] == EVENTS_AT_ONCE

    @pytest.mark.parametrize("limit", [90, 500, MOST_EVENTS])
    @pytest.mark.parametrize("form", ["application/json", "application/x-ndjson"])
    def test_pages_follow_each_other_to_the_end(
        self, client: FlaskClient, match: str, limit: int, form: str
    ) -> None:
        found: list[Any] = []
        path: str | None = f"/v1/games/{match}/events?limit={limit}"
        while path is not None:
            answer = client.get(path, headers={"Accept": form})
            page = (
                answer.json["events"]
                if form == "application/json"
                else [json.loads(line) for line in answer.text.splitlines()]
            )
            assert 0 < len(page) <= limit
            found += page
            path = _next(answer)
            assert form != "application/json" or (answer.json["next"] is None) == (path is None)
        assert found == EVENTS

    def test_next_is_the_after_of_the_next_page(self, client: FlaskClient, match: str) -> None:
        first = client.get(f"/v1/games/{match}/events?after=10&limit=3").json
        assert [event["seq"] for event in first["events"]] == [11, 12, 13]
        assert first["next"] == 13
        path = f"/v1/games/{match}/events?after={len(EVENTS) - 2}&limit=2"
        assert client.get(path).json["next"] is None

    @pytest.mark.parametrize("limit", ["0", "-1", str(MOST_EVENTS + 1), "x", ""])
    def test_there_is_a_most(self, client: FlaskClient, match: str, limit: str) -> None:
        answer = client.get(f"/v1/games/{match}/events?limit={limit}")
        assert (answer.status_code, code(answer)) == (422, "validation-failed")

    def test_a_page_before_the_last_is_no_answer_for_the_whole(
        self, client: FlaskClient, match: str
    ) -> None:
        """A client that sends the tag of one page with its wish for the next gets the next."""
        first = client.get(f"/v1/games/{match}/events?limit=100")
        tag = {"If-None-Match": first.headers["ETag"]}
        assert client.get(_next(first) or "", headers=tag).status_code == 200
        whole = client.get(f"/v1/games/{match}/events?after={len(EVENTS) - 5}")
        assert whole.headers["ETag"] == f'"{len(EVENTS)}"'

    def test_a_stream_catches_up_in_pieces(self, app: Flask, match: str) -> None:
        seen: dict[str, Any] = {}
        plain = app.wsgi_app

        def watched(environ: dict[str, Any], start: Any) -> Any:
            chunks = plain(environ, start)
            seen["held"] = environ.get(DEFERRAL)
            return chunks

        app.wsgi_app = watched  # type: ignore[method-assign]
        stream = {"Accept": "text/event-stream"}
        answer = app.test_client().get(f"/v1/games/{match}/events", headers=stream)
        assert answer.text.count("\ndata: ") == EVENTS_AT_ONCE
        assert seen["held"] == OpenStream(frozenset([match]), str(EVENTS_AT_ONCE), more=True)
        resumed = {**stream, "Last-Event-ID": str(EVENTS_AT_ONCE)}
        answer = app.test_client().get(f"/v1/games/{match}/events", headers=resumed)
        assert answer.text.count("\ndata: ") == len(EVENTS) - EVENTS_AT_ONCE
        assert seen["held"] is None


class TestPage:
    def test_it_tells_one_round_and_leads_to_the_others(
        self, client: FlaskClient, match: str
    ) -> None:
        page = client.get(f"/games/{match}").text
        assert f"Log of round {ROUNDS}" in page
        assert f"Round {ROUNDS} began" in page
        assert f"Round {ROUNDS - 1} began" not in page
        rounds = []
        path: str | None = f"/games/{match}?at=3"
        while path is not None:
            page = client.get(path).text
            rounds += [int(number) for number in re.findall(r"<a .+>Round (\d+) began", page)]
            following = re.search(r'href="([^"]+)" aria-label="the round after"', page)
            path = following and following[1]
        assert rounds == [*range(2, ROUNDS + 1)]  # a game that begins need not say so

    def test_a_game_of_one_round_is_told_whole(
        self, client: FlaskClient, container: Container
    ) -> None:
        page = client.get(f"/games/{put_match(container, 1)}").text
        assert "created the game" in page
        assert "Rounds of the match" not in page

    @pytest.mark.parametrize("at", ["", "?at=400"])
    def test_it_takes_the_same_however_long_the_match(
        self, client: FlaskClient, container: Container, at: str
    ) -> None:
        match = put_match(container, ROUNDS)
        client.get(f"/games/{match}")
        with events_read() as events:
            page = client.get(f"/games/{match}{at}")
        assert len(page.data) < 100_000
        assert len(events) <= 3 * LONGEST_ROUND


class TestExport:
    @pytest.fixture
    def limited(self, redis: Client, redis_server: SocketServer) -> FlaskClient:
        limited = settings(rate_limits=True, redis_url=redis_server.url)
        return create_app(limited, redis).test_client()

    def test_it_takes_a_place_among_large_answers(self, limited: FlaskClient) -> None:
        """Nobody knows its length before it is made."""
        ada = Person(limited, "Ada")
        headers = {"Authorization": f"Bearer {ada.token}"}
        with limited:
            assert limited.get("/v1/me/export", headers=headers).status_code == 200
            assert request.environ[CALLER].player == ada.id

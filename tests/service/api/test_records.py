"""GET /v1/records: finished games, as far as both players let them be studied."""

import gzip
import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.record import from_archive
from engine.verify import verify
from service.accounts.player import PLAYER
from service.container import Container
from service.core.redis.client import Client
from service.ops.integrity import reindex
from tests.support.clock import Clock
from tests.support.people import Person, Started

DAY = 86_400


def over(ada: Person, bob: Person, **options: Any) -> Started:
    """A game that Ada resigns after her first turn."""
    game = Started(ada, bob, **options)
    game.play_any()
    assert ada.post(f"{game.path}/resignation").status_code == 200
    return game


def agree(choice: str, *players: Person) -> None:
    for player in players:
        assert player.patch("/me", {"archive": choice}).json["archive"] == choice


def games(client: FlaskClient, query: str = "") -> list[Any]:
    answer = client.get(f"/v1/records{query}")
    assert answer.status_code == 200
    assert answer.mimetype == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.fixture
def later(clock: Clock, ada: Person, bob: Person) -> None:
    """Two days after the end of a game that both let be studied."""
    agree("nameless", ada, bob)
    over(ada, bob)
    clock.time += 2 * DAY


class TestWhatIsInIt:
    @pytest.mark.usefixtures("later")
    def test_a_game_is_a_line_with_a_nameless_record(
        self, client: FlaskClient, ada: Person, bob: Person
    ) -> None:
        (line,) = client.get("/v1/records").text.splitlines()
        record = from_archive(line)
        assert verify(record) is None
        assert record[-1]["type"] == "game_ended"
        assert json.loads(line)["players"] is None
        told = (ada.id, bob.id, ada.name, bob.name, "12:00:00")
        assert not any(word in line for word in told)

    @pytest.mark.parametrize(
        ("one", "other", "there", "named"),
        [
            ("no", "named", False, False),
            ("nameless", "no", False, False),
            ("nameless", "named", True, False),
            ("named", "named", True, True),
        ],
    )
    def test_it_takes_the_word_of_both(
        self,
        client: FlaskClient,
        clock: Clock,
        ada: Person,
        bob: Person,
        one: str,
        other: str,
        there: bool,
        named: bool,
    ) -> None:
        agree(one, ada)
        agree(other, bob)
        over(ada, bob)
        clock.time += 2 * DAY
        names = {"north": "Ada", "south": "Bob"} if named else None
        assert [game["players"] for game in games(client)] == [names] * there

    def test_nobody_has_agreed_by_default(
        self, client: FlaskClient, clock: Clock, ada: Person, bob: Person
    ) -> None:
        assert ada.get("/me").json["archive"] == "no"
        over(ada, bob)
        clock.time += 2 * DAY
        assert games(client) == []

    @pytest.mark.usefixtures("later")
    def test_who_takes_their_word_back_is_gone_at_once(
        self, client: FlaskClient, ada: Person
    ) -> None:
        agree("no", ada)
        assert games(client) == []

    @pytest.mark.usefixtures("later")
    def test_who_deletes_their_account_is_gone_too(self, client: FlaskClient, ada: Person) -> None:
        assert ada.delete("/me").status_code == 204
        assert games(client) == []

    def test_a_bot_agrees(self, client: FlaskClient, clock: Clock, ada: Person) -> None:
        agree("named", ada)
        made = ada.post("/games", {"opponent": {"bot": "steward"}}).json
        ada.post(f"/games/{made['id']}/resignation")
        clock.time += 2 * DAY
        (game,) = games(client)
        assert "Ada" in game["players"].values()

    def test_private_aborted_and_unfinished_games_are_not_there(
        self, client: FlaskClient, clock: Clock, ada: Person, bob: Person
    ) -> None:
        agree("named", ada, bob)
        over(ada, bob, private=True)
        Started(ada, bob).play_any()
        called_off = ada.post("/games").json["id"]
        ada.delete(f"/games/{called_off}")
        clock.time += 2 * DAY
        assert games(client) == []

    def test_a_match_is_there_when_it_is_over(
        self, client: FlaskClient, clock: Clock, ada: Person, bob: Person
    ) -> None:
        agree("nameless", ada, bob)
        game = over(ada, bob, rounds=2)
        clock.time += 2 * DAY
        assert game.view()["status"] == "active"
        assert games(client) == []
        ada.post(f"{game.path}/resignation")
        clock.time += 2 * DAY
        assert len(games(client)) == 1

    def test_words_of_a_player_or_a_lost_end_keep_a_game_out(
        self, client: FlaskClient, clock: Clock, ada: Person, bob: Person, redis: Client
    ) -> None:
        agree("nameless", ada, bob)
        over(ada, bob, salt="I, Ada Lovelace, played this")
        clock.time += 2 * DAY
        assert games(client) == []

        game = over(ada, bob)
        clock.time += 2 * DAY
        (key,) = redis.scan_iter(f"*{game.id}:log")
        redis.xdel(key, f"{redis.xlen(key)}-0")
        assert games(client) == []


class TestPaging:
    @pytest.fixture
    def ids(self, client: FlaskClient, clock: Clock, ada: Person, bob: Person) -> list[str]:
        """The ids of five games of three days."""
        agree("nameless", ada, bob)
        for day in range(3):
            for _ in range(2 if day else 1):
                over(ada, bob)
            clock.time += DAY
        clock.time += DAY
        return [game["id"] for game in games(client)]

    def test_the_oldest_end_is_first(self, ids: list[str]) -> None:
        assert [name.partition(".")[0] for name in ids] == [
            *("2026-11-21", "2026-11-22", "2026-11-22", "2026-11-23", "2026-11-23")
        ]

    def test_every_id_is_a_cursor(self, client: FlaskClient, ids: list[str]) -> None:
        for place, cursor in enumerate(ids):
            rest = [game["id"] for game in games(client, f"?cursor={cursor}")]
            assert rest == ids[place + 1 :]

    def test_a_page_leads_to_the_next(self, client: FlaskClient, ids: list[str]) -> None:
        read, path = list[str](), "/v1/records?limit=2"
        while path:
            answer = client.get(path)
            read += [json.loads(line)["id"] for line in answer.text.splitlines()]
            path = answer.headers.get("Link", "").partition(">")[0].removeprefix("<")
        assert read == ids

    def test_they_begin_after_a_day(self, client: FlaskClient, ids: list[str]) -> None:
        assert [game["id"] for game in games(client, "?ended_after=2026-11-22")] == ids[3:]

    def test_a_game_is_there_from_the_day_after_next(
        self, client: FlaskClient, clock: Clock, ids: list[str], ada: Person, bob: Person
    ) -> None:
        over(ada, bob)
        clock.time += DAY
        assert [game["id"] for game in games(client)] == ids
        clock.time += DAY
        assert [game["id"] for game in games(client)][:-1] == ids

    @pytest.mark.parametrize("query", ["cursor=2026-11-22", "ended_after=2026-13-01", "limit=101"])
    def test_other_questions_are_refused(self, client: FlaskClient, query: str) -> None:
        assert client.get(f"/v1/records?{query}").status_code == 422


@pytest.mark.usefixtures("later")
def test_it_is_json_or_gzipped_on_request(client: FlaskClient) -> None:
    answer = client.get("/v1/records", headers={"Accept": "application/json"})
    assert answer.json == {"records": games(client), "next": None}

    answer = client.get("/v1/records", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.data) == client.get("/v1/records").data


@pytest.mark.usefixtures("later")
def test_it_is_rebuilt_from_the_logs(client: FlaskClient, container: Container) -> None:
    before = games(client)
    container.redis.delete(*container.redis.scan_iter("st:{archive}:*"))
    assert games(client) == []
    list(reindex(container, container.log.events.game_ids()))
    assert games(client) == before


@pytest.mark.usefixtures("later")
def test_an_export_says_what_was_chosen(ada: Person, redis: Client) -> None:
    assert json.loads(ada.get("/me/export").text)["player"]["archive"] == "nameless"
    assert redis.hget(PLAYER.key(ada.id), "archive") == "nameless"

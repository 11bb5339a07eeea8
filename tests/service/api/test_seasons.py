"""Seasons by API: enter, leave, read, and play one through by programs."""

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.core.times import DAY, timestamp
from service.seasons.seasons import NewSeason
from service.seasons.verify import verify
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.people import Person, code
from tests.support.settings import settings

RULES = {"name": "Spring league", "players": 6}


@pytest.fixture
def season(container: Container) -> str:
    return container.seasons.announce(NewSeason(**RULES), None, "operator").id


@pytest.fixture
def sandbox(redis: Client, clock: Clock) -> Flask:
    return create_app(settings(sandbox=True, seasons_by="players"), redis, clock)


def log_of(client: FlaskClient, season: str, query: str = "") -> list[Any]:
    answer = client.get(f"/v1/seasons/{season}/log{query}")
    assert answer.mimetype == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def test_six_programs_play_one_through(sandbox: Flask, container: Container) -> None:
    client = sandbox.test_client()
    people = {}
    for name in ("Ann", "Bob", "Cyrus", "Dora", "Emil", "Flora"):
        person = Person(client, name)
        people[person.id] = person
    first = next(iter(people.values()))
    made = first.post("/seasons", RULES)
    assert made.status_code == 201
    path = f"/seasons/{made.json['id']}"
    assert made.headers["Location"] == f"/v1{path}"
    assert made.json["by"]["name"] == "Ann"
    for person in people.values():
        assert person.put(f"{path}/entry", {"salt": person.name}).status_code == 200
    container.season_clock.run_all()
    assert [line["private"] is None for line in log_of(client, made.json["id"])[:2]] == [
        *(False, True)  # the secret of the cards stays hidden until the end
    ]
    (division,) = client.get(f"/v1{path}").json["divisions"]
    assert len(division["games"]) == 30
    for game in division["games"]:
        played = f"/games/{game['game']}"
        while (view := people[game["north"]].get(played).json)["status"] == "active":
            mover = people[game[view["turn"]]]
            legal = mover.get(played).json["legal"]
            assert mover.post(f"{played}/turns", {"actions": legal[:1]}).status_code == 200
    container.season_clock.run(made.json["id"], [game["game"] for game in division["games"]])
    over = client.get(f"/v1{path}").json
    assert over["status"] == "ended"
    table = over["divisions"][0]["table"]
    assert sum(row["points"] for row in table) == 60
    assert [row["rank"] for row in table] == [1, 2, 3, 4, 5, 6]
    records = [
        [
            json.loads(line)
            for line in client.get(f"/v1/games/{game['game']}/record").text.split("\n")
            if line
        ]
        for game in division["games"]
    ]
    found = verify(log_of(client, made.json["id"]), records)
    assert (found.proved, found.season.head) == (30, over["head"])


def test_only_the_operator_announces_unless_the_settings_say_so(ada: Person) -> None:
    assert code(ada.post("/seasons", RULES)) == "forbidden"


def test_bad_rules_are_refused(sandbox: Flask) -> None:
    ada = Person(sandbox.test_client(), "Ada")
    for changes, refused in (
        ({"players": None}, "bad-season"),
        ({"clock": {"days_per_move": 3}}, "bad-clock"),
        ({"bots": ["nobody"]}, "bot-not-available"),
        ({"follows": "a" * 20}, "bad-season"),
        ({"edition": "none"}, "unknown-edition"),
        ({"division": 3}, "validation-failed"),
    ):
        assert code(ada.post("/seasons", {**RULES, **changes})) == refused
    assert sandbox.test_client().get("/v1/seasons").json == {"seasons": [], "next": None}


def test_the_list_has_pages(client: FlaskClient, container: Container) -> None:
    made = {container.seasons.announce(NewSeason(**RULES), None, "operator").id for _ in range(3)}
    first = client.get("/v1/seasons?limit=2").json
    second = client.get(f"/v1/seasons?limit=2&cursor={first['next']}").json
    assert {each["id"] for each in (*first["seasons"], *second["seasons"])} == made
    assert second["next"] is None
    assert code(client.get("/v1/seasons?cursor=none")) == "validation-failed"


def test_who_enters_is_in_it_until_they_leave(ada: Person, season: str) -> None:
    shown = ada.put(f"/seasons/{season}/entry", {}).json
    assert [each["name"] for each in shown["entrants"]] == ["Ada"]
    assert ada.put(f"/seasons/{season}/entry", {}).json == shown
    left = ada.delete(f"/seasons/{season}/entry").json
    assert left["entrants"][0]["withdrawn"] == "left"
    assert (left["entered"], left["status"]) == (0, "open")


def test_an_own_bot_cannot_enter(ada: Person, client: FlaskClient, season: str) -> None:
    token = ada.post("/me/bots", {"name": "Deep"}).json["token"]
    answer = client.put(
        f"/v1/seasons/{season}/entry", json={}, headers={"Authorization": f"Bearer {token}"}
    )
    assert code(answer) == "not-for-bots"


def test_before_the_start_the_log_hides_the_secrets_alone(
    ada: Person, client: FlaskClient, season: str
) -> None:
    ada.put(f"/seasons/{season}/entry", {"salt": "mine"})
    first, second, third = log_of(client, season)
    assert (first["private"], first["salt"], second["private"]) == (None, None, None)
    assert (third["name"], third["data"]["salt"]) == ("Ada", "mine")
    assert verify([first, second, third]).season.has(ada.id)
    assert log_of(client, season, "?after=2") == [third]
    assert log_of(client, season, "?limit=1") == [first]


def test_a_former_player_has_no_name_in_it(ada: Person, client: FlaskClient, season: str) -> None:
    ada.put(f"/seasons/{season}/entry", {})
    ada.delete("/me")
    entered = log_of(client, season)[2]
    assert (entered["name"], entered["data"]["player"]) == (None, ada.id)
    assert client.get(f"/v1/seasons/{season}").json["entrants"][0]["name"] is None


def test_who_blocks_somebody_is_told_that_they_may_meet(
    ada: Person, bob: Person, season: str
) -> None:
    ada.put(f"/me/blocked/{bob.id}", {})
    bob.put(f"/seasons/{season}/entry", {})
    assert ada.get(f"/seasons/{season}").json["blocked"] == [bob.id]
    assert bob.get(f"/seasons/{season}").json["blocked"] == []


def test_the_log_streams(ada: Person, client: FlaskClient, season: str) -> None:
    ada.put(f"/seasons/{season}/entry", {})
    with client.get(
        f"/v1/seasons/{season}/log", headers={"Accept": "text/event-stream", "Last-Event-ID": "2"}
    ) as stream:
        assert stream.mimetype == "text/event-stream"
        assert "event: entered\n" in stream.get_data(as_text=True).replace("\r", "")


class TestALadder:
    @pytest.fixture
    def ladder(self, container: Container, ada: Person, bob: Person) -> str:
        """A ladder with Ada at the top and Bob below."""
        wanted = NewSeason("Ladder", format="ladder")
        season = container.seasons.announce(wanted, None, "operator").id
        for person in (ada, bob):
            assert person.put(f"/seasons/{season}/entry", {}).status_code == 200
        return season

    def test_is_listed_and_shown_with_whom_one_can_challenge(
        self, ada: Person, bob: Person, client: FlaskClient, ladder: str
    ) -> None:
        (listed,) = client.get("/v1/seasons").json["seasons"]
        assert (listed["format"], listed["status"], listed["division"]) == ("ladder", "running", 0)
        shown = bob.get(f"/seasons/{ladder}").json
        assert shown["divisions"] == []
        top, own = shown["ladder"]
        assert (top["place"], top["player"]["name"], top["obstacle"]) == (1, ada.name, None)
        assert (own["place"], own["player"]["name"], own["obstacle"]) == (2, bob.name, "yourself")
        of_ada = ada.get(f"/seasons/{ladder}").json["ladder"]
        assert [rung["obstacle"] for rung in of_ada] == ["yourself", "below-you"]
        of_nobody = client.get(f"/v1/seasons/{ladder}").json["ladder"]
        assert [rung["obstacle"] for rung in of_nobody] == ["not-on-ladder"] * 2

    def test_a_challenge_begins_a_game_and_its_winner_climbs(
        self, ada: Person, bob: Person, container: Container, client: FlaskClient, ladder: str
    ) -> None:
        answer = bob.post(f"/seasons/{ladder}/challenges", {"player": ada.id})
        assert answer.status_code == 201
        game = answer.json["id"]
        assert answer.headers["Location"] == f"/v1/games/{game}"
        assert answer.json["season"] == {"id": ladder, "round": 1, "leg": 1}
        again = bob.post(f"/seasons/{ladder}/challenges", {"player": ada.id})
        assert again.json["id"] == game
        rungs = bob.get(f"/seasons/{ladder}").json["ladder"]
        assert rungs[0]["obstacle"] == "already-playing"
        (going_on,) = rungs[1]["games"]
        assert (going_on["game"], going_on["north"], going_on["over"]) == (game, bob.id, False)
        ada.post(f"/games/{game}/resignation")
        container.season_clock.run(ladder, [game])
        rungs = ada.get(f"/seasons/{ladder}").json["ladder"]
        assert [rung["player"]["id"] for rung in rungs] == [bob.id, ada.id]
        refused = ada.post(f"/seasons/{ladder}/challenges", {"player": bob.id})
        assert (refused.status_code, code(refused)) == (409, "challenge-refused")
        assert refused.json["obstacle"] == rungs[0]["obstacle"] == "rematch"
        record = client.get(f"/v1/games/{game}/record").text.splitlines()
        found = verify(log_of(client, ladder), [[json.loads(line) for line in record]])
        assert found.proved == 1

    def test_who_left_is_told_from_when_on_they_may_enter_again(
        self, bob: Person, clock: Clock, ladder: str
    ) -> None:
        bob.delete(f"/seasons/{ladder}/entry")
        left = clock.time
        refused = bob.put(f"/seasons/{ladder}/entry", {})
        assert code(refused) == "entry-barred"
        assert refused.json["until"] == timestamp(left + 7 * DAY)

    def test_the_log_has_its_secret_from_the_beginning_but_not_that_of_the_cards(
        self, client: FlaskClient, ladder: str
    ) -> None:
        first, second = log_of(client, ladder)[:2]
        assert first["private"]["secret"] == client.get(f"/v1/seasons/{ladder}").json["secret"]
        assert second["private"] is None

    def test_players_announce_one_where_they_may(self, sandbox: Flask) -> None:
        ada = Person(sandbox.test_client(), "Ada")
        made = ada.post("/seasons", {"name": "Ladder", "format": "ladder"})
        assert made.status_code == 201
        assert made.json["clock"] == {"bank_days": 3, "increment_hours": 12, "vacations": True}
        refused = ada.post("/seasons", {"name": "Ladder", "format": "ladder", "players": 6})
        assert code(refused) == "bad-season"

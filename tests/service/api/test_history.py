"""Events, records and proofs of a game, and what its turns were worth."""

import json
from statistics import fmean

import pytest
from flask.testing import FlaskClient

from engine import SEATS, record, verify
from service.bots import strategist
from service.container import Container
from tests.support.games import arranged, played
from tests.support.people import Person, Started, code, record_of
from tests.support.weighing import weigh_turns

LINES = {"Accept": "application/x-ndjson"}


class TestEvents:
    def test_they_are_numbered_from_the_first(self, ada: Person, game: Started) -> None:
        answer = ada.get(f"{game.path}/events").json
        assert answer["version"] == 3
        types = [(event["seq"], event["type"]) for event in answer["events"]]
        assert types == [(1, "game_created"), (2, "player_joined"), (3, "round_started")]

    def test_only_those_after_one_are_given(self, ada: Person, game: Started) -> None:
        game.play_any()
        events = ada.get(f"{game.path}/events?after=3").json["events"]
        assert [event["seq"] for event in events] == [4, 5, 6]
        assert ada.get(f"{game.path}/events?after=99").json["events"] == []

    def test_as_json_lines_they_are_the_same(self, ada: Person, game: Started) -> None:
        answer = ada.get(f"{game.path}/events", headers=LINES)
        assert answer.mimetype == "application/x-ndjson"
        lines = [json.loads(line) for line in answer.text.splitlines()]
        assert lines == ada.get(f"{game.path}/events").json["events"]

    def test_a_drawn_card_is_shown_to_who_drew_it(self, client: FlaskClient, game: Started) -> None:
        game.play_any()
        path = f"{game.path}/events?after=4"
        mine, theirs = (player.get(path).json["events"][0] for player in (game.ada, game.bob))
        nobodys = client.get(f"/v1{path}").json["events"][0]
        assert mine["type"] == "card_drawn"
        assert len(mine["private"]["cards"]) == 1
        assert theirs["private"] is theirs["salt"] is None
        assert nobodys == theirs

    def test_the_secret_and_the_deck_are_shown_to_nobody_before_the_end(
        self, ada: Person, bob: Person, game: Started
    ) -> None:
        for player in (ada, bob):
            created, _, started = player.get(f"{game.path}/events").json["events"]
            assert created["private"] is started["private"] is None
        bob.post(f"{game.path}/resignation")
        created, _, started = ada.get(f"{game.path}/events").json["events"][:3]
        assert len(started["private"]["clan"]) == 54
        assert len(created["private"]["secret"]) == 64

    def test_what_is_public_shows_its_salt(self, ada: Person, game: Started) -> None:
        joined = ada.get(f"{game.path}/events").json["events"][1]
        assert joined["private"] is None
        assert len(joined["salt"]) == 64


class TestRecord:
    def test_a_record_holds_what_the_reader_may_see_and_all_at_the_end(
        self, ada: Person, game: Started, client: FlaskClient, bob: Person
    ) -> None:
        game.play_any()
        lines = record_of(ada.get(f"{game.path}/record"))
        assert verify.is_redacted(lines)
        assert verify.verify_chain(lines) is None

        bob.post(f"{game.path}/resignation")
        lines = record_of(client.get(f"/v1{game.path}/record"))
        assert verify.verify(lines) is None
        assert not verify.is_redacted(lines)

    @pytest.mark.parametrize(
        "ask", [{"query": "?format=text"}, {"headers": {"Accept": "text/plain"}}]
    )
    def test_it_can_be_had_as_text(
        self, bob: Person, game: Started, ask: dict[str, dict[str, str]] | dict[str, str]
    ) -> None:
        game.play_any()
        bob.post(f"{game.path}/resignation")
        path = f"{game.path}/record{ask.get('query', '')}"
        answer = game.ada.get(path, headers=ask.get("headers", {}))
        assert answer.mimetype == "text/plain"
        assert record.from_text(answer.text) == record_of(game.ada.get(f"{game.path}/record"))

    def test_json_lines_come_where_nothing_is_asked_for(self, ada: Person, game: Started) -> None:
        assert ada.get(f"{game.path}/record").mimetype == "application/x-ndjson"

    @pytest.mark.parametrize("wanted", ["application/json", "application/jsonl", "*/*"])
    def test_a_request_for_json_lines_gets_them(self, game: Started, wanted: str) -> None:
        answer = game.ada.get(f"{game.path}/record", headers={"Accept": wanted})
        assert answer.mimetype == "application/x-ndjson"
        assert len(record_of(answer)) == 3


class TestProofs:
    @pytest.fixture
    def path(self, ada: Person, bob: Person, container: Container) -> str:
        """Ada's side of Stone 1 is complete and the best there is; Bob's of Stone 9 is not."""
        players = {"north": ada.id, "south": bob.id}
        game = arranged(container, players)
        played(container, game, players, "R7@1 +C", "G1@9 +C", "R8@1 +C", "G3@9 +C", "R9@1")
        return f"/games/{game}/proofs"

    def test_a_claim_that_stands_is_told_with_its_reason(self, ada: Person, path: str) -> None:
        (proof,) = ada.get(path).json["proofs"]
        assert (proof["stone"], proof["claimable"]) == (1, True)
        assert proof["reason"] == "unbeatable"
        assert proof["mine"] == {"rank": "color-run", "total": 24, "as": ["R7", "R8", "R9"]}
        assert proof["theirs"] is proof["counterexample"] is None

    def test_stones_with_an_incomplete_side_are_left_out(self, bob: Person, path: str) -> None:
        assert bob.get(path).json["proofs"] == []

    def test_they_are_for_the_players(self, client: FlaskClient, eve: Person, path: str) -> None:
        assert code(eve.get(path)) == "not-a-player"
        assert code(client.get(f"/v1{path}")) == "unauthenticated"


class TestLastEventId:
    """It resumes a stream, and elsewhere means `after`."""

    @pytest.mark.parametrize("path", ["events", "stream"])
    def test_one_that_was_never_given_out_is_refused_everywhere(
        self, ada: Person, game: Started, path: str
    ) -> None:
        address = "/me/stream" if path == "stream" else f"{game.path}/events"
        for accept in ("application/json", "text/event-stream"):
            answer = ada.get(address, headers={"Accept": accept, "Last-Event-ID": "V~"})
            assert (answer.status_code, code(answer)) == (400, "malformed-request")

    @pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
    def test_an_ordinary_answer_goes_on_after_it(self, game: Started, accept: str) -> None:
        for query in ("", "?after=2"):
            headers = {"Accept": accept, "Last-Event-ID": "2"}
            answer = game.ada.get(f"{game.path}/events{query}", headers=headers)
            assert answer.text == game.ada.get(f"{game.path}/events?after=2", headers=headers).text
            assert '"seq":3' in answer.text
            assert '"seq":2' not in answer.text

    def test_a_page_of_ones_own_news_goes_on_after_it(self, ada: Person, game: Started) -> None:
        json = {"Accept": "application/json"}
        place = ada.get("/me/stream", headers=json).json["next"]
        game.play_any()
        resumed = ada.get("/me/stream", headers={**json, "Last-Event-ID": place}).json
        assert [item["event"]["seq"] for item in resumed["events"]] == [4, 5, 6]

    @pytest.mark.parametrize(("path", "after"), [("events", "1"), ("stream", "aaaaaaaa.1")])
    def test_another_after_beside_it_is_refused(self, game: Started, path: str, after: str) -> None:
        address = "/me/stream" if path == "stream" else f"{game.path}/events"
        headers = {"Accept": "application/json", "Last-Event-ID": after.replace("1", "2")}
        answer = game.ada.get(f"{address}?after={after}", headers=headers)
        assert (answer.status_code, code(answer)) == (400, "malformed-request")

    @pytest.mark.parametrize("ended", [False, True])
    @pytest.mark.parametrize("by", ["header", "query"])
    def test_beyond_the_log_a_stream_begins_anew(self, game: Started, by: str, ended: bool) -> None:
        if ended:
            game.ada.post(f"{game.path}/resignation")
        headers = {"Accept": "text/event-stream"} | (
            {"Last-Event-ID": "9"} if by == "header" else {}
        )
        query = "?after=9" if by == "query" else ""
        preamble, reset, *events = game.ada.get(
            f"{game.path}/events{query}", headers=headers
        ).text.split("\n\n")
        assert preamble == "retry: 2000\nid: 0"
        assert reset == "id: 0\nevent: reset\ndata: {}"
        assert [event.partition("\n")[0] for event in events[:3]] == ["id: 1", "id: 2", "id: 3"]


TURNS = 3


@pytest.fixture
def over(game: Started, monkeypatch: pytest.MonkeyPatch) -> Started:
    """Three turns were played; then Bob gave up."""
    monkeypatch.setattr(strategist, "GAMES", 4)
    for _ in range(TURNS):
        game.play_any()
    game.players["south"].post(f"{game.path}/resignation")
    return game


def test_it_is_made_once_somebody_asks_for_it(
    over: Started, ada: Person, bob: Person, client: FlaskClient, container: Container
) -> None:
    path = f"{over.path}/analysis"
    assert ada.get(path).json["status"] == "none"
    assert client.post(f"/v1{path}").status_code == 401
    asked = ada.post(path)
    assert (asked.status_code, asked.json["status"], asked.json["of"]) == (202, "queued", None)
    assert asked.json["ahead"] == 0
    assert [asked.json[seat] for seat in SEATS] == [{"loss": None, "luck": None}] * 2
    weigh_turns(container, over.id, upto=1)
    running = bob.post(path).json
    assert (running["status"], running["weighed"], running["of"]) == ("running", 1, TURNS)
    assert running["ahead"] is None
    weigh_turns(container, over.id)
    for answer in (ada.get(path), bob.get(path), client.get(f"/v1{path}")):
        assert (answer.json["status"], answer.json["weighed"]) == ("done", TURNS)
        assert answer.json == ada.get(path).json


def test_each_turn_is_told_with_what_was_drawn(over: Started, ada: Person) -> None:
    weigh_turns(ada.container, over.id)
    answer = ada.get(f"{over.path}/analysis").json
    events = ada.get(f"{over.path}/events").json["events"]
    for turn in answer["turns"]:
        play, draw = events[turn["seq"] - 1], events[turn["drawn_at"] - 1]
        assert (play["type"], play["by"]) == ("card_played", turn["seat"])
        assert draw["private"]["cards"] == [turn["drawn"]]
        assert 0 <= turn["chance"]["value"] <= 1
    assert [turn["seat"] for turn in answer["turns"]] == ["north", "south", "north"]
    for seat in ("north", "south"):
        losses = [turn["loss"]["value"] for turn in answer["turns"] if turn["seat"] == seat]
        assert answer[seat]["loss"]["value"] == pytest.approx(fmean(losses), abs=1e-4)
    assert answer["south"]["luck"]["error"] >= 0


def test_a_game_that_goes_on_is_refused(game: Started, ada: Person) -> None:
    game.play_any()
    for answer in (ada.get(f"{game.path}/analysis"), ada.post(f"{game.path}/analysis")):
        assert (answer.status_code, code(answer)) == (409, "game-not-over")
        assert answer.json["detail"] == "A game is analysed once it is over."


def test_a_private_game_s_is_shown_to_its_players_only(
    ada: Person, bob: Person, client: FlaskClient
) -> None:
    game = Started(ada, bob, private=True)
    bob.post(f"{game.path}/resignation")
    assert ada.get(f"{game.path}/analysis").status_code == 200
    stranger = Person(client, "Eve")
    for answer in (
        client.get(f"/v1{game.path}/analysis"),
        stranger.get(f"{game.path}/analysis"),
        stranger.post(f"{game.path}/analysis"),
    ):
        assert (answer.status_code, code(answer)) == (404, "game-not-found")

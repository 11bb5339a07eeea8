"""GET /v1/games/{id} and its board: what a reader sees of a game."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.accounts.faces import drawing, face_of
from service.container import Container
from service.ops.operating import remove_game
from tests.support.people import Person, Started, code


def test_a_player_sees_their_own_hand_alone(game: Started) -> None:
    hands = game.view("south")["hands"]
    assert len(hands["south"]["cards"]) == 6
    assert hands["north"] == {"cards": None, "clan": 6, "tactic": 0}


def test_anyone_may_watch_who_knows_the_id(client: FlaskClient, eve: Person, game: Started) -> None:
    for view in (client.get(f"/v1{game.path}").json, eve.get(game.path).json):
        assert view["seat"] is None
        assert view["legal"] == []
        assert [hand["cards"] for hand in view["hands"].values()] == [None, None]


def test_what_is_legal_is_told_to_the_player_to_move_and_caches_keep_readers_apart(
    game: Started, ada: Person
) -> None:
    assert len(game.view("north")["legal"]) == 54
    assert game.view("south")["legal"] == []

    assert game.view().keys() == {*CONTRACT.split(), *ADDED}
    assert game.view()["stones"][0].keys() == {
        *("number", "owner", "north", "south", "modes", "completed_first")
    }


def test_a_game_is_shown_as_it_stood(ada: Person, game: Started) -> None:
    before = game.view()
    game.play_any()
    assert ada.get(f"{game.path}?at=3").json == before
    assert ada.get(f"{game.path}?at=1").json["status"] == "open"


@pytest.mark.parametrize("query", ["at=0", "at=-1", "at=x", "at=", "when=3"])
def test_a_bad_query_is_refused(ada: Person, game: Started, query: str) -> None:
    answer = ada.get(f"{game.path}?{query}")
    assert (answer.status_code, code(answer)) == (422, "validation-failed")


@pytest.mark.parametrize("game_id", ["a" * 20, "a", "ä" * 20, "a" * 21])
def test_there_is_no_such_game(ada: Person, game_id: str) -> None:
    assert ada.get(f"/games/{game_id}").status_code == 404


class TestPrivate:
    @pytest.fixture
    def secret_game(self, ada: Person, bob: Person) -> Any:
        return Started(ada, bob, private=True)

    def test_its_players_see_it(self, secret_game: Started) -> None:
        assert secret_game.view("south")["seat"] == "south"

    @pytest.mark.parametrize("part", ["", "/events", "/record", "/proofs"])
    def test_for_others_there_is_none(
        self, client: FlaskClient, eve: Person, secret_game: Started, part: str
    ) -> None:
        answer = eve.get(f"{secret_game.path}{part}")
        assert (answer.status_code, code(answer)) == (404, "game-not-found")
        nobody = client.get(f"/v1{secret_game.path}{part}")
        assert nobody.status_code == (401 if part == "/proofs" else 404)

    def test_it_is_told_like_a_game_that_is_not_there(
        self, eve: Person, secret_game: Started
    ) -> None:
        hidden, missing = eve.get(secret_game.path), eve.get(f"/games/{'a' * 20}")
        assert hidden.data == missing.data

    def test_the_holder_of_the_invite_sees_it_while_the_seat_is_free(
        self, client: FlaskClient, ada: Person
    ) -> None:
        made = ada.post("/games", {"private": True}).json
        path = f"/v1/games/{made['id']}?invite="
        assert client.get(path + made["invite"]).status_code == 200
        assert client.get(path + "guessed").status_code == 404


class TestETag:
    def test_it_is_the_version(self, ada: Person, game: Started) -> None:
        assert ada.get(game.path).headers["ETag"] == '"3"'
        assert ada.get(f"{game.path}?at=2").headers["ETag"] == '"2"'

    @pytest.mark.parametrize("part", ["", "/events", "/record", "/proofs"])
    @pytest.mark.parametrize("seen", ['"3"', 'W/"3"', '"1", "3"', "*"])
    def test_what_the_client_has_is_not_sent_again(
        self, ada: Person, game: Started, part: str, seen: str
    ) -> None:
        answer = ada.get(f"{game.path}{part}", headers={"If-None-Match": seen})
        assert (answer.status_code, answer.data) == (304, b"")
        assert answer.headers["ETag"] == '"3"'

    def test_an_older_version_is_answered(self, ada: Person, game: Started) -> None:
        game.play_any()
        assert ada.get(game.path, headers={"If-None-Match": '"3"'}).status_code == 200

    def test_caches_keep_readers_apart(self, ada: Person, game: Started) -> None:
        headers = ada.get(game.path).headers
        assert "Authorization" in headers["Vary"]
        assert headers["Cache-Control"] == "private, no-cache"


CONTRACT = """id version status edition tactics expert rounds round scores seat players turn phase
    deadline stones hands decks discard tactics_played legal winner reason commitment head
    clock options private listed created_at started_at ended_at invited"""
ADDED = {"imported", "clock_state", "untold_until", "rated", "ratings"}


def test_it_tells_what_was_agreed(ada: Person) -> None:
    wanted = {"clock": {"days_per_move": 3}, "private": True}
    made = ada.post("/games", wanted).json
    assert {key: made[key] for key in wanted} == wanted
    assert made["listed"] is False
    plain = ada.post("/games", {"listed": True}).json
    assert (plain["clock"], plain["private"], plain["listed"]) == (None, False, True)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, (6, "after_play", "one_per_game", "any")),
        ({"tactics": True, "expert": True}, (7, "before_play", "one_per_game", "any")),
        ({"edition": "bga", "tactics": True}, (7, "after_play", "one_on_table", "another")),
        ({"edition": "community"}, (6, "any_time", "one_on_table", "any")),
    ],
)
def test_it_tells_the_options_of_the_rules(
    ada: Person,
    wanted: dict[str, Any] | dict[str, bool] | dict[str, str],
    expected: tuple[int, str, str, str],
) -> None:
    options = ada.post("/games", wanted).json["options"]
    assert options == dict(
        zip(("hand_size", "claim_timing", "joker_limit", "traitor_to"), expected, strict=True)
    )


def test_it_tells_when_the_game_was_made_begun_and_ended(ada: Person, bob: Person) -> None:
    made = ada.post("/games").json
    assert made["created_at"] == "2026-11-21T12:00:00Z"
    assert made["started_at"] is made["ended_at"] is None
    ada.clock.time += 60
    path = f"/games/{made['id']}"
    begun = bob.post(f"{path}/join", {"invite": made["invite"]}).json
    assert (begun["started_at"], begun["ended_at"]) == ("2026-11-21T12:01:00Z", None)
    ada.clock.time += 60
    over = bob.post(f"{path}/resignation").json
    assert over["created_at"] == made["created_at"]
    assert over["started_at"] == begun["started_at"]
    assert over["ended_at"] == "2026-11-21T12:02:00Z"
    only_once = {"invite", "invite_url"}
    assert ada.get(f"{path}?at=1").json == {k: made[k] for k in made.keys() - only_once}


class TestInvited:
    def test_it_is_nobody_without_an_opponent(self, ada: Person) -> None:
        assert ada.post("/games").json["invited"] is None

    def test_it_is_the_player_until_the_seat_is_taken(self, ada: Person, bob: Person) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json
        assert made["invited"] == {"id": bob.id, "name": "Bob", "bot": False}
        assert bob.post(f"/games/{made['id']}/join").json["invited"] is None

    def test_an_address_is_not_told(self, client: FlaskClient, ada: Person) -> None:
        made = ada.post("/games", {"opponent": {"email": "carl@example.org"}}).json
        assert made["invited"] is True
        assert "example.org" not in client.get(f"/v1/games/{made['id']}").text

    def test_a_bot_sits_down_at_once(self, ada: Person) -> None:
        assert ada.post("/games", {"opponent": {"bot": "random"}}).json["invited"] is None

    def test_it_is_nobody_once_the_game_is_called_off(self, ada: Person, bob: Person) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json
        assert bob.delete(f"/games/{made['id']}").json["invited"] is None


class TestAfterTheEnd:
    def test_everybody_sees_both_hands(
        self, client: FlaskClient, eve: Person, ada: Person, bob: Person, game: Started
    ) -> None:
        own = {seat: game.view(seat)["hands"][seat]["cards"] for seat in ("north", "south")}
        bob.post(f"{game.path}/resignation")
        for view in (ada.get(game.path).json, client.get(f"/v1{game.path}").json):
            assert {seat: hand["cards"] for seat, hand in view["hands"].items()} == own
            assert view["legal"] == []

    def test_what_went_before_is_shown_as_it_was(self, client: FlaskClient, game: Started) -> None:
        game.bob.post(f"{game.path}/resignation")
        hands = client.get(f"/v1{game.path}?at=3").json["hands"]
        assert [hand["cards"] for hand in hands.values()] == [None, None]

    def test_between_rounds_the_hands_stay_hidden(
        self, client: FlaskClient, ada: Person, bob: Person
    ) -> None:
        match = Started(ada, bob, rounds=2)
        bob.post(f"{match.path}/resignation")
        hands = client.get(f"/v1{match.path}").json["hands"]
        assert [hand["cards"] for hand in hands.values()] == [None, None]

    def test_a_single_round_scores_too(self, bob: Person, game: Started) -> None:
        over = bob.post(f"{game.path}/resignation").json
        assert over["scores"] == {"north": 5, "south": 0}
        assert (over["winner"], over["reason"]) == ("north", "resignation")

    def test_a_game_called_off_has_no_reason(self, ada: Person) -> None:
        made = ada.post("/games").json
        over = ada.delete(f"/games/{made['id']}").json
        assert (over["status"], over["reason"], over["winner"]) == ("aborted", None, None)
        assert over["ended_at"] == "2026-11-21T12:00:00Z"
        assert over["started_at"] is None


SIGNATURES = {"svg": b"<svg ", "png": b"\x89PNG"}


@pytest.fixture
def path(game: Started) -> str:
    game.play_any()
    return f"{game.path}/board"


def test_the_text_has_both_names_and_fits_a_terminal(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/v1{path}")
    assert answer.mimetype == "text/plain"
    assert "Ada" in answer.text
    assert "Bob’s hand: 6 Clan cards" in answer.text
    assert max(map(len, answer.text.splitlines())) <= 72


@pytest.mark.parametrize("form", SIGNATURES)
def test_pictures_come_by_format_or_by_accept(client: FlaskClient, path: str, form: str) -> None:
    mimetype = {"svg": "image/svg+xml", "png": "image/png"}[form]
    by_format = client.get(f"/v1{path}?format={form}")
    assert by_format.mimetype == mimetype
    assert by_format.data.startswith(SIGNATURES[form])
    assert client.get(f"/v1{path}", headers={"Accept": mimetype}).data == by_format.data


def test_a_picture_has_the_marks_of_both_players_and_no_variables(
    client: FlaskClient, path: str, ada: Person, bob: Person
) -> None:
    answer = client.get(f"/v1{path}?format=svg")
    assert "var(" not in answer.text
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'"

    picture = client.get(f"/v1{path}?format=svg").text
    assert all(drawing(face_of(person.id)) in picture.replace("\n", "") for person in (ada, bob))


def test_a_player_sees_what_a_spectator_sees(client: FlaskClient, ada: Person, path: str) -> None:
    for form in ("text", "svg"):
        assert ada.get(f"{path}?format={form}").data == client.get(f"/v1{path}?format={form}").data


def test_any_step_can_be_drawn(client: FlaskClient, path: str) -> None:
    now = client.get(f"/v1{path}")
    before = client.get(f"/v1{path}?at=3")
    assert (before.headers["ETag"], now.headers["ETag"]) == ('"3"', '"6"')
    assert before.text != now.text
    assert client.get(f"/v1{path}?at=99").json["code"] == "version-not-found"
    known = {"If-None-Match": '"6"'}
    assert client.get(f"/v1{path}", headers=known).status_code == 304


READ = (
    "",
    "/events",
    "/record",
    "/board",
    "/messages",
    "/settings",
    "/orders",
    "/offers",
    "/proofs",
    "/analysis",
)
DONE = ("/rematch", "/time-out", "/resignation")


def test_it_is_gone_at_every_address(container: Container, game: Started) -> None:
    remove_game(container, "Morag", game.id, "a ruling", "A court has asked for it.")
    ada = game.players["north"]
    answers = [ada.get(game.path + part) for part in READ]
    answers += [ada.post(game.path + part) for part in DONE]
    answers += [ada.post(f"{game.path}/turns", {"actions": ["R4@3"]})]
    for answer in answers:
        assert (answer.request.path, answer.status_code) == (answer.request.path, 410)
        assert answer.json["code"] == "game-removed"
        assert answer.json["detail"].endswith("A court has asked for it.")


def test_what_made_it_does_not_make_it_again(container: Container, ada: Person) -> None:
    key = {"headers": {"Idempotency-Key": "0f1d6a0e-9a1a-4f2b-8f1e-2f8a6c1f9e77"}}
    made = ada.post("/games", **key)
    assert made.status_code == 201
    remove_game(container, "Morag", made.json["id"], "a ruling")
    again = ada.post("/games", **key)
    assert (again.status_code, again.json["code"]) == (410, "game-removed")

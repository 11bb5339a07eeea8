"""POST /v1/games and POST /v1/games/{id}/join."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.eventlog import parse_notice_id
from service.games import GUEST
from tests.support.clock import NOON
from tests.support.event_logs import event_log
from tests.support.people import Person, Started, code

KEY = {"Idempotency-Key": "k1"}


def test_a_game_is_made_with_an_invite_for_the_free_seat(ada: Person) -> None:
    answer = ada.post("/games")
    made = answer.json
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/games/{made['id']}"
    assert answer.headers["ETag"] == '"1"'
    assert made["status"] == "open"
    assert made["seat"] == "north"
    north = {"id": ada.id, "name": "Ada", "bot": False}
    assert made["players"] == {"north": north, "south": None}
    assert made["invite_url"] == (
        f"http://scottenbury.test/games/{made['id']}?invite={made['invite']}"
    )


def test_a_game_has_all_defaults_or_the_options_asked_for(client: FlaskClient, ada: Person) -> None:
    answer = client.post("/v1/games", headers={"Authorization": f"Bearer {ada.token}"})
    assert answer.status_code == 201
    assert answer.json["edition"] == "iello"

    wanted = {"edition": "bga", "tactics": True, "expert": True, "rounds": 3, "seat": "south"}
    made = ada.post("/games", wanted).json
    assert {key: made[key] for key in wanted} == wanted


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"edition": "poker"}, "unknown-edition"),
        ({"edition": "scottentots", "tactics": True}, "no-such-combination"),
        ({"edition": "scottentots", "expert": True}, "no-such-combination"),
        ({"opponent": {"player": "a" * 16}}, "unknown-opponent"),
        ({"opponent": {"bot": "nobody"}}, "bot-not-available"),
    ],
)
def test_what_cannot_be_made_is_told_by_its_code(
    ada: Person, body: dict[str, Any] | dict[str, dict[str, str]] | dict[str, str], expected: str
) -> None:
    ada.get("/me")  # the first use of a token is recorded
    before = ada.container.redis.dbsize()
    answer = ada.post("/games", body)
    assert (answer.status_code, code(answer)) == (422, expected)
    assert ada.container.redis.dbsize() == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"rounds": 0}, "rounds"),
        ({"rounds": "3"}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"tactics": "yes"}, "tactics"),
        ({"tactics": 1}, "tactics"),
        ({"seat": "east"}, "seat"),
        ({"first_player": "me"}, "first_player"),
        ({"clock": {"days_per_move": 91}}, "clock.days_per_move"),
        ({"clock": {}}, "clock"),
        ({"clock": {"weekends_off": True}}, "clock"),
        ({"clock": {"days_per_move": 3, "bank_days": 14}}, "clock"),
        ({"clock": {"days_per_move": 3, "increment_hours": 12}}, "clock"),
        ({"clock": {"days_per_move": 3, "vacations": 1}}, "clock.vacations"),
        ({"clock": {"days_per_move": 3, "time_out": "never"}}, "clock.time_out"),
        ({"clock": {"bank_days": 91}}, "clock.bank_days"),
        ({"clock": {"bank_days": 14, "increment_hours": 169}}, "clock.increment_hours"),
        ({"clock": {"bank_days": 14, "cap_days": 0}}, "clock.cap_days"),
        ({"clock": {"until": "2026-12-31"}}, "clock.until"),
        ({"clock": {"until": "2026-12-31T20:00:00"}}, "clock.until"),
        ({"clock": {"until": "9999-12-31T23:59:59-23:59"}}, "clock.until"),
        ({"clock": {"until": "2026-12-31T20:00:00Z", "vacations": True}}, "clock"),
        ({"clock": 3}, "clock"),
        ({"opponent": {}}, "opponent"),
        ({"opponent": {"player": "a" * 16, "bot": "x"}}, "opponent"),
        ({"opponent": {"email": "nobody"}}, "opponent.email"),
        ({"salt": "x" * 201}, "salt"),
        ({"salt": "a\nb"}, "salt"),
        ({"salt": "a\u2028b"}, "salt"),
        ({"visited_scotland": "yesterday"}, "visited_scotland"),
        ({"visited_scotland": "9999-12-31"}, "visited_scotland"),
        ({"listed": True, "private": True}, "listed"),
        ({"language": "tlh"}, "language"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_bad_field_is_named(ada: Person, body: Any, field: str) -> None:
    answer = ada.post("/games", body)
    assert (answer.status_code, code(answer)) == (422, "validation-failed")
    assert list(answer.json["errors"]) == [field]


@pytest.mark.parametrize(
    "agreed",
    [
        {"days_per_move": 3, "weekends_off": True, "sleeping_hours": False, "time_out": "auto"},
        {"bank_days": 14},
        {
            "bank_days": 14,
            "increment_hours": 12,
            "cap_days": 14,
            "vacations": True,
            "time_out": "claim",
        },
        {"until": "2026-12-31T20:00:00Z", "time_out": "claim"},
    ],
)
def test_a_clock_is_shown_as_it_was_asked_for(ada: Person, bob: Person, agreed: Any) -> None:
    game = Started(ada, bob, clock=agreed)
    assert game.view()["clock"] == agreed
    (created, *_) = ada.get(f"{game.path}/events").json["events"]
    assert created["data"]["terms"]["clock"] == agreed
    asked = ada.post("/challenges", {"player": bob.id, "clock": agreed}).json
    assert asked["clock"] == agreed
    assert ada.delete(f"/challenges/{asked['id']}").status_code == 200
    assert ada.post(f"{game.path}/resignation", {}).status_code == 200
    assert ada.post(f"{game.path}/rematch", {}).json["clock"] == agreed


def test_a_moment_is_taken_in_any_zone(ada: Person) -> None:
    made = ada.post("/games", {"clock": {"until": "2026-12-31T21:00:00.9+01:00"}}).json
    assert made["clock"] == {"until": "2026-12-31T20:00:00Z"}


@pytest.mark.parametrize(
    ("until", "rounds"),
    [("2026-11-23T11:59:59Z", 1), ("2027-11-23T12:00:00Z", 1), ("2026-12-31T20:00:00Z", 2)],
)
def test_a_fixed_end_is_for_one_round_and_neither_too_near_nor_too_far(
    ada: Person, bob: Person, until: str, rounds: int
) -> None:
    wanted = {"clock": {"until": until}, "rounds": rounds}
    assert code(ada.post("/games", wanted)) == "bad-clock"
    assert code(ada.post("/challenges", {"player": bob.id, **wanted})) == "bad-clock"


def test_a_seat_is_kept_free_until_a_day_before_a_fixed_end(ada: Person, bob: Person) -> None:
    made = ada.post("/games", {"clock": {"until": "2026-11-25T12:00:00Z"}}).json
    asked = ada.post(
        "/challenges", {"player": bob.id, "clock": {"until": "2026-11-25T12:00:00Z"}}
    ).json
    assert asked["expires_at"] == "2026-11-24T12:00:00Z"
    ada.clock.time += 3 * 86_400
    joined = bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
    assert code(joined) == "invitation-expired"
    assert code(bob.post(f"/challenges/{asked['id']}/acceptance")) == "challenge-closed"


def test_the_rematch_of_a_game_with_a_fixed_end_has_as_much_time(ada: Person, bob: Person) -> None:
    game = Started(ada, bob, clock={"until": "2026-12-01T12:00:00Z"})
    ada.clock.time += 86_400
    assert ada.post(f"{game.path}/resignation", {}).status_code == 200
    rematch = ada.post(f"{game.path}/rematch", {}).json
    assert rematch["clock"] == {"until": "2026-12-02T12:00:00Z"}


def test_nobody_plays_against_themselves(ada: Person) -> None:
    answer = ada.post("/games", {"opponent": {"player": ada.id}})
    assert (answer.status_code, code(answer)) == (409, "own-game")


def test_the_salt_and_the_visit_are_in_the_record(ada: Person) -> None:
    wanted = {"salt": "Schottland 🏴", "visited_scotland": "2024-02-29"}
    made = ada.post("/games", wanted).json
    (created,) = ada.get(f"/games/{made['id']}/events").json["events"]
    assert created["data"]["salt"] == wanted["salt"]
    assert created["data"]["visited_scotland"] == wanted["visited_scotland"]


def test_an_invited_player_is_noticed(ada: Person, bob: Person, container: Container) -> None:
    made = ada.post("/games", {"opponent": {"player": bob.id}}).json
    (notice,) = container.log.outbox.pending()
    assert notice.id == f"{made['id']}.1.{bob.id}.mail.invitation"
    assert notice.due == NOON


def test_an_invited_address_is_kept_out_of_the_log_and_forgotten_at_once(
    ada: Person, container: Container, bob: Person
) -> None:
    made = ada.post("/games", {"opponent": {"email": "bob@example.org"}}).json
    (notice,) = container.log.outbox.pending()
    assert parse_notice_id(notice.id).recipient == GUEST
    assert parse_notice_id(notice.id).kind == "invitation"
    assert container.games.invitations.address(made["id"]) == "bob@example.org"
    assert "example.org" not in "".join(container.log.events.read(made["id"]))

    bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
    assert container.games.invitations.address(made["id"]) is None


def test_an_invitation_has_a_language_of_those_that_there_are(
    ada: Person, container: Container
) -> None:
    def invited(name: str, **language: str | None) -> str | None:
        body = {"opponent": {"email": f"{name}@example.org"}, **language}
        game = ada.post("/games", body).json["id"]
        return container.games.invitations.language(game)

    assert invited("bob", language="en") == "en"
    assert invited("cat") is None
    container.mail_preferences.set_choice(ada.id, {"browser_language": "de"})
    assert invited("dan", language=None) == "de"
    assert invited("eve", language="en") == "en"
    refused = ada.post("/games", {"opponent": {"email": "f@example.org"}, "language": "tlh"})
    assert refused.json["errors"] == {"language": ["Must be one of: en, de, fr."]}


class TestIdempotencyKey:
    def test_the_same_request_makes_one_game(self, ada: Person, container: Container) -> None:
        first = ada.post("/games", {"seat": "south"}, headers=KEY)
        again = ada.post("/games", {"seat": "south"}, headers=KEY)
        assert (again.status_code, again.data) == (201, first.data)
        assert list(container.log.events.game_ids()) == [first.json["id"]]

    def test_the_answer_stays_the_same_when_the_game_goes_on(
        self, ada: Person, bob: Person
    ) -> None:
        first = ada.post("/games", headers=KEY)
        bob.post(f"/games/{first.json['id']}/join", {"invite": first.json["invite"]})
        again = ada.post("/games", headers=KEY)
        assert again.data == first.data
        assert again.headers["ETag"] == '"1"'

    def test_another_body_is_refused(self, ada: Person) -> None:
        ada.post("/games", {"seat": "south"}, headers=KEY)
        answer = ada.post("/games", {"seat": "north"}, headers=KEY)
        assert (answer.status_code, code(answer)) == (422, "idempotency-key-reused")

    def test_another_body_does_not_change_where_the_invitation_goes(self, ada: Person) -> None:
        first = ada.post("/games", {"opponent": {"email": "bob@example.org"}}, headers=KEY)
        ada.post("/games", {"opponent": {"email": "eve@example.org"}}, headers=KEY)
        assert ada.container.games.invitations.address(first.json["id"]) == "bob@example.org"

    def test_a_refused_request_does_not_use_up_the_key(self, ada: Person) -> None:
        ada.post("/games", {"edition": "poker"}, headers=KEY)
        assert ada.post("/games", {"edition": "bga"}, headers=KEY).status_code == 201

    def test_once_the_game_is_packed_the_key_makes_no_other(self, ada: Person) -> None:
        made = ada.post("/games", headers=KEY).json
        ada.delete(f"/games/{made['id']}")
        assert ada.container.log.events.compact(made["id"])
        answer = ada.post("/games", headers=KEY)
        assert (answer.status_code, code(answer)) == (412, "stale-version")

    def test_another_players_key_is_another_key(self, ada: Person, bob: Person) -> None:
        mine, theirs = (player.post("/games", headers=KEY) for player in (ada, bob))
        assert mine.json["id"] != theirs.json["id"]

    def test_an_index_lost_on_the_way_is_mended_by_the_repeat(self, ada: Person) -> None:
        made = ada.post("/games", headers=KEY).json
        ada.container.redis.delete(*ada.container.redis.scan_iter(match="st:*:games:*"))
        ada.post("/games", headers=KEY)
        assert [game["id"] for game in ada.get("/games").json["games"]] == [made["id"]]


def test_without_a_token_no_game_is_made(client: FlaskClient, container: Container) -> None:
    assert code(client.post("/v1/games", json={})) == "unauthenticated"
    assert list(container.log.events.game_ids()) == []


def test_the_log_is_read_by_another_process_too(ada: Person, redis: Client) -> None:
    made = ada.post("/games").json
    assert event_log(redis).events.version(made["id"]) == 1


@pytest.fixture
def open_game(ada: Person) -> Any:
    return ada.post("/games", {"first_player": "creator"}).json


def test_the_holder_of_the_invite_sits_down_and_the_game_starts(
    bob: Person, open_game: Any
) -> None:
    answer = bob.post(f"/games/{open_game['id']}/join", {"invite": open_game["invite"]})
    view = answer.json
    assert answer.status_code == 200
    assert (view["status"], view["seat"], view["turn"]) == ("active", "south", "north")
    assert view["players"]["south"] == {"id": bob.id, "name": "Bob", "bot": False}
    assert len(view["hands"]["south"]["cards"]) == 6
    assert view["hands"]["north"]["cards"] is None


@pytest.mark.parametrize("body", [{}, {"invite": "guessed"}, {"invite": None}])
def test_without_the_invite_the_seat_stays_free(
    bob: Person, open_game: Any, body: dict[str, Any] | dict[str, None] | dict[str, str]
) -> None:
    answer = bob.post(f"/games/{open_game['id']}/join", body)
    assert (answer.status_code, code(answer)) == (403, "invite-required")
    assert bob.get(f"/games/{open_game['id']}").json["status"] == "open"


def test_anyone_may_join_a_listed_game(ada: Person, bob: Person) -> None:
    made = ada.post("/games", {"listed": True}).json
    assert bob.post(f"/games/{made['id']}/join").status_code == 200


def test_an_invited_player_needs_no_invite(ada: Person, bob: Person, eve: Person) -> None:
    made = ada.post("/games", {"opponent": {"player": bob.id}, "private": True}).json
    assert code(eve.post(f"/games/{made['id']}/join")) == "game-not-found"
    assert bob.post(f"/games/{made['id']}/join").status_code == 200


def test_there_is_no_such_game(bob: Person) -> None:
    for game_id in ("a" * 20, "short"):
        assert bob.post(f"/games/{game_id}/join").status_code == 404


def test_a_repeated_join_gets_the_same_answer(bob: Person, open_game: Any) -> None:
    path, body = f"/games/{open_game['id']}/join", {"invite": open_game["invite"]}
    first = bob.post(path, body, headers={"Idempotency-Key": "sit"})
    again = bob.post(path, body, headers={"Idempotency-Key": "sit"})
    assert (again.status_code, again.data) == (200, first.data)


def test_the_later_visit_to_scotland_begins(ada: Person, bob: Person) -> None:
    wanted = {"first_player": "scotland", "visited_scotland": "2019-07-01"}
    made = ada.post("/games", wanted).json
    body = {"invite": made["invite"], "visited_scotland": "2025-07-01"}
    assert bob.post(f"/games/{made['id']}/join", body).json["turn"] == "south"


def test_the_player_to_move_is_noticed(ada: Person, game: Started, container: Container) -> None:
    mails = [notice.id for notice in container.log.outbox.pending() if ".mail." in notice.id]
    assert mails == [f"{game.id}.3.{ada.id}.mail.turn"]


def test_nobody_is_registered_for_a_game_that_was_called_off(
    ada: Person, client: FlaskClient, open_game: Any, container: Container
) -> None:
    ada.delete(f"/games/{open_game['id']}")
    body = {"invite": open_game["invite"], "name": "Newcomer"}
    answer = client.post(f"/v1/games/{open_game['id']}/join", json=body)
    assert (answer.status_code, answer.json["code"]) == (409, "game-over")
    assert container.players.starting_with("Newcomer", None, 1) == ([], None)

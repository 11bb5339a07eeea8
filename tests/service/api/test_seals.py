"""POST /v1/seals, and what a seal is used for."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.verify import verify
from service.container import Container
from service.eventlog import FieldChange
from service.games.creation import LIFE, MAX_OPEN
from tests.support.clock import Clock
from tests.support.people import Person, Started, code, record_of

KEY = {"Idempotency-Key": "k1"}


def sealed(person: Person) -> dict[str, str]:
    answer = person.post("/seals")
    assert answer.status_code == 201
    return answer.json


@pytest.fixture
def seal(ada: Person) -> dict[str, str]:
    return sealed(ada)


def games_of(person: Person) -> list[str]:
    return [game["id"] for game in person.get("/games").json["games"]]


class TestMaking:
    def test_it_commits_to_a_secret_and_tells_nothing_of_it(self, ada: Person) -> None:
        answer = ada.post("/seals")
        assert answer.json.keys() == {"seal", "commitment", "expires_at"}
        assert answer.json["expires_at"] == "2026-11-21T13:00:00Z"
        assert answer.headers["Cache-Control"] == "no-store"
        (kept,) = ada.container.redis.hvals(f"st:{{{ada.id}}}:seals")
        secret = kept.split(" ")[-1]
        assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == answer.json["commitment"]
        assert secret not in answer.text

    def test_each_is_another_unless_the_request_is_repeated(self, ada: Person) -> None:
        first, repeated = (ada.post("/seals", headers=KEY) for _ in range(2))
        assert repeated.data == first.data
        assert sealed(ada)["commitment"] != first.json["commitment"]

    def test_a_player_has_only_so_many_unused(self, ada: Person, bob: Person, clock: Clock) -> None:
        seals = [sealed(ada) for _ in range(MAX_OPEN)]
        answer = ada.post("/seals")
        assert (answer.status_code, code(answer)) == (409, "too-many-seals")
        sealed(bob)
        ada.post("/games", {"seal": seals[0]["seal"]})
        sealed(ada)
        assert code(ada.post("/seals")) == "too-many-seals"
        clock.time += LIFE
        sealed(ada)

    def test_what_has_expired_is_not_kept(self, ada: Person, seal: dict[str, str]) -> None:
        ada.clock.time += LIFE
        sealed(ada)
        assert ada.container.redis.hlen(f"st:{{{ada.id}}}:seals") == 1
        assert 0 < ada.container.redis.ttl(f"st:{{{ada.id}}}:seals") <= LIFE

    def test_a_guest_may_have_one(self, ada: Person, client: FlaskClient) -> None:
        made = ada.post("/games").json
        body = {"name": "Gus", "invite": made["invite"]}
        guest = client.post(f"/v1/games/{made['id']}/join", json=body).json["account"]
        headers = {"Authorization": f"Bearer {guest['token']}"}
        assert client.post("/v1/seals", headers=headers).status_code == 201

    def test_a_deleted_account_leaves_none(self, ada: Person, seal: dict[str, str]) -> None:
        ada.delete("/me")
        assert list(ada.container.redis.scan_iter(match="st:*:seals")) == []


class TestUsing:
    def test_the_game_has_its_commitment_and_the_record_proves_it(
        self, ada: Person, bob: Person, seal: dict[str, str]
    ) -> None:
        made = ada.post("/games", {"seal": seal["seal"], "salt": "mine"}).json
        assert made["commitment"] == seal["commitment"]
        bob.post(f"/games/{made['id']}/join", {"invite": made["invite"], "salt": "and mine"})
        bob.post(f"/games/{made['id']}/resignation")
        record = record_of(ada.get(f"/games/{made['id']}/record"))
        secret = record[-1]["data"]["secret"]
        assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == seal["commitment"]
        assert [line["data"]["salt"] for line in record[:2]] == ["mine", "and mine"]
        assert verify(record) is None

    def test_it_is_used_once(self, ada: Person, seal: dict[str, str]) -> None:
        made = ada.post("/games", {"seal": seal["seal"]}).json
        for headers in ({}, KEY):
            answer = ada.post("/games", {"seal": seal["seal"], "salt": "b"}, headers=headers)
            assert (answer.status_code, code(answer)) == (409, "seal-used")
        assert games_of(ada) == [made["id"]]

    def test_a_seal_used_under_a_key_is_used_for_every_other_request(
        self, ada: Person, bob: Person, seal: dict[str, str]
    ) -> None:
        ada.post("/games", {"seal": seal["seal"]}, headers=KEY)
        other = {"Idempotency-Key": "k2"}
        challenge = {"player": bob.id, "seal": seal["seal"]}
        answers = [
            ada.post("/games", {"seal": seal["seal"]}),
            ada.post("/games", {"seal": seal["seal"]}, headers=other),
            ada.post("/challenges", challenge),
            ada.post("/challenges", challenge, headers=KEY),
        ]
        assert [code(answer) for answer in answers] == ["seal-used"] * 4
        assert len(games_of(ada)) == 1

    def test_the_same_request_gives_the_same_game_however_late(
        self, ada: Person, seal: dict[str, str], clock: Clock
    ) -> None:
        body = {"seal": seal["seal"], "salt": "mine"}
        first = ada.post("/games", body, headers=KEY)
        clock.time += LIFE
        again = ada.post("/games", body, headers=KEY)
        assert (again.status_code, again.data) == (201, first.data)

    def test_a_key_that_was_used_is_told_before_the_seal_is(
        self, ada: Person, seal: dict[str, str]
    ) -> None:
        ada.post("/games", {"rounds": 3}, headers=KEY)
        assert code(ada.post("/games", seal_only(seal), headers=KEY)) == "idempotency-key-reused"
        assert ada.post("/games", seal_only(seal)).status_code == 201

    def test_a_sealed_request_takes_its_key(self, ada: Person, seal: dict[str, str]) -> None:
        ada.post("/games", seal_only(seal), headers=KEY)
        for body in ({}, {"seal": sealed(ada)["seal"]}):
            assert code(ada.post("/games", body, headers=KEY)) == "idempotency-key-reused"

    def test_one_of_two_at_once_makes_the_game(
        self, app: Flask, ada: Person, seal: dict[str, str]
    ) -> None:
        def make(salt: str) -> int:
            person = ada.through(app.test_client())
            return person.post("/games", {"seal": seal["seal"], "salt": salt}).status_code

        with ThreadPoolExecutor(4) as pool:
            statuses = list(pool.map(make, "abcdefgh"))
        assert sorted(statuses) == [201] + 7 * [409]
        assert len(games_of(ada)) == 1

    def test_a_crash_before_the_game_is_written_loses_nothing(
        self, ada: Person, seal: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(ada.container.log.events, "append", failing)
            assert ada.post("/games", seal_only(seal)).status_code == 500
        assert ada.post("/games", seal_only(seal)).json["commitment"] == seal["commitment"]

    @pytest.mark.parametrize(
        "body",
        [{"edition": "poker"}, {"opponent": {"bot": "nobody"}}, {"opponent": {"player": "a" * 16}}],
    )
    def test_a_refused_game_leaves_it_unused(
        self, ada: Person, body: dict[str, dict[str, str]] | dict[str, str], seal: dict[str, str]
    ) -> None:
        assert ada.post("/games", {**seal_only(seal), **body}).status_code == 422
        assert ada.post("/games", seal_only(seal)).json["commitment"] == seal["commitment"]

    def test_it_is_good_for_who_asked_for_it_alone(self, bob: Person, seal: dict[str, str]) -> None:
        answer = bob.post("/games", seal_only(seal))
        assert (answer.status_code, code(answer)) == (422, "unknown-seal")

    def test_it_is_unknown_once_it_has_expired(self, ada: Person, seal: dict[str, str]) -> None:
        ada.clock.time += LIFE
        assert code(ada.post("/games", seal_only(seal))) == "unknown-seal"

    @pytest.mark.parametrize("text", ["", "x" * 101, "a b", "ä", 7])
    def test_what_was_never_given_out_is_refused(self, ada: Person, text: int | str) -> None:
        assert code(ada.post("/games", {"seal": text})) == "validation-failed"
        assert code(ada.post("/games", {"seal": "never-given-out"})) == "unknown-seal"

    def test_a_bot_has_nothing_to_choose(self, ada: Person, seal: dict[str, str]) -> None:
        wanted = {**seal_only(seal), "salt": "mine", "opponent": {"bot": "random"}}
        made = ada.post("/games", wanted).json
        assert (made["status"], made["commitment"]) == ("active", seal["commitment"])
        events = ada.get(f"/games/{made['id']}/events").json["events"]
        assert events[1]["data"]["salt"] == seal["commitment"]


class TestChallenges:
    def test_the_commitment_stands_from_the_start(self, ada: Person, bob: Person) -> None:
        made = ada.post("/challenges", {"player": bob.id}).json
        shown = bob.get(f"/challenges/{made['id']}").json
        begun = bob.post(f"/challenges/{made['id']}/acceptance", {"salt": "late"}).json
        assert made["commitment"] == shown["commitment"] == begun["commitment"]

    def test_so_does_the_challengers_salt(self, ada: Person, bob: Person) -> None:
        salts = []
        for given in ({"salt": "mine"}, {}):
            made = ada.post("/challenges", {"player": bob.id, **given}).json
            bob.post(f"/challenges/{made['id']}/acceptance", {"salt": "late"})
            events = bob.get(f"/games/{made['id']}/events").json["events"]
            assert [line["data"]["salt"] for line in events[:2]] == [made["salt"], "late"]
            salts.append(made["salt"])
        assert salts == ["mine", made["commitment"]]

    def test_a_challenger_may_have_it_before_their_own_salt(
        self, ada: Person, bob: Person, seal: dict[str, str]
    ) -> None:
        wanted = {"player": bob.id, "seal": seal["seal"], "salt": "mine"}
        made = ada.post("/challenges", wanted).json
        assert made["commitment"] == seal["commitment"]
        begun = bob.post(f"/challenges/{made['id']}/acceptance").json
        assert begun["commitment"] == seal["commitment"]
        for body in (seal_only(seal), {"player": bob.id, **seal_only(seal)}):
            place = "/challenges" if "player" in body else "/games"
            assert code(ada.post(place, body)) == "seal-used"

    def test_it_is_used_for_one_challenge(
        self, ada: Person, bob: Person, eve: Person, seal: dict[str, str]
    ) -> None:
        body = seal_only(seal)
        first = ada.post("/challenges", {"player": bob.id, **body}, headers=KEY)
        again = ada.post("/challenges", {"player": bob.id, **body}, headers=KEY)
        assert again.data == first.data
        assert code(ada.post("/challenges", {"player": eve.id, **body})) == "seal-used"
        assert eve.get("/challenges").json["challenges"] == []

    def test_a_counter_offer_has_a_commitment_of_its_own(self, ada: Person, bob: Person) -> None:
        made = ada.post("/challenges", {"player": bob.id}).json
        mine = sealed(bob)
        path = f"/challenges/{made['id']}/counter-offer"
        first, again = (bob.post(path, seal_only(mine)) for _ in range(2))
        assert first.json["commitment"] == mine["commitment"] != made["commitment"]
        assert again.data == first.data

    def test_a_challenge_that_is_closed_leaves_the_seal_unused(
        self, ada: Person, bob: Person
    ) -> None:
        made = ada.post("/challenges", {"player": bob.id}).json
        ada.delete(f"/challenges/{made['id']}")
        mine = sealed(bob)
        answer = bob.post(f"/challenges/{made['id']}/counter-offer", seal_only(mine))
        assert code(answer) == "challenge-closed"
        assert bob.post("/games", seal_only(mine)).status_code == 201

    def test_nothing_that_a_player_can_read_holds_the_secret(
        self, ada: Person, bob: Person, container: Container
    ) -> None:
        made = ada.post("/challenges", {"player": bob.id}).json
        kept = json.loads(container.log.side_state.read(made["id"])["challenge"])
        for person in (ada, bob):
            for path in (f"/challenges/{made['id']}", "/challenges", "/me/export"):
                answer = person.get(path)
                assert (answer.status_code, made["id"] in answer.text) == (200, True), path
                assert kept["secret"] not in answer.text

    def test_one_of_the_version_before_is_still_accepted(self, ada: Person, bob: Person) -> None:
        made = ada.post("/challenges", {"player": bob.id}).json
        text = ada.container.log.side_state.read(made["id"])["challenge"]
        old = json.loads(text)
        del old["secret"], old["wanted"]["seal"]
        ada.container.log.side_state.change(
            made["id"], [FieldChange("challenge", text, json.dumps(old))]
        )
        assert bob.get(f"/challenges/{made['id']}").json["commitment"] is None
        assert bob.post(f"/challenges/{made['id']}/acceptance").json["status"] == "active"


class TestRematches:
    def test_the_maker_of_a_rematch_may_seal_it(self, game: Started, seal: dict[str, str]) -> None:
        game.ada.post(f"{game.path}/resignation")
        made = game.ada.post(f"{game.path}/rematch", {"seal": seal["seal"], "salt": "mine"}).json
        begun = game.bob.post(f"{game.path}/rematch", {"salt": "then mine"}).json
        assert made["commitment"] == begun["commitment"] == seal["commitment"]
        assert code(game.ada.post("/games", seal_only(seal))) == "seal-used"

    def test_the_second_to_ask_keeps_the_seal(self, game: Started, seal: dict[str, str]) -> None:
        game.ada.post(f"{game.path}/resignation")
        game.bob.post(f"{game.path}/rematch")
        assert game.ada.post(f"{game.path}/rematch", seal_only(seal)).json["status"] == "active"
        assert game.ada.post("/games", seal_only(seal)).json["commitment"] == seal["commitment"]

    def test_against_a_bot_too(self, ada: Person, seal: dict[str, str]) -> None:
        made = ada.post("/games", {"opponent": {"bot": "random"}}).json
        ada.post(f"/games/{made['id']}/resignation")
        rematch = ada.post(f"/games/{made['id']}/rematch", seal_only(seal)).json
        assert (rematch["status"], rematch["commitment"]) == ("active", seal["commitment"])


def test_a_salt_that_nobody_gave_is_none_that_the_server_could_choose(game: Started) -> None:
    created, joined = game.ada.get(f"{game.path}/events").json["events"][:2]
    assert joined["data"]["salt"] == created["data"]["commitment"]


def seal_only(seal: dict[str, str]) -> dict[str, str]:
    return {"seal": seal["seal"]}


def failing(*args: object, **options: object) -> None:
    raise OSError("the power is gone")

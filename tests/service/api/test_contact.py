"""Blocked players, and players who take no challenges: /v1/me/settings and /v1/me/blocked."""

from typing import Any

import pytest

from service.accounts import privacy
from service.container import Container
from service.games import NewGame
from tests.support.people import Person, Started, code


@pytest.fixture
def eve(client: Any) -> Person:
    return Person(client, "Eve")


def block(person: Person, other: Person) -> None:
    assert person.put(f"/me/blocked/{other.id}", {}).status_code == 204


def unblock(person: Person, other: Person) -> None:
    assert person.delete(f"/me/blocked/{other.id}").status_code == 204


def refusal(answer: Any) -> tuple[int, Any]:
    """What a refused player learns, all but the request's own id."""
    return answer.status_code, {**answer.json, "instance": None}


class TestBlocking:
    def test_neither_challenges_the_other(self, ada: Person, bob: Person, eve: Person) -> None:
        block(ada, bob)
        for one, other in ((ada, bob), (bob, ada)):
            refused = one.post("/challenges", {"player": other.id})
            assert (refused.status_code, code(refused)) == (409, "challenges-off")
            invited = one.post("/games", {"opponent": {"player": other.id}})
            assert code(invited) == "challenges-off"
        assert bob.post("/challenges", {"player": eve.id}).status_code == 201

    def test_the_refusal_is_that_of_a_player_who_takes_none(self, ada: Person, bob: Person) -> None:
        block(ada, bob)
        of_blocked = refusal(bob.post("/challenges", {"player": ada.id}))
        unblock(ada, bob)
        ada.patch("/me/settings", {"contact": {"challenges": False}})
        assert refusal(bob.post("/challenges", {"player": ada.id})) == of_blocked

    def test_neither_asks_for_a_rematch(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob)
        bob.post(f"{game.path}/resignation")
        block(ada, bob)
        for person in (ada, bob):
            assert code(person.post(f"{game.path}/rematch")) == "challenges-off"
        unblock(ada, bob)
        assert bob.post(f"{game.path}/rematch").status_code == 200

    def test_neither_writes_and_what_was_written_is_not_sent(
        self, ada: Person, bob: Person, container: Container
    ) -> None:
        game = Started(ada, bob)
        assert bob.post(f"{game.path}/messages", {"text": "Hurry up!"}).status_code == 201
        block(ada, bob)
        refused = bob.post(f"{game.path}/messages", {"text": "Hurry up!"})
        assert (code(refused), refused.json["by"]) == ("messages-off", "opponent")
        assert code(ada.post(f"{game.path}/messages", {"text": "No."})) == "messages-off"
        stored = container.games.load(game.id)
        seat = stored.seat_of(ada.id)
        assert seat is not None
        assert container.games.conversations.new_to(stored, seat, 1) == []

    def test_neither_meets_the_other_in_the_lobby(
        self, ada: Person, bob: Person, eve: Person
    ) -> None:
        block(ada, bob)
        made = {one.id: one.post("/games", {"listed": True}).json["id"] for one in (ada, bob)}
        unlisted = ada.post("/games").json["id"]
        for one, other in ((ada, bob), (bob, ada)):
            shown = [game["id"] for game in one.get("/lobby").json["games"]]
            assert shown == [made[one.id]]
            refused = one.post(f"/games/{made[other.id]}/join")
            assert code(refused) == "invite-required"
        assert refusal(bob.post(f"/games/{made[ada.id]}/join")) == refusal(
            bob.post(f"/games/{unlisted}/join")
        )
        assert len(eve.get("/lobby").json["games"]) == 2
        assert eve.post(f"/games/{made[ada.id]}/join").status_code == 200

    def test_an_invite_that_one_was_given_still_counts(self, ada: Person, bob: Person) -> None:
        block(ada, bob)
        made = ada.post("/games").json
        joined = bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
        assert joined.status_code == 200

    def test_a_running_game_goes_on(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob)
        block(ada, bob)
        assert game.play_any().status_code == 200
        assert game.play_any().status_code == 200

    def test_the_list_is_the_callers_alone(self, ada: Person, bob: Person, eve: Person) -> None:
        block(ada, bob)
        block(ada, bob)
        shown = ada.get("/me/settings").json["contact"]
        since = "2026-11-21T12:00:00Z"
        assert shown == {
            "challenges": True,
            "blocked": [{"id": bob.id, "name": "Bob", "blocked_at": since}],
        }
        assert bob.get("/me/settings").json["contact"] == {"challenges": True, "blocked": []}
        unblock(ada, bob)
        unblock(ada, eve)
        assert ada.get("/me/settings").json["contact"]["blocked"] == []

    def test_nobody_blocks_themselves_or_somebody_unknown(self, ada: Person) -> None:
        assert code(ada.put(f"/me/blocked/{ada.id}", {})) == "own-account"
        assert code(ada.put(f"/me/blocked/{'a' * 16}", {})) == "player-not-found"

    def test_a_list_has_its_limit(
        self, ada: Person, bob: Person, eve: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(privacy, "MOST_BLOCKED", 1)
        block(ada, bob)
        block(ada, bob)
        assert code(ada.put(f"/me/blocked/{eve.id}", {})) == "too-many-blocked"

    def test_a_deleted_account_leaves_no_choices(
        self, ada: Person, bob: Person, container: Container
    ) -> None:
        block(ada, bob)
        ada.patch("/me/settings", {"contact": {"challenges": False}})
        ada.delete("/me")
        assert not list(container.redis.scan_iter(f"st:{{{ada.id}}}:blocked"))
        assert not list(container.redis.scan_iter(f"st:{{{ada.id}}}:challenges:off"))


class TestTakingNone:
    def test_nobody_challenges_and_one_may_still_challenge(self, ada: Person, bob: Person) -> None:
        changed = ada.patch("/me/settings", {"contact": {"challenges": False}})
        assert changed.json["contact"]["challenges"] is False
        assert code(bob.post("/challenges", {"player": ada.id})) == "challenges-off"
        assert ada.post("/challenges", {"player": bob.id}).status_code == 201

    def test_an_open_challenge_can_still_be_answered(self, ada: Person, bob: Person) -> None:
        made = bob.post("/challenges", {"player": ada.id}).json
        ada.patch("/me/settings", {"contact": {"challenges": False}})
        assert ada.post(f"/challenges/{made['id']}/acceptance").status_code == 200

    def test_bots_are_played_all_the_same(self, ada: Person, container: Container) -> None:
        ada.patch("/me/settings", {"contact": {"challenges": False}})
        assert container.games.create(ada.id, NewGame(bot="random")).game.status == "active"

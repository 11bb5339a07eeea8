"""/v1/me/settings, /v1/games/{id}/settings, /v1/me/blocked: mail, messages, notes, challenges."""

from typing import Any

import pytest

from service.accounts import privacy
from service.accounts.mail_preferences import QuietHours
from service.accounts.notice_kinds import GROUPS
from service.container import Container
from service.core.redis.client import Client
from service.games import NewGame
from tests.support.people import Person, Started, code

AT_FIRST = {
    "delivery": "at_once",
    "digest_at": "08:00",
    "time_zone": "UTC",
    "quiet": None,
    "reminders": "both",
    "groups": dict.fromkeys(GROUPS, True),
    "games": {},
}


PATH = "/me/settings"
NOTHING = {"delivery": None, "effective": "at_once", "messages_wanted": True, "note": ""}


def mail_of(person: Person) -> Any:
    return person.get(PATH).json["mail"]


class TestAllGames:
    def test_mail_comes_at_once_until_something_is_chosen(self, ada: Person) -> None:
        assert mail_of(ada) == AT_FIRST

    def test_what_is_not_named_stays(self, ada: Person, bob: Person, container: Container) -> None:
        night = {"begin": "22:00", "end": "06:45"}
        changes: list[dict[str, object]] = [
            {"delivery": "digest", "digest_at": "07:30"},
            {"time_zone": "Asia/Kathmandu"},
            {"quiet": night},
            {"reminders": "last"},
            {"groups": {"over": False}},
        ]
        expected = {**AT_FIRST, "groups": {**AT_FIRST["groups"], "over": False}}
        for change in changes:
            expected |= {name: value for name, value in change.items() if name != "groups"}
            ada.patch(PATH, {"mail": change})
        assert mail_of(ada) == expected
        assert ada.get("/me").json["mails"]["over"] is False
        assert mail_of(bob) == AT_FIRST
        choice = container.mail_preferences.choice(ada.id)
        assert choice.quiet == QuietHours(22 * 60, 6 * 60 + 45)

    def test_quiet_hours_are_ended_by_null(self, ada: Person) -> None:
        ada.patch(PATH, {"mail": {"quiet": {"begin": "22:00", "end": "06:45"}}})
        assert ada.patch(PATH, {"mail": {"quiet": None}}).json["mail"] == AT_FIRST

    @pytest.mark.parametrize(
        "change",
        [
            {},
            [],
            {"delivery": "sometimes"},
            {"delivery": None},
            {"digest_at": "24:00"},
            {"digest_at": "8:00"},
            {"digest_at": "08:00\n"},
            {"digest_at": 8},
            {"time_zone": "Mars/Olympus"},
            {"time_zone": "../../etc/localtime"},
            {"time_zone": "europe/berlin"},
            {"time_zone": ""},
            {"quiet": {"begin": "22:00"}},
            {"quiet": {"begin": "22:00", "end": "22:00"}},
            {"quiet": {"begin": "22:00", "end": "7"}},
            {"quiet": "22:00-07:00"},
            {"reminders": "often"},
            {"reminders": None},
            {"groups": {"spam": True}},
            {"groups": {"turn": 1}},
            {"games": {}},
        ],
    )
    def test_what_is_no_choice_is_refused(self, ada: Person, change: Any) -> None:
        answer = ada.patch(PATH, {"mail": change})
        assert (answer.status_code, code(answer)) == (422, "validation-failed")
        assert mail_of(ada) == AT_FIRST

    def test_the_export_holds_it(self, ada: Person) -> None:
        ada.patch(PATH, {"mail": {"delivery": "off"}})
        shown = ada.get(PATH).json
        exported = ada.get("/me/export").json
        assert {name: exported[name] for name in shown} == shown

    @pytest.mark.parametrize("body", [{}, [], {"messages_wanted": 1}, {"contact": {}}, {"x": 1}])
    def test_what_is_no_setting_is_refused(self, ada: Person, body: Any) -> None:
        assert code(ada.patch(PATH, body)) == "validation-failed"

    def test_each_part_is_changed_alone_or_with_others(self, ada: Person) -> None:
        before = ada.get(PATH).json
        body = {"messages_wanted": False, "contact": {"challenges": False}}
        expected = {**before, **body, "contact": {**before["contact"], **body["contact"]}}
        assert ada.patch(PATH, body).json == expected
        changed = ada.patch(PATH, {"mail": {"delivery": "off"}, "messages_wanted": True}).json
        mail = {**before["mail"], "delivery": "off"}
        assert changed == {**expected, "mail": mail, "messages_wanted": True}


class TestOneGame:
    @pytest.fixture
    def path(self, game: Started) -> str:
        return f"{game.path}/settings"

    def test_mail_goes_by_the_choice_for_all_games_at_first(self, ada: Person, path: str) -> None:
        ada.patch(PATH, {"mail": {"delivery": "digest"}})
        assert ada.get(path).json == {**NOTHING, "effective": "digest"}

    def test_it_can_differ_from_other_games(self, bob: Person, game: Started, path: str) -> None:
        chosen = game.ada.patch(path, {"delivery": "off"}).json
        assert chosen == {**NOTHING, "delivery": "off", "effective": "off"}
        assert mail_of(game.ada)["games"] == {game.id: "off"}
        assert bob.get(path).json == NOTHING
        assert game.ada.patch(path, {"delivery": None}).json == NOTHING
        assert mail_of(game.ada) == AT_FIRST

    @pytest.mark.parametrize(
        "body",
        [{}, [], {"delivery": "sometimes"}, {"delivery": 1}, {"note": "x" * 4001}, {"note": None}],
    )
    def test_what_is_no_choice_is_refused(self, ada: Person, path: str, body: Any) -> None:
        answer = ada.patch(path, body)
        assert (answer.status_code, code(answer)) == (422, "validation-failed")

    def test_after_the_end_a_note_can_be_written_and_no_mail_chosen(
        self, ada: Person, game: Started, path: str
    ) -> None:
        ada.post(f"{game.path}/resignation")
        answer = ada.patch(path, {"delivery": "off", "note": "lost", "messages_wanted": False})
        assert (answer.status_code, code(answer)) == (409, "game-over")
        assert ada.get(path).json == NOTHING
        assert ada.patch(path, {"note": "lost"}).json == {**NOTHING, "note": "lost"}

    def test_a_note_is_for_its_writer_alone(
        self, ada: Person, bob: Person, eve: Person, path: str
    ) -> None:
        noted = ada.patch(path, {"note": "She keeps\r\nthe blue nine."}).json
        assert noted == {**NOTHING, "note": "She keeps\nthe blue nine."}
        assert ada.get(path).json == noted
        assert bob.get(path).json == NOTHING
        assert code(eve.get(path)) == "not-a-player"
        assert ada.patch(path, {"note": ""}).json == NOTHING
        assert ada.patch(path, {"note": "x" * 4000}).status_code == 200

    def test_a_note_goes_with_the_account(self, ada: Person, path: str, redis: Client) -> None:
        ada.patch(path, {"note": "blue"})
        ada.delete("/me")
        assert [key for key in redis.scan_iter("*") if ada.id in key and "note" in key] == []


def block(person: Person, other: Person) -> None:
    assert person.put(f"/me/blocked/{other.id}", {}).status_code == 204


def unblock(person: Person, other: Person) -> None:
    assert person.delete(f"/me/blocked/{other.id}").status_code == 204


def refusal(answer: Any) -> tuple[int, Any]:
    """What a refused player learns, all but the request's own id."""
    return answer.status_code, {**answer.json, "instance": None}


class TestBlocking:
    def test_neither_challenges_the_other_as_if_they_took_none(
        self, ada: Person, bob: Person, eve: Person
    ) -> None:
        block(ada, bob)
        for one, other in ((ada, bob), (bob, ada)):
            refused = one.post("/challenges", {"player": other.id})
            assert (refused.status_code, code(refused)) == (409, "challenges-off")
            invited = one.post("/games", {"opponent": {"player": other.id}})
            assert code(invited) == "challenges-off"
        assert bob.post("/challenges", {"player": eve.id}).status_code == 201

        of_blocked = refusal(bob.post("/challenges", {"player": ada.id}))
        unblock(ada, bob)
        ada.patch("/me/settings", {"contact": {"challenges": False}})
        assert refusal(bob.post("/challenges", {"player": ada.id})) == of_blocked

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

    def test_neither_meets_the_other_in_the_lobby_but_an_invite_still_counts(
        self, ada: Person, bob: Person, eve: Person
    ) -> None:
        block(ada, bob)
        made = {one.id: one.post("/games", {"listed": True}).json["id"] for one in (ada, bob)}
        unlisted = ada.post("/games").json["id"]
        for one, other in ((ada, bob), (bob, ada)):
            shown = [game["id"] for game in one.get("/lobby").json["games"]]
            assert shown == [made[one.id]]
            assert code(one.post(f"/games/{made[other.id]}/join")) == "invite-required"
        assert refusal(bob.post(f"/games/{made[ada.id]}/join")) == refusal(
            bob.post(f"/games/{unlisted}/join")
        )
        assert len(eve.get("/lobby").json["games"]) == 2
        assert eve.post(f"/games/{made[ada.id]}/join").status_code == 200

        made = ada.post("/games").json
        joined = bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
        assert joined.status_code == 200

    def test_a_running_game_goes_on_and_has_no_rematch(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob)
        block(ada, bob)
        assert game.play_any().status_code == 200
        assert game.play_any().status_code == 200

        bob.post(f"{game.path}/resignation")
        block(ada, bob)
        for person in (ada, bob):
            assert code(person.post(f"{game.path}/rematch")) == "challenges-off"
        unblock(ada, bob)
        assert bob.post(f"{game.path}/rematch").status_code == 200

    def test_the_list_is_the_callers_alone_and_goes_with_the_account(
        self, ada: Person, bob: Person, eve: Person, container: Container
    ) -> None:
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

        ada.patch("/me/settings", {"contact": {"challenges": False}})
        ada.delete("/me")
        assert not list(container.redis.scan_iter(f"st:{{{ada.id}}}:blocked"))
        assert not list(container.redis.scan_iter(f"st:{{{ada.id}}}:challenges:off"))

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

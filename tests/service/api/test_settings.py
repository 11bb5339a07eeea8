"""GET and PATCH /v1/me/settings and /v1/games/{id}/settings."""

from typing import Any

import pytest

from service.accounts.local_time import QuietHours
from service.accounts.notice_kinds import GROUPS
from service.container import Container
from service.core.redis.client import Client
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

    def test_it_can_differ_from_other_games(
        self, ada: Person, bob: Person, game: Started, path: str
    ) -> None:
        chosen = ada.patch(path, {"delivery": "off"}).json
        assert chosen == {**NOTHING, "delivery": "off", "effective": "off"}
        assert mail_of(ada)["games"] == {game.id: "off"}
        assert bob.get(path).json == NOTHING
        assert ada.patch(path, {"delivery": None}).json == NOTHING
        assert mail_of(ada) == AT_FIRST

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

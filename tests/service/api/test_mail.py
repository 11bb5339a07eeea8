"""GET and PATCH /v1/me/mail, GET and PUT /v1/games/{id}/mail."""

from typing import Any

import pytest

from service.accounts.local_time import QuietHours
from service.accounts.notice_kinds import GROUPS
from service.container import Container
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


class TestAllGames:
    def test_mail_comes_at_once_until_something_is_chosen(self, ada: Person) -> None:
        assert ada.get("/me/mail").json == AT_FIRST

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
            ada.patch("/me/mail", change)
        assert ada.get("/me/mail").json == expected
        assert ada.get("/me").json["mails"]["over"] is False
        assert bob.get("/me/mail").json == AT_FIRST
        choice = container.mail_preferences.choice(ada.id)
        assert choice.quiet == QuietHours(22 * 60, 6 * 60 + 45)

    def test_quiet_hours_are_ended_by_null(self, ada: Person) -> None:
        ada.patch("/me/mail", {"quiet": {"begin": "22:00", "end": "06:45"}})
        assert ada.patch("/me/mail", {"quiet": None}).json == AT_FIRST

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
        answer = ada.patch("/me/mail", change)
        assert (answer.status_code, code(answer)) == (422, "validation-failed")
        assert ada.get("/me/mail").json == AT_FIRST

    def test_the_export_holds_it(self, ada: Person) -> None:
        ada.patch("/me/mail", {"delivery": "off"})
        assert ada.get("/me/export").json["mail"] == ada.get("/me/mail").json


class TestOneGame:
    def test_it_goes_by_the_choice_for_all_games_at_first(self, ada: Person, game: Started) -> None:
        ada.patch("/me/mail", {"delivery": "digest"})
        assert ada.get(f"{game.path}/mail").json == {"delivery": None, "effective": "digest"}

    def test_it_can_differ_from_other_games(self, ada: Person, bob: Person, game: Started) -> None:
        chosen = ada.put(f"{game.path}/mail", {"delivery": "off"}).json
        assert chosen == {"delivery": "off", "effective": "off"}
        assert ada.get("/me/mail").json["games"] == {game.id: "off"}
        assert bob.get(f"{game.path}/mail").json == {"delivery": None, "effective": "at_once"}

        ada.put(f"{game.path}/mail", {"delivery": None})

        assert ada.get("/me/mail").json == AT_FIRST

    @pytest.mark.parametrize("body", [{}, {"delivery": "sometimes"}, {"delivery": 1}, []])
    def test_what_is_no_choice_is_refused(self, ada: Person, game: Started, body: Any) -> None:
        answer = ada.put(f"{game.path}/mail", body)
        assert (answer.status_code, code(answer)) == (422, "validation-failed")

    def test_nothing_is_chosen_for_a_game_that_is_over(self, ada: Person, game: Started) -> None:
        ada.post(f"{game.path}/resignation")
        answer = ada.put(f"{game.path}/mail", {"delivery": "off"})
        assert (answer.status_code, code(answer)) == (409, "game-over")

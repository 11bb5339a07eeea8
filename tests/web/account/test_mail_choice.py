"""Choosing how mail comes, on the account page and on a game's page."""

from typing import Any

import pytest
from flask import Flask

from service.accounts.mail_preferences import MailChoice, QuietHours, Subscription
from service.accounts.notice_kinds import GROUPS
from service.container import Container
from service.core.words import Languages
from service.games import NewGame
from tests.web.people import Browser, browser_of

FORM: dict[str, Any] = {
    "delivery": "at_once",
    "digest_at": "08:00",
    "time_zone": "UTC",
    "quiet_begin": "22:00",
    "quiet_end": "07:00",
    "reminders": "both",
    "groups": list(GROUPS),
}


def game_of(app: Flask, container: Container, ann: Browser) -> str:
    bob = browser_of(app, container, "Bob")
    game = container.games.create(ann.player, NewGame(opponent=bob.player)).id
    container.games.join(game, bob.player)
    return game


class TestAllGames:
    def test_an_address_brings_the_browser_s_time_zone_unless_one_is_chosen(
        self, ann: Browser, container: Container
    ) -> None:
        for zone in ("Europe/Berlin", "Asia/Tokyo"):
            form = {"email": "ann@example.org", "zone": zone}
            ann.press("/account/mail", "/account/address", **form)
            assert container.mail_preferences.choice(ann.player).time_zone == "Europe/Berlin"

    def test_each_time_zone_is_listed_once_and_an_old_name_for_who_has_it(
        self, container: Container, ann: Browser
    ) -> None:
        page = ann.get("/account/mail")
        for name in ("UTC", "Asia/Kolkata", "Europe/Kyiv", "Europe/Amsterdam", "America/Nuuk"):
            assert f">{name}</option>" in page
        for name in ("Asia/Calcutta", "Europe/Kiev", "US/Eastern", "America/Godthab"):
            assert f">{name}</option>" not in page
        ann.press("/account/mail", "/account/mails", **{**FORM, "time_zone": "Asia/Calcutta"})
        assert "<option selected>Asia/Calcutta</option>" in ann.get("/account/mail")

    def test_what_is_chosen_is_kept_and_shown(self, container: Container, ann: Browser) -> None:
        answer = ann.press(
            "/account/mail",
            "/account/mails",
            **{
                **FORM,
                "delivery": "digest",
                "digest_at": "07:30",
                "time_zone": "Europe/Berlin",
                "quiet": "on",
                "reminders": "half",
                "groups": ["turn"],
            },
        )
        assert answer.location == "/account/mail?saved=mails"
        assert container.mail_preferences.choice(ann.player) == MailChoice(
            "digest", 7 * 60 + 30, "Europe/Berlin", QuietHours(22 * 60, 7 * 60), "half"
        )
        assert container.mail_preferences.groups(ann.player) == {
            group: group == "turn" for group in GROUPS
        }
        page = ann.get("/account/mail")
        assert 'value="digest" required checked' in page
        assert 'name="digest_at" value="07:30"' in page
        assert "<option selected>Europe/Berlin</option>" in page
        assert 'name="quiet" checked' in page
        assert page.count('name="groups"') == len(GROUPS)
        assert '<option value="half" selected>' in page
        assert 'value="turn" checked' in page
        assert 'value="over" checked' not in page

    def test_quiet_hours_are_ended_and_the_form_as_it_is_turns_nothing_on(
        self, container: Container, ann: Browser
    ) -> None:
        container.mail_preferences.turn_off(Subscription(ann.player, "started"))
        ann.press("/account/mail", "/account/mails", **FORM)
        assert container.mail_preferences.turned_off(ann.player) == ["started"]

        container.mail_preferences.set_choice(ann.player, {"quiet": "22:00-07:00"})
        ann.press("/account/mail", "/account/mails", **FORM)
        assert container.mail_preferences.choice(ann.player) == MailChoice()

    @pytest.mark.parametrize(
        ("wrong", "field", "said"),
        [
            ({"delivery": "sometimes"}, "delivery", "Choose one."),
            ({"digest_at": "soon"}, "digest_at", "Give a time of day"),
            ({"time_zone": "<b>Mars</b>"}, "time_zone", "Choose a time zone"),
            ({"quiet": "on", "quiet_end": "22:00"}, "quiet", "Give two different times"),
            ({"quiet": "on", "quiet_end": ""}, "quiet", "Give two different times"),
        ],
    )
    def test_what_is_wrong_is_said_and_nothing_kept(
        self, container: Container, ann: Browser, wrong: dict[str, str], field: str, said: str
    ) -> None:
        answer = ann.press("/account/mail", "/account/mails", **{**FORM, "groups": [], **wrong})
        assert answer.status_code == 422
        assert f'id="{field}-wrong"' in answer.text
        assert said in answer.text
        assert "<b>Mars" not in answer.text
        assert container.mail_preferences.choice(ann.player) == MailChoice()
        assert container.mail_preferences.turned_off(ann.player) == []

    def test_who_stopped_the_digest_by_its_link_is_told(self, ann: Browser) -> None:
        digest = Subscription(ann.player, "digest")
        ann.container.mail_preferences.set_choice(ann.player, {"delivery": "digest"})
        ann.container.mail_preferences.turn_off(digest)
        assert "You stopped the daily mail" in ann.get("/account/mail")
        ann.press("/account/mail", "/account/mails", **{**FORM, "delivery": "digest"})
        assert ann.container.mail_preferences.wanted(digest)
        assert "You stopped the daily mail" not in ann.get("/account/mail")

    def test_a_foreign_form_chooses_nothing(self, container: Container, ann: Browser) -> None:
        answer = ann.client.post("/account/mails", data={**FORM, "delivery": "off"})
        assert answer.status_code == 403
        assert container.mail_preferences.choice(ann.player) == MailChoice()


class TestOneGame:
    def test_it_is_chosen_on_the_games_page(self, app: Flask, ann: Browser) -> None:
        game = game_of(app, ann.container, ann)
        assert "Mail for this game: at once" in ann.get(f"/games/{game}")
        answer = ann.press(f"/games/{game}", f"/games/{game}/mail", delivery="off")
        assert answer.location == f"/games/{game}"
        assert "Mail for this game: never" in ann.get(f"/games/{game}")
        assert ann.container.mail_preferences.choice(ann.player).games == {game: "off"}

        ann.press(f"/games/{game}", f"/games/{game}/mail", delivery="")

        assert ann.container.mail_preferences.choice(ann.player) == MailChoice()

    def test_no_translation_is_translated_again(self, app: Flask, ann: Browser) -> None:
        missed: list[str] = []
        ann.container.languages = Languages()
        ann.container.languages.on_untranslated = missed.append
        game = game_of(app, ann.container, ann)
        ann.client.set_cookie("scottenbury_language", "fr")
        assert "aussitôt" in ann.get(f"/games/{game}")
        assert missed == []

    def test_what_is_no_choice_is_refused(self, app: Flask, ann: Browser) -> None:
        game = game_of(app, ann.container, ann)
        answer = ann.press(f"/games/{game}", f"/games/{game}/mail", delivery="sometimes")
        assert answer.status_code == 422

    def test_others_do_not_see_it(self, app: Flask, container: Container, ann: Browser) -> None:
        game = game_of(app, container, ann)
        assert "Mail for this game" not in browser_of(app, container, "Eve").get(f"/games/{game}")
        assert "Mail for this game" not in app.test_client().get(f"/games/{game}").text

    def test_a_game_that_is_over_has_no_choice(self, app: Flask, ann: Browser) -> None:
        game = game_of(app, ann.container, ann)
        ann.container.games.resign(game, ann.player)
        assert "Mail for this game" not in ann.get(f"/games/{game}")

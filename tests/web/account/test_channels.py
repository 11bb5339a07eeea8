"""The pages of a player's channels, and the private links to calendar and feed."""

import re
from html import escape
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from flask.testing import FlaskClient
from icalendar import Calendar

from service.accounts.channels import CHANNEL_GROUPS, reason_words
from service.api.endpoints.channels import shown
from service.api.rate_limits import OF_LINK
from service.container import Container
from service.core.redis.client import Client
from service.games import ChangeContext, NewGame
from service.games.rematches import Wanted
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.web.people import Browser, browser_of, dump

PAGE = "/account/channels"
HOOK = {"type": "webhook", "url": "https://hooks.example.org/hushhush"}
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def ann(app: Flask, container: Container) -> Browser:
    return browser_of(app, container, "Ann; <O'Hara>, \\n", "ann@example.org")


@pytest.fixture
def bob(app: Flask, container: Container) -> Browser:
    return browser_of(app, container, "Bob " + "é" * 36, "bob@example.org")


def added(browser: Browser, container: Container, **fields: str) -> str:
    """The id of a new channel."""
    browser.press(PAGE, PAGE, **{**HOOK, **fields})
    return container.channels.all(browser.player)[-1].id


@pytest.mark.parametrize("reach", [{"base_url": "http://localhost"}, {"smtp_url": "smtp://mail"}])
def test_an_address_that_is_not_confirmed_says_so_and_its_link_is_sent_again(
    redis: Client, clock: Clock, reach: dict[str, str]
) -> None:
    app = create_app(settings(**reach), redis, clock)
    container: Container = app.extensions["scottenbury"]
    zoe = browser_of(app, container, "Zoe")
    assert "Send the link again" not in zoe.get(PAGE)
    zoe.press("/account/mail", "/account/address", email="zoe@example.org")
    page = zoe.get(PAGE)
    assert "zoe@example.org, not confirmed yet" in page
    assert "pen the link in the mail to zoe@example.org" in page
    assert '<input type="hidden" name="email" value="zoe@example.org">' in page
    sent = len([*container.log.outbox.pending()])
    clock.time += 60
    zoe.press(PAGE, "/account/address", email="zoe@example.org")
    assert len([*container.log.outbox.pending()]) == sent + 1


class TestReasons:
    """Why a channel fails is stored in English, and said in its player's language."""

    @pytest.mark.parametrize(
        ("stored", "said"),
        [
            ("it answered 404", "die Antwort war 404"),
            ("it answered 302, a redirect, and none is followed", "die Antwort war 302, eine"),
            ("no connection to it", "keine Verbindung"),
            ("a reason of a former version, 5 %", "a reason of a former version, 5 %"),
        ],
    )
    def test_it_is_said_where_the_channel_is_shown(
        self, ann: Browser, container: Container, stored: str, said: str
    ) -> None:
        channel = added(ann, container)
        container.channels.record_failure(ann.player, channel, stored, 60)
        assert f": {stored}." in ann.get(PAGE)
        container.mail_preferences.set_choice(ann.player, {"language": "de"})
        for path in (PAGE, f"{PAGE}/{channel}"):
            assert said in ann.get(path)
        container.channels.turn_off(ann.player, channel, stored)
        assert said in ann.get("/")

    def test_programs_read_it_in_english(self, ann: Browser, container: Container) -> None:
        channel = container.channels.get(ann.player, added(ann, container))
        container.channels.switch(ann.player, channel.id, on=False)
        off = container.channels.get(ann.player, channel.id)
        trouble = shown(off)["trouble"]
        assert trouble is not None
        assert trouble["why"] == "you turned it off"
        assert (
            reason_words(container.languages.words("fr"), "you turned it off")
            == "tu l’as désactivé"
        )


class TestPages:
    def test_a_webhook_is_added_and_shows_its_secret_once(
        self, ann: Browser, container: Container
    ) -> None:
        answer = ann.press(PAGE, PAGE, **HOOK, name="my program")
        (channel,) = container.channels.all(ann.player)
        secret = container.channels.secret(ann.player, channel)
        assert secret in answer.text
        later = ann.get(PAGE)
        assert "my program" in later
        assert secret not in later
        assert "hushhush" not in later + ann.get(f"{PAGE}/{channel.id}")

    @pytest.mark.parametrize(
        "form",
        [
            {"type": "webhook", "url": "http://hooks.example.org"},
            {"type": "webhook"},
            {"type": "ntfy", "url": "https://ntfy.sh", "topic": "a b"},
            {"type": "push", "endpoint": "https://push.example.org", "p256dh": "A", "auth": "A"},
            {"type": "carrier-pigeon"},
        ],
    )
    def test_what_leads_nowhere_is_refused(
        self, ann: Browser, container: Container, form: dict[str, str]
    ) -> None:
        assert ann.press(PAGE, PAGE, **form).status_code == 422
        assert container.channels.all(ann.player) == []

    def test_a_field_that_may_be_empty_may(self, ann: Browser, container: Container) -> None:
        form = {"type": "ntfy", "url": "https://ntfy.sh", "topic": "stones", "token": ""}
        ann.press(PAGE, PAGE, **form)
        (channel,) = container.channels.all(ann.player)
        assert channel.target == {"url": "https://ntfy.sh", "topic": "stones"}

    def test_what_it_tells_is_chosen(
        self, ann: Browser, bob: Browser, container: Container
    ) -> None:
        game = begun(container, ann, bob)
        page = f"{PAGE}/{added(ann, container)}"
        assert ann.get(page).count("checked") == len(CHANNEL_GROUPS) + 1  # and the game
        form = {"name": "hook", "groups": ["turn", "over"], "fallback": "on"}
        ann.press(page, page, **form)
        (channel,) = container.channels.all(ann.player)
        assert (channel.name, channel.fallback) == ("hook", True)
        assert channel.groups == {"turn", "over"}
        assert channel.games_off == (game,)
        ann.press(page, page, **form, games=game)
        assert container.channels.all(ann.player)[0].games_off == ()

    def test_it_is_tested_turned_off_and_deleted(self, ann: Browser, container: Container) -> None:
        channel = added(ann, container)
        page = f"{PAGE}/{channel}"
        ann.press(page, f"{page}/test")
        assert [one.id for one in container.log.outbox.pending() if one.id.endswith(".test")]
        ann.press(page, f"{page}/switch")
        assert "It has been off" in ann.get(page)
        assert "tells you nothing" not in ann.get("/")
        ann.press(page, f"{page}/switch", on=1)
        assert "It has been off" not in ann.get(page)
        assert "whsec_" in ann.press(page, f"{page}/secret").text
        ann.press(page, f"{page}/delete")
        assert container.channels.all(ann.player) == []

    def test_one_that_failed_for_a_day_is_told_on_the_front_page(
        self, ann: Browser, container: Container
    ) -> None:
        channel = added(ann, container, name="my program")
        container.channels.turn_off(ann.player, channel, "it answered 500")
        text = " ".join(ann.get("/").split())
        assert "my program no longer reaches you: it answered 500." in text
        assert f"{PAGE}/{channel}" in text

    def test_it_says_by_what_each_kind_of_news_is_told_and_what_stands_in(
        self, ann: Browser, container: Container
    ) -> None:
        assert "Which news comes where" not in ann.get(PAGE)
        known = container.channels
        names = ("Phone", "Desk <b>", "Spare")
        for name in names:
            ann.press(PAGE, PAGE, **HOOK, name=name)
        ids = {channel.name: channel.id for channel in known.all(ann.player)}
        known.change(ann.player, ids["Spare"], fallback=True, groups=frozenset({"turn", "over"}))
        known.change(ann.player, ids["Desk <b>"], groups=frozenset({"turn"}))
        container.mail_preferences.choose_groups(ann.player, {"over": False, "message": False})
        both = " and ".join(
            escape(one.name) for one in known.all(ann.player) if one.name in names[:2]
        )
        told = ann.get(PAGE).partition("Which news comes where")[2]
        words = " ".join(re.sub("<[^>]*>", "", told).split())
        for line in (
            f"plans that were cancelled: mail, {both}; if that fails, Spare.",
            "games that end: Phone; if that fails, Spare.",
            "messages and proposals: Phone.",
        ):
            assert line in words, line
        known.switch(ann.player, ids["Phone"], on=False)
        words = " ".join(re.sub("<[^>]*>", "", ann.get(PAGE)).split())
        assert "games that end: Spare." in words
        assert "messages and proposals: nothing." in words

    def test_nobody_sees_or_changes_another_s(
        self, ann: Browser, bob: Browser, container: Container
    ) -> None:
        page = f"{PAGE}/{added(ann, container)}"
        form = bob.client.get(PAGE).text.partition('name="form" value="')[2].partition('"')[0]
        assert bob.client.get(page).status_code == 404
        for path in ("", "/switch", "/test", "/secret"):
            answer = bob.client.post(page + path, data={"form": form, "name": "x"})
            assert answer.status_code == 404, path
        bob.client.post(f"{page}/delete", data={"form": form})
        assert len(container.channels.all(ann.player)) == 1

    def test_push_is_offered_where_the_operator_has_a_contact(
        self, ann: Browser, redis: Client
    ) -> None:
        assert "data-push" not in ann.get(PAGE)
        for words in ("Push to this browser", "This browser"):  # there is nothing to do about it
            assert words not in ann.get(PAGE)
        reachable = create_app(settings(contact="mailto:ada@example.org"), redis, Clock())
        other = reachable.test_client()
        session = ann.client.get_cookie("scottenbury_session")
        assert session is not None
        other.set_cookie("scottenbury_session", session.value)
        assert re.search('data-push="[A-Za-z0-9_-]{87}"', other.get(PAGE).text)

    def test_a_browser_that_asks_again_takes_its_own_place(self, redis: Client) -> None:
        app = create_app(settings(contact="mailto:ada@example.org"), redis, Clock())
        container: Container = app.extensions["scottenbury"]
        eve = browser_of(app, container, "Eve")
        form = {"type": "push", "endpoint": "https://push.example.org/1", "auth": "A" * 22}
        for key in ("A", "B"):
            eve.press(PAGE, PAGE, **form, p256dh=key * 87)
        (channel,) = container.channels.all(eve.player)
        assert channel.target["p256dh"] == "B" * 87

    def test_the_worker_for_push_is_looked_for_anew_each_time(self, client: FlaskClient) -> None:
        answer = client.get("/push-worker.js")
        assert answer.headers["Cache-Control"] == "no-cache"
        assert answer.mimetype in ("text/javascript", "application/javascript")


def begun(container: Container, first: Browser, second: Browser, **options: object) -> str:
    """A game in which it is the first one's turn."""
    wanted = NewGame(first_player="creator", clock={"days_per_move": 3}, **options)
    made = container.games.create(first.player, wanted)
    invite = container.games.invitations.token(made.id)
    container.games.join(made.id, second.player, invite=invite)
    return made.id


class TestPrivateLinks:
    @pytest.fixture
    def paths(self, ann: Browser, container: Container) -> tuple[str, str]:
        """Of the calendar and the feed."""
        ann.press(PAGE, "/account/links")
        links = container.private_links.of(ann.player)
        assert links is not None
        assert links.calendar in ann.get(PAGE)
        base = container.settings.base_url
        return links.calendar.removeprefix(base), links.atom.removeprefix(base)

    def test_the_calendar_holds_the_deadlines_of_own_turns(
        self,
        ann: Browser,
        bob: Browser,
        container: Container,
        client: FlaskClient,
        paths: tuple[str, str],
    ) -> None:
        game = begun(container, ann, bob)
        begun(container, bob, ann)
        answer = client.get(paths[0])
        assert answer.mimetype == "text/calendar"
        assert max(map(len, answer.data.split(b"\r\n"))) <= 75
        (event,) = Calendar.from_ical(answer.data).walk("VEVENT")
        assert event["SUMMARY"] == f"Your turn against Bob {'é' * 36}: the time is up"
        assert event.decoded("DTSTART").isoformat() == "2026-11-24T12:00:00+00:00"
        assert event["URL"].endswith(f"/games/{game}")

    def test_the_feed_holds_own_turns(
        self,
        ann: Browser,
        bob: Browser,
        container: Container,
        client: FlaskClient,
        paths: tuple[str, str],
    ) -> None:
        game = begun(container, ann, bob)
        answer = client.get(paths[1])
        assert answer.mimetype == "application/atom+xml"
        root = ET.fromstring(answer.data)
        (entry,) = root.findall(f"{ATOM}entry")
        assert entry.findtext(f"{ATOM}title") == f"Your turn against Bob {'é' * 36}"
        content = entry.findtext(f"{ATOM}content")
        assert content == "You have until Tuesday 24 November 2026, 12:00 (UTC)."
        link = entry.find(f"{ATOM}link")
        assert link is not None
        assert link.attrib["href"].endswith(f"/games/{game}")
        assert root.findtext(f"{ATOM}updated") == "2026-11-21T12:00:00Z"
        container.games.play(game, ann.player, [f"{hand(container, game, ann)[0]}@1"])
        assert ET.fromstring(client.get(paths[1]).data).findall(f"{ATOM}entry") == []

    def test_neither_holds_a_game_for_practice(
        self,
        ann: Browser,
        bob: Browser,
        container: Container,
        client: FlaskClient,
        paths: tuple[str, str],
    ) -> None:
        over = begun(container, ann, bob)
        container.games.resign(over, bob.player)
        new = container.games.practice.begin(over, ann.player, Wanted(), ChangeContext())
        assert new.player_to_move() == ann.player
        assert not list(Calendar.from_ical(client.get(paths[0]).data).walk("VEVENT"))
        assert ET.fromstring(client.get(paths[1]).data).findall(f"{ATOM}entry") == []

    def test_they_show_no_cards_and_what_is_unchanged_is_not_sent_again(
        self,
        ann: Browser,
        bob: Browser,
        container: Container,
        client: FlaskClient,
        paths: tuple[str, str],
        redis: Client,
    ) -> None:
        game = begun(container, ann, bob)
        before = dump(redis)
        for path in paths:
            answer = client.get(path)
            assert not re.search(rf"\b({'|'.join(hand(container, game, ann))})\b", answer.text)
            assert "example.org" not in answer.text
            again = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
            assert (again.status_code, again.data) == (304, b"")
            assert answer.headers["Cache-Control"] == "private, no-cache"
            assert client.post(path).status_code == 405
        assert dump(redis) == before

    def test_hostile_names_are_escaped(
        self, ann: Browser, bob: Browser, container: Container, client: FlaskClient
    ) -> None:
        begun(container, bob, ann)
        links = container.private_links.renew(bob.player)
        base = container.settings.base_url
        calendar = client.get(links.calendar.removeprefix(base)).data
        (event,) = Calendar.from_ical(calendar).walk("VEVENT")
        name = container.players.names([ann.player])[ann.player]
        assert event["SUMMARY"] == f"Your turn against {name}: the time is up"
        feed = ET.fromstring(client.get(links.atom.removeprefix(base)).data)
        assert feed.findtext(f"{ATOM}entry/{ATOM}title") == f"Your turn against {name}"

    def test_a_link_that_was_renewed_or_ended_leads_nowhere(
        self, ann: Browser, container: Container, client: FlaskClient, paths: tuple[str, str]
    ) -> None:
        assert client.get(paths[0]).status_code == 200
        ann.press(PAGE, "/account/links")
        assert client.get(paths[0]).status_code == 404
        second = container.private_links.of(ann.player)
        assert second is not None
        path = second.atom.removeprefix(container.settings.base_url)
        assert client.get(path).status_code == 200
        ann.press(PAGE, "/account/links/end")
        assert client.get(path).status_code == 404
        ann.press(PAGE, "/account/links")
        third = container.private_links.of(ann.player)
        owner = container.players.find(ann.player)
        assert third is not None
        assert owner is not None
        container.accounts.close(owner)
        assert client.get(third.atom.removeprefix(container.settings.base_url)).status_code == 404
        for wrong in ("", "x", f"{ann.player}{'a' * 32}", path[7:-6] + "a"):
            assert client.get(f"/calendar/{wrong}.ics").status_code == 404

    def test_reading_them_is_no_visit(
        self, ann: Browser, container: Container, client: FlaskClient, paths: tuple[str, str]
    ) -> None:
        container.deferred_notices.reserve(ann.player, "notice")
        client.get(paths[0])
        assert not container.deferred_notices.reserve(ann.player, "another")

    def test_they_are_read_so_often_at_most(self, redis: Client) -> None:
        app = create_app(settings(rate_limits=True), redis, Clock())
        container: Container = app.extensions["scottenbury"]
        eve = container.registrations.register("Eve").player.id
        mallory = container.registrations.register("Mallory").player.id
        paths = [
            container.private_links.renew(player).atom.removeprefix(container.settings.base_url)
            for player in (eve, mallory)
        ]
        client = app.test_client()
        most = OF_LINK["web.atom"].most
        answers = [client.get(paths[0]).status_code for _ in range(most + 1)]
        assert answers == [200] * most + [429]
        assert client.get(paths[1]).status_code == 200


def hand(container: Container, game: str, browser: Browser) -> list[str]:
    return [*container.games.view(container.games.load(game), browser.player).own_cards]

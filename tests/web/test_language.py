"""Whose language a page has, and how a reader chooses it."""

import html
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.container import Container
from service.core.words import Languages
from tests.support.application import Server
from tests.support.catalogues import PO
from tests.web.people import Browser, send
from tests.web.shown import signed_in

GERMAN = '\nmsgid "Rules"\nmsgstr "Regeln"\n'
BAVARIAN = {"Accept-Language": "de-DE, en;q=0.5"}


@pytest.fixture(autouse=True)
def with_german(tmp_path: Path, container: Container) -> None:
    """The server has German, in which nearly nothing is translated, and a draft of French."""
    (tmp_path / "de.po").write_text(PO.format(name="Deutsch", reviewed="by Eva, 2026") + GERMAN)
    (tmp_path / "fr.po").write_text(PO.format(name="Français", reviewed=""))
    container.languages = Languages(tmp_path)


def language(page: str) -> str:
    found = re.search(r'<html lang="([^"]+)">', page)
    assert found
    return found[1]


def choose(client: FlaskClient, code: str, back: str = "/") -> TestResponse:
    return send(client, "/sign-in", "/language", language=code, back=back)


def test_a_browser_gets_the_language_that_it_asks_for(client: FlaskClient) -> None:
    answer = client.get("/", headers=BAVARIAN)
    assert language(answer.text) == "de"
    assert ">Regeln</a>" in answer.text
    assert "Accept-Language" in answer.headers["Vary"]
    assert language(client.get("/", headers={"Accept-Language": "fr, it"}).text) == "en"
    assert language(client.get("/").text) == "en"


def test_whoever_chooses_in_the_menu_stays_with_it_and_where_they_were(client: FlaskClient) -> None:
    chosen = choose(client, "de", back="/rules?edition=iello")
    assert (chosen.status_code, chosen.location) == (303, "/rules?edition=iello")
    assert language(client.get("/").text) == "de"
    choose(client, "en")
    assert language(client.get("/", headers=BAVARIAN).text) == "en"


@pytest.mark.parametrize("back", ["//evil.example", "/\\evil.example", "https://evil.example"])
def test_the_menu_leads_to_no_other_site(client: FlaskClient, back: str) -> None:
    assert choose(client, "de", back=back).location == "/"


@pytest.mark.parametrize("unknown", ["fr", "tlh", "en-XA", "<b>"])
def test_a_language_that_is_not_listed_is_refused(client: FlaskClient, unknown: str) -> None:
    assert choose(client, unknown).status_code == 422


def test_one_press_in_the_foot_switches_and_comes_back(client: FlaskClient) -> None:
    page = client.get("/rules?edition=iello").text
    found = re.findall(r'<a href="([^"]+)" lang="de"[^>]*>Deutsch</a>', page)
    assert len(found) == 1
    assert "Français</a>" not in page
    chosen = client.get(html.unescape(found[0]))
    assert (chosen.status_code, chosen.location) == (303, "/rules?edition=iello")
    assert language(client.get("/").text) == "de"
    assert client.get("/language/de?back=//evil.example").location == "/"


def test_the_foot_switches_the_account_too(server: Server, ann: Browser) -> None:
    ann.client.get("/language/de")
    assert language(signed_in(server.app, ann.player).get("/").text) == "de"


def test_what_a_player_chose_holds_in_each_of_their_browsers(server: Server, ann: Browser) -> None:
    choose(ann.client, "de")
    elsewhere = signed_in(server.app, ann.player)
    assert language(elsewhere.get("/").text) == "de"
    choose(elsewhere, "")
    assert language(elsewhere.get("/").text) == "en"
    assert language(elsewhere.get("/", headers=BAVARIAN).text) == "de"


def test_mails_keep_the_language_of_the_first_visit_until_the_player_chooses(
    container: Container, ann: Browser
) -> None:
    choice = container.mail_preferences.choice
    assert choice(ann.player).language is None
    ann.client.get("/", headers=BAVARIAN)
    assert choice(ann.player).language == "de"
    ann.client.get("/", headers={"Accept-Language": "en"})
    assert choice(ann.player).language == "de"
    choose(ann.client, "")
    assert choice(ann.player).language == "en"
    choose(ann.client, "de")
    ann.client.get("/", headers={"Accept-Language": "en"})
    assert choice(ann.player).language == "de"


def test_the_account_names_the_choice(ann: Browser) -> None:
    choose(ann.client, "de")
    page = ann.client.get("/account").text
    assert re.search(r'value="de" checked> Deutsch', page)


def test_one_language_alone_has_no_menu(container: Container, client: FlaskClient) -> None:
    container.languages = Languages(Path("/nowhere"))
    assert 'name="language"' not in client.get("/", headers=BAVARIAN).text


@pytest.mark.parametrize("unknown", ["tlh", "<b>", "x" * 3000])
def test_a_cookie_with_no_language_changes_nothing(
    server: Server, ann: Browser, unknown: str
) -> None:
    ann.client.set_cookie("scottenbury_language", unknown)
    assert language(ann.client.get("/", headers=BAVARIAN).text) == "de"
    assert server.container.mail_preferences.choice(ann.player).language == "de"

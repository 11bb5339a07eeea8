"""What players read is there in each reviewed language. A translation has the anchors, links,
numbers and examples of its original; where there is none, the English is marked as such."""

import re
from itertools import product
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.core.words import ENGLISH_CODE, PSEUDO_CODE, Languages
from service.web.documents import DOCS, for_players
from tests.support.translations import LANGUAGES, ORIGINALS, OWN_WORDS, form, head

PAIRS = [
    (language, original)
    for language, original in product(LANGUAGES, ORIGINALS)
    if (DOCS / language / original.name).exists()
]
NAMES = [f"{language}-{original.stem}" for language, original in PAIRS]
translated = pytest.mark.parametrize(("language", "original"), PAIRS, ids=NAMES)


def path_of(original: Path) -> str:
    return {"rules": "/rules", "help": "/help"}.get(original.stem, f"/help/{original.stem}")


def page(client: FlaskClient, path: str, language: str) -> str:
    client.set_cookie("scottenbury_language", language)
    answer = client.get(path)
    assert answer.status_code == 200
    assert "Accept-Language" in answer.headers["Vary"]
    return answer.text


def test_a_reviewed_language_lacks_none() -> None:
    reviewed = Languages().listed.keys() - {ENGLISH_CODE}
    assert set(product(reviewed, ORIGINALS)) <= {*PAIRS}


def test_each_is_of_something_that_players_read() -> None:
    translations = {path for path in DOCS.glob("*/*.md") if path.parent.name in LANGUAGES}
    assert translations == {DOCS / language / original.name for language, original in PAIRS}


@translated
def test_it_is_of_the_original_as_it_is_now(language: str, original: Path) -> None:
    """If not: mend the translation, then its first line."""
    translation = DOCS / language / original.name
    assert translation.read_text().partition("\n")[0] == head(original)


@translated
def test_it_keeps_what_has_no_language(language: str, original: Path) -> None:
    english = form(for_players(original, ENGLISH_CODE).text)
    there = form(for_players(original, language).text, language)
    quoted = original.stem == "mail" and len(OWN_WORDS)
    assert there._replace(typed=[]) == english._replace(typed=[])
    assert len(there.typed) == len(english.typed) + quoted
    assert [each for each in english.typed if each not in there.typed] == []


@pytest.mark.parametrize("original", ORIGINALS, ids=lambda original: original.stem)
def test_no_line_of_the_french_breaks_before_its_punctuation(original: Path) -> None:
    text = for_players(original, "fr").text
    prose = re.sub(r"`[^`]*`|^    .*", "", text, flags=re.MULTILINE)
    assert re.findall(r".* [;:!?»].*|.*« .*", prose) == []


@translated
def test_its_links_lead_to_files(language: str, original: Path) -> None:
    text = for_players(original, language).text
    for link in re.findall(r"\]\((?!https:)([^)#\s]+)", text):
        assert (DOCS / language / link).exists(), link


@translated
def test_its_page_has_the_anchors_and_links_of_the_english_one(
    client: FlaskClient, language: str, original: Path
) -> None:
    pages = [page(client, path_of(original), code) for code in (ENGLISH_CODE, language)]
    articles = [text.partition("<article")[2].partition("</article>")[0] for text in pages]
    for found in ('id="([^"]+)"', '<a[^>]* href="([^"]+)"'):
        english, there = (re.findall(found, article) for article in articles)
        assert there == english
    assert f'lang="{ENGLISH_CODE}"' not in articles[1].partition('<details class="sources">')[0]


@pytest.mark.parametrize("path", ["/help", "/help/mail", "/docs/quick-start", "/docs/api/play"])
def test_what_is_in_english_alone_says_so(client: FlaskClient, path: str) -> None:
    shown = page(client, path, PSEUDO_CODE)
    assert re.search('<article class="[^"]*" lang="en">', shown)
    assert re.search('<title lang="en">', shown)
    assert re.search(f'<p class="note" lang="{PSEUDO_CODE}">.This page is only available', shown)
    assert "only available" not in page(client, path, ENGLISH_CODE)


def test_rulings_in_english_alone_say_so(client: FlaskClient) -> None:
    rulings = page(client, "/rules", PSEUDO_CODE).partition('id="rulings-in-full"')[2]
    assert re.search(r'<p class="note">.The rulings are only.*</p>\s*<div lang="en">', rulings)
    assert "only available" not in page(client, "/rules", ENGLISH_CODE)


def test_what_is_for_those_who_check_the_rulings_is_english(client: FlaskClient) -> None:
    sources = page(client, "/rules", "fr").partition('<details class="sources">')[2]
    assert re.search(r'<div lang="en">\s*<p>What the texts say', sources)


def test_the_menu_of_programs_is_english_and_that_of_players_is_not(client: FlaskClient) -> None:
    assert '<nav aria-label="Documents" lang="en">' in page(client, "/docs", PSEUDO_CODE)
    menu = page(client, "/help", PSEUDO_CODE).partition('<div class="guide">')[2]
    assert re.search(r'<nav aria-label="\[Documents', menu)
    assert "[Playing by mail" in menu


def test_the_operators_page_is_english_for_everybody(client: FlaskClient) -> None:
    client.set_cookie("scottenbury_language", "fr")
    assert '<html lang="en">' in client.get("/operator").text

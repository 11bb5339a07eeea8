"""The words of a language, from its catalogue."""

from pathlib import Path

import pytest

from service.core.words import ENGLISH, PSEUDO_CODE, BrokenCatalogue, Languages
from tests.support.catalogues import PO

GERMAN = """
msgid "%(name)s resigned."
msgstr "%(name)s hat aufgegeben."

msgid "%(number)s game"
msgid_plural "%(number)s games"
msgstr[0] "%(number)s Spiel"
msgstr[1] "%(number)s Spiele"

msgid "%(others)s and %(last)s"
msgstr "%(others)s und %(last)s"
"""


@pytest.fixture
def languages(tmp_path: Path) -> Languages:
    """English, German, and French that nobody has reviewed."""
    (tmp_path / "de.po").write_text(PO.format(name="Deutsch", reviewed="by Eva, 2026") + GERMAN)
    (tmp_path / "fr.po").write_text(PO.format(name="Français", reviewed=""))
    return Languages(tmp_path)


def test_a_message_is_said_in_the_language_with_its_places_filled_in(languages: Languages) -> None:
    german = languages.words("de")
    assert german.say("%(name)s resigned.", name="Bo") == "Bo hat aufgegeben."
    assert ENGLISH.say("%(name)s resigned.", name="Bo") == "Bo resigned."


def test_without_places_a_percent_sign_is_one() -> None:
    assert ENGLISH.say("2 % a turn") == "2 % a turn"
    assert ENGLISH.say("%(lost)s %% a turn", lost="2") == "2 % a turn"


@pytest.mark.parametrize(("number", "words"), [(0, "0 Spiele"), (1, "1 Spiel"), (2, "2 Spiele")])
def test_a_number_of_things_takes_the_form_of_the_language(
    languages: Languages, number: int, words: str
) -> None:
    assert languages.words("de").plural("%(number)s game", "%(number)s games", number) == words


def test_a_list_is_joined_as_the_language_does(languages: Languages) -> None:
    german = languages.words("de")
    assert german.joined(["a", "b", "c"]) == "a, b und c"
    assert [ENGLISH.joined(items) for items in ([], ["a"], ["a", "b"])] == ["", "a", "a and b"]


def test_what_is_not_translated_is_english(languages: Languages) -> None:
    assert languages.words("de").say("Rematch") == "Rematch"
    assert languages.words("tlh").say("Rematch") == "Rematch"


def test_what_is_not_translated_is_reported_by_language(languages: Languages) -> None:
    missed: list[str] = []
    languages.on_untranslated = missed.append
    german = languages.words("de")
    german.say("%(name)s resigned.", name="Bo")
    german.plural("%(number)s game", "%(number)s games", 2)
    ENGLISH.say("Rematch")
    languages.words("tlh").say("Rematch")
    assert missed == []
    german.say("Rematch")
    assert german.plural("%(number)s card", "%(number)s cards", 2) == "2 cards"
    languages.words("fr").say("Rematch")
    assert missed == ["de", "de", "fr"]


def test_only_reviewed_languages_are_listed(languages: Languages) -> None:
    assert dict(languages.listed) == {"en": "English", "de": "Deutsch"}
    assert languages.words("fr").language == "fr"  # for those who review it


@pytest.mark.parametrize(
    ("wanted", "best"),
    [(["de-CH", "en"], "de"), (["fr", "en-GB", "de"], "en"), (["fr", "it"], None), ([], None)],
)
def test_a_browser_gets_the_first_that_is_listed(
    languages: Languages, wanted: list[str], best: str | None
) -> None:
    assert languages.best(wanted) == best


def test_a_pseudo_language_shows_what_is_not_translated(languages: Languages) -> None:
    said = languages.words(PSEUDO_CODE).say("%(name)s resigned.", name="Bo")
    assert said.startswith("[Bo resigned.~")
    assert said.endswith("]")


WHOLE = PO.format(name="Deutsch", reviewed="") + GERMAN


@pytest.mark.parametrize(
    "broken",
    [
        "<<<<<<< HEAD",
        'msgid "a"\nmsgstr "b"\n',
        GERMAN,
        f"{WHOLE}\n<<<<<<< HEAD\n",
        WHOLE[:-20],
        f'{WHOLE}\nmsgid "a',
        WHOLE.replace("%(name)s hat", "%(nom)s hat"),
        WHOLE.replace("%(name)s hat", "%(name hat"),
        WHOLE.replace("%(number)s Spiele", "100 % Spiele"),
        WHOLE.replace("plural=(n != 1)", "plural=(n >< 1)"),
    ],
)
def test_a_broken_catalogue_is_named(tmp_path: Path, broken: str) -> None:
    (tmp_path / "de.po").write_text(broken)
    with pytest.raises(BrokenCatalogue, match=r"de\.po") as error:
        Languages(tmp_path)
    assert "\n" not in str(error.value)

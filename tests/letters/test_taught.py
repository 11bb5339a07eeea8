"""Commands in the languages of players: what mails teach is read as the English command is."""

import re

import pytest

from letters import taught
from letters.commands import Answer, Empty, TakenBack, Unread, WholeTurn, read_commands
from letters.days import Day
from letters.grammar import Gift
from letters.inert import UNSEEN_MARK, inert_name
from letters.letter import read_letter
from letters.mail.body import ReadBody, Text
from letters.mail.lines import Line, WriterFacts, read_lines
from letters.mail.phrases import surely_takes_back, takes_back
from letters.wishes import AskedWord, BeginGame, TakeVacation
from service.core.words import Languages
from service.mail_in.wording import Commands

ENGLISH = taught.rows("en", "commands")
PLACES = {
    "card": "Spy",
    "stone": "3",
    "name": "Ada",
    "whom": "Ann",
    "options": ", 3 days, tactics",
    "time": "2 days",
    "first": "20 Dec",
    "last": "3 Jan",
    "until": "24 Dec",
    "text": "see you",
    "group": "reminders",
    "zone": "Europe/Berlin",
    "language": "français",
}
FORMS = [
    (language, name, written)
    for language in taught.OTHERS
    for name, forms in taught.rows(language, "commands").items()
    for form in forms
    for written in dict.fromkeys((form, form.replace(" ?", "?")))
]


def read(text: str) -> Answer:
    return read_commands(read_lines(Text(text)).lines)


def filled(language: str, form: str) -> str:
    places = re.findall(r"\{(\w+)\}", form)
    return form.format(**{each: taught.spoken(language, each, PLACES[each]) for each in places})


@pytest.mark.parametrize(("language", "name", "form"), FORMS)
def test_each_form_is_read_as_the_english_one(language: str, name: str, form: str) -> None:
    text, english = filled(language, form), filled("en", ENGLISH[name][0])
    if name == "done":  # below a turn
        text, english = f"R7@3\n{text}", f"R7@3\n{english}"
    assert not isinstance(read(english), Unread | Empty)
    for written in (text, text.upper(), f"“{text}”", f"«\u00a0{text}\u00a0»", f"- {text}."):
        if "{name}" in form or "{zone}" in form or name == "say":
            written = text
        if name != "done" or written == text:
            assert read(written) == read(english), written


@pytest.mark.parametrize(("language", "name", "form"), FORMS)
def test_a_form_takes_back_only_what_the_english_one_does(
    language: str, name: str, form: str
) -> None:
    text, english = filled(language, form), filled("en", ENGLISH[name][0])
    assert not takes_back(text) or takes_back(english)
    assert not surely_takes_back(text) or surely_takes_back(english)


@pytest.mark.parametrize("language", taught.LANGUAGES)
def test_each_command_that_mails_teach_is_read(language: str) -> None:
    commands, english = Commands(language), Commands("en")
    for name in commands:
        if name not in ("accept_as", "say", "done", "language"):  # which need more
            assert name in ("say_hello", "say_luck", "say_played") or read(commands[name]) == read(
                english[name]
            ), name
            assert not isinstance(read(commands[name]), Unread | Empty), name


@pytest.mark.parametrize("language", taught.OTHERS)
def test_each_language_says_every_command_and_what_stands_in_its_places(language: str) -> None:
    assert [*taught.rows(language, "commands")] == [*ENGLISH]
    for section in ("cards", "dates", "times", "options", "groups", "texts"):
        says, others = (
            {row for each in languages for row in taught.rows(each, section)}
            for languages in ((language,), taught.OTHERS)
        )
        assert says == others, section


@pytest.mark.parametrize(("language", "name", "form"), FORMS)
def test_a_player_called_like_a_command_is_shown_in_unseen_marks(
    language: str, name: str, form: str
) -> None:
    assert inert_name(filled(language, form)).startswith(UNSEEN_MARK)


@pytest.mark.parametrize(
    "name", ["Charles de Gaulle", "Ann E. Lee", "Fin", "Michael Ende", "Mai", "Will"]
)
def test_other_names_are_not(name: str) -> None:
    assert inert_name(name) == name


def test_no_form_means_two_commands() -> None:
    meant: dict[str, set[str]] = {}
    for _, name, form in FORMS:
        meant.setdefault(form.casefold(), set()).add(name)
    assert {form for form, names in meant.items() if len(names) > 1} == set()


def test_tactic_cards_have_the_names_that_mails_give_them() -> None:
    for language in taught.OTHERS:
        words = Languages().words(language)
        for card, names in taught.rows(language, "cards").items():
            assert words.say(card) in (names[0], card)  # not yet translated


@pytest.mark.parametrize(
    "text",
    [
        *("je n'abandonne pas", "n'abandonne pas", "dois-je abandonner ?", "abandonner ?"),
        *(
            "j'abandonne si tu veux",
            "accepté",
            "refusé",
            "passé",
            "je voudrais abandonner",
            "abandonne, toi",
            "abandonné",
        ),
        *("ne joue pas R7 en 3", "je ne revendique pas la victoire", "aide ?", "pas d'accord"),
        *("ich will nicht aufgeben", "soll ich aufgeben?", "aufgeben?", "nicht aufgeben"),
        *(
            "ich gebe nicht auf",
            "ich gebe auf, wenn du magst",
            "vielleicht aufgeben",
            "gibst du auf",
        ),
        *("ja?", "ja, aber", "oui mais", "oui ou non", "non, oui", "nein, ja", "ja nein"),
        *("annule", "annule la partie", "zurück", "stopp", "pas", "nicht", "halt", "fin", "ende"),
        *("ich spiele nicht R7 an 3", "passe?", "ich passe nicht", "je ne passe pas", "tu passes"),
    ],
)
def test_what_denies_asks_or_depends_does_nothing(text: str) -> None:
    assert isinstance(read(text), Unread)
    letter = read_letter(ReadBody(Text(text)), "", WriterFacts())
    assert isinstance(letter.answer, Unread)
    assert letter.question is None
    assert not letter.resigns


@pytest.mark.parametrize("word", ["oui", "ja", "non", "nein", "aide", "abandonne", "retour"])
def test_a_word_that_is_ordinary_counts_only_as_the_whole_answer(word: str) -> None:
    assert isinstance(read(word), AskedWord)
    for lines in ((word, "R7@3"), ("R7@3", word), (word, "il fait beau"), ("Stein", word)):
        assert isinstance(read_commands([Line(1, text) for text in lines]), Unread)


@pytest.mark.parametrize("text", ["J’abandonne.\nPaul a gagné", "Aufgeben\nViel Spaß noch euch"])
def test_resigning_in_a_letter_is_asked_about_in_every_language(text: str) -> None:
    assert read_letter(ReadBody(Text(text)), "", WriterFacts()).resigns


@pytest.mark.parametrize("say", ["say:", "dis :", "Dis:", "sag:", "Sag :"])
def test_what_is_below_a_message_is_never_played(say: str) -> None:
    assert read(f"R7@3\n{say} bonjour") == WholeTurn(("R7@3",), "bonjour")
    assert isinstance(read(f"{say} bonjour\nR7@3"), Unread)


@pytest.mark.parametrize("said", ["Befehle", "Wie geht das?", "Wie funktioniert das hier?"])
def test_each_word_for_help_is_a_form_of_its_own(said: str) -> None:
    assert read(said) == AskedWord("help")
    assert not any("|" in form for _, _, form in FORMS)


def test_a_message_may_begin_with_the_longer_form() -> None:
    assert read("R7@3\nsage: gut gespielt") == WholeTurn(("R7@3",), "gut gespielt")


@pytest.mark.parametrize("said", ["dis : annule ça", "sag: war nur Spaß, nicht spielen"])
def test_a_message_that_takes_the_turn_back_does_so_in_every_language(said: str) -> None:
    letter = read_letter(ReadBody(Text(f"R7@3\n{said}")), "", WriterFacts())
    assert isinstance(letter.answer, TakenBack)


@pytest.mark.parametrize(
    "word", ["yes", "ja", "oui", "resign", "abandonne", "agree", "give 2 days", "propose une pause"]
)
def test_no_word_below_two_dashes_is_carried_out(word: str) -> None:
    for above in ("", "Hallo\n", "Bonjour,\n\n"):
        letter = read_letter(ReadBody(Text(f"{above}-- \n{word}")), "", WriterFacts())
        assert isinstance(letter.answer, Empty)
        assert [line.text for line in letter.missed] == [word]


def test_places_are_read_as_people_write_them() -> None:
    winter = TakeVacation(Day(12, 20), Day(1, 1))
    for text in ("vacances du 20 dec. au 1er janvier", "Urlaub vom 20.12. bis 1. Jänner"):
        assert read(text) == winter
    assert read("gib einen Tag") == read("donne un jour") == Gift(86_400)
    assert read("accepte comme Ada King") == AskedWord("accept", "Ada King")
    assert read("neue Partie mit Ann, zwei Wochen pro Zug, ohne Taktik, ich beginne") == BeginGame(
        "ann", 14, (("first_player", "creator"), ("tactics", False))
    )
    assert isinstance(read("nouvelle partie avec Ann, 3 jours, avec des frites"), Unread)

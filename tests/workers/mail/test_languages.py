"""Each mail and each message speaks the language of whoever gets it."""

import html
import re
from email.message import EmailMessage
from pathlib import Path
from typing import Final

import pytest

from letters.taught import command
from service.core.words import PSEUDO_CODE, Languages
from service.games import NewGame
from service.games.drafts import Orders, TurnOrder
from service.mail_in.wording import Commands, quoted
from tests.support.catalogues import PO
from tests.support.translations import LANGUAGES
from tests.workers.mail.correspondence import (
    Correspondent,
    flat,
    held,
    links,
    run,
    send,
    text_of,
)
from tests.workers.mail.whole_games import (
    is_command,
    long_game,
    part,
    play_turn,
    rewrapped,
    sent,
    texts_of,
)
from tests.workers.match import Match
from workers.context import WorkerContext

SAID: Final = re.compile(r"\[([^][]*~\s?|[;,] ?)\]")
"""A message in the language for tests, without another one in it."""
OF_NO_LANGUAGE: Final = re.compile(
    r"\b(https?://|mailto:)\S+|\S+@\S+|\| [0-9a-f]{64}|\[[0-9a-z]{4}\]"
    r"|You do not hold \w+\."  # refusals of the rules are not messages yet
)


def speak_pseudo(match: Match) -> None:
    for player in (match.ann, match.bob):
        match.context.container.mail_preferences.set_choice(player, {"language": PSEUDO_CODE})


def test_a_players_mail_is_in_their_language_and_the_opponents_in_theirs(
    match: Match, ann: Correspondent, bob: Correspondent
) -> None:
    match.context.container.mail_preferences.set_choice(match.ann, {"language": PSEUDO_CODE})
    bob.answer(held(match)[0])
    run(match.context)
    to_ann, to_bob = ann.mails()[0], bob.mails()[0]
    assert to_ann["Content-Language"] == PSEUDO_CODE
    assert to_ann["From"].addresses[0].display_name.startswith("[Bob · your turn~")
    assert f'<html lang="{PSEUDO_CODE}">' in part(to_ann, "html")
    assert "[Open the game~" in part(to_ann, "plain")
    assert to_bob["Content-Language"] == "en"
    assert not SAID.search(part(to_bob, "plain") + part(to_bob, "html"))


def test_a_message_that_the_recipients_language_lacks_is_counted(
    match: Match, ann: Correspondent, bob: Correspondent, tmp_path: Path
) -> None:
    container = match.context.container
    (tmp_path / "de.po").write_text(PO.format(name="Deutsch", reviewed=""))
    container.languages = Languages(tmp_path)
    container.languages.on_untranslated = container.untranslated.note
    bob.answer(held(match)[0])
    run(match.context)
    assert container.untranslated.all() == {}
    container.mail_preferences.set_choice(match.bob, {"language": "de"})
    ann.answer(held(match)[0])
    run(match.context)
    assert container.untranslated.all()["de"] > 10


def test_the_thread_of_a_game_stays_one_when_its_players_language_changes(
    match: Match, bob: Correspondent
) -> None:
    speak_pseudo(match)
    bob.answer(held(match)[0])
    mails = bob.mails()
    assert {mail["Content-Language"] for mail in mails} == {"en", PSEUDO_CODE}
    assert len({str(mail["Subject"]) for mail in mails}) == 1
    assert len({str(mail["References"]) for mail in mails}) == 1


def test_no_sentence_of_a_mail_is_left_in_english(context: WorkerContext) -> None:
    match = long_game(context, "Ann", "Bob", tactics=True)
    told = told_in_pseudo(match)
    assert {left for mail in told for text in texts_of(mail) for left in left_over(text)} == set()


def test_wrapped_anew_no_line_of_a_mail_in_another_language_is_a_command(
    context: WorkerContext,
) -> None:
    match = long_game(context, "claim 3", "claim 3", tactics=True)
    told = told_in_pseudo(match)
    lines = {line for mail in told for text in texts_of(mail) for line in text.splitlines()}
    assert [line for line in rewrapped(lines, 30) if is_command(line)] == []


ASKED: Final = (
    *("help", "what is that?", "games", "rules", "mails", "undo", "show", "resign", "yes", "agree"),
    *("give 2 days", "say: hello", "rematch", "offer a pause until 24 Dec", "offer an end", "back"),
    *("vacation until 30 Dec", "new game, 3 days", "time zone Europe/Berlin", "not now: R7 at 3"),
    *("mail about reminders off", "claim the win", "call it off", "R7 at 3 or R8 at 4"),
)


@pytest.mark.parametrize("text", ASKED)
def test_no_sentence_of_an_answer_is_left_in_english(
    match: Match, bob: Correspondent, text: str
) -> None:
    speak_pseudo(match)
    bob.answer(text)
    if bob.latest["Reply-To"]:
        bob.answer("yes")
    for mail in bob.mails()[:2]:
        if mail["Content-Language"] == PSEUDO_CODE:
            assert {word for said in texts_of(mail) for word in left_over(said)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_answers_in_the_words_that_their_mail_teaches(
    match: Match, bob: Correspondent, language: str
) -> None:
    match.context.container.mail_preferences.set_choice(match.bob, {"language": language})
    taught, card = Commands(language), held(match)[0][:2]
    helped = bob.answer(taught["help"])
    assert all(taught[each] in helped for each in ("play", "claim", "resign"))
    opened = links(bob.latest)
    if card in opened:
        assert opened[card][1] == command(language, "play", card=card, stone="")
    bob.answer(f"{command(language, 'play', card=card, stone='3')} ?")
    assert match.now().game.stone(3).sides["south"] == ()
    bob.answer(taught["resign"])
    assert not match.now().game.over
    bob.answer(taught["yes"])
    assert match.now().game.over


def test_a_date_does_not_end_the_sentence_that_heads_an_answer(
    match: Match, bob: Correspondent
) -> None:
    match.context.container.mail_preferences.set_choice(match.bob, {"language": "de"})
    bob.answer("Urlaub vom 20. Dezember bis 3. Januar")
    head, _, rest = part(bob.latest, "plain").partition("\n\n")
    assert re.match(r"Du möchtest Urlaub vom 20\. Dez\. 20\d\d bis .* 20\d\d\.$", head, re.DOTALL)
    assert rest.startswith("| Nichts wird geändert")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_read_is_asked_in_the_writers_words(
    match: Match, bob: Correspondent, language: str
) -> None:
    match.context.container.mail_preferences.set_choice(match.bob, {"language": language})
    card, version = held(match)[0][:2], match.now().version
    asked = bob.answer(f"{card}@3\nDr. Robert Baker MRCVS")
    read = quoted(Languages().words(language), command(language, "play", card=card, stone="3"))
    assert read.replace("\u00a0", " ") in asked
    assert match.now().version == version
    bob.answer(command(language, "yes"))
    assert match.now().version > version


def test_a_mail_with_spaces_as_in_french_in_its_head_is_sent(context: WorkerContext) -> None:
    player = context.container.registrations.register("Zoe", "zoe@example.org").player.id
    context.container.mail_preferences.set_choice(player, {"language": "fr"})
    run(context)
    (mail,) = context.container.mailbox.newest(10)
    assert mail.message["Subject"] == "Scottenbury : est-ce ton adresse ?"


def told_in_pseudo(match: Match) -> list[EmailMessage]:
    """Some mails of each kind of a game."""
    speak_pseudo(match)
    games, told = match.context.container.games, []
    while play_turn(match) and len(told) < 12:
        told += sent(match)
        mover = match.now().player_to_move()
        for player in {match.ann, match.bob} - {mover}:
            games.orders.give(match.id, player, Orders(turn=TurnOrder(("STR:R7@3>x", "!3", "+C"))))
    games.challenges.make(match.ann, match.bob, NewGame(clock={"days_per_move": 3}))
    games.resign(match.id, match.ann)
    told += sent(match)
    return [mail.message for mail in told[::3]] + [told[-1].message]


def left_over(text: str) -> list[str]:
    """The words that stand in no message: not those of names, codes and addresses."""
    bare, before = OF_NO_LANGUAGE.sub("", html.unescape(text)), ""
    while bare != before:
        before, bare = bare, SAID.sub("", bare)
    return re.findall(r"\b(?!Ann|Bob|Scottenbury)(?![A-Z]{3}\b)[A-Za-z]{3,}\b", bare)


@pytest.mark.parametrize("line", ["language German", "Sprache Deutsch", "langue allemand"])
def test_a_mail_chooses_the_language(match: Match, bob: Correspondent, line: str) -> None:
    to = str(bob.latest["Reply-To"])
    text = bob.answer(line)
    assert "Du bekommst E-Mails ab jetzt auf Deutsch." in text
    choice = match.context.container.mail_preferences.choice(match.bob)
    assert choice.language == "de"
    assert "„Sprache Englisch“" in bob.answer("Hilfe", to=to)


@pytest.mark.parametrize("line", ["langue français", "ma langue est le français", "Language: FR"])
def test_french_too(match: Match, bob: Correspondent, line: str) -> None:
    assert "en français" in bob.answer(line)


@pytest.mark.parametrize("line", ["language Klingon", "language", "What language?"])
def test_no_other_line_does(match: Match, bob: Correspondent, line: str) -> None:
    bob.answer(line)
    assert match.context.container.mail_preferences.choice(match.bob).language is None


def test_it_may_be_written_where_mails_come_from(match: Match, bob: Correspondent) -> None:
    send(match, bob.email, "scottenbury@scottenbury.test", "Sprache Deutsch")
    assert "auf Deutsch" in flat(text_of(bob.latest))

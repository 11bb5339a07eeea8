"""Links in a mail that open an answer with the command filled in."""

import re
from pathlib import Path

import pytest

from letters.commands import Unread, read_commands
from letters.mail.body import Text
from letters.mail.lines import read_lines
from letters.mail.phrases import surely_takes_back, takes_back
from letters.taught import LANGUAGES
from letters.words import words as listed_words
from service.core.redis.client import Client
from service.core.words import ENGLISH, Languages, Words
from service.games import NewGame
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.support.commands import is_command
from tests.support.settings import settings
from tests.workers.mail.correspondence import Correspondent, KeepingMailer, held, links, run, send
from tests.workers.match import Match, begin, registered
from workers.context import WorkerContext, build_context
from workers.mail import answers, compose

WORDS = [Languages().words(language) for language in LANGUAGES]


def test_each_card_that_can_be_played_opens_its_turn_and_plays_once_a_stone_is_added(
    match: Match, bob: Correspondent
) -> None:
    found, version = links(bob.latest), match.now().version
    assert set(found) == {action[:2] for action in held(match)}
    assert {address for address, _ in found.values()} == {bob.latest["Reply-To"]}
    assert found["Y5"][1] == "play Y5 at "
    send(match, bob.email, found["Y5"][0], f"{found['Y5'][1]}4")
    assert match.now().version > version
    assert match.now().game.stone(4).sides["south"] == ("Y5",)


def test_sent_as_it_opened_it_plays_nothing(match: Match, bob: Correspondent) -> None:
    version = match.now().version
    for address, text in links(bob.latest).values():
        send(match, bob.email, address, text)
    assert match.now().version == version


def test_an_invitation_is_accepted_by_its_link(context: WorkerContext, mailbox: Mailbox) -> None:
    ann, bob = registered(context, "Ann"), registered(context, "Bob")
    made = context.container.games.create(ann, NewGame(opponent=bob))
    run(context)
    found = links(Correspondent(context, mailbox, "bob@example.org").latest)
    assert {text for _, text in found.values()} == {"accept", "decline"}
    match = Match(context, made.id, ann, bob)
    send(match, "bob@example.org", *found["Accept by mail"])
    assert match.now().game.status == "active"


def test_what_a_link_says_is_no_command(match: Match, bob: Correspondent) -> None:
    said = [text for mail in bob.mails() for text in links(mail)]
    assert len(said) > 2
    for text in said:
        assert isinstance(read_commands(read_lines(Text(text)).lines), Unread), text


@pytest.mark.parametrize("words", WORDS, ids=LANGUAGES)
def test_what_a_link_says_takes_nothing_back_in_a_copy(words: Words) -> None:
    """What could do so, of the labels in a language, is listed in its file of commands."""
    source = Path(answers.__file__).read_text()
    links = source[source.index("def _others") :]
    labels = re.findall(r'(?:yield words\.say|\(N_)\("([A-Z][^"]*)"', links)
    labels = [label for label in labels if not surely_takes_back(label)]
    said = {words.say(label).casefold() for label in labels}
    english = {label.casefold() for label in labels if words is not ENGLISH}  # not yet translated
    listed = {*listed_words(f"commands/{words.language}", "labels").split("\n")}
    assert {label for label in said - english if takes_back(label)} == listed - {""}


@pytest.mark.parametrize("words", WORDS, ids=LANGUAGES)
def test_no_label_of_a_link_is_a_command(words: Words) -> None:
    source = Path(answers.__file__).read_text()
    links = source[source.index("def _others") :]
    labels = re.findall(r'(?:yield words\.say|\(N_)\("([A-Z][^"%]*)"', links)
    labels = [*labels, "Claim Stone %(stone)s by mail"]
    assert [label for label in labels if is_command(words.say(label, stone="6"))] == []


@pytest.mark.parametrize("takes_mail", [True, False])
def test_where_no_mail_comes_in_there_are_none(
    redis: Client, clock: Clock, takes_mail: bool
) -> None:
    listener = ("127.0.0.1", 9) if takes_mail else None
    own = settings(smtp_url="smtp://127.0.0.1:9", mail_in=listener, mail_domain=None)
    mailer = KeepingMailer()
    match = begin(build_context(own, redis, clock, mailer))
    match.play("R4@3")
    run(match.context)
    assert (b"mailto:play%2B" in mailer.kept.raw.replace(b"=\r\n", b"")) is takes_mail
    assert (b"Tap a card" in mailer.kept.raw.replace(b"=\r\n", b"")) is takes_mail


@pytest.mark.parametrize("takes_mail", [True, False])
def test_where_no_mail_comes_in_nothing_protects_from_quoted_lines(
    redis: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch, takes_mail: bool
) -> None:
    protected: list[str] = []

    def unbroken(text: str) -> str:
        protected.append(text)
        return text

    monkeypatch.setattr(compose, "_unbroken", unbroken)
    compose._templates.cache_clear()
    own = settings(mail_domain="scottenbury.test" if takes_mail else None)
    match = begin(build_context(own, redis, clock, KeepingMailer()))
    match.play("R4@3")
    run(match.context)
    compose._templates.cache_clear()
    words = match.context.container.incoming_mail.sent_words
    assert bool(words.find(match.id, "south")) is takes_mail
    assert bool(protected) is takes_mail

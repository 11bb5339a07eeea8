"""Our mails: both parts say the same, and no line is a command, however quoted and wrapped."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest

import workers
from engine import (
    EDITIONS,
    CreateGame,
    Edition,
    JoinGame,
    RuleBroken,
    TakeTurn,
    advance,
    decide,
    legal,
)
from engine.cards import CLAN_CARDS, TACTIC_CARDS
from letters.commands import Unread
from letters.inert_prose import unbroken
from letters.mail.lines import Line
from service.accounts.notice_kinds import kind_of
from service.core.redis.client import connect
from service.core.words import ENGLISH
from service.mail.mailbox import StoredMail
from service.mail_in import sentences
from service.mail_in.unclear import of_unread
from service.mail_in.wording import guide, teach
from tests.mail.every_mail import every_mail
from tests.mail.wrapping import commands_in, texts_of
from tests.support.clock import Clock
from tests.support.games import SECRET
from tests.support.servers import SocketServer
from tests.support.settings import settings
from workers.context import build_context

TEMPLATES = Path(str(workers.__file__)).parent / "templates"
KINDS = {folder.name for folder in TEMPLATES.iterdir()} - {"shared"}
NOT_IN_HTML = re.compile(r"(?m)^\|\s(?:Stone\s(?:\s|[1-9]:)|Hash\sof|[0-9a-f]{64}$).*")
"""Rows of the drawing, the Stones for those who hear it, and the hash of the log."""
ONLY_IN_TEXT = {"your", "hand", "s", "by", "you", "v", "mode"}
"""Whose hand it is and whose Stones, which in the HTML stand at their names."""
ONLY_IN_HTML = {
    "guide",
    "tap",
    "a",
    "card",
    "add",
    "the",
    "stone",
    "s",
    "number",
    "and",
    "send",
    "or",
}
"""The link to the guide, and how to use those on the cards."""


@pytest.fixture(scope="module")
def mails(redis_server: SocketServer) -> list[StoredMail]:
    with connect(redis_server.url) as redis:
        redis.flushall()
        clock = Clock()
        return every_mail(build_context(settings(), redis, clock), clock, "Ann", "claim 3")


def test_text_and_html_have_the_same_words(mails: list[StoredMail]) -> None:
    for mail in mails:
        plain, page = bodies(mail)
        page = re.sub(r"(?s)<head>.*</head>", "", page)
        labels = re.findall(r'<a [^>]*href="mailto:[^>]*>([^<]*)</a>', page)
        linked = re.sub(r'<a [^>]*href="([^"]*)"[^>]*>', r"\1 ", page)
        said = words(NOT_IN_HTML.sub("", plain))
        assert said - words(unquote(without_marks(linked))) <= ONLY_IN_TEXT, mail.id
        of_links = words(" ".join(labels)) | ONLY_IN_HTML
        numbers = set("123456789")  # of the Stones, whose row is left out above
        assert words(without_marks(page)) - said <= of_links | numbers, mail.id


def bodies(mail: StoredMail) -> list[str]:
    """The plain text and the HTML."""
    parts = (mail.message.get_body((kind,)) for kind in ("plain", "html"))
    return [str(part.get_content()) for part in parts if part is not None]


def without_marks(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.replace("\N{NO-BREAK SPACE}", " ").casefold()))


def test_no_line_of_any_mail_is_a_command_however_it_is_wrapped(mails: list[StoredMail]) -> None:
    kinds = {mail.id.partition("@")[0].rpartition(".")[2] for mail in mails}
    assert {kind_of(kind).template or kind for kind in kinds} == KINDS

    lines = {line for mail in mails for text in texts_of(mail) for line in text.split("\n")}
    assert commands_in(lines, every=4) == []


def test_no_sentence_of_an_answer_is_a_command_however_it_is_wrapped() -> None:
    chance = Random(20261121)
    messages = {text for text in vars(sentences).values() if isinstance(text, str)}
    said = {teach(ENGLISH, message, name="Ann", time="an hour") for message in messages}
    for edition in EDITIONS.values():
        said |= set(refusals(chance, edition))
    for text in (
        "claim 3",
        "please claim 3 now",
        "R7@3",
        f"{'x' * 20}R7@3!3",
        "Sure! accept as Ann",
    ):
        said |= set(of_unread(ENGLISH, Unread((Line(1, text),))))
    assert len(said) > 200
    listed = {line for lines in guide(ENGLISH).values() for line in lines}
    as_written = {unbroken(sentence) for sentence in said | listed}  # what `compose` makes of them
    assert commands_in(as_written) == []


def refusals(chance: Random, edition: Edition) -> Iterator[str]:
    """What our answers say of turns that a game of this edition refuses."""
    terms = {"clock": None, "invited": None, "invited_by_mail": False, "listed": False}
    create = CreateGame(
        player="a" * 16,
        seat="north",
        edition=edition.name,
        tactics=edition.has_tactics,
        expert=False,
        rounds=1,
        first_player="creator",
        secret=SECRET,
        salt="a",
        terms={**terms, "private": False},
    )
    game, _ = advance(None, create)
    game, _ = advance(game, JoinGame("b" * 16, "b"))
    while game.turn is not None:
        for text in chance.sample(ACTIONS, 12):
            try:
                decide(game, TakeTurn(game.turn, [text]))
            except RuleBroken as broken:
                yield sentences.of_refusal(ENGLISH, broken)
        game, _ = advance(game, TakeTurn(game.turn, [chance.choice(legal(game))]))


CARDS = (*CLAN_CARDS, *TACTIC_CARDS[1:])
ACTIONS = [
    *(f"{card}@{stone}" for card in CARDS for stone in range(1, 11)),
    *(f"!{stone}" for stone in range(1, 10) for _ in range(20)),
    *(f"STR:{card}@{stone}>x" for card in CLAN_CARDS for stone in (1, 5)),
    *(f"{ruse}:{card}@3>6" for card in CARDS for ruse in ("STR", "TRA", "BAN")),
    *("REC:CCT", "REC:TTT", "REC:C", "-R1,JOK", "-R1,R1", "pass", "end", "+C", "+T") * 8,
]
"""Actions that are seldom legal."""

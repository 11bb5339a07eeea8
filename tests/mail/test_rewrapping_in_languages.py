"""In every language no line of our mails is a command of any language, however it is wrapped."""

import pytest

from letters.commands import Unread
from letters.inert_prose import unbroken
from letters.mail.lines import Line
from letters.taught import command
from service.core.redis.client import connect
from service.core.words import PSEUDO_CODE, Languages
from service.mail_in import sentences
from service.mail_in.unclear import of_unread
from service.mail_in.wording import guide, teach
from tests.mail.every_mail import every_mail
from tests.mail.wrapping import commands_in, texts_of
from tests.support.clock import Clock
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.support.translations import LANGUAGES
from workers.context import build_context

IN_LANGUAGES = (*LANGUAGES, PSEUDO_CODE)
ALONE = {PSEUDO_CODE: {"games"}}
"""In the subject of the daily mail, where the word behind it is longer than in English."""


@pytest.mark.parametrize("language", IN_LANGUAGES)
def test_no_line_of_any_mail(redis_server: SocketServer, language: str) -> None:
    with connect(redis_server.url) as redis:
        redis.flushall()
        clock = Clock()
        context = build_context(settings(), redis, clock)
        names = command(language, "resign"), command(language, "help")
        mails = every_mail(context, clock, *names, language)
    told = [mail for mail in mails if mail.message["Content-Language"] == language]
    assert len(told) > len(mails) / 2
    lines = {line for mail in told for text in texts_of(mail) for line in text.split("\n")}
    assert set(commands_in(lines, every=12)) <= ALONE.get(language, set())


@pytest.mark.parametrize("language", IN_LANGUAGES)
def test_no_sentence_of_an_answer(language: str) -> None:
    words = Languages().words(language)
    messages = {text for text in vars(sentences).values() if isinstance(text, str)}
    said = {teach(words, message, name="Ann", time="an hour") for message in messages}
    for text in ("revendique 3", "aufgeben", "R7@3", "Ja, gern", "je veux piocher", "der Stein"):
        said |= set(of_unread(words, Unread((Line(1, text),))))
    said |= {line for lines in guide(words).values() for line in lines}
    assert commands_in({unbroken(sentence) for sentence in said}) == []

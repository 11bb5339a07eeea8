"""Whole games by mail: what is sent in them, taken apart and broken anew."""

import html
import re
import textwrap
from email.message import EmailMessage
from functools import cache
from typing import Final

from letters.commands import WholeTurn, read_commands
from letters.mail.body import Text
from letters.mail.lines import read_lines
from letters.wishes import AskedWord
from service.games import NewGame
from service.mail.mailbox import Mailbox, StoredMail
from tests.workers.delivering import deliver
from tests.workers.match import SECRET, Match
from workers.context import WorkerContext


@cache
def is_command(line: str) -> bool:
    """Whether the line, as the first and only one of an answer, asks for anything."""
    return isinstance(read_commands(read_lines(Text(line)).lines), WholeTurn | AskedWord)


def long_game(context: WorkerContext, ann: str, bob: str, tactics: bool) -> Match:
    """A game of two players of these names that has just begun."""
    maker = context.container.registrations.register(ann).player.id
    other = context.container.registrations.register_guest(bob).player.id
    wanted = NewGame(
        tactics=tactics, opponent=other, edition="bga", salt="a", clock={"days_per_move": 3}
    )
    made = context.container.games.create(maker, wanted, secret=SECRET)
    context.container.games.join(made.id, other, salt="b")
    return Match(context, made.id, maker, other)


def play_turn(match: Match) -> bool:
    """A turn of whoever is to move, claims and Ruses before others; false at the end."""
    mover = match.now().player_to_move()
    while (stored := match.now()).player_to_move() == mover and mover is not None:
        legal = match.context.container.games.view(stored, mover).legal
        lively = [text for text in legal if text[0] == "!" or text[3:4] == ":"] or legal
        match.play(lively[stored.version * 7919 % len(lively)])
    return not match.now().game.over


def sent(match: Match) -> list[StoredMail]:
    """The mails of the match that are due, delivered."""
    box: Mailbox = match.context.container.mailbox
    before = {mail.id for mail in box.newest(1000)}
    for notice in match.due():
        if ".mail." in notice:
            deliver(match.context, notice)
    return [mail for mail in box.newest(1000) if mail.id not in before]


def part(mail: EmailMessage, kind: str) -> str:
    body = mail.get_body((kind,))
    assert body is not None
    return str(body.get_content())


RANDOM: Final = re.compile(r"(?<=\w)/[\w.-]{16,}")
"""The random end of a link."""


def texts_of(mail: EmailMessage) -> list[str]:
    """The text, with and without its margin, and the HTML without its marks. Links lose their
    random ends: in one of thousands a hyphen and a word like "ja" come last."""
    text = RANDOM.sub("/", part(mail, "plain"))
    shown = html.unescape(
        re.sub(r"<style>.*</style>|<[^>]*>", "\n", part(mail, "html"), flags=re.S)
    )
    return [text, re.sub(r"(?m)^\| ", "", text), shown]


def rewrapped(lines: set[str], narrowest: int = 20) -> set[str]:
    """Each line as programs that quote it may wrap it."""
    return {
        part
        for line in lines
        for width in range(narrowest, 79)
        for part in textwrap.wrap(line, width, break_on_hyphens=width % 2 == 0)
    }

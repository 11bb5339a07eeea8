"""What the mail of a turn is like from one turn to the next: small, complete, never the same."""

import html
import re
import textwrap
from difflib import SequenceMatcher
from email.message import EmailMessage
from functools import cache
from itertools import pairwise

import pytest

from engine.cards import TACTIC_CARDS, name
from letters.commands import WholeTurn, read_commands
from letters.mail.body import Text
from letters.mail.lines import read_lines
from letters.wishes import AskedWord
from service.core.times import HOUR
from service.games import NewGame
from service.games.drafts import Orders, TurnOrder
from service.mail.mailbox import Mailbox, StoredMail
from tests.support.clock import Clock
from tests.workers.delivering import deliver
from tests.workers.match import SECRET, Match
from workers.context import WorkerContext

LARGEST = 30_000


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


MARKED = re.compile(r"<td bgcolor[^>]*>[^<]*\*</td>")
"""The cell of a card with the mark of the side that was complete first."""


def part(mail: EmailMessage, kind: str) -> str:
    body = mail.get_body((kind,))
    assert body is not None
    return str(body.get_content())


@pytest.mark.parametrize("tactics", [False, True])
def test_no_mail_of_a_whole_game_is_large_or_fetches_anything(
    context: WorkerContext, tactics: bool
) -> None:
    match = long_game(context, "Ann " * 10, "王小明" * 13, tactics)
    mails = []
    while play_turn(match):
        mails += sent(match)
    mails += sent(match)

    assert len(mails) > 20
    assert max(len(mail.text) for mail in mails) <= LARGEST
    marked = [cell for mail in mails for cell in MARKED.findall(part(mail.message, "html"))]
    assert marked
    assert all("white-space:nowrap" in cell for cell in marked)
    for mail in mails:
        shown = part(mail.message, "html")
        assert not re.search(
            r"<(link|script|img|iframe|object|form)|src=|url\(|@import|\bon\w+=", shown
        )
        assert set(re.findall(r'https?://([^/"]+)', shown)) == {"scottenbury.test"}


def test_no_mail_is_so_like_the_one_before_that_it_would_be_hidden(
    context: WorkerContext, clock: Clock
) -> None:
    match = long_game(context, "Ann", "Bob", tactics=False)
    mails: dict[str, list[str]] = {}
    for _ in range(16):
        clock.time += HOUR
        play_turn(match)
        for mail in sent(match):
            mails.setdefault(str(mail.message["To"]), []).append(part(mail.message, "plain"))

    for texts in mails.values():
        for one, other in pairwise(texts):
            first, second = one.splitlines(), other.splitlines()
            assert first[0] != second[0]
            assert first[-1] != second[-1]
            same = SequenceMatcher(None, first, second, autojunk=False)
            longest = same.find_longest_match()
            assert longest.size <= 8, first[longest.a : longest.a + longest.size]


def test_every_code_has_its_name_and_cards_more_than_colour(context: WorkerContext) -> None:
    match = long_game(context, "Ann", "Bob", tactics=True)
    while not [s for s in match.now().game.stones if s.owner] and play_turn(match):
        pass
    (mail,) = [mail for mail in sent(match) if ".turn@" in mail.id]
    shown = part(mail.message, "html")

    coloured = re.findall(r"<td bgcolor[^>]*>([^<]*)</td>", shown)
    coloured += re.findall(r"<span title[^>]*>([^<]*)</span>", shown)
    assert len(coloured) > 9
    assert all(re.fullmatch(r"[ROYGBP][1-9]\*?|[A-Z]{3}\*?|[1-9][▲▼]?", text) for text in coloured)
    assert re.search(r"(Ann|Bob|You)<span[^>]*>\s·\s[^<]*[▲▼]\sclaimed\s[1-9]", shown)

    for _ in range(6):
        play_turn(match)
    named = set()
    for mail in sent(match):
        for kind in ("plain", "html"):
            shown = " ".join(part(mail.message, kind).replace("\n|   ", " ").split())
            assert "R Red · O Orange · Y Yellow · G Green · B Blue · P Purple" in shown
            codes = set(re.findall(rf"\b({'|'.join(set(TACTIC_CARDS))})\b", shown))
            assert all(f"{code} {name(code)}" in shown for code in codes)
            named |= codes
    assert named


NAMES = ["Ann", "R7@3", "xxxxxxxxxxxxxx claim 3 yyyyyyyyyyyyyyy", "claim 3"]


@pytest.mark.parametrize("name", NAMES)
def test_wrapped_anew_no_line_of_a_mail_is_a_command(context: WorkerContext, name: str) -> None:
    match = long_game(context, name, name, tactics=True)
    told = []
    while play_turn(match) and len(told) < 24:
        told += sent(match)
        mover = match.now().player_to_move()
        for player in {match.ann, match.bob} - {mover}:
            order = Orders(turn=TurnOrder(("STR:R7@3>x", "!3", "+C")))
            context.container.games.orders.give(match.id, player, order)
    context.container.games.challenges.make(
        match.ann, match.bob, NewGame(clock={"days_per_move": 3})
    )
    told += sent(match)

    assert len(told) > 10
    lines = {
        line for mail in told[::4] for text in texts_of(mail.message) for line in text.splitlines()
    }
    assert [line for line in rewrapped(lines) if is_command(line)] == []


def texts_of(mail: EmailMessage) -> list[str]:
    """The text, with and without its margin, and the HTML without its marks."""
    text = part(mail, "plain")
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


def test_what_is_a_command() -> None:
    assert is_command("R7@3 !3")
    assert is_command("play R7 at 3")
    assert is_command("Pass.")
    assert is_command("STR:R7@3>x")
    assert not is_command("> R7@3 !3")
    assert not is_command("Ann passed.")

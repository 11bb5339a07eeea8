"""What the mail of a turn is like from one turn to the next: small, complete, never the same."""

import html
import re
from difflib import SequenceMatcher
from itertools import pairwise

import pytest

from engine.cards import TACTIC_CARDS, name
from service.core.times import HOUR
from service.core.words import ENGLISH
from service.games import NewGame
from service.games.drafts import Orders, TurnOrder
from service.text.card_names import card_name, tactic_words
from tests.support.clock import Clock
from tests.workers.mail.whole_games import (
    is_command,
    long_game,
    part,
    play_turn,
    rewrapped,
    sent,
    texts_of,
)
from workers.context import WorkerContext

LARGEST = 30_000


MARKED = re.compile(r"<td bgcolor[^>]*>[^<]*<span[^>]*>\*</span></td>")
"""The cell of a card with the mark of the side that was complete first."""


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
    assert all('<span style="font-size:9px">*' in cell for cell in marked), (
        "it fits a phone’s column"
    )
    clan = [cell for cell in marked if re.search(r">[A-Z][1-9]<span", cell)]
    assert clan
    assert not any("font-size:1" in cell for cell in clan), "they are as large as other cards"
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

    coloured = re.findall(r"<t[dh][^>]* bgcolor[^>]*>([^<]*)</t", shown)
    coloured += re.findall(r"<span role[^>]*>([^<]*)</span>", shown)
    assert len(coloured) > 9
    assert all(re.fullmatch(r"[ROYGBP][1-9]\*?|[A-Z]{3}\*?|[1-9][▲▼]?", text) for text in coloured)
    assert re.search(r"(Ann|Bob|You)<span[^>]*>\s·\s[^<]*[▲▼]\sclaimed\s[1-9]", shown)

    for _ in range(6):
        play_turn(match)
    named = set()
    for mail in sent(match):
        for kind in ("plain", "html"):
            shown = " ".join(part(mail.message, kind).replace("\n|   ", " ").split())
            assert "R Red" in shown, "none has played by mail"
            codes = set(re.findall(rf"\b({'|'.join(set(TACTIC_CARDS))})\b", shown))
            assert all(f"{code} {name(code)}" in shown for code in codes)
            named |= codes
    assert named


def test_the_board_can_be_heard(context: WorkerContext) -> None:
    match = long_game(context, "Ann", "Bob", tactics=False)
    for _ in range(2):
        play_turn(match)
    (mail,) = [mail for mail in sent(match) if ".turn@" in mail.id]
    shown = html.unescape(part(mail.message, "html"))
    stones = match.now().game.stones

    assert len(re.findall(r'<th scope="col" aria-label="Stone [1-9]"', shown)) == 9
    empty = re.findall(r"<td>(.*?)</td>", shown)
    assert set(empty) <= {"", '<span aria-hidden="true">·</span>'}
    text = part(mail.message, "plain").replace("\N{NO-BREAK SPACE}", " ")
    for number, stone in enumerate(stones, 1):
        for card in (*stone.sides["north"], *stone.sides["south"]):
            assert f'aria-label="{card_name(ENGLISH, card)} on Stone {number}"' in shown
            assert re.search(rf"\| Stone {number}: You .*\b{card}\b", text)
    assert re.search(r'<a href="mailto:[^"]*" aria-label="[A-Z][a-z]+ [1-9] \([A-Z][1-9]\)"', shown)


def test_what_each_tactic_card_in_hand_does_is_said(context: WorkerContext) -> None:
    match, said = long_game(context, "Ann", "Bob", tactics=True), 0
    for _ in range(30):
        mails = [mail for mail in sent(match) if ".turn@" in mail.id]
        stored = match.now()
        if mails and stored.game.turn is not None:
            hand = set(stored.game.hands[stored.game.turn]) & {*TACTIC_CARDS}
            for kind in ("plain", "html"):
                shown = " ".join(part(mails[-1].message, kind).replace("\n|   ", " ").split())
                shown = html.unescape(shown.replace("\N{NO-BREAK SPACE}", " "))
                for code in TACTIC_CARDS:
                    line = f"{card_name(ENGLISH, code)}: {tactic_words(ENGLISH, code)}"
                    assert (line in shown) is (code in hand)
            said += len(hand)
        play_turn(match)
    assert said


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


def test_what_is_a_command() -> None:
    assert is_command("R7@3 !3")
    assert is_command("play R7 at 3")
    assert is_command("Pass.")
    assert is_command("STR:R7@3>x")
    assert not is_command("> R7@3 !3")
    assert not is_command("Ann passed.")

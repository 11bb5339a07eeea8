"""What the other player wrote is shown as they wrote it, and an answer that quotes it plays
nothing, however a program quotes it: without marks, wrapped anew, as HTML, or without what nobody
sees."""

import html
import re
import textwrap
from email.message import EmailMessage

import pytest

from letters.inert import UNSEEN_MARK, visible
from service.games.conversations import SETTLE
from tests.workers.mail.correspondence import (
    Pair,
    flat,
    held,
    kinds,
    run,
    seen,
    send,
    text_of,
)

HEAD = "Ann has written to you."


def write(pair: Pair, text: str) -> None:
    pair.match.context.container.games.conversations.write(
        pair.match.id, pair.match.ann, text, "web"
    )
    pair.clock.time += SETTLE
    run(pair.match.context)
    assert kinds(pair.bob)[0] == "message"


def a_turn(pair: Pair) -> str:
    """A turn that Bob could play, in words."""
    card, _, stone = held(pair.match)[0].partition("@")
    return f"play {card} at {stone}"


def hostile(pair: Pair) -> str:
    turn = a_turn(pair)
    return (
        f"Why not {turn}? {turn.capitalize()}! You claim Stone 5 with a red run? Yes.\nBack to you."
    )


def part(mail: EmailMessage, kind: str) -> str:
    body = mail.get_body((kind,))
    assert body is not None
    return str(body.get_content())


def quote(pair: Pair, *, is_stripped: bool) -> str:
    """Our mail without its margin and its marks of quotations, as some programs repeat it."""
    text = re.sub(r"(?m)^[|] ?", "", part(pair.bob.latest, "plain"))
    return visible(text).replace("\N{NO-BREAK SPACE}", " ") if is_stripped else text


def message_in(quoted: str) -> str:
    return quoted.partition(HEAD)[2].strip().partition("\n\n")[0]


def answer(pair: Pair, text: str) -> str:
    """Bob's answer, which says nothing but this, and what comes of it."""
    send(pair.match, pair.bob.email, str(pair.bob.latest["Reply-To"]), text)
    return flat(text_of(pair.bob.latest))


@pytest.mark.parametrize(
    "text",
    [
        "You claim Stone 5 with a red run? … Back to you.",
        "claim 5",
        "resign",
        "R7@3, !5",
        "I resign if you play R7 at 3 — yes?",
    ],
)
def test_it_is_shown_as_it_was_written(pair: Pair, text: str) -> None:
    write(pair, text)
    assert f"| {text}\n" in text_of(pair.bob.latest)
    assert f">{html.escape(text)}<" in seen(part(pair.bob.latest, "html"))


@pytest.mark.parametrize("own", ["no thanks", "", "Thanks, Ann!", "Hi Ann,"])
@pytest.mark.parametrize("width", [24, 40, 72, 1000])
@pytest.mark.parametrize("is_stripped", [False, True])
@pytest.mark.parametrize("is_below", [False, True])
def test_a_quotation_without_marks_plays_nothing(
    pair: Pair, own: str, width: int, is_stripped: bool, is_below: bool
) -> None:
    write(pair, hostile(pair))
    version = pair.match.now().version
    for whole in (quote(pair, is_stripped=is_stripped),):
        for quoted in (whole, message_in(whole)):
            lines = [line for each in quoted.split("\n") for line in textwrap.wrap(each, width)]
            parts = (own, "\n".join(lines))
            answer(pair, "\n\n".join(parts if is_below else parts[::-1]))
            assert pair.match.now().version == version
    assert pair.match.now().game.status == "active"


@pytest.mark.parametrize("is_stripped", [False, True])
@pytest.mark.parametrize("own", ["", "Thanks, Ann!\n\n"])
def test_a_line_of_it_alone_is_asked_about(pair: Pair, own: str, is_stripped: bool) -> None:
    turn = a_turn(pair)
    write(pair, f"{turn}\nis what I would do.")
    version = pair.match.now().version
    line = message_in(quote(pair, is_stripped=is_stripped)).split("\n")[0]
    said = answer(pair, f"{own}{line}")
    assert pair.match.now().version == version
    assert "Nothing was played." in said
    if is_stripped:
        assert "Did you mean" in said
        answer(pair, "yes")
        assert pair.match.now().version > version


def test_a_word_of_it_that_is_meant_is_played_after_a_question(pair: Pair) -> None:
    turn = a_turn(pair)
    write(pair, f"I was afraid that you {turn}, you know.")
    version = pair.match.now().version
    assert "Did you mean" in answer(pair, turn)
    assert pair.match.now().version == version
    answer(pair, "yes")
    assert pair.match.now().version > version


def test_an_own_turn_is_played_above_a_quotation_without_marks(pair: Pair) -> None:
    write(pair, "You claim Stone 5 with a red run? Yes, please do. Back to you.")
    version = pair.match.now().version
    for is_stripped in (False, True):
        answer(pair, f"{a_turn(pair)}\n\n{quote(pair, is_stripped=is_stripped)}")
        assert pair.match.now().version > version, is_stripped
        break


@pytest.mark.parametrize("word", ["resign", "yes", "agree", "claim the win", "give 2 days"])
@pytest.mark.parametrize("width", [24, 1000])
def test_no_other_command_in_it_is_carried_out(pair: Pair, word: str, width: int) -> None:
    write(
        pair, f"Do what you like, dear Bob, and if it hurts:\n{word}\nThat was all of it, I think."
    )
    stored = pair.match.now()
    for is_stripped in (False, True):
        quoted = message_in(quote(pair, is_stripped=is_stripped))
        lines = [line for each in quoted.split("\n") for line in textwrap.wrap(each, width)]
        for own in ("no thanks\n\n", "", "Thanks!\n\n"):
            answer(pair, own + "\n".join(lines))
            assert pair.match.now().version == stored.version
            assert kinds(pair.bob)[0] == "reply-refused" or "Shall I" in text_of(pair.bob.latest)


@pytest.mark.parametrize("is_stripped", [False, True])
def test_html_alone_plays_nothing(pair: Pair, is_stripped: bool) -> None:
    write(pair, hostile(pair))
    version, page = pair.match.now().version, part(pair.bob.latest, "html")
    page = visible(page) if is_stripped else page
    reply = EmailMessage()
    reply["From"], reply["To"] = pair.bob.email, str(pair.bob.latest["Reply-To"])
    reply["Message-ID"] = "<html@example.org>"
    reply.set_content(f"<p>no thanks</p>{page}", subtype="html")
    incoming = pair.match.context.container.incoming_mail
    incoming.accept(str(reply["To"]), pair.bob.email, reply.as_bytes())
    run(pair.match.context)
    assert pair.match.now().version == version


def test_a_player_cannot_write_the_mark(pair: Pair) -> None:
    write(pair, f"He{UNSEEN_MARK}llo there")
    assert UNSEEN_MARK not in part(pair.bob.latest, "plain")

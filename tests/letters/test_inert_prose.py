"""What a player wrote is never read as a command, wherever somebody's mail program breaks it."""

import random
import re
import textwrap
from collections.abc import Iterator

import pytest

from letters import inert_prose as module
from letters.commands import read_commands
from letters.inert import UNSEEN_MARK
from letters.inert_prose import inert_prose
from letters.mail.lines import Line, plain_form
from tests.engine.games import THOROUGHNESS
from tests.service.mail_in.guide import EXAMPLES
from tests.support.commands import is_command

PARTS = (
    *("resign", "RESIGN.", "show", "help", "pass", "end", "accept", "accept as Eve", "decline"),
    *("play R7 at 3", "play the Red 7 on Stone 3", "claim 3, 4 and 5", "draw clan", "!3", "+C"),
    *(
        "R7@3",
        "7r@3",
        "ｒｅｓｉｇｎ",
        "STR:R7@3>5",
        "-R1,JOK",
        "say: I give up",
        "Say : x",
        "*pass*",
    ),
    *(
        "re\u200dsign",
        "re<http://e.vil>sign",
        "[end](mailto:a@b.c)",
        "well",
        "good",
        "好",
        "—",
        "/",
    ),
    *("give 2 days", "claim the win", "agree"),
    *("I", "you", "?", "x" * 49, "x" * 50, "(", ")", "“", "e\u0301", "👍", ">", "|", "--"),
)


COMMANDS = sorted({part for part in (*PARTS, *EXAMPLES) if is_command(part)})


def test_the_guides_examples_are_commands() -> None:
    assert set(EXAMPLES) <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_alone(command: str) -> None:
    assert not is_command(inert_prose(command))


STRETCHES = {
    "joiners": "\u200d" * 60,
    "non-joiners": "\u200c" * 60,
    "soft hyphens": "\u00ad" * 60,
    "selectors": "\ufe0f" * 60,
    "further selectors": "\U000e0101" * 60,
    "tags": "\U000e0041" * 60,
    "fillers": "\u3164" * 60,
    "grapheme joiners": "\u034f" * 60,
    "a link": f"<http://{'a' * 33}>",
    "links": f"<http://{'a' * 13}> (mailto:{'a' * 13}) ",
}


@pytest.mark.parametrize("stretch", STRETCHES.values(), ids=STRETCHES)
@pytest.mark.parametrize("command", ["resign", "play R7 at 3", "R7@3", "claim 3, 4 and 5"])
def test_what_is_not_seen_stretches_no_command(stretch: str, command: str) -> None:
    for place in range(1, len(command) + 1, 2):
        inert = inert_prose(f"{command[:place]}{stretch}{command[place:]}")
        broken = [line for width in (20, 40, 60, 78) for line in textwrap.wrap(inert, width)]
        assert [line for line in (inert, *broken) if is_command(line)] == []


@pytest.mark.parametrize("command", ["play R7 at 3", "claim 3, 4 and 5", "accept as Eve"])
def test_spaces_stretch_no_command(command: str) -> None:
    for space in (" ", "\u3000", "\u00a0"):
        assert not is_command(inert_prose(command.replace(" ", space * 100)))


def test_what_nobody_sees_is_not_mailed() -> None:
    unseen = "".join(STRETCHES[name] for name in ("joiners", "selectors", "tags", "fillers"))
    assert inert_prose(f"Well{unseen} played,\n{unseen}Bob") == "Well played,\nBob"


def test_a_command_between_links_is_none() -> None:
    text = "say<http://a>resign(mailto:b) " * 6
    assert not is_command(inert_prose(text))


def test_wherever_it_is_broken() -> None:
    glue = (" ", " ", " ", "", "-", "—", "\n", "/")
    for seed in range(15 * THOROUGHNESS):
        draw = random.Random(seed)
        text = "".join(draw.choice(PARTS) + draw.choice(glue) for _ in range(20))
        for line in inert_prose(text).split("\n"):
            for broken in ways_to_break(line):
                assert [part for part in broken if is_command(part)] == [], (seed, broken)


def test_a_long_word_may_be_broken_right_behind_its_mark() -> None:
    for broken in ways_to_break(inert_prose("!3 give 2 days re<http://e.vil>sign")):
        assert [part for part in broken if is_command(part)] == [], broken


def ways_to_break(line: str) -> Iterator[list[str]]:
    for width in range(20, 79, 3):
        yield textwrap.wrap(line, width)
    for width in range(4, 79, 5):
        for hyphens in (True, False):
            yield textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=hyphens)
    yield re.split("[—好/]", line)


@pytest.mark.parametrize(
    "text",
    [
        "Nice play! I did not see that at all.",
        "You could claim more than that, I think.",
        "Well played. How was your week?",
        "1-2 days more, please: I am away.",
        "See you at 10:30\n\nAda",
    ],
)
def test_what_reads_as_no_command_stays_as_it_is(text: str) -> None:
    assert inert_prose(text) == text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Good luck! Rematch after this?",
            "Well played! Rematch?",
            "Thanks! That was fun: rematch?",
        ),
        *("Are you still there? Help me", "That was close. I accept your challenge then."),
        *("Ich freue mich auf die Revanche!", "Merci, et revanche ?"),
    ],
)
def test_words_that_ask_for_no_turn_are_held_together_unseen(text: str) -> None:
    inert = inert_prose(text)
    assert inert.replace("\N{NO-BREAK SPACE}", " ") == text
    for broken in ways_to_break(inert):
        assert [part for part in broken if is_command(part)] == [], broken


@pytest.mark.parametrize(
    "text", ["I would claim all.", "You could pass", "rematch?", "Ben: play R7 at 3", "The end"]
)
def test_a_turn_and_a_lone_command_get_marks_that_nobody_sees(text: str) -> None:
    assert UNSEEN_MARK in inert_prose(text)


HOSTILE = ("say<http://a>resign(mailto:b) ", "say<", "say:", "R7@3", "play R7 at 3<http://b>")


@pytest.mark.parametrize("part", HOSTILE)
def test_no_text_is_read_without_bounds(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def reading(line: str) -> str:
        read.append(line)
        return plain_form(line)

    monkeypatch.setattr(module, "plain_form", reading)
    text = f"{part * (900 // len(part))}resign"
    inert = inert_prose(text)
    beginnings = 1.1 * len(text)  # and a space in every long word
    assert len(read) <= 8 * 1.1 * len(text) + beginnings
    for broken in ways_to_break(inert):
        assert [line for line in broken if is_command(line)] == [], broken


def test_prose_is_hardly_read_as_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def reading(lines: list[Line]) -> object:
        read.append(lines[0].text)
        return read_commands(lines)

    monkeypatch.setattr(module, "read_commands", reading)
    inert_prose("Thanks, that was close. I have seen the weather there, so my guess is rain.")
    assert len(read) < 30


def test_a_long_text_takes_no_time() -> None:
    text = "resign say: play R7@3 " * 45
    assert inert_prose(text).count(UNSEEN_MARK) >= 2 * 45 * 3

"""What a player wrote is never read as a command, wherever somebody's mail program breaks it."""

import random
import re
import textwrap

import pytest

from service.mail_in.reading.body import Text
from service.mail_in.reading.lines import own_lines
from service.mail_in.words.commands import WholeTurn, read_commands
from service.mail_in.words.grammar import AskedWord
from service.mail_in.words.inert_prose import inert_prose
from tests.service.mail_in.guide import EXAMPLES

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
    *("I", "you", "?", "x" * 49, "x" * 50, "(", ")", "“", "e\u0301", "👍", ">", "|", "--"),
)


def is_command(line: str) -> bool:
    read = read_commands(own_lines(Text(line)))
    return isinstance(read, WholeTurn | AskedWord)


@pytest.mark.parametrize("part", [*PARTS, *EXAMPLES])
def test_alone(part: str) -> None:
    assert not is_command(inert_prose(part))


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
    "links": f"<http://{'a' * 33}> (mailto:{'a' * 33}) ",
}


@pytest.mark.parametrize("stretch", STRETCHES.values(), ids=STRETCHES)
@pytest.mark.parametrize("command", ["resign", "play R7 at 3", "R7@3", "claim 3, 4 and 5"])
def test_what_is_not_seen_stretches_no_command(stretch: str, command: str) -> None:
    for place in range(1, len(command) + 1):
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


def test_links_side_by_side_take_no_time() -> None:
    text = "say<http://a>resign(mailto:b) " * 100
    assert not is_command(inert_prose(text))


@pytest.mark.parametrize("seed", range(60))
def test_wherever_it_is_broken(seed: int) -> None:
    draw = random.Random(seed)
    glue = (" ", " ", " ", "", "-", "—", "\n", "/")
    text = "".join(draw.choice(PARTS) + draw.choice(glue) for _ in range(20))
    inert = inert_prose(text)
    for line in inert.split("\n"):
        ways = [
            *(textwrap.wrap(line, width) for width in range(20, 79, 3)),
            *(
                textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=hyphens)
                for width in range(4, 79, 5)
                for hyphens in (True, False)
            ),
            re.split("[—好/]", line),
        ]
        for broken in ways:
            assert [part for part in broken if is_command(part)] == [], (seed, broken)


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


def test_a_long_text_takes_no_time() -> None:
    text = "resign say: play R7@3 " * 45
    assert inert_prose(text).count("‹") >= 45 * 3

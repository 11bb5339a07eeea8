"""Copies of our own mail are known by their words, whatever a mail program made of their lines."""

import textwrap
from base64 import b64encode

import pytest

from letters.mail.quotation import SentWords

MAIL = """\
Bo played P6 on Stone 6.
Your turn

| Your hand: R7  O2  Y9  G3  B1  P4
| Bo's hand: 6 Clan cards. In the decks: 16 Clan.

Answer with a turn such as “play R7 at 3”; “help” lists the rest.

Open the game: http://scottenbury.test/games/abcdefghijklmnopqrst
"""
SENT = SentWords.of(MAIL)


def own(text: str) -> list[str]:
    return [line for line in SENT.without_copies(text.split("\n")) if line]


@pytest.mark.parametrize(
    "copy",
    [
        MAIL,
        textwrap.fill(MAIL, 40),
        textwrap.indent(MAIL, "* "),
        MAIL.replace("“", "«").replace("”", "»"),
        MAIL.replace("\n", ""),
    ],
    ids=["as it was", "wrapped", "with stars", "with other quotation marks", "glued"],
)
def test_a_copy_is_left_out(copy: str) -> None:
    assert own(copy) == []
    assert own(f"play R7 at 3\n{copy}") == ["play R7 at 3"]
    assert own(f"{copy}\nplay R7 at 3") == ["play R7 at 3"]


def test_what_is_glued_to_a_copy_stays() -> None:
    assert own(f"play G3 at 2{MAIL}".replace("\n", "")) == ["play G3 at 2"]


def test_a_command_that_our_mail_holds_too_is_the_writers_own() -> None:
    assert own("play R7 at 3") == ["play R7 at 3"]
    assert own("I think of it.\nplay R7 at 3\nhelp") == ["I think of it.", "play R7 at 3", "help"]


def test_the_example_of_our_mail_alone_is_the_writers_own() -> None:
    example = "“play R7 at 3”, then “claim 5” and “claim 8”"
    sent = SentWords.of(f"Answer with a turn such as {example} below it.")
    own = "Play R7 at 3, then claim 5 and claim 8."
    assert sent.without_copies([own]) == [own]
    assert sent.without_copies(["Answer with a turn such as", example, "below it"]) == [""] * 3


def test_words_around_a_copy_belong_together() -> None:
    line = "You say: Bo played P6 on Stone 6. But did he?"
    assert own(line) == [line]


def test_without_a_mail_nothing_is_a_copy() -> None:
    assert [line for line in SentWords().without_copies([MAIL]) if line] == [MAIL]


def test_hardly_any_word_right_below_a_copy_is_lost() -> None:
    """The last words of each mail differ: they are the hash of its game."""
    words = " ".join(f"{number} of" for number in range(1000, 1150))
    sent = [SentWords.of(f"{words} {number} {number + 1}") for number in range(100)]
    lost = sum(
        not own
        for number, filter_of_mail in enumerate(sent)
        for word in range(100)
        for own in filter_of_mail.without_copies(
            [words[-70:], f"{number} {number + 1}", f"w{word}"]
        )[2:]
    )
    assert lost <= 3


def test_words_that_an_older_version_stored_are_as_good_as_none() -> None:
    assert not SentWords.read(b64encode(b"\1" * 512).decode())


def test_the_words_are_read_as_they_were_written() -> None:
    text = str(SENT)
    assert str(SentWords.read(text)) == text
    assert len(text) < 1500

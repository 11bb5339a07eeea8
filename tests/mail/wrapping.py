"""Our mails as programs quote and wrap them."""

import html
import re
from collections.abc import Iterator

from letters.mail.html_text import text_of as html_text_of
from service.mail.mailbox import StoredMail
from tests.support.commands import is_command
from tests.support.shares import share

NARROWEST, WIDEST = 20, 78


def commands_in(lines: set[str], every: int = 1) -> list[str]:
    """The commands that these lines can be wrapped into, or those of a share of the ways to."""
    return [piece for piece in share(sorted({*pieces(lines)}), every) if is_command(piece)]


def texts_of(mail: StoredMail) -> Iterator[str]:
    """The subject; the text, with and without its margin, and with each paragraph on one line; the
    HTML as programs turn it into text."""
    message = mail.message
    plain, source = (message.get_body((kind,)) for kind in ("plain", "html"))
    assert plain is not None
    assert source is not None
    yield str(message["Subject"])
    text, page = str(plain.get_content()), str(source.get_content())
    bare = re.sub(r"(?m)^[|] ?", "", text)
    yield from (text, bare, re.sub(r"(?<!\n)\n(?!\n)", " ", bare))
    yield html_text_of(page).text
    inner = re.sub(r"<style>.*</style>", "", page, flags=re.DOTALL)
    for mark in ("\n", " ", ""):
        yield html.unescape(re.sub(r"<[^>]*>", mark, inner))


def pieces(lines: set[str]) -> Iterator[str]:
    """Whatever may come to stand on a line of its own: all runs of words that fill a line of some
    width, wherever the line before it ended, with whatever mark, and the ends of lines."""
    for line in lines:
        words = re.split(r"[ \t]+", line.strip(" \t"))
        for start in range(len(words)):
            length = -1
            for end in range(start, len(words)):
                length += 1 + len(words[end])
                if length > WIDEST:
                    break
                is_last = end + 1 == len(words)
                if is_last or length + 1 + len(words[end + 1]) > NARROWEST - len("> > "):
                    yield " ".join(words[start : end + 1])

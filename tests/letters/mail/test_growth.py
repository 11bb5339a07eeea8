"""Reading takes time in proportion to what is read, whatever somebody has put into it."""

import time
from collections.abc import Callable

import pytest

from letters.commands import commands_among
from letters.letter import read_letter
from letters.mail.body import ReadBody, Text, read_body
from letters.mail.html_text import text_of
from letters.mail.lines import WriterFacts, read_lines
from letters.mail.quotation import Ours
from service.mail_in import message

OURS = Ours("play@example.org", "example.org", "scottenbury")
LINES = {
    "politeness": ("", "thanks ", "x"),
    "leads": ("", "please ", "x"),
    "cards": ("", "r7 at 3 ", "x"),
    "smileys": ("", ":) ", "x"),
    "quotations": ("", "“r7@3” ", "x"),
    "openings": ("", "“[*_`", "x"),
    "words that say no": ("", "no ", "x"),
    "names below a closing": ("Regards,\n", "A.b", "\x01"),
    "fields": ("", "From: Scottenbury\n", ""),
    "separators": ("", "-- x", ""),
    "phones": ("sent from my ", "iphone on ", "x"),
    "marked lines": ("", "> no\n", ""),
    "dashes": ("", "-", "x"),
    "dashes and spaces": ("", "- ", "x"),
    "dashes, a title, dashes": ("", "--", " a title of a mail x"),
    "Stones": ("claim ", "1, ", "x"),
    "Stones and Stones": ("claim ", "1 and ", "x"),
    "links without an end": ("", "<http://", ""),
    "brackets": ("", "[a](mailto:", ""),
    "signatures": ("", "sent from ", "\n"),
    "attributions": ("", "2026 <a ", ":"),
    "spaces": ("play", " ", "x"),
    "letters that stand for a sentence": ("", "\ufdfa", "x"),
    "telephone numbers": ("T ", "0 (", "x"),
    "prohibitions": (
        "the content is confidential; if you are not the intended recipient you must not",
        " copy or",
        "x",
    ),
    "errors": ("This e-mail is confidential. If you received it in error, please", " and", "x"),
    "apologies": ("", "sorry this took ", "x"),
    "houses": ("Regards\nAda\n", "7 Stone ", "x"),
    "requests": ("could you please play ", "r7 at 3 ", "x"),
    "sentences": ("", "play R7 at 3. ", "no"),
    "sentences that say no": ("", "no. ", "play R7 at 3"),
    "hands": ("", "i'm putting my ", "x"),
    "marks": ("", "! ", "x"),
    "names": ("accept as ", "a ", "\x01"),
}
HTML = {
    "elements": ("", "<b>", ""),
    "closed elements": ("<b>" * 190, "</i>", ""),
    "deep texts": ("<b>" * 190, "<p>x", ""),
    "tags without an end": ("", "<a ", ""),
    "less-than signs": ("", "<", ""),
    "comments without an end": ("", "<!--", ""),
    "declarations": ("", "<!x <", ""),
    "quotation marks": ("", "<p a='", ""),
    "references": ("", "&#", ""),
    "media": ("<style>", "@media screen{", "a{color:red}" * 200),
    "media around many rules": ("<style>" + "@media {" * 2000, "a{color:red}", ""),
    "selectors": ("<style>", "a,", "{color:red}</style>"),
    "declarations of style": ("<p style='", "a:b;", "'>x"),
    "scripts": ("<script>", "</", ""),
}
FIELDS = {
    "semicolons": ("Content-Type: text/plain", ";", ""),
    "semicolons in a quotation": ('Content-Type: text/plain; "', ";", ""),
    "parameters": ("Content-Type: text/plain", "; a=b", ""),
    "quoted names": ("Content-Disposition: inline; filename=", '\\"', ""),
    "encodings": ("Content-Transfer-Encoding:", " x", ""),
    "comments": ("From: ", "(", ""),
    "senders": ("From: ", '\\"', ""),
    "recipients": ("To: ", "<a@b>,", ""),
    "encoded words": ("Subject: ", "=?utf-8?q?a?= ", ""),
    "ids": ("References: ", "<a", ""),
    "results": ("Authentication-Results: ", ";dkim/1 = ", ""),
}


def read_line(line: str) -> None:
    text = Text(line, below=line)
    read_letter(
        ReadBody(text, text._replace(aside=line)), line, WriterFacts({"Ada"}, {"ada"}, OURS)
    )
    commands_among(read_lines(text).below)


def read_fields(field: str) -> None:
    head = f"{field}\nTo: ada@example.org\n"
    message.read(f"{head}\nR7@3".encode())
    read_body(f"Content-Type: multipart/mixed; boundary=b\n\n--b\n{head}\nR7@3\n--b--".encode())


def seconds(do: Callable[[str], object], text: str) -> float:
    """Of processor time."""
    began = time.process_time()
    do(text)
    return time.process_time() - began


@pytest.mark.parametrize(
    ("do", "parts", "size"),
    [
        *((read_line, parts, 100) for parts in LINES.values()),
        *((text_of, parts, 4000) for parts in HTML.values()),
        *((read_fields, parts, 3500) for parts in FIELDS.values()),
    ],
    ids=[*LINES, *HTML, *FIELDS],
)
def test_sixteen_times_as_much_takes_no_longer_than_in_proportion(
    do: Callable[[str], object], parts: tuple[str, str, str], size: int
) -> None:
    before, unit, after = parts
    # Three of each, because others use the processor; no two alike, of which one might be known.
    small, large = (
        (before + unit * (each // len(unit) + more) + after for more in range(3))
        for each in (size, 16 * size)
    )
    # Sixteen times would be proportional, 256 times quadratic; a millisecond is noise.
    most = 64 * max(min(seconds(do, text) for text in small), 0.001)
    assert any(seconds(do, text) < most for text in large)

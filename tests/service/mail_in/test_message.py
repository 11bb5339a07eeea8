"""Reading mails as programs make them, and what anybody may have made hard to read, within a limit
that the kernel holds.
"""

import contextlib
import sys
import time
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from letters.commands import Empty, WholeTurn, read_commands
from letters.mail.body import UNREADABLE, ReadBody
from letters.mail.lines import read_lines
from service.mail_in import apart
from service.mail_in.message import MalformedMail, read
from service.mail_in.store import MAX_SIZE
from tests.service.mail_in.replies import KNOWN, mail
from tests.support.waiting import PATIENCE

GMAIL = """<div dir="ltr"><div>G1@9</div><div>claim 2<br></div></div><br>
<div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Sat, Nov 21, 2026 Ann wrote:<br></div>
<blockquote class="gmail_quote">R7@3<br>claim 4</blockquote></div>"""
OUTLOOK = """<html><head><style>p {margin:0}</style></head><body><div class="WordSection1">
<p class="MsoNormal">G1@9<o:p></o:p></p><p class="MsoNormal">claim&nbsp;2<o:p></o:p></p>
<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:</b>
Scottenbury &lt;play@example.org&gt;<br><b>Sent:</b> Saturday</p></div>
<p class="MsoNormal">R7@3</p></div></body></html>"""
OUTLOOK_WEB = """<div>G1@9<br>claim 2</div><div id="appendonsend"></div><hr>
<div id="divRplyFwdMsg"><b>From:</b> x</div><div>R7@3</div>"""
APPLE = """<body><div>G1@9</div><div>claim 2</div><div><br><blockquote type="cite">
<div>On 21 Nov 2026, Scottenbury wrote:</div><div>R7@3</div></blockquote></div></body>"""
THUNDERBIRD = """<p>G1@9</p><p>claim 2</p><div class="moz-cite-prefix">On 11/21/26 19:00,
Ann wrote:</div><blockquote type="cite"><p>R7@3</p></blockquote>"""
YAHOO = """<div>G1@9</div><div>claim 2</div><div id="yahoo_quoted_1" class="yahoo_quoted">
<div>On Saturday wrote:</div>R7@3</div>"""
BELOW = """<blockquote type="cite">R7@3<br>claim 4</blockquote><p>G1@9</p><p>claim 2</p>"""
SPANS = """<p><span>G1</span><span>@9</span></p><p>claim <b>2</b></p>
<a href="mailto:x"></a><div style="display: none">R7@3</div>"""


def answer(raw: bytes) -> object:
    return read_commands(read_lines(read(raw).body.text, KNOWN).lines)


@pytest.mark.parametrize(
    "source", [GMAIL, OUTLOOK, OUTLOOK_WEB, APPLE, THUNDERBIRD, YAHOO, BELOW, SPANS]
)
def test_html_alone_is_read_without_its_quotation(source: str) -> None:
    assert answer(mail(source, Content_Type="text/html; charset=utf-8")) == WholeTurn(
        ("G1@9", "!2")
    )


def test_of_alternatives_the_plain_text_is_read_unless_it_is_empty() -> None:
    raw = mail("G1@9", lambda made: made.add_alternative("<p>R7@3</p>", subtype="html"))
    assert answer(raw) == WholeTurn(("G1@9",))

    raw = mail("\n", lambda made: made.add_alternative("<p>G1@9</p>", subtype="html"))
    assert answer(raw) == WholeTurn(("G1@9",))


@pytest.mark.parametrize(
    "kind", ["rfc822", "global", "news", "partial; id=a", "external-body; access-type=url"]
)
@pytest.mark.parametrize("alone", [True, False])
def test_a_mail_within_a_mail_is_no_text_of_its_writer(kind: str, alone: bool) -> None:
    inner = f"Content-Type: message/{kind}\n\nFrom: bob@example.org\n\nR7@3\n"
    parts = f"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nG1@9\n--b\n{inner}--b--\n"
    raw = f"From: ada@example.org\nMIME-Version: 1.0\n{inner if alone else parts}".encode()
    assert answer(raw) == (Empty() if alone else WholeTurn(("G1@9",)))


def test_attachments_and_pictures_are_no_text() -> None:
    def attach(made: EmailMessage) -> None:
        made.add_attachment("R7@3", filename="moves.txt")
        made.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="logo.png")
        forwarded = EmailMessage()
        forwarded.set_content("R8@4")
        made.add_attachment(forwarded)

    assert answer(mail("G1@9", attach)) == WholeTurn(("G1@9",))


@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "latin-1", "big5", "koi8-r", "utf-7"])
def test_every_charset(charset: str) -> None:
    made = EmailMessage()
    made["From"] = "ada@example.org"
    raw = (
        made.as_bytes()
        + (
            f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n\n"
        ).encode()
    )
    from base64 import encodebytes

    assert answer(raw.replace(b"\n\nContent", b"\nContent") + encodebytes("G1@9\n".encode(charset)))


@pytest.mark.parametrize("charset", ["nonsense", "idna", "punycode", "zip", "unicode_escape", ""])
def test_unknown_and_dangerous_charsets(charset: str) -> None:
    raw = mail("G1@9", Content_Type=f'text/plain; charset="{charset}"')
    assert answer(raw) == WholeTurn(("G1@9",))


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ('multipart/encrypted; boundary="x"; protocol="application/pgp-encrypted"', "encrypted"),
        ("application/pkcs7-mime; smime-type=enveloped-data", "encrypted"),
        ("image/png", "no-text"),
    ],
)
def test_what_cannot_be_read_is_said(kind: str, problem: str) -> None:
    assert read(mail("G1@9", Content_Type=kind)).body.problem == problem


def test_a_signed_mail_is_read() -> None:
    raw = (
        b"From: ada@example.org\nContent-Type: multipart/signed; boundary=x;"
        b' protocol="application/pgp-signature"\n\n--x\nContent-Type: text/plain\n\nG1@9\n'
        b"--x\nContent-Type: application/pgp-signature; name=s.asc\n\nR7@3\n--x--\n"
    )
    assert answer(raw) == WholeTurn(("G1@9",))


def test_the_sender_is_exactly_one() -> None:
    assert read(mail("x", From='"A, B" <Ada@Example.org>')).sender == "ada@example.org"
    assert read(mail("x", From="=?utf-8?q?=41da?= <ada@example.org>")).name == "Ada"
    assert read(mail("x").replace(b"From: Ada", b"From: b@example.org\nFrom: Ada")).sender is None
    both = mail("x").replace(b"From: Ada Lovelace <ada@", b"From: b@example.org, Ada <ada@")
    assert read(both).sender is None
    assert read(b"\nG1@9").sender is None


@pytest.mark.parametrize(
    ("header", "value", "reason"),
    [
        ("Auto-Submitted", "auto-replied", "automatic"),
        ("Auto-Submitted", "auto-generated (vacation)", "automatic"),
        ("Precedence", "bulk", "automatic"),
        ("X-Autoreply", "yes", "automatic"),
        ("Subject", "Automatic reply: Scottenbury", "automatic"),
        ("Subject", "Abwesenheitsnotiz: bis Montag", "automatic"),
        ("Subject", "Réponse automatique : absent", "automatic"),
        ("From", "MAILER-DAEMON@example.org", "automatic"),
        ("From", "no-reply@example.org", "automatic"),
        ("Return-Path", "<>", "bounce"),
        ("Content-Type", 'multipart/report; report-type=delivery-status; boundary="x"', "bounce"),
        ("List-Id", "<players.example.org>", "list"),
        ("X-Scottenbury-Game", "abc", "loop"),
        ("Auto-Submitted", "no", None),
        ("Subject", "Re: Scottenbury: Ann v Bob", None),
    ],
)
def test_machines_are_known(header: str, value: str, reason: str | None) -> None:
    assert read(mail("G1@9", **{header.replace("-", "_"): value})).automatic == reason


def test_a_mail_in_circles_is_a_loop() -> None:
    assert read(b"Received: by a\n" * 51 + mail("G1@9")).automatic == "loop"


NESTED = b"".join(
    b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (depth, depth)
    for depth in range(1000)
)
HOSTILE = {
    "30 MB": b"From: a@example.org\n\n" + b"x" * 30_000_000,
    "1000 parts": b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\nG1@9\n" * 1000,
    "nested parts": NESTED,
    "bare CR": b"From: a@example.org\r\n\r\nG1@9\rR7@3\r\n",
    "zero byte": b"From: a@example.org\n\nG1@9\0\n",
    "long head": b"Subject: " + b"x" * 100_000 + b"\n\nG1@9",
    "many headers": b"X-A: b\n" * 5000 + b"\nG1@9",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_mails_out_of_form_are_refused_at_once(name: str) -> None:
    began = time.process_time()
    with pytest.raises(MalformedMail):
        read(HOSTILE[name])
    assert time.process_time() - began < 1.0


HARD = {
    "addresses": b"From: " + b"<" * 60_000 + b"\n\nG1@9",
    "comments": b"From: " + b"(" * 60_000 + b"\n\nG1@9",
    "encoded words": b"From: " + b"=?utf-8?q?=41?= " * 3500 + b"<a@b.c>\n\nG1@9",
    "ids": b"References: " + b"<a@b> " * 10_000 + b"\n\nG1@9",
    "parameters": b"Content-Type: text/plain" + b"; a*0*=x" * 7000 + b"\n\nG1@9",
    "open elements": b"Content-Type: text/html\n\n" + b"<div>" * 300_000,
    "closed elements": b"Content-Type: text/html\n\n" + b"<b><i></b>" * 100_000,
    "attributes": b"Content-Type: text/html\n\n<a " + b"x=" * 500_000,
    "half a comment": b"Content-Type: text/html\n\n" + b"<!--" * 200_000,
    "open tags": b"Content-Type: text/html\n\n" + b"<a" * 500_000,
    "open ends": b"Content-Type: text/html\n\n" + b"</a" * 500_000,
    "half declarations": b"Content-Type: text/html\n\n" + b"<![" * 500_000,
    "half instructions": b"Content-Type: text/html\n\n" + b"<?" * 500_000,
    "scripts": b"Content-Type: text/html\n\n" + b"<script>" * 100_000,
    "ends of scripts": b"Content-Type: text/html\n\n<script>" + b"</" * 100_000,
    "rules": b"Content-Type: text/html\n\n<style>"
    + b"".join(b".a.b%d{color:red}" % number for number in range(299))
    + b"".join(b"</style><p class='a b%d'>x" % number for number in range(9000)),
    "values": b"Content-Type: text/html\n\n<style>*{color:"
    + b"rgb(1,url(" * 6000
    + b"}</style>"
    + b"<p>x" * 9000,
    "references": b"Content-Type: text/html\n\n" + b"&#" * 500_000,
    "one line": b"From: a@b.c\n\n" + b"a " * 900_000,
    "many lines": b"From: a@b.c\n\n" + b"On 2026 a\n" * 200_000,
    "links": b"From: a@b.c\n\n" + b"[a](mailto:" * 100_000,
    "base64": b"Content-Transfer-Encoding: base64\n\n" + b"QUFB" * 400_000,
}


@pytest.mark.parametrize("name", HARD)
def test_mails_that_are_hard_to_read_take_no_time(name: str) -> None:
    assert len(HARD[name]) <= MAX_SIZE
    began = time.process_time()
    with contextlib.suppress(MalformedMail):
        read_lines(read(HARD[name]).body.text)
    assert time.process_time() - began < 3.0


@given(st.binary(max_size=500))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    with contextlib.suppress(MalformedMail):
        read_commands(read_lines(read(raw).body.text).lines)


@given(st.binary(max_size=200), st.sampled_from(["From", "Content-Type", "Message-ID", "Subject"]))
def test_any_header_is_read_or_refused(value: bytes, header: str) -> None:
    with contextlib.suppress(MalformedMail):
        read(header.encode() + b": " + value.replace(b"\r", b"") + b"\n\nG1@9\n")


@pytest.mark.parametrize(
    "said",
    [
        "ann@example.org",
        "Ann <ANN@example.org>",
        '"Ann, (the) <first> @ home" <ann@example.org>',
        "=?utf-8?q?Ann=40home?=\n <ann@example.org>",
        "ann@example.org (Ann)",
        "Ann (she/her) <ann@example.org>",
        "Ann O'Neil-Ny. <ann@example.org>",
        "<ann@example.org>",
    ],
)
def test_a_mail_has_one_sender(said: str) -> None:
    assert read(f"From: {said}\n\nx".encode()).sender == "ann@example.org"


@pytest.mark.parametrize("other", ["From : eve@evil.example", "FROM\t: eve@evil.example"])
def test_a_sender_that_servers_may_read_and_we_do_not_is_refused(other: str) -> None:
    own = "From: ann@example.org"
    for head in (f"{other}\n{own}", f"{own}\n{other}", f"X: y\n{other}\n{own}"):
        with pytest.raises(MalformedMail, match="names its sender"):
            read(f"{head}\n\nx".encode())


@pytest.mark.parametrize(
    "said",
    [
        "ann@example.org(@evil.example",
        "ann@example.org <eve@evil.example>",
        "<ann@example.org> <eve@evil.example>",
        "<@evil.example:ann@example.org>",
        "ann@example.org, eve@evil.example",
        "x: ann@example.org;",
        "(eve@evil.example) ann@example.org (a(b)",
        "<ann@example.org",
        "ann@example.org@evil.example",
        '"<ann@example.org>"',
        "eve@evil.example\nFrom: ann@example.org",
    ],
)
def test_where_several_could_be_read_there_is_none(said: str) -> None:
    assert read(f"From: {said}\n\nx".encode()).sender is None


LARGE = b"X: y\n\nR7@3\n" + b"> quoted\n" * 10_000


def child(monkeypatch: pytest.MonkeyPatch, reading: str) -> None:
    """Let a child read in this way, with a second of processor time."""
    source = (
        "import re, signal, sys, time\n"
        "from service.mail_in import apart\n"
        "apart._SECONDS = 1\n"
        f"apart.read_body = lambda lines: {reading}\n"
        "sys.exit(apart.main())"
    )
    monkeypatch.setattr(apart, "_CHILD", (sys.executable, "-c", source))


@pytest.mark.parametrize(
    "reading",
    [
        "re.fullmatch('(a|a)*', 'a' * 60 + 'b')",  # one step, which no thread could interrupt
        "[0 for _ in iter(int, 1)]",
        "bytes(1 << 40)",
    ],
)
def test_a_reading_that_takes_too_much_is_ended(
    monkeypatch: pytest.MonkeyPatch, reading: str
) -> None:
    child(monkeypatch, reading)
    monkeypatch.setattr(apart, "_PATIENCE", 4 * PATIENCE)  # two seconds of a processor with others
    assert apart.read_apart(LARGE) == UNREADABLE._replace(seconds=apart._SECONDS)


def test_a_child_that_gets_no_processor_says_nothing_of_the_mail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    child(monkeypatch, "time.sleep(1000)")
    monkeypatch.setattr(apart, "_PATIENCE", 0.5)
    with pytest.raises(OSError, match="in time"):
        apart.read_apart(LARGE)


@pytest.mark.parametrize(
    "reading", ["1 / 0", "__import__('os').kill(__import__('os').getpid(), 9)"]
)
def test_a_child_that_ends_otherwise_says_nothing_of_the_mail(
    monkeypatch: pytest.MonkeyPatch, reading: str
) -> None:
    child(monkeypatch, reading)
    with pytest.raises(OSError, match="could not be read"):
        apart.read_apart(LARGE)


def test_a_large_mail_is_read_as_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for raw in (
        mail("G1@9\nclaim 2 é", lambda made: made.add_alternative("<p>R7@3</p>", subtype="html")),
        mail("<p>G1@9<hr>R7@3", Content_Type="text/html; charset=utf-8"),
        mail("R7@3 \nG1", Content_Type="text/plain; format=flowed; delsp=yes"),
        mail("x", Content_Type="image/png"),
    ):
        monkeypatch.undo()
        here = read(raw).body
        monkeypatch.setattr(apart, "SMALL", 0)
        there = read(raw).body
        assert there.seconds > 0
        assert there._replace(seconds=0.0) == here
        assert isinstance(here, ReadBody)


def test_what_is_small_needs_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_CHILD", ("/nonexistent",))
    assert apart.read_apart(b"X: y\n\nR7@3\n").text.text == "R7@3\n"
    with pytest.raises(FileNotFoundError):
        apart.read_apart(LARGE)


def test_the_child_knows_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", "secret")
    child(monkeypatch, "[[str(dict(__import__('os').environ))], None, None, None]")
    said = apart.read_apart(LARGE).text.text
    assert "PYTHONPATH" in said
    assert "secret" not in said

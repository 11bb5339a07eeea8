"""A mail's head is written once, and nothing in it can be read as something else."""

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from workers.mail.mailer import Address, Body, Message, UnsafeMail, build, check

US = Address("Scottenbury", "games@example.org")
HEADERS = {"Message-ID": "<1@example.org>", "Auto-Submitted": "auto-generated"}
BODY = Body("Grüße\n", "<p>Grüße</p>")
HIDDEN = "=?utf-8?b?eA0KUmVwbHktVG86YUBlLnZpbA==?="


def mail(name: str = "Ann", email: str = "ann@example.org", subject: str = "A game") -> Message:
    return build(US, Address(name, email), subject, HEADERS, BODY)


def read(message: Message) -> EmailMessage:
    return message_from_bytes(message.raw, policy=policy.default)


@pytest.mark.parametrize(
    "name",
    [
        *("Ann", "Ann O'Neil-Smith", "J. R. R. Tolkien", "Zoë", "王小明", "a=b?", "\u2764\ufe0f"),
        *('x" <y@z.w>', "a, b <c@d.e>", "a; b: c", "(x)", "a\\", "_a_ ?=", "x" * 40),
    ],
)
def test_a_name_arrives_as_it_is_and_adds_no_recipient(name: str) -> None:
    message = mail(name, subject=f"Scottenbury: {name} v Bob")

    (reader,) = read(message)["To"].addresses
    assert (reader.display_name, reader.addr_spec) == (name, "ann@example.org")
    assert read(message)["Subject"] == f"Scottenbury: {name} v Bob"
    assert message[:3] == ("<1@example.org>", "games@example.org", "ann@example.org")


def test_long_names_are_folded_within_the_width_of_a_line() -> None:
    message = mail("王小明" * 13, subject=f"Scottenbury: {'王小明' * 13} v {'王小明' * 13}")

    assert max(map(len, message.raw.split(b"\r\n"))) <= 78
    assert read(message)["Subject"] == f"Scottenbury: {'王小明' * 13} v {'王小明' * 13}"


@pytest.mark.parametrize("subject", [HIDDEN, "a =?utf-8?q?=0A?=", "=?utf-8?q?x", "\udc80"])
def test_what_would_be_decoded_twice_does_not_leave(subject: str) -> None:
    for words in ({"subject": subject}, {"name": subject}):
        with pytest.raises(UnsafeMail):
            mail(**words)


@pytest.mark.parametrize(
    "text", ["a\r\nBcc: e@e.vil", "a\nBcc: e@e.vil", "a\rb", "a\x00b", "a\u2028b"]
)
def test_a_line_break_becomes_no_header(text: str) -> None:
    for words in ({"subject": text}, {"name": text}):
        try:
            head = read(mail(**words)).keys()
        except UnsafeMail:
            continue
        assert "Bcc" not in head


@pytest.mark.parametrize(
    "email",
    [
        *("ann", "a@b.org, e@e.vil", "a@b.org>\r\nBcc: <e@e.vil", "a b@c.org", "änn@example.org"),
        *("=?utf-8?b?eA0K?=@example.org", "<ann@example.org>", ""),
    ],
)
def test_what_is_not_one_address_gets_no_mail(email: str) -> None:
    with pytest.raises(UnsafeMail):
        mail(email=email)


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        (b"To: ", b"Reply-To: a@e.vil\r\nReply-To: b@e.vil\r\nTo: "),
        (b"To: ", b"Bcc: a@e.vil\r\nTo: "),
        (b"To: ", b"To: a@e.vil\r\nTo: "),
        (b"Subject: A game", b"Subject: A\ngame"),
        (b"Subject: A game", b"Subject: A\rgame"),
        (b"Subject: A game", b"Subject: A\x00game"),
        (b"Subject: A game", b"Subject: A\xffgame"),
        (b"Subject: A game", b"Subject: A\r\n \r\n game"),
        (b"Subject: A game", b"Subject: " + HIDDEN.encode()),
        (b"Subject: A game", b"Subject: " + b"x" * 1000),
        (b"Subject: A game", b"Subject : A game"),
        (b"Gr", b"\nGr"),
        (b"Gr", b"x" * 1000),
    ],
)
def test_a_mail_that_is_not_as_we_write_it_does_not_leave(what: bytes, instead: bytes) -> None:
    raw = mail().raw
    check(raw)

    with pytest.raises(UnsafeMail):
        check(raw.replace(what, instead, 1))


def test_the_body_is_ascii_and_says_what_it_was_given() -> None:
    message = mail()

    assert message.raw.isascii()
    parts = [part.get_content() for part in read(message).iter_parts()]
    assert [part.strip() for part in parts] == ["Grüße", "<p>Grüße</p>"]

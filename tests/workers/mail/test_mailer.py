"""Handing mail over to a mail server."""

import asyncio
import smtplib
import socket

import pytest

from service.mail.smtp import SmtpServer, read_smtp_url
from tests.support.mail_server import MailServer
from workers.mail import mailer
from workers.mail.mailer import SmtpMailer, is_permanent
from workers.mail.message import Address, Body, Message, UnsafeMail, build


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail", SmtpServer("mail", 25, None, None, "none")),
        ("smtp://mail:2525", SmtpServer("mail", 2525, None, None, "none")),
        ("smtp://mail?starttls=1", SmtpServer("mail", 587, None, None, "starttls")),
        ("smtp://mail?starttls=0", SmtpServer("mail", 25, None, None, "none")),
        ("smtps://ann:p%40ss@mail", SmtpServer("mail", 465, "ann", "p@ss", "tls")),
    ],
)
def test_an_smtp_url_says_where_and_how(url: str, server: SmtpServer) -> None:
    assert read_smtp_url(url) == server


@pytest.mark.parametrize("url", ["mail", "http://mail", "smtp://"])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match="smtp://host"):
        read_smtp_url(url)


def mail() -> Message:
    sender, reader = Address("", "a@example.org"), Address("", "b@example.org")
    return build(sender, reader, "Hello", {"Message-ID": "<1@x>"}, Body("Hello", "<p>Hello"))


def test_a_mail_server_may_want_a_password() -> None:
    with MailServer(password="p@ss") as server:
        SmtpMailer(server.url.replace("p@ss", "p%40ss")).send(mail())

        assert len(server.mails) == 1
        with pytest.raises(smtplib.SMTPAuthenticationError):
            SmtpMailer(server.url.replace("p@ss", "wrong")).send(mail())


def test_only_a_final_refusal_is_for_good() -> None:
    gone, busy = (550, b"no such user"), (451, b"try later")

    assert is_permanent(smtplib.SMTPRecipientsRefused({"a": gone}))
    assert not is_permanent(smtplib.SMTPRecipientsRefused({"a": busy}))
    assert not is_permanent(smtplib.SMTPRecipientsRefused({"a": gone, "b": busy}))
    assert is_permanent(smtplib.SMTPDataError(554, b"rejected as spam"))
    assert not is_permanent(smtplib.SMTPDataError(451, b"try later"))
    assert not is_permanent(OSError("no route"))
    assert is_permanent(UnsafeMail("a header of somebody else's"))


def test_a_mail_that_was_accepted_is_sent_whatever_becomes_of_the_farewell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def say_nothing(*args: object) -> str:
        await asyncio.sleep(60)
        return "221 bye"

    monkeypatch.setattr(mailer, "TIMEOUT", 0.5)
    monkeypatch.setattr(MailServer, "handle_QUIT", say_nothing, raising=False)
    with MailServer() as server:
        SmtpMailer(server.url).send(mail())
        assert len(server.mails) == 1


def test_a_server_that_never_answers_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailer, "TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(OSError, match="time"):
        SmtpMailer(f"smtp://127.0.0.1:{silent.getsockname()[1]}").send(mail())

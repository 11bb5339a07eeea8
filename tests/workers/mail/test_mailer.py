"""Handing mail over to a mail server."""

import asyncio
import smtplib
import socket
import ssl
from pathlib import Path

import pytest

from service.mail.smtp import SmtpServer, read_smtp_url
from tests.support.certificates import Certificates, certificates
from tests.support.mail_server import MailServer
from workers.mail import mailer
from workers.mail.mailer import Address, Body, Message, SmtpMailer, UnsafeMail, build, is_permanent


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail", SmtpServer("mail", 25, None, None, "none")),
        ("smtp://mail:2525", SmtpServer("mail", 2525, None, None, "none")),
        ("smtp://mail?starttls=1", SmtpServer("mail", 587, None, None, "starttls")),
        ("smtp://mail?starttls=0", SmtpServer("mail", 25, None, None, "none")),
        ("smtps://ann:p%40ss@mail", SmtpServer("mail", 465, "ann", "p@ss", "tls")),
        ("smtp://ann:b@mail:587", SmtpServer("mail", 587, "ann", "b", "starttls")),
        ("smtp://ann:b@mail?starttls=0", SmtpServer("mail", 25, "ann", "b", "starttls")),
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


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Certificates:
    """Certificates of an authority that this process trusts."""
    made = certificates(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.authority))
    return made


def test_a_mail_server_may_want_a_password(private: Certificates) -> None:
    with MailServer(password="p@ss", tls=private.server) as server:
        SmtpMailer(server.url.replace("p@ss", "p%40ss")).send(mail())

        assert len(server.mails) == 1
        with pytest.raises(smtplib.SMTPAuthenticationError):
            SmtpMailer(server.url.replace("p@ss", "wrong")).send(mail())
        assert set(server.passwords) == {(b"p@ss", True), (b"wrong", True)}


def test_encryption_may_be_asked_for_without_a_password(private: Certificates) -> None:
    with MailServer(tls=private.server) as server:
        SmtpMailer(f"{server.url}?starttls=1").send(mail())
        assert len(server.mails) == 1
    with MailServer() as server:
        with pytest.raises(smtplib.SMTPNotSupportedError, match=r"does not offer STARTTLS$"):
            SmtpMailer(f"{server.url}?starttls=1").send(mail())
        assert server.mails == []


def test_no_password_goes_to_a_server_without_encryption() -> None:
    with MailServer(password="secret") as server:
        for more in ("", "?starttls=0"):
            with pytest.raises(smtplib.SMTPNotSupportedError, match="never sent without"):
                SmtpMailer(server.url + more).send(mail())
        assert server.passwords == []


def test_nor_to_one_whose_certificate_nobody_vouches_for(tmp_path: Path) -> None:
    with MailServer(password="secret", tls=certificates(tmp_path).server) as server:
        with pytest.raises(ssl.SSLCertVerificationError):
            SmtpMailer(server.url).send(mail())
        assert server.passwords == []


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

    monkeypatch.setattr(MailServer, "handle_QUIT", say_nothing, raising=False)
    with MailServer() as server:
        SmtpMailer(server.url).send(mail())
        assert len(server.mails) == 1


def test_a_server_that_never_answers_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailer, "TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(OSError, match="time"):
        SmtpMailer(f"smtp://127.0.0.1:{silent.getsockname()[1]}").send(mail())

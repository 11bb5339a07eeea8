"""The local mailbox."""

from email.message import EmailMessage

import pytest

from service.core.redis.client import Client
from service.mail.mailbox import Mailbox, StoredMail
from tests.support.clock import Clock


def mail(id_: str, text: str = "Hello") -> EmailMessage:
    message = EmailMessage()
    message["Message-ID"] = f"<{id_}@test>"
    message["Subject"] = "Ännchen v Bob"
    message.set_content(text)
    return message


def keep(mailbox: Mailbox, message: EmailMessage) -> bool:
    return mailbox.add(message["Message-ID"], message.as_string())


def ids(mailbox: Mailbox) -> list[str]:
    return [mail.id for mail in mailbox.newest()]


def test_mails_are_listed_newest_first_and_a_full_box_loses_its_oldest(redis: Client) -> None:
    clock = Clock()
    mailbox = Mailbox(redis, clock)

    for name in ("first", "second"):
        clock.time += 1
        keep(mailbox, mail(name))

    assert ids(mailbox) == ["<second@test>", "<first@test>"]
    assert mailbox.newest()[0].at == clock.time

    mailbox = Mailbox(redis, clock, capacity=2)

    for name in ("first", "second", "third"):
        clock.time += 1
        keep(mailbox, mail(name))

    assert ids(mailbox) == ["<third@test>", "<second@test>"]
    assert mailbox.get("<first@test>") is None


def test_a_mail_sent_again_is_kept_once_and_as_it_was(redis: Client) -> None:
    mailbox = Mailbox(redis)

    assert keep(mailbox, mail("same", "one")) is True
    assert keep(mailbox, mail("same", "two")) is False

    (kept,) = mailbox.newest()
    assert kept.message.get_content() == "one\n"


def test_a_mail_comes_out_as_it_went_in(redis: Client) -> None:
    mailbox = Mailbox(redis)
    keep(mailbox, mail("x", "Grüße\nfrom Stone 3"))

    kept = mailbox.get("<x@test>")

    assert kept is not None
    assert kept.message["Subject"] == "Ännchen v Bob"
    assert kept.message.get_content() == "Grüße\nfrom Stone 3\n"


@pytest.mark.parametrize("damaged", ["not JSON", "[]", "7", '{"at": "x", "text": 7}', "[" * 50_000])
def test_a_damaged_mail_hides_no_other(redis: Client, damaged: str) -> None:
    box = Mailbox(redis, Clock())
    box.add("<1@stones>", "one")
    box.add("<2@stones>", "two")
    redis.hset("st:{mailbox}:mails", "<1@stones>", damaged)
    assert {mail.id: mail.text for mail in box.newest()} == {
        "<1@stones>": damaged,
        "<2@stones>": "two",
    }
    assert box.get("<1@stones>") is not None


def test_an_empty_box_has_no_mails(redis: Client) -> None:
    assert Mailbox(redis).newest() == []


def test_a_sender_named_in_two_encoded_words_is_read_as_one_name() -> None:
    mail = StoredMail(
        "<a@b>",
        0,
        "From: =?utf-8?q?Bartholomew_Featherston=E2=80=A6_=C2=B7_your_game_has_begu?=\r\n"
        " =?utf-8?q?n?=\r\n <games@b>\r\n\r\n",
    )
    (sender,) = mail.message["From"].addresses
    assert sender.display_name == "Bartholomew Featherston… · your game has begun"

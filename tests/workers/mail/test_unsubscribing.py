"""Turning a kind of mail off by mail, as some mail programs do for their readers."""

import re
from email.message import EmailMessage

import pytest

from service.accounts.mail_preferences import Subscription, guest
from service.core.errors import RequestRejected
from service.games import NewGame
from service.mail.mailbox import Mailbox
from tests.workers.mail.correspondence import run
from tests.workers.match import Match


def unsubscribe_address(match: Match, mailbox: Mailbox) -> str:
    """The address in the head of Bob's mail."""
    match.play("R4@3")
    run(match.context)
    (mail,) = mailbox.newest()
    found = re.search("<mailto:([^>]+)>", str(mail.message["List-Unsubscribe"]))
    assert found is not None
    return found[1]


def test_a_mail_to_its_address_turns_that_kind_off_and_no_other_address_does(
    match: Match, mailbox: Mailbox
) -> None:
    address = unsubscribe_address(match, mailbox)
    for forged in (
        address.replace("stop+turn-", "stop+over-"),
        address.replace(match.bob, match.ann),
        address.replace("@", "@elsewhere."),
    ):
        with pytest.raises(RequestRejected):
            match.context.container.incoming_mail.accept(forged, "a@example.net", b"To: x\r\n\r\nx")

    assert len(address.partition("@")[0]) <= 64
    message = EmailMessage()
    message["From"] = "anybody@example.net"
    message["To"] = address
    message["Message-ID"] = "<unsubscribe@example.net>"
    message["Auto-Submitted"] = "auto-generated"
    container = match.context.container

    container.incoming_mail.accept(address.upper(), "", message.as_bytes())
    run(match.context)

    assert not container.mail_preferences.wanted(Subscription(match.bob, "turn"))
    assert container.mail_preferences.wanted(Subscription(match.bob, "over"))
    assert container.mail_preferences.wanted(Subscription(match.ann, "turn"))
    assert len(mailbox.newest()) == 1
    assert container.incoming_mail.counts()["unsubscribed"] == 1


def test_a_guest_can_stop_invitations_by_mail(match: Match, mailbox: Mailbox) -> None:
    container = match.context.container
    email = "Guest@example.org"
    container.games.create(match.ann, NewGame(opponent_email=email))
    run(match.context)
    (mail,) = mailbox.newest()
    found = re.search("<mailto:([^>]+)>", str(mail.message["List-Unsubscribe"]))
    assert found is not None
    assert len(found[1].partition("@")[0]) <= 64
    assert "guest@" not in found[1].lower()

    raw = b"From: anybody@example.net\r\nMessage-ID: <1@example.net>\r\n\r\n"
    container.incoming_mail.accept(found[1], "", raw)
    run(match.context)

    assert not container.mail_preferences.wanted(Subscription(guest(email), "invitation"))
    assert container.incoming_mail.counts() == {"unsubscribed": 1}
    container.games.create(match.bob, NewGame(opponent_email=email))
    run(match.context)
    assert len(mailbox.newest()) == 1

"""Mails about an account: the link that verifies an address, and the one that signs in.

They go to somebody who may have nothing to do with us, so they say nothing that another wrote.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from email.utils import format_datetime, parseaddr
from typing import NamedTuple

from service.accounts.email_addresses import CHANGED, VERIFY
from service.accounts.sign_in import SIGN_IN
from service.eventlog import NoticeParts
from workers.context import WorkerContext
from workers.mail.layout import templates
from workers.mail.message import Address, Body, Message, build


class Letter(NamedTuple):
    """The content of such a mail, and the address it goes to."""

    to: str
    subject: str
    opening: str
    link: str
    link_text: str
    closing: str


def compose(context: WorkerContext, notice: NoticeParts, at: datetime) -> Message | None:
    """The mail for this notice, None where there is nothing to say any more.

    KeyError for a kind that is not of an account, Raises `UnsafeMail` for an address that is none.
    """
    letter = LETTERS[notice.kind](context, notice)
    return (
        None if letter is None else _mail(letter, notice, context.container.settings.mail_from, at)
    )


def _verify(context: WorkerContext, notice: NoticeParts) -> Letter | None:
    player = context.container.players.find(notice.recipient)
    if player is None:
        return None
    email = player.pending or (None if player.verified else player.email)
    if email is None:
        return None
    return Letter(
        to=email,
        subject="Scottenbury: is this your address?",
        opening="Somebody gave this address for a player at"
        f" {context.container.settings.base_url}.",
        link=context.container.addresses.verification_link(player.id, email, notice.version),
        link_text="If it was you, confirm it within three days",
        closing="If it was not you, do nothing: no other mail will come.",
    )


def _sign_in(context: WorkerContext, notice: NoticeParts) -> Letter | None:
    found = context.container.sign_in.link_to_send(notice.game)
    if found is None:
        return None
    email, link = found
    return Letter(
        to=email,
        subject="Scottenbury: your link to sign in",
        opening="Somebody asked to sign in with this address at"
        f" {context.container.settings.base_url}.",
        link=link,
        link_text="If it was you, sign in: this works once, and for fifteen minutes",
        closing="If it was not you, do nothing: without this link nobody can sign in.",
    )


def _changed(context: WorkerContext, notice: NoticeParts) -> Letter | None:
    email = context.container.addresses.former_address(notice.game)
    if email is None:
        return None
    site = context.container.settings.base_url
    return Letter(
        to=email,
        subject="Scottenbury: your address is being changed",
        opening=f"Somebody who is signed in as you at {site} asked for your mail to go elsewhere."
        " Another address takes the place of this one once it is confirmed.",
        link=f"{site}/account",
        link_text="If it was not you, sign in and end all other sessions and tokens at once",
        closing="If it was you, do nothing.",
    )


LETTERS: Mapping[str, Callable[[WorkerContext, NoticeParts], Letter | None]] = {
    VERIFY: _verify,
    SIGN_IN: _sign_in,
    CHANGED: _changed,
}


def _mail(letter: Letter, notice: NoticeParts, sender: str, at: datetime) -> Message:
    own = Address(*parseaddr(sender))
    domain = own.email.rpartition("@")[2]
    headers = {
        "Date": format_datetime(at),
        "Message-ID": f"<{notice.game}.{notice.version}.{notice.kind}@{domain}>",
        "Auto-Submitted": "auto-generated",
    }
    text = f"{letter.opening}\n\n{letter.link_text}:\n{letter.link}\n\n{letter.closing}\n"
    html = templates.get_template("account.html").render(letter=letter)
    return build(own, Address("", letter.to), letter.subject, headers, Body(text, html))

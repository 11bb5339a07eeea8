"""Finds the content of mails about an account: links that verify an address or sign in; and of the
mail about a removed game, whose data is deleted.

The recipient may have nothing to do with us, so these mails contain nothing that another player
wrote.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from service.accounts.answer_addresses import CONFIRM, CONFIRMED
from service.accounts.email_addresses import CHANGED, VERIFY
from service.accounts.links import SIGN_IN
from service.eventlog import NoticeParts
from service.games.notices.notifications import GAME_REMOVED
from service.mail_in.addresses.sent_mail import Use
from workers.context import WorkerContext


class AccountMail(NamedTuple):
    """A mail about an account: its recipient's address, the link in it, and a reply address if an
    answer can replace the link. `words` are the operator's."""

    to: str
    link: str
    reply_to: str | None = None
    words: str = ""


def _verify(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    player = context.container.players.find(notice.recipient)
    if player is None:
        return None
    failing = context.container.addresses.failing
    is_settled = player.verified and not failing.find(player.email)
    email = player.pending or (None if is_settled else player.email)
    if email is None:
        return None
    link = context.container.addresses.verification_link(player.id, email, notice.version)
    return AccountMail(email, link, _reply_to(context, "confirm", notice, email))


def _reply_to(context: WorkerContext, use: Use, notice: NoticeParts, email: str) -> str | None:
    confirming = context.container.incoming_mail.confirming
    return confirming.write(use, notice.recipient, email, notice.version)


def _sign_in(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    link = context.container.sign_in.link_to_send(notice.subject)
    return None if link is None else AccountMail(*link)


def _answer_address(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    link = context.container.answer_addresses.link_to_send(notice)
    return link and AccountMail(*link, _reply_to(context, "answer", notice, link[0]))


def _answer_address_added(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    player = context.container.players.find(notice.recipient)
    if player is None or not player.verified or player.email is None:
        return None
    return AccountMail(player.email, f"{context.container.settings.base_url}/account")


def _changed(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    email = context.container.addresses.former_address(notice.subject)
    if email is None:
        return None
    return AccountMail(email, f"{context.container.settings.base_url}/account")


def _game_removed(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    container = context.container
    player = container.players.find(notice.recipient)
    removal = container.log.events.removal(notice.subject)
    if player is None or removal is None:
        return None
    if context.mailer.needs_address and not player.verified:
        return None
    to = player.email or f"{player.id}@mailbox.invalid"
    return AccountMail(to, container.settings.base_url, words=removal.words)


WRITERS: Final[Mapping[str, Callable[[WorkerContext, NoticeParts], AccountMail | None]]] = {
    VERIFY: _verify,
    SIGN_IN: _sign_in,
    CHANGED: _changed,
    CONFIRM: _answer_address,
    CONFIRMED: _answer_address_added,
    GAME_REMOVED: _game_removed,
}
"""Each kind of mail about an account, and how to find its content; None if it is out of date."""

"""Mails about an account: the links that verify addresses, and the one that signs in.

They go to somebody who may have nothing to do with us, so they say nothing that another wrote.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from service.accounts.answer_addresses import CONFIRM, CONFIRMED
from service.accounts.email_addresses import CHANGED, VERIFY
from service.accounts.sign_in import SIGN_IN
from service.eventlog import NoticeParts
from workers.context import WorkerContext


class AccountMail(NamedTuple):
    """The address that such a mail goes to, and the link in it."""

    to: str
    link: str


def _verify(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    player = context.container.players.find(notice.recipient)
    if player is None:
        return None
    failing = context.container.addresses.failing
    is_settled = player.verified and not failing.find(player.email)
    email = player.pending or (None if is_settled else player.email)
    if email is None:
        return None
    return AccountMail(
        email, context.container.addresses.verification_link(player.id, email, notice.version)
    )


def _sign_in(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    found = context.container.sign_in.link_to_send(notice.game)
    return None if found is None else AccountMail(*found)


def _answer_address(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    found = context.container.answer_addresses.link_to_send(notice)
    return None if found is None else AccountMail(*found)


def _answer_address_added(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    player = context.container.players.find(notice.recipient)
    if player is None or not player.verified or player.email is None:
        return None
    return AccountMail(player.email, f"{context.container.settings.base_url}/account")


def _changed(context: WorkerContext, notice: NoticeParts) -> AccountMail | None:
    email = context.container.addresses.former_address(notice.game)
    if email is None:
        return None
    return AccountMail(email, f"{context.container.settings.base_url}/account")


WRITERS: Final[Mapping[str, Callable[[WorkerContext, NoticeParts], AccountMail | None]]] = {
    VERIFY: _verify,
    SIGN_IN: _sign_in,
    CHANGED: _changed,
    CONFIRM: _answer_address,
    CONFIRMED: _answer_address_added,
}
"""Each kind of mail about an account, and how to find its content; None if it is out of date."""

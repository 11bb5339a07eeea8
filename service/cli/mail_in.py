"""`scottenbury mail-in`: takes mail from a mail server's pipe."""

import os
import sys
from typing import Final

import click

from service.cli.output import echo
from service.cli.store import open_store
from service.core import key_fingerprint
from service.core.errors import RequestRejected
from service.core.outage import STORE_FAILURE
from service.mail_in.intake import IncomingMail
from service.mail_in.message import MAX_SIZE

_STATUS: Final = {
    "unknown-recipient": os.EX_NOUSER,
    "malformed-mail": os.EX_DATAERR,
    "too-many-mails": os.EX_TEMPFAIL,
}
"""Exit codes as mail servers understand them (sysexits.h)."""


@click.command(name="mail-in", short_help="Take in one mail from standard input.")
@click.option("--to", help="The recipient in its envelope; else those that the mail names.")
@click.option("--from", "sender", help="The sender in its envelope, empty for a bounce.")
def take_in(to: str | None, sender: str | None) -> None:
    """Take in one mail, an answer to one of ours, from standard input.

    Ends with 0 once it is kept; with 67 for an address that is not ours, 65 for a mail out of
    form, and 75 where it is to be tried again later.
    """
    raw = sys.stdin.buffer.read(MAX_SIZE + 1)
    try:
        store = open_store()
        if not key_fingerprint.belongs_to(store.redis, store.settings.secret_key):
            # Otherwise no address of the server's could be read, and its mails would bounce for
            # good.
            raise click.ClickException(f"{key_fingerprint.OTHER_KEY}. {key_fingerprint.ADVICE}")
        _accept(store.incoming_mail, raw, to, "envelope" if sender is None else sender)
    except RequestRejected as rejection:
        echo(f"Error: {rejection.detail}", err=True)
        sys.exit(_STATUS[rejection.code])
    except (*STORE_FAILURE, OSError, click.ClickException) as error:
        echo(f"Error: {error}", err=True)
        sys.exit(os.EX_TEMPFAIL)


def _accept(incoming: IncomingMail, raw: bytes, to: str | None, sender: str) -> None:
    for recipient in [to] if to else incoming.recipients_of(raw) or [""]:
        incoming.accept(recipient, sender, raw)

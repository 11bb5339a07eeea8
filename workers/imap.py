"""Fetches mail by IMAP, in a thread of its own: a hanging mailbox delays nothing else."""

import logging
import threading
from typing import TYPE_CHECKING

from service.container import Container
from service.core.outage import STORE_FAILURE
from service.core.redis.failures import report

if TYPE_CHECKING:
    from service.mail_in.polling import Polling

PERIOD = 2.0
"""Seconds between two checks whether it is time to fetch."""

log = logging.getLogger(__name__)


def fetching(container: Container, name: str, stop: threading.Event) -> list[threading.Thread]:
    """Return a list with the thread, not yet started, that fetches mail until `stop` is set; an
    empty list if the settings name no mailbox.

    Raises ValueError for an unreadable URL.
    """
    url = container.settings.imap_url
    if url is None:
        return []
    # Here, as most servers fetch no mail.
    from service.mail.imap import read_imap_url
    from service.mail_in.polling import Polling

    mailbox = read_imap_url(url)
    polling = Polling(container.redis, container.incoming_mail, mailbox, name, container.now)
    # Nobody waits for it at the end: a mail not yet stored is fetched again.
    return [threading.Thread(target=_run, args=[polling, stop], name="imap", daemon=True)]


def _run(polling: "Polling", stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            polling.poll()
        except STORE_FAILURE as error:
            report(log, "no mail is fetched", error)
        stop.wait(PERIOD)

"""A thread that records the heartbeats of its process."""

import logging
import threading

from service.core.outage import STORE_FAILURE
from service.core.outage_ledger import PERIOD, RETRY, OutageLedger, Role

_log = logging.getLogger(__name__)


def start_heartbeat(ledger: OutageLedger, role: Role) -> None:
    """Record a heartbeat now and every few seconds, as long as this process lives.

    While Redis is away none is recorded: the server is out of order then.
    """
    threading.Thread(target=_run, args=[ledger, role], name="heartbeat", daemon=True).start()


def _run(ledger: OutageLedger, role: Role) -> None:
    pause = threading.Event()
    while True:
        try:
            ledger.record_heartbeat(role)
            pause.wait(PERIOD)
        except STORE_FAILURE as error:
            _log.debug("no sign of life: %r", error)
            pause.wait(RETRY)

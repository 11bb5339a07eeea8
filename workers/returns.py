"""A worker thread that gives games the time lost to the server's outages."""

import logging
import threading
from typing import Final

from service.core.redis.trouble import report
from service.games.deadlines.outage_returns import OutageReturns

log = logging.getLogger(__name__)

PERIOD: Final = 15.0
"""Seconds between two looks."""


def run(returns: OutageReturns, stop: threading.Event) -> None:
    """Refund lost time to games whenever there is any, until `stop`."""
    while not stop.wait(PERIOD):
        try:
            count = returns.apply_all()
        except Exception as error:
            # Whatever the error: without this thread no game with an unrecorded outage could end.
            report(log, "outages are given back later", error)
            continue
        if count:
            log.info("an outage was given back to %d games", count)

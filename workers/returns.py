"""A thread of the worker that gives outages of the server back to the games."""

import logging
import threading
from typing import Final

from service.core.redis.trouble import report
from service.games.deadlines.outage_returns import OutageReturns

log = logging.getLogger(__name__)

PERIOD: Final = 15.0
"""Seconds between two looks."""


def run(returns: OutageReturns, stop: threading.Event) -> None:
    """Give back what has to be given back, until `stop`."""
    while not stop.wait(PERIOD):
        try:
            count = returns.apply_all()
        except Exception as error:
            # Whatever it is: without this thread no game whose outage is not noted could end.
            report(log, "outages are given back later", error)
            continue
        if count:
            log.info("an outage was given back to %d games", count)

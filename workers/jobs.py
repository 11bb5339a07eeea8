"""The jobs by which the queue knows them: `workers.jobs.NAME`, never imported by who enqueues.

Each is good for the lease under which it was enqueued. One that comes too late does nothing: what
it was to do has fallen due again, and another job does it.
"""

import time

from workers import clocks, delivery
from workers.office import own_office

TIMEOUT = 30
"""Seconds that one job may take."""


def deliver(notice_id: str, lease_end: float) -> str:
    """Deliver a notice; tells what became of it."""
    return delivery.deliver(own_office(), notice_id) if _in_time(lease_end) else "too late"


def time_out(game_id: str, lease_end: float) -> str:
    """End the turn of a player whose time is over; tells what became of it."""
    return clocks.time_out(own_office(), game_id) if _in_time(lease_end) else "too late"


def _in_time(lease_end: float) -> bool:
    return time.time() + TIMEOUT <= lease_end

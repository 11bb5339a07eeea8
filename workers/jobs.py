"""The jobs in the queues, by name: `workers.jobs.NAME`. Nothing imports them to enqueue them.

Each holds its claims while it works, and skips claims that have passed on to another job.
"""

from collections.abc import Sequence
from typing import Final

from service.core import logs
from workers import delivery
from workers.context import get_context
from workers.due import DueBatch
from workers.handlers import upkeep
from workers.mail.mailer import LAST_TIMEOUT, MOST_ANSWERS, TIMEOUT

NAMES: Final = ("deliver_notices", "time_out")
PLAY_TIMEOUT: Final = 30 + int(delivery.BUDGET)
"""Seconds that a job may take for bots' turns, incoming mail or the end of a clock."""
WEIGH_TIMEOUT: Final = 150
"""Seconds that a job may take to weigh turns: a turn that takes too long is tried twice."""
MAIL_TIMEOUT: Final = int(delivery.BUDGET + MOST_ANSWERS * TIMEOUT + LAST_TIMEOUT) + 10
"""Seconds that a job of mails may take: the last mail may start at the end of the budget, and the
mail server may use the full time-out for each answer."""
PASSED_ON: Final = "passed on"


def deliver_notices(notice_ids: Sequence[str], lease_end: float) -> str:
    """Deliver notices; returns the outcomes of those that this job still held."""
    context = get_context()
    batch = DueBatch(context, notice_ids)
    with context.leases.hold(batch.renew, notice_ids, lease_end) as lease:
        if not lease.claims:
            return PASSED_ON
        return ", ".join(delivery.deliver_all(context, lease, batch.read()))


def time_out(game_id: str, lease_end: float) -> str:
    """End the turn of a player who is out of time; returns the outcome."""
    context = get_context()
    deadlines = context.container.log.deadlines
    with context.leases.hold(deadlines.renew, [game_id], lease_end) as lease:
        if not lease.claims:
            return PASSED_ON
        with logs.bound(game=game_id):
            return upkeep.time_out(context, game_id)

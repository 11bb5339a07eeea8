"""The jobs by which the queues know them: `workers.jobs.NAME`, never imported by who enqueues.

Each holds its claim while it works. One whose claim has passed on does nothing: another does it.
"""

from typing import Final

from workers.context import get_context
from workers.handlers import deadline
from workers.handlers import deliver as delivery

NAMES: Final = ("deliver", "time_out")
PLAY_TIMEOUT: Final = 30
"""Seconds that a bot's turn or the end of a clock may take."""
MAIL_TIMEOUT: Final = 60
"""Seconds that sending one mail may take, all the answers of the mail server together."""
PASSED_ON: Final = "passed on"


def deliver(notice_id: str, lease_end: float) -> str:
    """Deliver a notice; tells what became of it."""
    context = get_context()
    with context.leases.hold(context.container.log.outbox.renew, [notice_id], lease_end) as held:
        return delivery.deliver(context, notice_id) if held else PASSED_ON


def time_out(game_id: str, lease_end: float) -> str:
    """End the turn of a player whose time is over; tells what became of it."""
    context = get_context()
    with context.leases.hold(context.container.log.deadlines.renew, [game_id], lease_end) as held:
        return deadline.time_out(context, game_id) if held else PASSED_ON

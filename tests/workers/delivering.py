"""Delivering notices without a queue, for tests."""

from collections.abc import Sequence

from workers.context import WorkerContext
from workers.due import read_due
from workers.jobs import DeliveryOutcome, deliver_all
from workers.leases import Lease


def deliver_together(context: WorkerContext, notice_ids: Sequence[str]) -> list[DeliveryOutcome]:
    """Deliver the notices as one job; what became of them."""
    renew = context.container.log.outbox.renew
    lease = Lease(renew, notice_ids, float("inf"), context.container.now)
    return deliver_all(context, lease, read_due(context, notice_ids))


def deliver(context: WorkerContext, notice_id: str) -> DeliveryOutcome:
    """Deliver the notice; what became of it."""
    (outcome,) = deliver_together(context, [notice_id])
    return outcome

"""Delivering a single notice, for tests."""

from workers.context import WorkerContext
from workers.delivery import DeliveryOutcome, deliver_all


def deliver(context: WorkerContext, notice_id: str) -> DeliveryOutcome:
    """Deliver the notice; what became of it."""
    (outcome,) = deliver_all(context, [notice_id])
    return outcome

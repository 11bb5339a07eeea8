"""Letting what is due be delivered, as the relay and the jobs do."""

from engine import legal
from tests.workers.delivering import deliver
from tests.workers.match import Match


def deliver_due(match: Match) -> list[str]:
    """Deliver all that is due now, and what becomes due by that; the outcomes."""
    container = match.context.container
    outcomes = []
    while True:
        due = [one.id for one in container.log.outbox.pending() if one.due <= container.now()]
        if not due:
            return outcomes
        outcomes += [deliver(match.context, notice) for notice in sorted(due)]


def next_due(match: Match) -> float:
    """When something falls due next."""
    return min(one.due for one in match.context.container.log.outbox.pending())


def two_turns(match: Match) -> None:
    """Both play something."""
    for _ in range(2):
        match.play(legal(match.now().game)[0])

"""How long notices take from the moment they fall due until they are done, for the metrics."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from service.core.outage import STORE_FAILURE
from service.core.redis.batch import execute_all
from service.eventlog import parse_notice_id
from workers.context import WorkerContext

DONE: Final = ("sent", "played")
"""Outcomes of notices that somebody waited for."""


def due_times(context: WorkerContext, notice_ids: Sequence[str]) -> Mapping[str, float]:
    """Since when (unix seconds) these claimed notices are due; of one that has failed before, since
    it failed first. One round trip."""
    container = context.container
    due = [container.log.outbox.since_query(notice) for notice in notice_ids]
    failed = [container.dead_letters.since_query(notice) for notice in notice_ids]
    times = execute_all(container.redis, [*due, *failed])
    known = zip(notice_ids, times, times[len(notice_ids) :], strict=False)
    return {
        notice: min(at for at in found if at is not None)
        for notice, *found in known
        if any(at is not None for at in found)
    }


def count(
    context: WorkerContext, due: Mapping[str, float], outcomes: Mapping[str, tuple[str, float]]
) -> None:
    """Count how long those took that are done, by their outcomes, each with its moment."""
    done = [
        (parse_notice_id(notice), at - due[notice])
        for notice, (outcome, at) in outcomes.items()
        if outcome in DONE and notice in due
    ]
    if done:
        with suppress(*STORE_FAILURE):  # a number less is no reason to do them again
            context.container.delays.add(done)

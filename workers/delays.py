"""How long notices take from the moment they fall due until they are done, for the metrics."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from service.core.outage import STORE_FAILURE
from service.eventlog import parse_notice_id
from workers.context import WorkerContext
from workers.due import DueNotice

DONE: Final = ("sent", "played")
"""Outcomes of notices that somebody waited for."""


def due_time(due: DueNotice) -> float | None:
    """Since when (unix seconds) a claimed notice is due; of one that has failed before, since it
    failed first."""
    known = [at for at in (due.due_since, due.failed_since) if at is not None]
    return min(known, default=None)


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

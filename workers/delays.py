"""Measures, for the metrics, how long notices take from falling due to being done."""

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
    """Return the moment when a claimed notice fell due, or first failed if it is a retry (unix
    seconds); None if neither is stored."""
    moments = [at for at in (due.due_since, due.failed_since) if at is not None]
    return min(moments, default=None)


def count(
    context: WorkerContext, due: Mapping[str, float], outcomes: Mapping[str, tuple[str, float]]
) -> None:
    """Record the delays of delivered notices and count those given up.

    `due` gives for each notice the moment when it fell due, `outcomes` its outcome and that moment
    (unix seconds).
    """
    done = [
        (parse_notice_id(notice), at - due[notice])
        for notice, (outcome, at) in outcomes.items()
        if outcome in DONE and notice in due
    ]
    given_up = [
        parse_notice_id(notice)
        for notice, (outcome, _) in outcomes.items()
        if outcome == "dead-letter"
    ]
    if done or given_up:
        with suppress(*STORE_FAILURE):  # a missing sample is no reason to repeat the notices
            context.container.delays.add(done, given_up)

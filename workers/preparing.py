"""Prepares a batch of notices before the first is sent, in one round trip for all of them."""

from collections.abc import Callable, Sequence
from functools import partial

from service.core.redis.batch import Query, Run, execute_with_runs
from service.core.redis.client import unavailable
from service.games.reading.views import people_in
from workers.channels import fan_out
from workers.context import WorkerContext
from workers.due import DueNotice
from workers.handlers import mail
from workers.policy import Send

_Asked = tuple[Query[object], Callable[[object], None]]
"""A query, and the function that takes its result."""


def prepare(context: WorkerContext, notices: Sequence[DueNotice]) -> None:
    """Update the players' lists and ratings (the writer of a notice may have died before doing so),
    read players' names and the failures of addresses, claim the one mail until the next visit for
    players who want only that, and create the channels' notices.

    May be repeated.
    """
    container = context.container
    games = {due.stored.id: due.stored for due in notices if due.stored is not None}
    people = {player for stored in games.values() for player in people_in(stored)}
    asked: list[_Asked] = [
        (query, _do_nothing) for query in container.players.unknown_name_queries(people)
    ]
    runs, fanned_out = container.games.index.runs(*games.values()), list[DueNotice]()
    for due in notices:
        if due.notice.transport != fan_out.MAIL:
            continue
        asked += _failure_asked(context, due)
        decision = _planned(context, due)
        if decision is None:
            continue
        if mail.must_reserve(due):
            asked += _reservation_asked(context, due)  # the answer decides which channels report it
        else:
            runs += fan_out.runs(context, due, by_mail=mail.is_mailed(decision))
            fanned_out.append(due)
    _execute(context, asked, runs)
    for stored in games.values():
        container.games.ratings.apply(stored)
    for due in notices:
        due.is_prepared = True
    for due in fanned_out:
        due.is_fanned_out = True


def _execute(context: WorkerContext, asked: Sequence[_Asked], runs: Sequence[Run]) -> None:
    replies, _ = execute_with_runs(context.container.redis, [query for query, _ in asked], runs)
    for (query, take), reply in zip(asked, replies, strict=True):
        take(query.parse(reply))


def _planned(context: WorkerContext, due: DueNotice) -> Send | None:
    """Return the policy's decision on a notice to a reader, if it is to be sent now; else None."""
    if not due.kind.is_to_reader:
        return None
    try:
        decision = mail.plan(context, due)
    except Exception as error:  # a damaged log, which its handler reports
        if unavailable(error):
            raise
        return None
    return decision if isinstance(decision, Send) else None


def _failure_asked(context: WorkerContext, due: DueNotice) -> list[_Asked]:
    player = due.recipient
    if player is None or player.email is None:
        return []
    query = context.container.addresses.failing.find_query(player.email)
    return [(query, partial(setattr, due, "address_failure"))]


def _reservation_asked(context: WorkerContext, due: DueNotice) -> list[_Asked]:
    claim, holder = context.container.deferred_notices.reserve_queries(due.notice.recipient, due.id)
    return [(claim, _do_nothing), (holder, partial(setattr, due, "visit_notice"))]


def _do_nothing(result: object) -> None:
    """Do nothing: reading the result has already put it into the cache."""

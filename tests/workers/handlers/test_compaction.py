"""Finished games are compacted when their time has come, and are read as before."""

from service.eventlog import notice_id
from service.games.notices import COMPACT_AFTER
from tests.support.clock import Clock
from tests.workers.delivering import deliver
from tests.workers.match import begin
from workers.context import WorkerContext


def test_a_finished_game_is_packed_a_week_after_its_end(
    context: WorkerContext, clock: Clock
) -> None:
    match = begin(context)
    over = context.container.games.resign(match.id, match.bob)
    record = context.container.games.history.lines(over, None)
    pack = notice_id(match.id, over.version, "server", "log", "pack")
    assert dict(context.container.log.outbox.pending())[pack] == clock.time + COMPACT_AFTER

    assert deliver(context, pack) == "compacted"

    assert context.container.games.history.lines(over, None) == record
    assert context.container.games.load(match.id) == over
    assert pack not in match.due()
    (log_key,) = context.container.redis.scan_iter(f"*{match.id}:*")
    assert context.container.redis.type(log_key) == "string"


def test_packing_twice_is_in_order(context: WorkerContext) -> None:
    match = begin(context)
    over = context.container.games.resign(match.id, match.bob)
    pack = notice_id(match.id, over.version, "server", "log", "pack")
    assert (deliver(context, pack), deliver(context, pack)) == ("compacted", "compacted")


def test_a_log_that_is_not_the_one_meant_is_left_alone(context: WorkerContext) -> None:
    match = begin(context)
    gone = notice_id(match.id, match.now().version + 1, "server", "log", "pack")
    assert deliver(context, gone) == "dropped"
    match.play("R4@3")

"""Finished games are packed when their time has come, and are read as before."""

from service.eventlog import notice_id
from service.games.notifications import PACK_AFTER
from tests.service.clock import Clock
from tests.workers.conftest import begin
from workers.context import Office
from workers.handlers.deliver import deliver


def test_a_finished_game_is_packed_a_week_after_its_end(office: Office, clock: Clock) -> None:
    match = begin(office)
    over = office.games.resign(match.id, match.bob)
    record = office.games.events(over, None)
    pack = notice_id(match.id, over.version, "server", "log", "pack")
    assert dict(office.log.pending())[pack] == clock.time + PACK_AFTER

    assert deliver(office, pack) == "packed"

    assert office.games.events(over, None) == record
    assert office.games.load(match.id) == over
    assert pack not in match.due()
    (log_key,) = office.redis.scan_iter(f"*{match.id}:*")
    assert office.redis.type(log_key) == "string"


def test_packing_twice_is_in_order(office: Office) -> None:
    match = begin(office)
    over = office.games.resign(match.id, match.bob)
    pack = notice_id(match.id, over.version, "server", "log", "pack")
    assert (deliver(office, pack), deliver(office, pack)) == ("packed", "packed")


def test_a_log_that_is_not_the_one_meant_is_left_alone(office: Office) -> None:
    match = begin(office)
    gone = notice_id(match.id, match.now().version + 1, "server", "log", "pack")
    assert deliver(office, gone) == "dropped"
    match.play("R4@3")

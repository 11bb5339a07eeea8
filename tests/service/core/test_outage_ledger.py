"""The server's own outages, by the signs of life of web and worker."""

import json

import pytest

from service.core.heartbeat import (
    FRESH,
    JUMP,
    LASTING_KEYS,
    LIFE,
    MOST,
    PERIOD,
    RETRY,
    SILENCE,
    Liveness,
    Outage,
    OutageLedger,
)
from service.core.redis.client import Client
from tests.support.clock import NOON, Machine

T = int(NOON)
STEP = 10.0
"""Seconds between the signs of life in these tests."""


class TwoProcesses:
    """Web and worker on one machine."""

    def __init__(self, redis: Client) -> None:
        self.redis = redis
        self.machine = Machine()
        self.start()

    def start(self) -> None:
        """New processes, as after a start of the server."""
        clocks = self.machine.clock, self.machine.monotonic
        self.web = OutageLedger(self.redis, *clocks)
        self.worker = OutageLedger(self.redis, *clocks)

    def heartbeat(self) -> None:
        self.web.record_heartbeat("web")
        self.worker.record_heartbeat("worker")

    def run(self, seconds: float, web: bool = True, worker: bool = True) -> None:
        """Be well for some time, the one or the other maybe not."""
        end = self.machine.clock.time + seconds
        while self.machine.clock.time < end:
            self.machine.run(STEP)
            if web:
                self.web.record_heartbeat("web")
            if worker:
                self.worker.record_heartbeat("worker")

    def liveness(self) -> Liveness:
        return self.web.liveness()

    def outages(self) -> list[Outage]:
        return list(self.liveness().outages)


@pytest.fixture
def server(redis: Client) -> TwoProcesses:
    """A server that has just come up."""
    server = TwoProcesses(redis)
    server.heartbeat()
    return server


def test_a_server_that_was_never_watched_counts_as_attended(redis: Client) -> None:
    assert TwoProcesses(redis).liveness() == Liveness(True, (), None)


def test_a_server_that_is_well_has_no_outages(server: TwoProcesses) -> None:
    server.run(3600)
    assert server.liveness() == Liveness(True, (), None)
    assert server.worker.unapplied() == []


@pytest.mark.parametrize(("web", "worker"), [(False, True), (True, False), (False, False)])
def test_silence_of_either_is_an_outage(server: TwoProcesses, web: bool, worker: bool) -> None:
    server.run(600, web, worker)
    going_on = server.liveness()
    assert (going_on.fresh, going_on.outages) == (False, ())
    assert going_on.ongoing_outage == Outage(T, T + 600)
    server.heartbeat()
    assert server.liveness() == Liveness(True, (Outage(T, T + 600),), None)


def test_a_restart_is_no_outage(server: TwoProcesses) -> None:
    server.machine.run(SILENCE)
    server.start()
    server.heartbeat()
    assert server.outages() == []
    server.machine.run(SILENCE + 1)
    server.start()
    server.heartbeat()
    assert server.outages() == [Outage(T + 60, T + 121)]


def test_outages_that_overlap_become_one(server: TwoProcesses) -> None:
    server.run(100, web=False)
    server.run(200, web=False, worker=False)
    server.web.record_heartbeat("web")
    server.run(50, worker=False)
    server.worker.record_heartbeat("worker")
    assert server.outages() == [Outage(T, T + 350)]


def test_a_sign_that_is_sent_twice_ends_no_outage_twice(server: TwoProcesses) -> None:
    server.machine.run(600)
    server.heartbeat()
    server.heartbeat()
    assert server.outages() == [Outage(T, T + 600)]


def test_one_process_of_several_that_stops_is_no_outage(server: TwoProcesses) -> None:
    second = OutageLedger(server.redis, server.machine.clock, server.machine.monotonic)
    second.record_heartbeat("web")
    server.run(600)
    second.record_heartbeat("web")
    assert server.outages() == []


@pytest.mark.parametrize("ahead", [JUMP, 30, 3600, 365 * 86400])
def test_a_clock_set_ahead_is_an_outage(server: TwoProcesses, ahead: int) -> None:
    server.run(20)
    server.machine.run(3)
    server.machine.set_clock(ahead)
    noticed = server.liveness()  # before the next sign of life
    assert not noticed.fresh
    assert noticed.ongoing_outage == Outage(T + (20 if ahead > SILENCE else 23), T + 23 + ahead)
    server.heartbeat()
    begin = server.outages()[0].begin
    assert begin in (T + 20, T + 23)
    assert server.liveness() == Liveness(True, (Outage(begin, T + 23 + int(ahead)),), None)
    server.run(600)
    assert len(server.outages()) == 1


def test_a_clock_that_is_a_little_off_is_no_outage(server: TwoProcesses) -> None:
    for step in (4.9, -4.9, 4.9):
        server.run(60)
        server.machine.set_clock(step)
    server.run(60)
    assert server.liveness() == Liveness(True, (), None)


def test_a_machine_that_sleeps_is_an_outage(server: TwoProcesses) -> None:
    server.run(20)
    server.machine.suspend(45)
    server.heartbeat()
    assert server.outages() == [Outage(T + 20, T + 65)]


@pytest.mark.parametrize("back", [10, 600, 86400])
def test_a_clock_set_back_is_no_outage_and_watched_on(server: TwoProcesses, back: int) -> None:
    server.run(1200)
    server.machine.set_clock(-back)
    server.heartbeat()
    assert server.outages() == []
    server.run(120)
    assert server.liveness() == Liveness(True, (), None)
    began = int(server.machine.clock.time)
    server.machine.run(300)
    server.heartbeat()
    assert server.outages() == [Outage(began, began + 300)]


def test_a_machine_that_starts_in_the_past_loses_only_the_time_it_was_away(
    server: TwoProcesses,
) -> None:
    server.run(1200)
    server.machine.set_clock(300 - server.machine.clock.time)  # the clock has lost its battery
    server.start()
    server.heartbeat()
    server.run(30)
    server.machine.set_clock(T + 1800 - server.machine.clock.time)
    server.heartbeat()
    assert server.outages() == [Outage(T + 1200, T + 1800)]


def test_a_clock_set_back_and_then_ahead_is_an_outage_from_where_it_was(
    server: TwoProcesses,
) -> None:
    """What passed once before it was set back may have been a pause for a game: it counts anew."""
    server.run(1200)
    server.machine.set_clock(-900)
    server.run(60)
    server.machine.set_clock(3600)
    server.heartbeat()
    assert server.outages() == [Outage(T + 360, T + 3960)]


def test_two_machines_whose_clocks_differ_have_no_outages(server: TwoProcesses) -> None:
    ahead = Machine(NOON + 300)
    elsewhere = OutageLedger(server.redis, ahead.clock, ahead.monotonic)
    elsewhere.record_heartbeat("web")  # a new machine: the time until its clock counts once
    before = server.outages()
    for _ in range(30):
        server.run(STEP)
        ahead.run(STEP)
        elsewhere.record_heartbeat("web")
    assert server.outages() == before


def test_a_silence_of_redis_is_one_of_the_server(server: TwoProcesses) -> None:
    """A sign that was sent before and arrives after does not hide the time in between."""
    server.run(20)
    sent = server.machine.clock.time
    server.heartbeat()
    server.machine.run(300)
    server.heartbeat()
    assert server.outages() == [Outage(int(sent), int(sent) + 300)]


class TestGivingBack:
    def test_what_was_given_is_given_once(self, server: TwoProcesses) -> None:
        server.run(600, worker=False)
        assert server.worker.unapplied() == []  # it goes on
        server.heartbeat()
        (outage,) = server.worker.unapplied()
        server.worker.mark_applied([outage])
        assert server.worker.unapplied() == []

    def test_one_that_grows_is_given_again(self, server: TwoProcesses) -> None:
        server.run(600, web=False, worker=False)
        server.heartbeat()
        server.worker.mark_applied(server.worker.unapplied())
        server.machine.set_clock(900)
        server.heartbeat()
        assert server.worker.unapplied() == [Outage(T, T + 1500)]

    def test_none_is_given_while_another_goes_on(self, server: TwoProcesses) -> None:
        server.run(600, web=False, worker=False)
        server.worker.record_heartbeat("worker")
        assert server.worker.unapplied() == []


class TestWhatIsKept:
    def test_so_many_at_most(self, server: TwoProcesses) -> None:
        for _ in range(MOST + 20):
            server.machine.run(100)
            server.heartbeat()
            server.machine.run(10)
            server.heartbeat()
        found = server.outages()
        assert len(found) == MOST
        assert found[-1].end == server.machine.clock.time - 10
        server.worker.mark_applied(found)
        server.machine.run(1000)
        server.heartbeat()
        server.worker.mark_applied([])
        assert server.redis.hlen("st:{outages}:given") == MOST - 1

    def test_so_long_at_most(self, server: TwoProcesses) -> None:
        server.machine.run(100)
        server.heartbeat()
        server.run(STEP)
        server.machine.run(LIFE)
        server.heartbeat()
        assert server.outages() == [Outage(T + 110, T + 110 + int(LIFE))]

    def test_a_backup_can_hold_it(self, server: TwoProcesses) -> None:
        server.machine.run(100.25)
        server.heartbeat()
        last, ledger = LASTING_KEYS
        for kind in (last, ledger):
            assert kind.is_name(kind.scan)
            stored = server.redis.hgetall(kind.scan)
            assert kind.problem("hash", json.loads(json.dumps(stored))) is None
        assert server.web.last_heartbeat() == T + 100


def test_the_processes_of_a_role_share_their_signs(server: TwoProcesses, redis: Client) -> None:
    clocks = server.machine.clock, server.machine.monotonic
    others = [OutageLedger(redis, *clocks) for _ in range(3)]
    server.machine.run(PERIOD)
    server.heartbeat()

    before = redis.info("commandstats")["cmdstat_hset"]["calls"]
    for other in others:
        server.machine.run(1)
        other.record_heartbeat("web")

    assert redis.info("commandstats")["cmdstat_hset"]["calls"] == before


def test_the_sign_of_another_process_will_do_for_so_long_only(
    server: TwoProcesses, redis: Client
) -> None:
    other = OutageLedger(redis, server.machine.clock, server.machine.monotonic)
    other.record_heartbeat("web")
    server.machine.run(FRESH)
    other.record_heartbeat("web")
    server.machine.run(SILENCE)

    assert server.liveness().ongoing_outage == Outage(T, int(T + FRESH + SILENCE))  # the worker's
    server.worker.record_heartbeat("worker")
    assert server.liveness().ongoing_outage is None


def test_a_missing_sign_is_no_outage() -> None:
    assert FRESH + PERIOD <= SILENCE
    assert PERIOD + 2 * RETRY < SILENCE

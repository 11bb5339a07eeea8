"""The server's own outages, by the signs of life of web and worker."""

import json

import pytest

from service.core.outage_ledger import (
    FRESH,
    JUMP,
    KEPT,
    LASTING_KEYS,
    MOST,
    PERIOD,
    RETRY,
    SILENCE,
    Attendance,
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

    def beat(self) -> None:
        self.web.beat("web")
        self.worker.beat("worker")

    def run(self, seconds: float, web: bool = True, worker: bool = True) -> None:
        """Be well for some time, the one or the other maybe not."""
        end = self.machine.clock.time + seconds
        while self.machine.clock.time < end:
            self.machine.run(STEP)
            if web:
                self.web.beat("web")
            if worker:
                self.worker.beat("worker")

    def attendance(self) -> Attendance:
        return self.web.attendance()

    def outages(self) -> list[Outage]:
        return list(self.attendance().outages)


@pytest.fixture
def server(redis: Client) -> TwoProcesses:
    """A server that has just come up."""
    server = TwoProcesses(redis)
    server.beat()
    return server


def test_a_server_that_was_never_watched_counts_as_attended(redis: Client) -> None:
    assert TwoProcesses(redis).attendance() == Attendance(True, (), None)


def test_a_server_that_is_well_has_no_outages(server: TwoProcesses) -> None:
    server.run(3600)
    assert server.attendance() == Attendance(True, (), None)
    assert server.worker.to_give() == []


@pytest.mark.parametrize(("web", "worker"), [(False, True), (True, False), (False, False)])
def test_silence_of_either_is_an_outage(server: TwoProcesses, web: bool, worker: bool) -> None:
    server.run(600, web, worker)
    going_on = server.attendance()
    assert (going_on.fresh, going_on.outages) == (False, ())
    assert going_on.ongoing_outage == Outage(T, T + 600)
    server.beat()
    assert server.attendance() == Attendance(True, (Outage(T, T + 600),), None)


def test_a_restart_is_no_outage(server: TwoProcesses) -> None:
    server.machine.run(SILENCE)
    server.start()
    server.beat()
    assert server.outages() == []
    server.machine.run(SILENCE + 1)
    server.start()
    server.beat()
    assert server.outages() == [Outage(T + 60, T + 121)]


def test_outages_that_overlap_become_one(server: TwoProcesses) -> None:
    server.run(100, web=False)
    server.run(200, web=False, worker=False)
    server.web.beat("web")
    server.run(50, worker=False)
    server.worker.beat("worker")
    assert server.outages() == [Outage(T, T + 350)]


def test_a_sign_that_is_sent_twice_ends_no_outage_twice(server: TwoProcesses) -> None:
    server.machine.run(600)
    server.beat()
    server.beat()
    assert server.outages() == [Outage(T, T + 600)]


def test_one_process_of_several_that_stops_is_no_outage(server: TwoProcesses) -> None:
    second = OutageLedger(server.redis, server.machine.clock, server.machine.monotonic)
    second.beat("web")
    server.run(600)
    second.beat("web")
    assert server.outages() == []


@pytest.mark.parametrize("ahead", [JUMP, 30, 3600, 365 * 86400])
def test_a_clock_set_ahead_is_an_outage(server: TwoProcesses, ahead: int) -> None:
    server.run(20)
    server.machine.run(3)
    server.machine.set_clock(ahead)
    noticed = server.attendance()  # before the next sign of life
    assert not noticed.fresh
    assert noticed.ongoing_outage == Outage(T + (20 if ahead > SILENCE else 23), T + 23 + ahead)
    server.beat()
    begin = server.outages()[0].begin
    assert begin in (T + 20, T + 23)
    assert server.attendance() == Attendance(True, (Outage(begin, T + 23 + int(ahead)),), None)
    server.run(600)
    assert len(server.outages()) == 1


def test_a_clock_that_is_a_little_off_is_no_outage(server: TwoProcesses) -> None:
    for step in (4.9, -4.9, 4.9):
        server.run(60)
        server.machine.set_clock(step)
    server.run(60)
    assert server.attendance() == Attendance(True, (), None)


def test_a_machine_that_sleeps_is_an_outage(server: TwoProcesses) -> None:
    server.run(20)
    server.machine.suspend(45)
    server.beat()
    assert server.outages() == [Outage(T + 20, T + 65)]


@pytest.mark.parametrize("back", [10, 600, 86400])
def test_a_clock_set_back_is_no_outage_and_watched_on(server: TwoProcesses, back: int) -> None:
    server.run(1200)
    server.machine.set_clock(-back)
    server.beat()
    assert server.outages() == []
    server.run(120)
    assert server.attendance() == Attendance(True, (), None)
    began = int(server.machine.clock.time)
    server.machine.run(300)
    server.beat()
    assert server.outages() == [Outage(began, began + 300)]


def test_a_machine_that_starts_in_the_past_loses_only_the_time_it_was_away(
    server: TwoProcesses,
) -> None:
    server.run(1200)
    server.machine.set_clock(300 - server.machine.clock.time)  # the clock has lost its battery
    server.start()
    server.beat()
    server.run(30)
    server.machine.set_clock(T + 1800 - server.machine.clock.time)
    server.beat()
    assert server.outages() == [Outage(T + 1200, T + 1800)]


def test_a_clock_set_back_and_then_ahead_is_an_outage_from_where_it_was(
    server: TwoProcesses,
) -> None:
    """What passed once before it was set back may have been a pause for a game: it counts anew."""
    server.run(1200)
    server.machine.set_clock(-900)
    server.run(60)
    server.machine.set_clock(3600)
    server.beat()
    assert server.outages() == [Outage(T + 360, T + 3960)]


def test_two_machines_whose_clocks_differ_have_no_outages(server: TwoProcesses) -> None:
    ahead = Machine(NOON + 300)
    elsewhere = OutageLedger(server.redis, ahead.clock, ahead.monotonic)
    elsewhere.beat("web")  # a new machine: the time until its clock counts once
    before = server.outages()
    for _ in range(30):
        server.run(STEP)
        ahead.run(STEP)
        elsewhere.beat("web")
    assert server.outages() == before


def test_a_silence_of_redis_is_one_of_the_server(server: TwoProcesses) -> None:
    """A sign that was sent before and arrives after does not hide the time in between."""
    server.run(20)
    sent = server.machine.clock.time
    server.beat()
    server.machine.run(300)
    server.beat()
    assert server.outages() == [Outage(int(sent), int(sent) + 300)]


class TestGivingBack:
    def test_what_was_given_is_given_once(self, server: TwoProcesses) -> None:
        server.run(600, worker=False)
        assert server.worker.to_give() == []  # it goes on
        server.beat()
        (outage,) = server.worker.to_give()
        server.worker.mark_given([outage])
        assert server.worker.to_give() == []

    def test_one_that_grows_is_given_again(self, server: TwoProcesses) -> None:
        server.run(600, web=False, worker=False)
        server.beat()
        server.worker.mark_given(server.worker.to_give())
        server.machine.set_clock(900)
        server.beat()
        assert server.worker.to_give() == [Outage(T, T + 1500)]

    def test_none_is_given_while_another_goes_on(self, server: TwoProcesses) -> None:
        server.run(600, web=False, worker=False)
        server.worker.beat("worker")
        assert server.worker.to_give() == []


class TestWhatIsKept:
    def test_so_many_at_most(self, server: TwoProcesses) -> None:
        for _ in range(MOST + 20):
            server.machine.run(100)
            server.beat()
            server.machine.run(10)
            server.beat()
        found = server.outages()
        assert len(found) == MOST
        assert found[-1].end == server.machine.clock.time - 10
        server.worker.mark_given(found)
        server.machine.run(1000)
        server.beat()
        server.worker.mark_given([])
        assert server.redis.hlen("st:{outages}:given") == MOST - 1

    def test_so_long_at_most(self, server: TwoProcesses) -> None:
        server.machine.run(100)
        server.beat()
        server.run(STEP)
        server.machine.run(KEPT)
        server.beat()
        assert server.outages() == [Outage(T + 110, T + 110 + int(KEPT))]

    def test_a_backup_can_hold_it(self, server: TwoProcesses) -> None:
        server.machine.run(100.25)
        server.beat()
        last, ledger = LASTING_KEYS
        for kind in (last, ledger):
            assert kind.is_name(kind.scan)
            stored = server.redis.hgetall(kind.scan)
            assert kind.problem("hash", json.loads(json.dumps(stored))) is None
        assert server.web.last_sign() == T + 100


def test_the_processes_of_a_role_share_their_signs(server: TwoProcesses, redis: Client) -> None:
    clocks = server.machine.clock, server.machine.monotonic
    others = [OutageLedger(redis, *clocks) for _ in range(3)]
    server.machine.run(PERIOD)
    server.beat()

    before = redis.info("commandstats")["cmdstat_hset"]["calls"]
    for other in others:
        server.machine.run(1)
        other.beat("web")

    assert redis.info("commandstats")["cmdstat_hset"]["calls"] == before


def test_the_sign_of_another_process_will_do_for_so_long_only(
    server: TwoProcesses, redis: Client
) -> None:
    other = OutageLedger(redis, server.machine.clock, server.machine.monotonic)
    other.beat("web")
    server.machine.run(FRESH)
    other.beat("web")
    server.machine.run(SILENCE)

    assert server.attendance().ongoing_outage == Outage(T, int(T + FRESH + SILENCE))  # the worker's
    server.worker.beat("worker")
    assert server.attendance().ongoing_outage is None


def test_a_missing_sign_is_no_outage() -> None:
    assert FRESH + PERIOD <= SILENCE
    assert PERIOD + 2 * RETRY < SILENCE

"""From what falls due to jobs in the queue, and to what the jobs do."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from redis import Redis
from rq import Queue
from rq.job import Job

from service.core.heartbeat import Heartbeat
from service.core.redis.client import Client
from service.eventlog import Notice, notice_id, parse_notice_id
from service.eventlog.keys import BUCKETS, bucket_of
from service.games import NewGame, StoredGame
from service.mail.mailbox import Mailbox
from service.ops.queue import (
    CHANNELS,
    FORMER,
    MAIL,
    PLAY,
    QUEUES,
    SLOW_CHANNELS,
    queue_named,
)
from tests.support.clock import Clock
from tests.support.servers import Server
from tests.support.worker import do_jobs
from tests.workers.match import Match, begin, registered
from workers import jobs, relay
from workers.context import WorkerContext
from workers.leases import LEASE, LONGEST_JOB
from workers.queue import JobQueue, Worker, forget_former_queue
from workers.relay import BACKLOG, JobQueues, Relay

DAY = 24 * 3600


@pytest.fixture
def queue_redis(redis: Client, redis_server: Server) -> Redis:
    """The queue's client of the server that `redis` has emptied."""
    return Redis.from_url(redis_server.url)


@pytest.fixture
def the_relay(context: WorkerContext, queue_redis: Redis, redis: Client, clock: Clock) -> Relay:
    heartbeat = Heartbeat(redis, clock)
    queues = JobQueues(*(JobQueue(queue_redis, name, 30) for name in QUEUES))
    built = context.container
    return Relay(built.log, built.sending, context.leases, queues, heartbeat, "worker-1", clock)


@pytest.fixture
def worked(context: WorkerContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are done with this test's context and clock."""
    monkeypatch.setattr(jobs, "get_context", lambda: context)


def queued(queue_redis: Redis, queue: str = MAIL) -> list[Job]:
    return cast(list[Job], queue_named(queue, queue_redis).jobs)  # type: ignore[redundant-cast]


def work(queue_redis: Redis, queue: str = MAIL) -> list[str]:
    """Do the queued jobs; what each told."""
    waiting = queued(queue_redis, queue)
    do_jobs(queue_redis, queue)
    return [str(job.return_value(refresh=True)) for job in waiting]


def test_a_due_notice_becomes_one_job(
    the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock
) -> None:
    match.play("R4@3")
    (notice,) = match.due()

    assert the_relay.look() == 1
    assert the_relay.look() == 0

    (job,) = queued(queue_redis)
    assert job.func_name == "workers.jobs.deliver_notices"
    assert list(job.args) == [[notice], clock.time + LEASE]


def test_a_job_that_was_lost_falls_due_again(
    the_relay: Relay,
    match: Match,
    queue_redis: Redis,
    clock: Clock,
    mailbox: Mailbox,
    worked: None,
) -> None:
    match.play("R4@3")
    the_relay.look()
    queue_redis.delete(*[job.key for job in queued(queue_redis)], f"rq:queue:{MAIL}")

    clock.time += LEASE
    assert the_relay.look() == 1

    assert work(queue_redis) == ["sent"]
    assert len(mailbox.newest()) == 1
    assert match.due() == []


def test_a_job_whose_claim_has_passed_on_leaves_it_to_the_next(
    the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    match.play("R4@3")
    the_relay.look()
    clock.time += LEASE
    the_relay.look()
    clock.time += 1

    assert work(queue_redis) == ["passed on", "sent"]


def test_a_job_that_waited_beyond_its_lease_is_done_where_nobody_else_has_claimed_it(
    the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    match.play("R4@3")
    the_relay.look()
    clock.time += 10 * LEASE

    assert work(queue_redis) == ["sent"]


def test_the_lease_of_a_job_is_renewed_for_as_long_as_it_runs(
    the_relay: Relay, match: Match, context: WorkerContext, clock: Clock
) -> None:
    match.play("R4@3")
    (notice,) = context.container.log.outbox.claim(1, LEASE)
    renew = context.container.log.outbox.renew

    with context.leases.hold(renew, [notice], clock.time + LEASE) as held:
        assert held.claims == [notice]
        begun = clock.time
        while clock.time < begun + LONGEST_JOB:
            clock.time += LEASE / 3
            context.leases.renew()
            assert context.container.log.outbox.claim(1, LEASE) == []
        clock.time += LEASE  # a job that runs longer is stuck
        context.leases.renew()
        assert context.container.log.outbox.claim(1, LEASE) == [notice]


def test_a_finished_or_postponed_notice_is_held_no_more(
    match: Match, context: WorkerContext
) -> None:
    match.play("R4@3")
    (notice,) = context.container.log.outbox.claim(1, LEASE)
    held_until = context.container.now() + LEASE
    context.container.log.outbox.postpone(notice, context.container.now() + 600)
    assert not context.container.log.outbox.renew([notice], held_until, held_until + LEASE)
    context.container.log.outbox.finish(notice)
    assert not context.container.log.outbox.renew(
        [notice], context.container.now() + 600, held_until
    )
    assert match.due() == []


def test_a_job_that_the_client_library_sends_twice_is_queued_once(
    queue_redis: Redis, clock: Clock
) -> None:
    queue = JobQueue(queue_redis, MAIL, 30)

    queue.enqueue("deliver", "g.1.p.mail.turn", clock.time)
    queue.enqueue("deliver", "g.1.p.mail.turn", clock.time)

    assert queue.length() == 1


def fill(queue_redis: Redis, queue: str, clock: Clock) -> None:
    queue = JobQueue(queue_redis, queue, 30)
    for number in range(BACKLOG):
        queue.enqueue("deliver", f"g.{number}.p.mail.turn", clock.time)  # type: ignore[attr-defined]


def test_no_more_is_claimed_than_there_is_room_for(
    the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock
) -> None:
    match.play("R4@3")
    fill(queue_redis, MAIL, clock)

    assert the_relay.look() == 0


def test_mail_that_piles_up_holds_up_neither_bots_nor_clocks(
    the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    match = begin(context, clock={"days_per_move": 1})
    clock.time += DAY
    for number in range(300):  # all due before the bot's turn
        notice = notice_id(match.id, number + 1, match.bob, "mail", "turn")
        context.container.log.outbox.add(Notice(notice, clock.time - 10))
    fill(queue_redis, MAIL, clock)
    cleo = registered(context, "Cleo")
    wanted = NewGame(bot="steward", first_player="opponent")
    against_bot = context.container.games.create(cleo, wanted).id

    the_relay.look()

    assert work(queue_redis, PLAY) == ["timed-out", "played"]
    assert timed_out(match)
    assert context.container.games.load(against_bot).player_to_move() == cleo


def test_all_buckets_are_served_in_turn(context: WorkerContext, clock: Clock) -> None:
    games = [f"game{number:03}" for number in range(400)]
    for game in games:
        context.container.log.outbox.add(
            Notice(notice_id(game, 1, "p", "mail", "turn"), clock.time)
        )

    looks = [
        {
            bucket_of(parse_notice_id(notice).game)
            for notice in context.container.log.outbox.claim(16, LEASE)
        }
        for _ in range(BUCKETS // 16)
    ]

    assert set.union(*looks) == {bucket_of(game) for game in games}


def timed_out(match: Match) -> StoredGame:
    stored = match.now()
    assert stored.game.over
    return stored


def test_a_player_out_of_time_loses_by_the_clock(
    the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    match = begin(context, clock={"days_per_move": 1})
    clock.time += DAY

    the_relay.look()
    assert work(queue_redis, PLAY) == ["timed-out"]

    stored = timed_out(match)
    assert (stored.game.winner, stored.game.reason) == ("south", "time-out")
    line = context.container.games.history.lines(stored, None)[-3]
    assert (line["type"], line["via"]) == ("timed_out", "clock")


def test_a_player_who_moves_at_the_last_moment_does_not_lose(
    the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    match = begin(context, clock={"days_per_move": 1})
    clock.time += DAY
    the_relay.look()
    clock.time -= 1  # the clock of the web process is a little behind
    match.play("R4@3")

    assert work(queue_redis, PLAY) == ["passed on"]
    assert not match.now().game.over


def test_the_relay_gives_signs_of_life(
    the_relay: Relay, redis: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_once(the_relay, monkeypatch)
    clock.time += 7

    assert Heartbeat(redis, clock).ages() == {"worker-1": 7}


def test_the_relay_survives_any_trouble(
    the_relay: Relay, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> int:
        raise ConnectionError("Redis is away")

    monkeypatch.setattr(the_relay, "look", fail)
    run_once(the_relay, monkeypatch)

    assert "Redis is away" in caplog.text


def run_once(the_relay: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run until the relay would pause for the first time."""
    stop = threading.Event()
    monkeypatch.setattr(stop, "wait", lambda period: stop.set())
    the_relay.run(stop)


def test_a_worker_long_silent_is_forgotten(redis: Client, clock: Clock) -> None:
    heartbeat = Heartbeat(redis, clock)
    heartbeat.beat("old")
    clock.time += 2 * 3600
    heartbeat.beat("new")
    assert heartbeat.ages() == {"new": 0}

    heartbeat.stop("new")
    assert heartbeat.ages() == {}


class TestLanes:
    """On players' channels, whoever may hang has threads of their own."""

    def notice(self, number: int, player: str, kind: str = "turn") -> str:
        return notice_id("a" * 20, number, player, "webhook-ab2cd3ef", kind)

    def lanes(self, queue_redis: Redis) -> list[list[str]]:
        queues = [queued(queue_redis, name) for name in (CHANNELS, SLOW_CHANNELS)]
        return [[job.args[0][0] for job in jobs] for jobs in queues]

    def test_tests_and_receivers_that_took_long_go_by_the_slow_lane(
        self, the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock
    ) -> None:
        sending, slow, quick = context.container.sending, "s" * 16, "q" * 16
        sending.note_time(slow, 9.0)
        sending.note_time(slow, 0.1)  # which clears nothing
        sending.note_time(quick, 0.1)
        test = notice_id(quick, 1, quick, "webhook-qq2cd3ef", "test")
        for notice in (self.notice(1, slow), self.notice(2, quick), test):
            context.container.log.outbox.add(Notice(notice, clock.time))
        assert the_relay.look() == 3
        fast, other = self.lanes(queue_redis)
        assert fast == [self.notice(2, quick)]
        assert sorted(other) == sorted([self.notice(1, slow), test])

    def test_a_slow_lane_that_is_full_leaves_room_in_the_other(
        self, the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock
    ) -> None:
        quick, slow = "q" * 16, [f"{number:016}".replace("0", "a") for number in range(BACKLOG + 9)]
        for player in slow:
            context.container.sending.note_time(player, 9.0)
        for number, player in enumerate([*slow, quick], 1):
            context.container.log.outbox.add(Notice(self.notice(number, player), clock.time))
        the_relay.look()
        fast, other = self.lanes(queue_redis)
        assert fast == [self.notice(BACKLOG + 10, quick)]
        assert len(other) == BACKLOG
        assert min(one.due for one in context.container.log.outbox.pending()) > clock.time

    def test_whoever_has_a_thousand_messages_on_a_channel_waits_for_their_own(
        self, the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock
    ) -> None:
        outbox = context.container.log.outbox
        for number in range(1, 41):
            outbox.add(Notice(self.notice(number, "p" * 16), clock.time))
        outbox.add(Notice(self.notice(1, "q" * 16), clock.time))
        the_relay.look()
        fast, _ = self.lanes(queue_redis)
        assert sorted(parse_notice_id(one).recipient for one in fast) == ["p" * 16, "q" * 16]
        due = sorted(one.due - clock.time for one in outbox.pending())
        assert due[:3] == [0.5, 1.0, 1.5]
        assert due[38] == 19.5


def test_the_relay_looks_at_least_twice_a_second() -> None:
    assert relay.PERIOD <= 0.5


class TestForeignJobs:
    """What others, or an earlier version, put into the queues."""

    def hands(self, queue_redis: Redis, queue: str) -> Worker:
        return Worker(queue_redis, queue, threading.Event())

    @pytest.mark.parametrize("queue", QUEUES)
    def test_a_pickle_is_dropped_unread(
        self, queue_redis: Redis, queue: str, tmp_path: Path, worked: None
    ) -> None:
        trace = tmp_path / "trace"
        Queue(queue, connection=queue_redis).enqueue("os.mkdir", str(trace))
        Queue(queue, connection=queue_redis).enqueue(Evil(str(trace)))
        queue_named(queue, queue_redis).enqueue("os.mkdir", str(trace))

        self.hands(queue_redis, queue).work(burst=True, logging_level="CRITICAL")

        assert not trace.exists()
        assert list(queue_redis.scan_iter("rq:job:*")) == []
        assert queue_redis.exists(f"rq:queue:{queue}", f"rq:queue:{queue}:intermediate") == 0

    def test_what_an_earlier_version_queued_is_dropped_unread_and_due_again(
        self, the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock, worked: None
    ) -> None:
        match.play("R4@3")
        (notice,) = match.context.container.log.outbox.claim(1, LEASE)
        former = Queue(FORMER, connection=queue_redis)
        former.enqueue("workers.jobs.deliver", notice, clock.time + LEASE, unique=True, job_id="x")

        forget_former_queue(queue_redis)

        assert former.count == 0
        assert list(queue_redis.scan_iter("rq:job:*")) == []
        clock.time += LEASE
        the_relay.look()
        assert work(queue_redis) == ["sent"]


class Evil:
    """Does something as soon as it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (self.path,)

    def __call__(self) -> None:
        """Never reached."""

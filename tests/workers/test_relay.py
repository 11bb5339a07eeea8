"""From what falls due to jobs in the queue, and to what the jobs do."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import pytest
from redis import Redis
from redis.exceptions import TimeoutError  # noqa: A004

from service.core.heartbeat import Heartbeat
from service.core.redis.client import Client, connect
from service.eventlog import Notice, notice_id, parse_notice_id
from service.eventlog.due_set import ASK_PERIOD, DueAt, DueNews, Missed, wake_listeners
from service.eventlog.keys import BUCKETS, bucket_of
from service.games import NewGame, StoredGame
from service.mail.mailbox import Mailbox
from service.ops.status import MAIL, PLAY, THINK
from tests.support.clock import Clock
from tests.support.servers import bundled_binary, running
from tests.support.waiting import PATIENCE, until
from tests.workers.jobs_in_queue import queued, work
from tests.workers.match import Match, begin, registered
from workers import relay
from workers.context import WorkerContext
from workers.leases import LEASE, LONGEST_JOB
from workers.queue import JobQueue
from workers.relay import BACKLOG, Relay

DAY = 24 * 3600


class Hub(NamedTuple):
    """A relay, its queue, and the use cases of its worker."""

    relay: Relay
    queue: Redis
    context: WorkerContext
    clock: Clock


@pytest.fixture
def hub(the_relay: Relay, queue_redis: Redis, context: WorkerContext, clock: Clock) -> Hub:
    return Hub(the_relay, queue_redis, context, clock)


def test_a_due_notice_becomes_one_job(the_relay: Relay, match: Match, queue_redis: Redis) -> None:
    match.play("R4@3")
    (notice,) = match.due()

    assert the_relay.poll() == 1
    assert the_relay.poll() == 0

    (job,) = queued(queue_redis)
    assert job.func_name == "workers.jobs.deliver_notices"
    assert list(job.args) == [[notice], match.clock.time + LEASE]


def test_a_job_that_was_lost_falls_due_again(
    hub: Hub, match: Match, mailbox: Mailbox, worked: None
) -> None:
    match.play("R4@3")
    hub.relay.poll()
    hub.queue.delete(*[job.key for job in queued(hub.queue)], f"rq:queue:{MAIL}")

    hub.clock.time += LEASE
    assert hub.relay.poll() == 1

    assert work(hub.queue) == ["sent"]
    assert len(mailbox.newest()) == 1
    assert match.due() == []


def test_a_job_whose_claim_has_passed_on_leaves_it_to_the_next(
    the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    match.play("R4@3")
    the_relay.poll()
    clock.time += LEASE
    the_relay.poll()
    clock.time += 1

    assert work(queue_redis) == ["passed on", "sent"]


def test_a_job_that_waited_beyond_its_lease_is_done_where_nobody_else_has_claimed_it(
    the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    match.play("R4@3")
    the_relay.poll()
    clock.time += 10 * LEASE

    assert work(queue_redis) == ["sent"]


def test_the_lease_of_a_job_is_renewed_for_as_long_as_it_runs(hub: Hub, match: Match) -> None:
    match.play("R4@3")
    (notice,) = hub.context.container.log.outbox.claim(1, LEASE)
    renew = hub.context.container.log.outbox.renew

    with hub.context.leases.hold(renew, [notice], hub.clock.time + LEASE) as held:
        assert held.claims == [notice]
        begun = hub.clock.time
        while hub.clock.time < begun + LONGEST_JOB:
            hub.clock.time += LEASE / 3
            hub.context.leases.renew()
            assert hub.context.container.log.outbox.claim(1, LEASE) == []
        hub.clock.time += LEASE  # a job that runs longer is stuck
        hub.context.leases.renew()
        assert hub.context.container.log.outbox.claim(1, LEASE) == [notice]


def test_a_finished_or_postponed_notice_is_held_no_more(match: Match) -> None:
    match.play("R4@3")
    (notice,) = match.context.container.log.outbox.claim(1, LEASE)
    held_until = match.context.container.now() + LEASE
    match.context.container.log.outbox.postpone(notice, match.context.container.now() + 600)
    assert not match.context.container.log.outbox.renew([notice], held_until, held_until + LEASE)
    match.context.container.log.outbox.finish(notice)
    assert not match.context.container.log.outbox.renew(
        [notice], match.context.container.now() + 600, held_until
    )
    assert match.due() == []


def test_a_job_that_the_client_library_sends_twice_is_queued_once(hub: Hub) -> None:
    queue = JobQueue(hub.queue, MAIL, 30)

    queue.enqueue("deliver", "g.1.p.mail.turn", hub.clock.time)
    queue.enqueue("deliver", "g.1.p.mail.turn", hub.clock.time)

    assert queue.length() == 1


def fill(queue_redis: Redis, queue: str, clock: Clock) -> None:
    queue = JobQueue(queue_redis, queue, 30)
    for number in range(BACKLOG):
        queue.enqueue("deliver", f"g.{number}.p.mail.turn", clock.time)  # type: ignore[attr-defined]


def test_no_more_is_claimed_than_there_is_room_for(hub: Hub, match: Match) -> None:
    match.play("R4@3")
    fill(hub.queue, MAIL, hub.clock)

    assert hub.relay.poll() == 0


def test_mail_that_piles_up_holds_up_neither_bots_nor_clocks(hub: Hub, worked: None) -> None:
    match = begin(hub.context, clock={"days_per_move": 1})
    hub.clock.time += DAY
    for number in range(300):  # all due before the bot's turn
        notice = notice_id(match.id, number + 1, match.bob, "mail", "turn")
        hub.context.container.log.outbox.add(Notice(notice, hub.clock.time - 10))
    fill(hub.queue, MAIL, hub.clock)
    cleo = registered(hub.context, "Cleo")
    wanted = NewGame(bot="steward", first_player="opponent")
    against_bot = hub.context.container.games.create(cleo, wanted).id

    hub.relay.poll()

    assert work(hub.queue, PLAY) == ["timed-out"]
    assert work(hub.queue, THINK) == ["played"]
    assert timed_out(match)
    assert hub.context.container.games.load(against_bot).player_to_move() == cleo


def test_all_buckets_are_served_in_turn(context: WorkerContext, clock: Clock) -> None:
    games = [f"game{number:03}" for number in range(400)]
    for game in games:
        context.container.log.outbox.add(
            Notice(notice_id(game, 1, "p", "mail", "turn"), clock.time)
        )

    looks = [
        {
            bucket_of(parse_notice_id(notice).subject)
            for notice in context.container.log.outbox.claim(16, LEASE)
        }
        for _ in range(BUCKETS // 16)
    ]

    assert set.union(*looks) == {bucket_of(game) for game in games}


def timed_out(match: Match) -> StoredGame:
    stored = match.now()
    assert stored.game.over
    return stored


def test_a_player_out_of_time_loses_by_the_clock(hub: Hub, worked: None) -> None:
    match = begin(hub.context, clock={"days_per_move": 1})
    hub.clock.time += DAY

    hub.relay.poll()
    assert work(hub.queue, PLAY) == ["timed-out"]

    stored = timed_out(match)
    assert (stored.game.winner, stored.game.reason) == ("south", "time-out")
    line = hub.context.container.games.history.lines(stored, None)[-3]
    assert (line["type"], line["via"]) == ("timed_out", "clock")


def test_a_player_who_moves_at_the_last_moment_does_not_lose(hub: Hub, worked: None) -> None:
    match = begin(hub.context, clock={"days_per_move": 1})
    hub.clock.time += DAY
    hub.relay.poll()
    hub.clock.time -= 1  # the clock of the web process is a little behind
    match.play("R4@3")

    assert work(hub.queue, PLAY) == ["passed on"]
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

    monkeypatch.setattr(the_relay, "poll", fail)
    run_once(the_relay, monkeypatch)

    assert "Redis is away" in caplog.text


def run_once(the_relay: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run until the relay would pause for the first time."""
    stop = threading.Event()
    monkeypatch.setattr(stop, "wait", lambda period: stop.set())
    the_relay.run(lambda: Scripted(stop, []), stop)


class Scripted(DueNews):
    """News by script: at each waiting the next step is done, and gives what is published then.

    Keeps how long each waiting was to be, and ends the relay after the last.
    """

    def __init__(self, stop: threading.Event, steps: Sequence[Callable[[], object]]) -> None:
        self.waits: list[float] = []
        self._stop = stop
        self._steps = list(steps)

    def __enter__(self) -> "Scripted":
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is open."""

    def wait(self, seconds: float) -> list[DueAt | Missed]:
        self.waits.append(seconds)
        if not self._steps:
            self._stop.set()
            return []
        told = self._steps.pop(0)()
        return [told] if isinstance(told, DueAt | Missed) else []


def test_a_worker_long_silent_is_forgotten(redis: Client, clock: Clock) -> None:
    heartbeat = Heartbeat(redis, clock)
    heartbeat.record("old")
    clock.time += 2 * 3600
    heartbeat.record("new")
    assert heartbeat.ages() == {"new": 0}

    heartbeat.stop("new")
    assert heartbeat.ages() == {}


def commands(redis: Client) -> int:
    """How many commands the server has got so far, without those of this question."""
    return int(redis.info("stats")["total_commands_processed"])


def test_the_relay_asks_for_nothing_while_nothing_is_due(
    the_relay: Relay, match: Match, context: WorkerContext, redis: Client, clock: Clock
) -> None:
    later = notice_id(match.id, 1, match.bob, "mail", "turn")
    context.container.log.outbox.add(Notice(later, clock.time + 3600))
    counts: list[int] = []
    stop = threading.Event()
    count = [lambda: counts.append(commands(redis))] * 10
    news = Scripted(stop, count)

    the_relay.run(lambda: news, stop)

    assert [after - before for before, after in pairwise(counts)] == [1] * 9
    assert news.waits == [relay.STOP_PERIOD] * 11


def test_the_relay_sleeps_until_the_next_notice_is_due(hub: Hub, match: Match) -> None:
    soon = notice_id(match.id, 1, match.bob, "mail", "turn")
    hub.context.container.log.outbox.add(Notice(soon, hub.clock.time + 0.75))
    stop = threading.Event()

    def pass_time() -> None:
        assert queued(hub.queue) == []
        hub.clock.time += news.waits[-1]

    news = Scripted(stop, [pass_time])
    hub.relay.run(lambda: news, stop)

    assert news.waits[0] == 0.75
    assert [job.args[0] for job in queued(hub.queue)] == [[soon]]


def test_what_is_published_is_claimed_without_another_look(
    the_relay: Relay, match: Match, queue_redis: Redis, redis: Client, clock: Clock
) -> None:
    stop = threading.Event()

    with DueNews(redis) as real:

        def play() -> DueAt | Missed:
            clock.time += relay.PERIOD
            real.wait(1.0)  # what came at first
            match.play("R4@3")
            looked.append(redis.info("commandstats")["cmdstat_zrange"]["calls"])
            told = [one for one in real.wait(1.0) if isinstance(one, DueAt) and one.what == "due"]
            return told[0]

        looked: list[int] = []
        the_relay.run(lambda: Scripted(stop, [play]), stop)

    # Only the claims of one bucket ask what comes next in it.
    assert redis.info("commandstats")["cmdstat_zrange"]["calls"] - looked[0] <= 3
    (job,) = queued(queue_redis)
    assert job.args[0] == match.due()


def test_the_relay_looks_at_everything_now_and_then_and_after_missed_news(
    the_relay: Relay, match: Match, queue_redis: Redis, clock: Clock, hub: Hub
) -> None:
    stop = threading.Event()

    def miss() -> Missed:
        clock.time += relay.PERIOD
        match.play("R4@3")
        return Missed()

    the_relay.run(lambda: Scripted(stop, [miss]), stop)

    assert len(queued(queue_redis)) == 1

    def lose_news() -> None:
        match.play("R4@3")
        hub.clock.time += relay.FULL_PERIOD

    hub.relay.run(lambda: Scripted(stop, [lose_news]), stop)

    assert len(queued(hub.queue)) == 1


def test_a_relay_that_is_woken_stops_without_waiting_for_its_next_check(
    the_relay: Relay, redis: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "STOP_PERIOD", 10 * PATIENCE)
    stop = threading.Event()
    relaying = threading.Thread(target=the_relay.run, args=[partial(DueNews, redis), stop])
    relaying.start()
    until(lambda: redis.pubsub_numpat() > 0)

    stop.set()
    wake_listeners(redis)

    relaying.join(PATIENCE)
    assert not relaying.is_alive()


class TestSilence:
    """A connection that is cut without a word."""

    def test_a_subscription_that_does_not_answer_is_given_up(self, clock: Clock) -> None:
        with running(bundled_binary()) as server, DueNews(connect(server.url), clock) as news:
            begun: list[DueAt | Missed] = []
            until(lambda: begun.extend(news.wait(0.0)) or begun == [Missed(), Missed()])
            for _ in range(3):  # those that answer stay
                clock.time += ASK_PERIOD
                until(lambda: news.wait(0.0) == [] and news._answered)
            server.pause()
            clock.time += ASK_PERIOD
            assert news.wait(0.0) == []
            clock.time += ASK_PERIOD
            with pytest.raises(TimeoutError):
                news.wait(0.0)


class TestDueNews:
    """Whatever gives a notice or a game an earlier time is heard of."""

    def heard(self, redis: Client, act: Callable[[], object]) -> list[DueAt]:
        with DueNews(redis) as news:
            while not any(isinstance(one, Missed) for one in news.wait(1.0)):
                """Listening has not begun."""
            act()
            redis.publish("st:{00}:due", "1")  # by when everything before has come
            heard: list[DueAt] = []
            while DueAt("due", 0, 1) not in heard:
                heard += [one for one in news.wait(1.0) if isinstance(one, DueAt)]
            return heard[:-1]

    def test_a_turn(self, context: WorkerContext, redis: Client, clock: Clock) -> None:
        match = begin(context, clock={"days_per_move": 1})
        bucket = bucket_of(match.id)

        heard = self.heard(redis, lambda: match.play("R4@3"))

        assert {(one.what, one.bucket) for one in heard} == {("due", bucket), ("deadlines", bucket)}
        assert {one.at for one in heard if one.what == "deadlines"} == {clock.time + DAY}

    def test_what_is_added_postponed_and_given_back(self, hub: Hub, redis: Client) -> None:
        outbox = hub.context.container.log.outbox
        notice = Notice(notice_id("game", 1, "p", "mail", "turn"), hub.clock.time)
        bucket = bucket_of("game")

        def act() -> None:
            outbox.add(notice)
            outbox.postpone(notice.id, hub.clock.time + 7)
            hub.clock.time += 7
            assert outbox.claim(1, LEASE) == [notice.id]
            outbox.renew([notice.id], hub.clock.time + LEASE, hub.clock.time + 2 * LEASE)
            outbox.renew([notice.id], hub.clock.time + 2 * LEASE, hub.clock.time)

        now = hub.clock.time
        assert self.heard(redis, act) == [
            DueAt("due", bucket, now),
            DueAt("due", bucket, now + 7),
            DueAt("due", bucket, now + 7),
        ]

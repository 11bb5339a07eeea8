"""Whoever may hang has threads of their own."""

from redis import Redis

from service.eventlog import Notice, notice_id, parse_notice_id
from service.games.analysis import ANALYSIS
from service.mail_in.store import READ
from service.ops.status import CHANNELS, MAIL_IN, PLAY, SLOW_CHANNELS, THINK, WEIGH
from tests.support.clock import Clock
from tests.workers.jobs_in_queue import queued
from workers.context import WorkerContext
from workers.relay import BACKLOG, Relay


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
        sending, slow, quick = context.container.send_limits, "s" * 16, "q" * 16
        sending.record_time(slow, 9.0)
        sending.record_time(slow, 0.1)  # which clears nothing
        sending.record_time(quick, 0.1)
        test = notice_id(quick, 1, quick, "webhook-qq2cd3ef", "test")
        for notice in (self.notice(1, slow), self.notice(2, quick), test):
            context.container.log.outbox.add(Notice(notice, clock.time))
        assert the_relay.poll() == 3
        fast, other = self.lanes(queue_redis)
        assert fast == [self.notice(2, quick)]
        assert sorted(other) == sorted([self.notice(1, slow), test])

    def test_a_slow_lane_that_is_full_leaves_room_in_the_other(
        self, the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock
    ) -> None:
        quick, slow = "q" * 16, [f"{number:016}".replace("0", "a") for number in range(BACKLOG + 9)]
        for player in slow:
            context.container.send_limits.record_time(player, 9.0)
        for number, player in enumerate([*slow, quick], 1):
            context.container.log.outbox.add(Notice(self.notice(number, player), clock.time))
        the_relay.poll()
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
        the_relay.poll()
        fast, _ = self.lanes(queue_redis)
        assert sorted(parse_notice_id(one).recipient for one in fast) == ["p" * 16, "q" * 16]
        due = sorted(one.due - clock.time for one in outbox.pending())
        assert due[:3] == [0.5, 1.0, 1.5]
        assert due[38] == 19.5

    def test_mail_that_came_in_holds_up_no_bot(
        self, the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock
    ) -> None:
        outbox = context.container.log.outbox
        mails = [notice_id("a" * 20, 1, "server", "log", READ)]
        mails += [
            notice_id(f"{'b' * 18}{one}{two}", 1, "server", "log", READ)
            for one in "abcdefghijklmnopqrstuvwxyz234567"
            for two in "abcdefghijklmnop"
        ]
        bot = notice_id("c" * 20, 1, "p" * 16, "bot", "turn")
        other = notice_id("d" * 20, 1, "server", "log", "pack")
        for notice in (*mails, bot, other):
            outbox.add(Notice(notice, clock.time))
        the_relay.poll()
        lanes = [
            {notice for job in queued(queue_redis, name) for notice in job.args[0]}
            for name in (MAIL_IN, THINK, PLAY)
        ]
        assert lanes == [set(mails), {bot}, {other}]

    def test_weighing_finished_games_holds_up_no_bot(
        self, the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock
    ) -> None:
        outbox = context.container.log.outbox
        bot = notice_id("c" * 20, 1, "p" * 16, "bot", "turn")
        analyses = [notice_id(one * 20, 1, "server", "log", ANALYSIS) for one in "ab"]
        for notice in (*analyses, bot):
            outbox.add(Notice(notice, clock.time))
        the_relay.poll()
        lanes = [[job.args[0] for job in queued(queue_redis, name)] for name in (THINK, WEIGH)]
        assert [lanes[0], sorted(lanes[1])] == [[[bot]], [[one] for one in analyses]]

"""What the log promises of notices and deadlines, on every kind of server."""

from service.core.redis.client import Client
from service.eventlog import EventLog, IdempotencyKey
from tests.service.eventlog.contract.written import GAME, MINUTE, NOW, notice
from tests.support.clock import Clock


class TestNotices:
    def test_a_notice_falls_due_at_its_time(self, log: EventLog, clock: Clock) -> None:
        log.events.append(GAME, 0, ["1"], notices=[notice(due=NOW + 1)])
        assert log.outbox.claim(limit=10, lease=MINUTE) == []
        clock.time += 1
        assert log.outbox.claim(limit=10, lease=MINUTE) == [notice().id]

    def test_a_claimed_notice_falls_due_when_its_lease_ends_or_is_postponed(
        self, log: EventLog, clock: Clock
    ) -> None:
        log.events.append(GAME, 0, ["1"], notices=[notice()])
        assert log.outbox.claim(limit=10, lease=MINUTE) == [notice().id]
        assert log.outbox.claim(limit=10, lease=MINUTE) == []
        clock.time += MINUTE
        assert log.outbox.claim(limit=10, lease=MINUTE) == [notice().id]

        log.outbox.postpone(notice().id, NOW + MINUTE)
        assert list(log.outbox.pending()) == [notice(due=NOW + MINUTE)]

        log.outbox.finish(notice().id)
        log.outbox.postpone(notice().id, NOW + MINUTE)
        assert list(log.outbox.pending()) == []

    def test_a_finished_notice_is_gone_and_finishing_may_be_repeated(
        self, log: EventLog, clock: Clock
    ) -> None:
        log.events.append(GAME, 0, ["1"], notices=[notice(), notice(kind="other")])
        log.outbox.finish(notice().id)
        log.outbox.finish(notice().id)
        assert [n.id for n in log.outbox.pending()] == [notice(kind="other").id]

    def test_an_append_removes_the_notice_that_it_makes_obsolete(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1"], notices=[notice()])
        log.events.append(GAME, 0, ["2"], obsolete=notice())  # refused
        assert list(log.outbox.pending()) == [notice()]
        log.events.append(GAME, 1, ["2"], notices=[notice(version=2)], obsolete=notice())
        assert list(log.outbox.pending()) == [notice(version=2)]

    def test_a_claimed_or_postponed_notice_is_left_to_its_worker(self, log: EventLog) -> None:
        for number, put_off in enumerate(("claim", "postpone"), 1):
            one = notice(version=number)
            log.events.append(GAME, number - 1, ["1"], notices=[one])
            if put_off == "claim":
                log.outbox.claim(limit=10, lease=MINUTE)
            else:
                log.outbox.postpone(one.id, NOW + MINUTE)
        for number in (1, 2):
            log.events.append(GAME, number + 1, ["3"], obsolete=notice(version=number))
        assert len(list(log.outbox.pending())) == 2

    def test_a_claim_takes_no_more_than_its_limit_and_the_longest_due_first(
        self, log: EventLog
    ) -> None:
        kinds = {"new": NOW, "old": NOW - 2, "older": NOW - 3}
        waiting = [notice(kind=kind, due=due) for kind, due in kinds.items()]
        log.events.append(GAME, 0, ["1"], notices=waiting)
        first = log.outbox.claim(limit=2, lease=MINUTE)
        assert first == [notice(kind="older").id, notice(kind="old").id]
        assert log.outbox.claim(limit=2, lease=MINUTE) == [notice(kind="new").id]

    def test_notices_of_games_in_all_buckets_are_found(self, log: EventLog) -> None:
        games = [f"game{number:03}" for number in range(100)]
        for game in games:
            log.events.append(game, 0, ["1"], notices=[notice(game)])
        claimed = log.outbox.claim(limit=70, lease=MINUTE) + log.outbox.claim(
            limit=70, lease=MINUTE
        )
        assert sorted(claimed) == sorted(notice(game).id for game in games)

    def test_a_repeated_request_brings_no_notice_twice(self, log: EventLog) -> None:
        key = IdempotencyKey("k", "f")
        log.events.append(GAME, 0, ["1"], notices=[notice()], key=key)
        log.outbox.finish(notice().id)
        log.events.append(GAME, 0, ["1"], notices=[notice()], key=key)
        assert list(log.outbox.pending()) == []


class TestDeadlines:
    def test_a_game_is_overdue_at_its_deadline(self, log: EventLog, clock: Clock) -> None:
        log.events.append(GAME, 0, ["1"], deadline=NOW + 1)
        assert log.deadlines.claim(limit=10, lease=MINUTE) == []
        clock.time += 1
        assert log.deadlines.claim(limit=10, lease=MINUTE) == [GAME]

    def test_a_claimed_game_is_overdue_again_when_the_lease_ends(
        self, log: EventLog, clock: Clock
    ) -> None:
        log.events.append(GAME, 0, ["1"], deadline=NOW)
        assert log.deadlines.claim(limit=10, lease=MINUTE) == [GAME]
        assert log.deadlines.claim(limit=10, lease=MINUTE) == []
        clock.time += MINUTE
        assert log.deadlines.claim(limit=10, lease=MINUTE) == [GAME]

    def test_the_next_write_sets_another_deadline_or_clears_it(
        self, log: EventLog, clock: Clock
    ) -> None:
        log.events.append(GAME, 0, ["1"], deadline=NOW)
        log.events.append(GAME, 1, ["2"], deadline=NOW + MINUTE)
        assert log.deadlines.claim(limit=10, lease=MINUTE) == []
        clock.time += MINUTE
        assert log.deadlines.claim(limit=10, lease=MINUTE) == [GAME]

        log.events.append(GAME, 1, ["2"])
        assert log.deadlines.claim(limit=10, lease=MINUTE) == []


class TestRepair:
    def test_a_lost_deadline_and_lost_notices_are_put_back(
        self, log: EventLog, store: Client
    ) -> None:
        log.events.append(GAME, 0, ["1"])
        assert log.events.repair(GAME, 1, notices=[notice()], deadline=NOW)
        assert list(log.outbox.pending()) == [notice()]
        assert log.deadlines.claim(limit=1, lease=MINUTE) == [GAME]

    def test_a_notice_that_is_there_keeps_its_lease(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1"], notices=[notice()])
        log.outbox.claim(limit=1, lease=MINUTE)
        assert log.events.repair(GAME, 1, notices=[notice()], deadline=None)
        assert list(log.outbox.pending()) == [notice(due=NOW + MINUTE)]

    def test_a_deadline_that_is_none_is_cleared(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1"], deadline=NOW)
        assert log.events.repair(GAME, 1, notices=[], deadline=None)
        assert log.deadlines.claim(limit=1, lease=MINUTE) == []

    def test_a_game_that_has_gone_on_is_left_alone_and_a_packed_one_known(
        self, log: EventLog
    ) -> None:
        log.events.append(GAME, 0, ["1", "2"])
        assert not log.events.repair(GAME, 1, notices=[notice()], deadline=NOW)
        assert list(log.outbox.pending()) == []
        assert log.deadlines.claim(limit=1, lease=MINUTE) == []

        log.events.compact(GAME)
        assert log.events.repair(GAME, 2, notices=[], deadline=None)
        assert not log.events.repair(GAME, 1, notices=[], deadline=None)

"""What the log promises, on every kind of server that it is run against."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from service.core.redis.client import Client, connect
from service.eventlog import (
    Appended,
    Changed,
    EventLog,
    FieldChange,
    IdempotencyKey,
    KeyReused,
    Notice,
    Repeated,
    SideStateConflict,
    UnreadableLog,
    VersionConflict,
    event_log,
    notice_id,
)
from service.eventlog.compaction import compact
from service.eventlog.keys import side_state_key
from tests.support.clock import Clock
from tests.support.cluster import running_cluster
from tests.support.servers import bundled_binary, installed_binaries, running

SERVERS = {"bundled": bundled_binary(), **installed_binaries()}
STORES = {
    **{name: partial(running, binary) for name, binary in SERVERS.items()},
    "cluster": partial(running_cluster, bundled_binary()),
}
GAME, OTHER = "abcdefghijklmnopqrst", "tsrqponmlkjihgfedcba"
NOW = 1_000_000.0
MINUTE = 60.0


@pytest.fixture(scope="module", params=STORES)
def store(request: pytest.FixtureRequest) -> Iterator[Client]:
    with STORES[request.param]() as server, connect(server.url) as client:
        yield client


@pytest.fixture
def clock() -> Clock:
    return Clock(NOW)


@pytest.fixture
def log(store: Client, clock: Clock) -> EventLog:
    store.flushall()
    return event_log(store, now=clock)


def events(*names: str) -> list[str]:
    return [f'{{"type":"{name}"}}' for name in names]


def notice(game: str = GAME, version: int = 1, due: float = NOW, kind: str = "turn") -> Notice:
    return Notice(notice_id(game, version, "player", "mail", kind), due)


class TestAppend:
    def test_a_game_that_is_not_there_is_at_version_0_and_has_no_events(
        self, log: EventLog
    ) -> None:
        assert log.events.version(GAME) == 0
        assert log.events.read(GAME) == []

    def test_the_version_is_the_number_of_events(self, log: EventLog) -> None:
        assert log.events.append(GAME, 0, events("game_created", "player_joined")) == Appended(2)
        assert log.events.append(GAME, 2, events("card_played")) == Appended(3)
        assert log.events.version(GAME) == 3

    def test_events_are_read_as_they_were_written_and_in_order(self, log: EventLog) -> None:
        written = ['{"a":"é \\u0000 \\n"}', '{"b": 1}', "{}"]
        log.events.append(GAME, 0, written)
        assert log.events.read(GAME) == written

    def test_a_part_of_the_log_is_read_by_versions(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1", "2", "3", "4"])
        assert log.events.read(GAME, after=2) == ["3", "4"]
        assert log.events.read(GAME, upto=2) == ["1", "2"]
        assert log.events.read(GAME, after=1, upto=3) == ["2", "3"]
        assert log.events.read(GAME, after=4) == []

    def test_games_do_not_touch_each_other(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1"])
        log.events.append(OTHER, 0, ["2", "3"])
        assert (log.events.read(GAME), log.events.read(OTHER)) == (["1"], ["2", "3"])

    @pytest.mark.parametrize("expected", [0, 1, 3])
    def test_another_version_than_the_expected_is_a_conflict_and_writes_nothing(
        self, log: EventLog, expected: int
    ) -> None:
        log.events.append(GAME, 0, ["1", "2"])
        answer = log.events.append(GAME, expected, ["x"], notices=[notice()], deadline=NOW)
        assert answer == VersionConflict(expected, 2)
        assert log.events.read(GAME) == ["1", "2"]
        assert list(log.outbox.pending()) == []
        assert log.deadlines.claim(limit=10, lease=MINUTE) == []

    def test_another_last_event_than_the_expected_is_a_conflict_too(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ['{"hash":"a1"}', '{"hash":"b2"}'])
        assert log.events.append(GAME, 2, events("x"), head="a1") == VersionConflict(2, 2)
        assert log.events.append(GAME, 3, events("x"), head="b2") == VersionConflict(3, 2)
        assert log.events.append(GAME, 2, events("x"), head="b2") == Appended(3)

    def test_an_equal_event_of_another_writer_is_a_conflict_all_the_same(
        self, log: EventLog
    ) -> None:
        log.events.append(GAME, 0, ["1"])
        assert log.events.append(GAME, 0, ["1"]) == VersionConflict(0, 1)

    def test_nothing_cannot_be_appended(self, log: EventLog) -> None:
        with pytest.raises(ValueError, match="at least one event"):
            log.events.append(GAME, 0, [])

    @pytest.mark.parametrize("time", [math.nan, math.inf])
    def test_what_would_stop_the_write_half_way_is_refused_before_it(
        self, log: EventLog, time: Any
    ) -> None:
        with pytest.raises(ValueError, match="no finite time"):
            log.events.append(GAME, 0, ["1"], notices=[notice(due=time)])
        with pytest.raises(ValueError, match="no finite time"):
            log.events.append(GAME, 0, ["1"], deadline=time)
        assert log.events.version(GAME) == 0

    def test_a_notice_of_another_game_is_refused(self, log: EventLog) -> None:
        with pytest.raises(ValueError, match="another game"):
            log.events.append(GAME, 0, ["1"], notices=[notice(OTHER)])

    def test_every_stored_game_is_listed_once(self, log: EventLog) -> None:
        games = {f"game{number:03}" for number in range(100)}
        for game in games:
            log.events.append(
                game, 0, ["1", "2"], key=IdempotencyKey("k", "f"), notices=[notice(game)]
            )
        assert sorted(log.events.game_ids()) == sorted(games)


class TestIdempotencyKey:
    KEY = IdempotencyKey("player:1", "play R7@3")

    def test_a_repeated_request_gets_the_first_answer_and_writes_nothing(
        self, log: EventLog
    ) -> None:
        assert log.events.append(GAME, 0, ["1"], key=self.KEY) == Appended(1)
        assert log.events.append(GAME, 0, ["1"], key=self.KEY) == Repeated(1)
        assert log.events.read(GAME) == ["1"]

    def test_a_known_key_is_answered_at_any_later_version(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1", "2"], key=self.KEY)
        log.events.append(GAME, 2, ["3"])
        assert log.events.append(GAME, 3, ["1"], key=self.KEY) == Repeated(2)

    def test_a_key_with_another_request_is_told_apart_and_writes_nothing(
        self, log: EventLog
    ) -> None:
        log.events.append(GAME, 0, ["1"], key=self.KEY)
        other = IdempotencyKey(self.KEY.key, "play R8@3")
        assert log.events.append(GAME, 1, ["2"], key=other) == KeyReused()
        assert log.events.version(GAME) == 1

    def test_a_refused_request_does_not_use_up_its_key(self, log: EventLog) -> None:
        assert log.events.append(GAME, 7, ["1"], key=self.KEY) == VersionConflict(7, 0)
        assert log.events.append(GAME, 0, ["1"], key=self.KEY) == Appended(1)

    def test_the_last_of_very_many_keys_are_kept(self, log: EventLog) -> None:
        for version in range(2001):
            log.events.append(GAME, version, ["1"], key=IdempotencyKey(f"k{version}", "f"))
        assert log.events.recall(GAME, IdempotencyKey("k1001", "f")) == Repeated(1002)
        assert log.events.recall(GAME, IdempotencyKey("k1000", "f")) is None

    def test_keys_and_fingerprints_may_be_any_text(self, log: EventLog) -> None:
        odd = IdempotencyKey("a key\n%s", "3 a fingerprint\nof two lines")
        assert log.events.append(GAME, 0, ["1"], key=odd) == Appended(1)
        assert log.events.append(GAME, 1, ["1"], key=odd) == Repeated(1)

    def test_the_same_key_in_another_game_is_another_key(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1"], key=self.KEY)
        assert log.events.append(OTHER, 0, ["1"], key=self.KEY) == Appended(1)


class TestRecall:
    KEY = IdempotencyKey("player:key", "what was asked")

    def test_an_unknown_key_is_not_recalled(self, log: EventLog) -> None:
        assert log.events.recall(GAME, self.KEY) is None

    def test_a_known_key_tells_the_version_after_its_write(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1", "2"], key=self.KEY)
        log.events.append(GAME, 2, ["3"])
        assert log.events.recall(GAME, self.KEY) == Repeated(2)

    def test_a_known_key_of_another_request_is_told(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1"], key=self.KEY)
        assert log.events.recall(GAME, self.KEY._replace(fingerprint="else")) == KeyReused()


class TestNotices:
    def test_a_notice_falls_due_at_its_time(self, log: EventLog, clock: Clock) -> None:
        log.events.append(GAME, 0, ["1"], notices=[notice(due=NOW + 1)])
        assert log.outbox.claim(limit=10, lease=MINUTE) == []
        clock.time += 1
        assert log.outbox.claim(limit=10, lease=MINUTE) == [notice().id]

    def test_a_claimed_notice_falls_due_again_when_its_lease_ends(
        self, log: EventLog, clock: Clock
    ) -> None:
        log.events.append(GAME, 0, ["1"], notices=[notice()])
        assert log.outbox.claim(limit=10, lease=MINUTE) == [notice().id]
        assert log.outbox.claim(limit=10, lease=MINUTE) == []
        clock.time += MINUTE
        assert log.outbox.claim(limit=10, lease=MINUTE) == [notice().id]

    def test_a_finished_notice_is_gone_and_finishing_may_be_repeated(
        self, log: EventLog, clock: Clock
    ) -> None:
        log.events.append(GAME, 0, ["1"], notices=[notice(), notice(kind="other")])
        log.outbox.finish(notice().id)
        log.outbox.finish(notice().id)
        assert [n.id for n in log.outbox.pending()] == [notice(kind="other").id]

    def test_a_postponed_notice_waits_until_then(self, log: EventLog, clock: Clock) -> None:
        log.events.append(GAME, 0, ["1"], notices=[notice()])
        log.outbox.postpone(notice().id, NOW + MINUTE)
        assert list(log.outbox.pending()) == [notice(due=NOW + MINUTE)]

    def test_postponing_does_not_bring_a_finished_notice_back(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1"], notices=[notice()])
        log.outbox.finish(notice().id)
        log.outbox.postpone(notice().id, NOW + MINUTE)
        assert list(log.outbox.pending()) == []

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

    def test_the_next_write_sets_another_deadline(self, log: EventLog, clock: Clock) -> None:
        log.events.append(GAME, 0, ["1"], deadline=NOW)
        log.events.append(GAME, 1, ["2"], deadline=NOW + MINUTE)
        assert log.deadlines.claim(limit=10, lease=MINUTE) == []
        clock.time += MINUTE
        assert log.deadlines.claim(limit=10, lease=MINUTE) == [GAME]

    def test_a_write_without_a_deadline_clears_it(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1"], deadline=NOW)
        log.events.append(GAME, 1, ["2"])
        assert log.deadlines.claim(limit=10, lease=MINUTE) == []


class TestPacking:
    TEXTS = ('{"a":"é"}', '{"b":2}', '{"c":3}')

    @pytest.fixture
    def compacted(self, log: EventLog) -> Any:
        key = IdempotencyKey("k", "f")
        log.events.append(GAME, 0, self.TEXTS, key=key, deadline=NOW, notices=[notice()])
        assert log.events.compact(GAME)
        return log

    def test_a_compacted_log_reads_as_before(self, compacted: Any) -> None:
        assert compacted.events.read(GAME) == list(self.TEXTS)
        assert compacted.events.read(GAME, after=1) == [*self.TEXTS][1:]
        assert compacted.events.read(GAME, upto=2) == [*self.TEXTS][:2]
        assert compacted.events.read(GAME, after=1, upto=2) == [*self.TEXTS][1:2]
        assert compacted.events.read(GAME, after=3) == []

    def test_it_has_its_version_and_is_listed(self, compacted: Any) -> None:
        compacted.events.append(OTHER, 0, ["1"])
        assert compacted.events.version(GAME) == 3
        assert sorted(compacted.events.game_ids()) == sorted([GAME, OTHER])

    @pytest.mark.parametrize("expected", [0, 2, 3])
    def test_nothing_is_appended_to_it(self, compacted: Any, expected: int) -> None:
        assert compacted.events.append(GAME, expected, ["4"]) == VersionConflict(expected, 3)
        assert compacted.events.read(GAME) == list(self.TEXTS)

    def test_compacting_again_changes_nothing(self, compacted: Any) -> None:
        assert compacted.events.compact(GAME)
        assert compacted.events.read(GAME) == list(self.TEXTS)

    def test_answers_and_deadline_end_with_the_game_and_notices_do_not(
        self, compacted: Any
    ) -> None:
        assert compacted.events.recall(GAME, IdempotencyKey("k", "f")) is None
        assert compacted.deadlines.claim(limit=1, lease=MINUTE) == []
        assert list(compacted.outbox.pending()) == [notice()]

    def test_a_game_that_is_not_there_is_not_packed(self, log: EventLog) -> None:
        assert not log.events.compact(GAME)
        assert log.events.version(GAME) == 0

    def test_a_log_that_changes_meanwhile_stays_as_it_is(
        self, log: EventLog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def compact_while_others_write(texts: Any) -> Any:
            log.events.append(GAME, 3, ["4"])
            return compact(texts)

        log.events.append(GAME, 0, self.TEXTS)
        monkeypatch.setattr("service.eventlog.event_store.compact", compact_while_others_write)
        assert not log.events.compact(GAME)
        assert log.events.append(GAME, 4, ["5"]) == Appended(5)

    def test_a_log_compacted_by_a_later_program_is_refused_by_name(
        self, compacted: Any, store: Client
    ) -> None:
        (key,) = store.scan_iter(f"*{GAME}*")
        store.set(key, b"9 3 what is to come")
        assert compacted.events.version(GAME) == 3
        assert compacted.events.append(GAME, 3, ["4"]) == VersionConflict(3, 3)
        with pytest.raises(UnreadableLog, match=f"game {GAME} .* form 9"):
            compacted.events.read(GAME)


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

    def test_a_game_that_has_gone_on_is_left_alone(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1", "2"])
        assert not log.events.repair(GAME, 1, notices=[notice()], deadline=NOW)
        assert list(log.outbox.pending()) == []
        assert log.deadlines.claim(limit=1, lease=MINUTE) == []

    def test_a_packed_game_is_known_by_its_version(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1", "2"])
        log.events.compact(GAME)
        assert log.events.repair(GAME, 2, notices=[], deadline=None)
        assert not log.events.repair(GAME, 1, notices=[], deadline=None)


WAIT = [FieldChange("plan", "", "wait")]


class TestSideState:
    def test_exists_before_the_game_does(self, log: EventLog) -> None:
        assert log.side_state.read(GAME) == {}
        assert log.side_state.change(GAME, WAIT) == Changed()
        assert log.side_state.read(GAME) == {"plan": "wait"}
        assert log.events.version(GAME) == 0

    def test_changes_only_from_the_expected_text(self, log: EventLog) -> None:
        log.side_state.change(GAME, WAIT)
        wrong = [FieldChange("plan", "hurry", "stop")]
        answer = log.side_state.change(GAME, wrong, notices=[notice()])
        assert answer == SideStateConflict({"plan": "hurry"}, {"plan": "wait"})
        assert list(log.outbox.pending()) == []
        clear = [FieldChange("plan", "wait", "")]
        assert log.side_state.change(GAME, clear, notices=[notice()]) == Changed()
        assert log.side_state.read(GAME) == {}
        assert len(list(log.outbox.pending())) == 1

    def test_all_fields_change_or_none(self, log: EventLog) -> None:
        changes = [FieldChange("one", "", "1"), FieldChange("other", "?", "2")]
        answer = log.side_state.change(GAME, changes)
        assert answer == SideStateConflict({"one": "", "other": "?"}, {})
        assert log.side_state.read(GAME) == {}

    def test_a_change_can_be_bound_to_a_version_of_the_log(self, log: EventLog) -> None:
        log.events.append(GAME, 0, events("a", "b"))
        assert log.side_state.change(GAME, WAIT, version=1) == VersionConflict(1, 2)
        assert log.side_state.change(GAME, WAIT, version=2) == Changed()
        log.events.append(GAME, 2, events("c"))
        stop = [FieldChange("plan", "wait", "stop")]
        assert log.side_state.change(GAME, stop, version=2) == VersionConflict(2, 3)
        assert log.side_state.read(GAME) == {"plan": "wait"}

    def test_a_compacted_log_is_at_no_version(self, log: EventLog) -> None:
        log.events.append(GAME, 0, events("a"))
        log.events.compact(GAME)
        assert log.side_state.change(GAME, WAIT, version=1) == VersionConflict(1, 1)

    def test_a_change_that_is_sent_again_is_made_once(self, log: EventLog) -> None:
        assert log.side_state.change(GAME, WAIT, notices=[notice()]) == Changed()
        log.outbox.finish(notice().id)
        assert log.side_state.change(GAME, WAIT, notices=[notice()]) == Changed()
        assert list(log.outbox.pending()) == []

    def test_an_append_changes_it_too(self, log: EventLog) -> None:
        log.side_state.change(GAME, WAIT)
        clear = [FieldChange("plan", "wait", "")]
        assert log.events.append(GAME, 0, events("a"), side_state=clear) == Appended(1)
        assert log.side_state.read(GAME) == {}

    def test_an_append_that_expects_another_text_does_nothing_and_says_what_stands(
        self, log: EventLog
    ) -> None:
        log.side_state.change(GAME, WAIT)
        changes = [FieldChange("plan", "", ""), FieldChange("new", "", "1")]
        answer = log.events.append(GAME, 0, events("a"), notices=[notice()], side_state=changes)
        assert answer == SideStateConflict({"plan": "", "new": ""}, {"plan": "wait"})
        assert log.events.version(GAME) == 0
        assert log.side_state.read(GAME) == {"plan": "wait"}
        assert list(log.outbox.pending()) == []

    def test_lives_as_long_as_asked_for_or_for_ever_once_there_is_a_game(
        self, log: EventLog, store: Client
    ) -> None:
        log.side_state.change(GAME, [FieldChange("offer", "", "a game")], life=60)
        assert 0 < store.ttl(side_state_key(GAME)) <= 60
        taken = [FieldChange("offer", "a game", "taken")]
        log.events.append(GAME, 0, events("a"), side_state=taken)
        assert store.ttl(side_state_key(GAME)) == -1

    def test_compaction_drops_it(self, log: EventLog) -> None:
        log.events.append(GAME, 0, events("a"), side_state=WAIT)
        assert log.events.compact(GAME)
        assert log.side_state.read(GAME) == {}

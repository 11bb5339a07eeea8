"""What the log promises, on every kind of server that it is run against."""

import math
from collections.abc import Iterator
from functools import partial

import pytest
from fakeredis import FakeRedis

from service.core.redis.client import Client, connect
from service.eventlog import (
    Appended,
    Conflict,
    GameLog,
    IdempotencyKey,
    KeyReused,
    NoteChange,
    Noted,
    Notice,
    Repeated,
    UnreadableLog,
    notice_id,
)
from service.eventlog.compaction import pack
from service.eventlog.keys import notes_key
from tests.cluster import running_cluster
from tests.servers import bundled_binary, installed_binaries, running

SERVERS = {"bundled": bundled_binary(), **installed_binaries()}
STORES = {
    **{name: partial(running, binary) for name, binary in SERVERS.items()},
    "cluster": partial(running_cluster, bundled_binary()),
}
GAME, OTHER = "abcdefghijklmnopqrst", "tsrqponmlkjihgfedcba"
NOW = 1_000_000.0
MINUTE = 60.0


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.time = NOW

    def __call__(self) -> float:
        return self.time


@pytest.fixture(scope="module", params=[*STORES, "fakeredis"])
def store(request: pytest.FixtureRequest) -> Iterator[Client]:
    if request.param == "fakeredis":
        with FakeRedis(decode_responses=True) as client:
            yield client
        return
    with STORES[request.param]() as server, connect(server.url) as client:
        yield client


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def log(store: Client, clock: Clock) -> GameLog:
    store.flushall()
    return GameLog(store, now=clock)


def events(*names: str) -> list[str]:
    return [f'{{"type":"{name}"}}' for name in names]


def notice(game: str = GAME, version: int = 1, due: float = NOW, kind: str = "turn") -> Notice:
    return Notice(notice_id(game, version, "player", "mail", kind), due)


class TestAppend:
    def test_a_game_that_is_not_there_is_at_version_0_and_has_no_events(self, log):
        assert log.version(GAME) == 0
        assert log.read(GAME) == []

    def test_the_version_is_the_number_of_events(self, log):
        assert log.append(GAME, 0, events("game_created", "player_joined")) == Appended(2)
        assert log.append(GAME, 2, events("card_played")) == Appended(3)
        assert log.version(GAME) == 3

    def test_events_are_read_as_they_were_written_and_in_order(self, log):
        written = ['{"a":"é \\u0000 \\n"}', '{"b": 1}', "{}"]
        log.append(GAME, 0, written)
        assert log.read(GAME) == written

    def test_a_part_of_the_log_is_read_by_versions(self, log):
        log.append(GAME, 0, ["1", "2", "3", "4"])
        assert log.read(GAME, after=2) == ["3", "4"]
        assert log.read(GAME, upto=2) == ["1", "2"]
        assert log.read(GAME, after=1, upto=3) == ["2", "3"]
        assert log.read(GAME, after=4) == []

    def test_games_do_not_touch_each_other(self, log):
        log.append(GAME, 0, ["1"])
        log.append(OTHER, 0, ["2", "3"])
        assert (log.read(GAME), log.read(OTHER)) == (["1"], ["2", "3"])

    @pytest.mark.parametrize("expected", [0, 1, 3])
    def test_another_version_than_the_expected_is_a_conflict_and_writes_nothing(
        self, log, expected
    ):
        log.append(GAME, 0, ["1", "2"])
        answer = log.append(GAME, expected, ["x"], notices=[notice()], deadline=NOW)
        assert answer == Conflict(2)
        assert log.read(GAME) == ["1", "2"]
        assert list(log.pending()) == []
        assert log.overdue_now(limit=10, lease=MINUTE) == []

    def test_another_last_event_than_the_expected_is_a_conflict_too(self, log):
        log.append(GAME, 0, ['{"hash":"a1"}', '{"hash":"b2"}'])
        assert log.append(GAME, 2, events("x"), head="a1") == Conflict(2)
        assert log.append(GAME, 3, events("x"), head="b2") == Conflict(2)
        assert log.append(GAME, 2, events("x"), head="b2") == Appended(3)

    def test_an_equal_event_of_another_writer_is_a_conflict_all_the_same(self, log):
        log.append(GAME, 0, ["1"])
        assert log.append(GAME, 0, ["1"]) == Conflict(1)

    def test_nothing_cannot_be_appended(self, log):
        with pytest.raises(ValueError, match="at least one event"):
            log.append(GAME, 0, [])

    @pytest.mark.parametrize("time", [math.nan, math.inf])
    def test_what_would_stop_the_write_half_way_is_refused_before_it(self, log, time):
        with pytest.raises(ValueError, match="no time"):
            log.append(GAME, 0, ["1"], notices=[notice(due=time)])
        with pytest.raises(ValueError, match="no time"):
            log.append(GAME, 0, ["1"], deadline=time)
        assert log.version(GAME) == 0

    def test_a_notice_of_another_game_is_refused(self, log):
        with pytest.raises(ValueError, match="another game"):
            log.append(GAME, 0, ["1"], notices=[notice(OTHER)])

    def test_every_stored_game_is_listed_once(self, log):
        games = {f"game{number:03}" for number in range(100)}
        for game in games:
            log.append(game, 0, ["1", "2"], key=IdempotencyKey("k", "f"), notices=[notice(game)])
        assert sorted(log.game_ids()) == sorted(games)


class TestIdempotencyKey:
    KEY = IdempotencyKey("player:1", "play R7@3")

    def test_a_repeated_request_gets_the_first_answer_and_writes_nothing(self, log):
        assert log.append(GAME, 0, ["1"], key=self.KEY) == Appended(1)
        assert log.append(GAME, 0, ["1"], key=self.KEY) == Repeated(1)
        assert log.read(GAME) == ["1"]

    def test_a_known_key_is_answered_at_any_later_version(self, log):
        log.append(GAME, 0, ["1", "2"], key=self.KEY)
        log.append(GAME, 2, ["3"])
        assert log.append(GAME, 3, ["1"], key=self.KEY) == Repeated(2)

    def test_a_key_with_another_request_is_told_apart_and_writes_nothing(self, log):
        log.append(GAME, 0, ["1"], key=self.KEY)
        other = IdempotencyKey(self.KEY.key, "play R8@3")
        assert log.append(GAME, 1, ["2"], key=other) == KeyReused()
        assert log.version(GAME) == 1

    def test_a_refused_request_does_not_use_up_its_key(self, log):
        assert log.append(GAME, 7, ["1"], key=self.KEY) == Conflict(0)
        assert log.append(GAME, 0, ["1"], key=self.KEY) == Appended(1)

    def test_of_very_many_keys_the_last_are_kept(self, log):
        for version in range(2001):
            log.append(GAME, version, ["1"], key=IdempotencyKey(f"k{version}", "f"))
        assert log.recall(GAME, IdempotencyKey("k1001", "f")) == Repeated(1002)
        assert log.recall(GAME, IdempotencyKey("k1000", "f")) is None

    def test_keys_and_fingerprints_may_be_any_text(self, log):
        odd = IdempotencyKey("a key\n%s", "3 a fingerprint\nof two lines")
        assert log.append(GAME, 0, ["1"], key=odd) == Appended(1)
        assert log.append(GAME, 1, ["1"], key=odd) == Repeated(1)

    def test_the_same_key_in_another_game_is_another_key(self, log):
        log.append(GAME, 0, ["1"], key=self.KEY)
        assert log.append(OTHER, 0, ["1"], key=self.KEY) == Appended(1)


class TestRecall:
    KEY = IdempotencyKey("player:key", "what was asked")

    def test_an_unknown_key_is_not_recalled(self, log):
        assert log.recall(GAME, self.KEY) is None

    def test_a_known_key_tells_the_version_after_its_write(self, log):
        log.append(GAME, 0, ["1", "2"], key=self.KEY)
        log.append(GAME, 2, ["3"])
        assert log.recall(GAME, self.KEY) == Repeated(2)

    def test_a_known_key_of_another_request_is_told(self, log):
        log.append(GAME, 0, ["1"], key=self.KEY)
        assert log.recall(GAME, self.KEY._replace(fingerprint="else")) == KeyReused()


class TestNotices:
    def test_a_notice_falls_due_at_its_time(self, log, clock):
        log.append(GAME, 0, ["1"], notices=[notice(due=NOW + 1)])
        assert log.due_now(limit=10, lease=MINUTE) == []
        clock.time += 1
        assert log.due_now(limit=10, lease=MINUTE) == [notice().id]

    def test_a_claimed_notice_falls_due_again_when_its_lease_ends(self, log, clock):
        log.append(GAME, 0, ["1"], notices=[notice()])
        assert log.due_now(limit=10, lease=MINUTE) == [notice().id]
        assert log.due_now(limit=10, lease=MINUTE) == []
        clock.time += MINUTE
        assert log.due_now(limit=10, lease=MINUTE) == [notice().id]

    def test_a_finished_notice_is_gone_and_finishing_may_be_repeated(self, log, clock):
        log.append(GAME, 0, ["1"], notices=[notice(), notice(kind="other")])
        log.finish_notice(notice().id)
        log.finish_notice(notice().id)
        assert [n.id for n in log.pending()] == [notice(kind="other").id]

    def test_a_postponed_notice_waits_until_then(self, log, clock):
        log.append(GAME, 0, ["1"], notices=[notice()])
        log.postpone_notice(notice().id, NOW + MINUTE)
        assert list(log.pending()) == [notice(due=NOW + MINUTE)]

    def test_postponing_does_not_bring_a_finished_notice_back(self, log):
        log.append(GAME, 0, ["1"], notices=[notice()])
        log.finish_notice(notice().id)
        log.postpone_notice(notice().id, NOW + MINUTE)
        assert list(log.pending()) == []

    def test_a_claim_takes_no_more_than_its_limit_and_the_longest_due_first(self, log):
        kinds = {"new": NOW, "old": NOW - 2, "older": NOW - 3}
        waiting = [notice(kind=kind, due=due) for kind, due in kinds.items()]
        log.append(GAME, 0, ["1"], notices=waiting)
        first = log.due_now(limit=2, lease=MINUTE)
        assert first == [notice(kind="older").id, notice(kind="old").id]
        assert log.due_now(limit=2, lease=MINUTE) == [notice(kind="new").id]

    def test_notices_of_games_in_all_buckets_are_found(self, log):
        games = [f"game{number:03}" for number in range(100)]
        for game in games:
            log.append(game, 0, ["1"], notices=[notice(game)])
        claimed = log.due_now(limit=70, lease=MINUTE) + log.due_now(limit=70, lease=MINUTE)
        assert sorted(claimed) == sorted(notice(game).id for game in games)

    def test_a_repeated_request_brings_no_notice_twice(self, log):
        key = IdempotencyKey("k", "f")
        log.append(GAME, 0, ["1"], notices=[notice()], key=key)
        log.finish_notice(notice().id)
        log.append(GAME, 0, ["1"], notices=[notice()], key=key)
        assert list(log.pending()) == []


class TestDeadlines:
    def test_a_game_is_overdue_at_its_deadline(self, log, clock):
        log.append(GAME, 0, ["1"], deadline=NOW + 1)
        assert log.overdue_now(limit=10, lease=MINUTE) == []
        clock.time += 1
        assert log.overdue_now(limit=10, lease=MINUTE) == [GAME]

    def test_a_claimed_game_is_overdue_again_when_the_lease_ends(self, log, clock):
        log.append(GAME, 0, ["1"], deadline=NOW)
        assert log.overdue_now(limit=10, lease=MINUTE) == [GAME]
        assert log.overdue_now(limit=10, lease=MINUTE) == []
        clock.time += MINUTE
        assert log.overdue_now(limit=10, lease=MINUTE) == [GAME]

    def test_the_next_write_sets_another_deadline(self, log, clock):
        log.append(GAME, 0, ["1"], deadline=NOW)
        log.append(GAME, 1, ["2"], deadline=NOW + MINUTE)
        assert log.overdue_now(limit=10, lease=MINUTE) == []
        clock.time += MINUTE
        assert log.overdue_now(limit=10, lease=MINUTE) == [GAME]

    def test_a_write_without_a_deadline_clears_it(self, log):
        log.append(GAME, 0, ["1"], deadline=NOW)
        log.append(GAME, 1, ["2"])
        assert log.overdue_now(limit=10, lease=MINUTE) == []


class TestPacking:
    TEXTS = ('{"a":"é"}', '{"b":2}', '{"c":3}')

    @pytest.fixture
    def packed(self, log):
        key = IdempotencyKey("k", "f")
        log.append(GAME, 0, self.TEXTS, key=key, deadline=NOW, notices=[notice()])
        assert log.pack(GAME)
        return log

    def test_a_packed_log_is_read_as_before(self, packed):
        assert packed.read(GAME) == list(self.TEXTS)
        assert packed.read(GAME, after=1) == [*self.TEXTS][1:]
        assert packed.read(GAME, upto=2) == [*self.TEXTS][:2]
        assert packed.read(GAME, after=1, upto=2) == [*self.TEXTS][1:2]
        assert packed.read(GAME, after=3) == []

    def test_it_has_its_version_and_is_listed(self, packed):
        packed.append(OTHER, 0, ["1"])
        assert packed.version(GAME) == 3
        assert sorted(packed.game_ids()) == sorted([GAME, OTHER])

    @pytest.mark.parametrize("expected", [0, 2, 3])
    def test_nothing_is_appended_to_it(self, packed, expected):
        assert packed.append(GAME, expected, ["4"]) == Conflict(3)
        assert packed.read(GAME) == list(self.TEXTS)

    def test_packing_again_is_in_order_and_changes_nothing(self, packed):
        assert packed.pack(GAME)
        assert packed.read(GAME) == list(self.TEXTS)

    def test_answers_and_deadline_end_with_the_game_and_notices_do_not(self, packed):
        assert packed.recall(GAME, IdempotencyKey("k", "f")) is None
        assert packed.overdue_now(limit=1, lease=MINUTE) == []
        assert list(packed.pending()) == [notice()]

    def test_a_game_that_is_not_there_is_not_packed(self, log):
        assert not log.pack(GAME)
        assert log.version(GAME) == 0

    def test_a_log_that_changes_meanwhile_stays_as_it_is(self, log, monkeypatch):
        def pack_while_others_write(texts):
            log.append(GAME, 3, ["4"])
            return pack(texts)

        log.append(GAME, 0, self.TEXTS)
        monkeypatch.setattr("service.eventlog.event_store.pack", pack_while_others_write)
        assert not log.pack(GAME)
        assert log.append(GAME, 4, ["5"]) == Appended(5)

    def test_a_log_packed_by_a_later_program_is_refused_by_name(self, packed, store):
        (key,) = store.scan_iter(f"*{GAME}*")
        store.set(key, b"9 3 what is to come")
        assert packed.version(GAME) == 3
        assert packed.append(GAME, 3, ["4"]) == Conflict(3)
        with pytest.raises(UnreadableLog, match=f"game {GAME} .* form 9"):
            packed.read(GAME)


class TestMending:
    def test_a_lost_deadline_and_lost_notices_are_put_back(self, log, store):
        log.append(GAME, 0, ["1"])
        assert log.mend(GAME, 1, notices=[notice()], deadline=NOW)
        assert list(log.pending()) == [notice()]
        assert log.overdue_now(limit=1, lease=MINUTE) == [GAME]

    def test_a_notice_that_is_there_keeps_its_lease(self, log):
        log.append(GAME, 0, ["1"], notices=[notice()])
        log.due_now(limit=1, lease=MINUTE)
        assert log.mend(GAME, 1, notices=[notice()], deadline=None)
        assert list(log.pending()) == [notice(due=NOW + MINUTE)]

    def test_a_deadline_that_is_none_is_cleared(self, log):
        log.append(GAME, 0, ["1"], deadline=NOW)
        assert log.mend(GAME, 1, notices=[], deadline=None)
        assert log.overdue_now(limit=1, lease=MINUTE) == []

    def test_a_game_that_has_gone_on_is_left_alone(self, log):
        log.append(GAME, 0, ["1", "2"])
        assert not log.mend(GAME, 1, notices=[notice()], deadline=NOW)
        assert list(log.pending()) == []
        assert log.overdue_now(limit=1, lease=MINUTE) == []

    def test_a_packed_game_is_known_by_its_version(self, log):
        log.append(GAME, 0, ["1", "2"])
        log.pack(GAME)
        assert log.mend(GAME, 2, notices=[], deadline=None)
        assert not log.mend(GAME, 1, notices=[], deadline=None)


class TestNotes:
    def test_there_may_be_notes_before_there_is_a_game(self, log):
        assert log.notes(GAME) == {}
        assert log.note(GAME, [NoteChange("plan", "", "wait")])
        assert log.notes(GAME) == {"plan": "wait"}
        assert log.version(GAME) == 0

    def test_a_note_is_changed_by_who_knows_what_it_says(self, log):
        log.note(GAME, [NoteChange("plan", "", "wait")])
        assert not log.note(GAME, [NoteChange("plan", "hurry", "stop")], notices=[notice()])
        assert list(log.pending()) == []
        assert log.note(GAME, [NoteChange("plan", "wait", "")], notices=[notice()])
        assert log.notes(GAME) == {}
        assert len(list(log.pending())) == 1

    def test_all_changes_are_made_or_none(self, log):
        changes = [NoteChange("one", "", "1"), NoteChange("other", "?", "2")]
        assert not log.note(GAME, changes)
        assert log.notes(GAME) == {}

    def test_a_change_may_be_for_one_version_of_the_log(self, log):
        log.append(GAME, 0, events("a", "b"))
        assert not log.note(GAME, [NoteChange("plan", "", "wait")], version=1)
        assert log.note(GAME, [NoteChange("plan", "", "wait")], version=2)
        log.append(GAME, 2, events("c"))
        assert not log.note(GAME, [NoteChange("plan", "wait", "stop")], version=2)
        assert log.notes(GAME) == {"plan": "wait"}

    def test_what_is_for_one_version_is_not_for_a_packed_log(self, log):
        log.append(GAME, 0, events("a"))
        log.pack(GAME)
        assert not log.note(GAME, [NoteChange("plan", "", "wait")], version=1)

    def test_a_change_that_is_sent_again_is_made_once(self, log):
        change = [NoteChange("plan", "", "wait")]
        assert log.note(GAME, change, notices=[notice()])
        log.finish_notice(notice().id)
        assert log.note(GAME, change, notices=[notice()])
        assert list(log.pending()) == []

    def test_events_are_appended_together_with_changes(self, log):
        log.note(GAME, [NoteChange("plan", "", "wait")])
        answer = log.append(GAME, 0, events("a"), notes=[NoteChange("plan", "wait", "")])
        assert answer == Appended(1)
        assert log.notes(GAME) == {}

    def test_or_not_at_all_where_a_note_says_something_else(self, log):
        log.note(GAME, [NoteChange("plan", "", "wait")])
        thought = [NoteChange("plan", "", ""), NoteChange("new", "", "1")]
        answer = log.append(GAME, 0, events("a"), notices=[notice()], notes=thought)
        assert answer == Noted()
        assert log.version(GAME) == 0
        assert log.notes(GAME) == {"plan": "wait"}
        assert list(log.pending()) == []

    def test_notes_live_as_long_as_asked_for_or_until_a_game_needs_them(self, log, store):
        log.note(GAME, [NoteChange("offer", "", "a game")], life=60)
        assert 0 < store.ttl(notes_key(GAME)) <= 60
        log.append(GAME, 0, events("a"), notes=[NoteChange("offer", "a game", "taken")])
        assert store.ttl(notes_key(GAME)) == -1

    def test_packing_drops_them(self, log):
        log.append(GAME, 0, events("a"), notes=[NoteChange("plan", "", "wait")])
        assert log.pack(GAME)
        assert log.notes(GAME) == {}

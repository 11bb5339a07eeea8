"""What the log promises of events and idempotency keys, on every kind of server."""

import math
from typing import Any

import pytest

from service.eventlog import (
    Appended,
    EventLog,
    IdempotencyKey,
    KeyReused,
    Repeated,
    VersionConflict,
)
from tests.service.eventlog.contract.written import GAME, MINUTE, NOW, OTHER, events, notice


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

    def test_a_key_is_of_one_request_in_one_game(self, log: EventLog) -> None:
        log.events.append(GAME, 0, ["1"], key=self.KEY)
        other = IdempotencyKey(self.KEY.key, "play R8@3")
        assert log.events.append(GAME, 1, ["2"], key=other) == KeyReused()
        assert log.events.version(GAME) == 1

        assert log.events.append(OTHER, 0, ["1"], key=self.KEY) == Appended(1)

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


class TestWithdrawing:
    """What a restore takes back of a log, to write other events in its place."""

    LOG = ('{"hash":"a"}', '{"hash":"b"}', '{"hash":"c"}')

    def test_the_last_events_go_and_others_take_their_place(self, log: EventLog) -> None:
        log.events.append(GAME, 0, self.LOG)
        assert log.events.withdraw(GAME, 3, "c", 1)
        assert log.events.read(GAME) == [self.LOG[0]]
        assert log.events.append(GAME, 1, ["x", "y", "z"]) == Appended(4)
        assert log.events.read(GAME) == [self.LOG[0], "x", "y", "z"]

    @pytest.mark.parametrize(("version", "head"), [(2, "b"), (3, "b"), (4, "c")])
    def test_of_another_log_none_goes(self, log: EventLog, version: int, head: str) -> None:
        log.events.append(GAME, 0, self.LOG)
        assert not log.events.withdraw(GAME, version, head, 1)
        assert log.events.read(GAME) == list(self.LOG)

    def test_of_a_packed_log_none_goes(self, log: EventLog) -> None:
        log.events.append(GAME, 0, self.LOG)
        log.events.compact(GAME)
        assert not log.events.withdraw(GAME, 3, "c", 1)
        assert log.events.read(GAME) == list(self.LOG)

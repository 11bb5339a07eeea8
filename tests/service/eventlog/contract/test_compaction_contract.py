"""What the log promises of games that were compacted, on every kind of server."""

from typing import Any

import pytest

from service.core.redis.client import Client
from service.eventlog import Appended, EventLog, IdempotencyKey, UnreadableLog, VersionConflict
from service.eventlog.compaction import compact
from tests.service.eventlog.contract.written import GAME, MINUTE, NOW, OTHER, notice


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

"""What is promised of the side state, on every kind of server."""

from service.core.redis.client import Client
from service.eventlog import (
    Appended,
    Changed,
    EventLog,
    FieldChange,
    IdempotencyKey,
    Repeated,
    SideStateConflict,
    VersionConflict,
)
from service.eventlog.keys import answers_key, side_state_key
from tests.service.eventlog.contract.written import GAME, events, notice

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

    def test_the_last_keys_of_each_scope_are_kept(self, log: EventLog, store: Client) -> None:
        """A change takes no place in the log, and nothing else would ever end its answers."""
        log.events.append(GAME, 0, events("a"))
        keys = [IdempotencyKey(f"{n}: a\nkey of 9:9:", "f", f"scope {n % 2}") for n in range(100)]
        before = IdempotencyKey("an append's", "f", "scope 0")
        log.events.append(GAME, 1, events("b"), key=before)
        sizes = []
        for number, key in enumerate(keys):
            change = FieldChange("plan", "wait" if number % 2 else "", "" if number % 2 else "wait")
            assert log.side_state.change(GAME, [change], key=key) == Changed()
            assert log.side_state.change(GAME, [change], key=key) == Repeated(2)
            sizes.append(store.hlen(answers_key(GAME)))
        assert sizes[-1] == sizes[-50] == 2 * 20 + 2
        assert [log.events.recall(GAME, key) for key in keys[-40:]] == 40 * [Repeated(2)]
        assert log.events.recall(GAME, keys[-41]) is None
        assert log.events.recall(GAME, before) == Repeated(2)

    def test_one_scope_takes_no_place_of_another(self, log: EventLog) -> None:
        mine = IdempotencyKey("mine", "f", "me")
        log.side_state.change(GAME, WAIT, key=mine)
        for number in range(50):
            log.side_state.change(GAME, WAIT, key=IdempotencyKey(f"k{number}", "f", "you"))
        assert log.events.recall(GAME, mine) == Repeated(0)

    def test_what_earlier_programs_have_kept_goes_with_the_next_append(
        self, log: EventLog, store: Client
    ) -> None:
        log.events.append(GAME, 0, events("a"))
        store.hset(answers_key(GAME), mapping={f"k{n}": "1 f" for n in range(3000)})
        log.side_state.change(GAME, WAIT, key=IdempotencyKey("mine", "f", "me"))
        log.events.append(GAME, 1, events("b"), key=IdempotencyKey("next", "f", "me"))
        assert store.hlen(answers_key(GAME)) < 110
        assert log.events.recall(GAME, IdempotencyKey("next", "f")) == Repeated(2)

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

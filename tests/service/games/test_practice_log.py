"""The log of a practice game refers to the finished game instead of copying it; readers see no
difference."""

import io
import json

import pytest

import engine
from engine.record import from_jsonl
from engine.verify import verify
from service import container as containers
from service.container import Container
from service.core.redis.client import Client
from service.eventlog import EventStore, UnreadableLog, keys
from service.games import ChangeContext, StoredGame
from service.games.reading import views
from service.games.rematches import Wanted
from service.ops.backup import write_backup
from service.ops.integrity import fault_in_stored, reindex
from service.ops.restore import inspect, restore
from tests.support.backups import backup
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.support.stored_games import TACTICS, finished, keep

EVE = "eve" + "2" * 13
STEP = 60
A_FEW: int = 1500
"""Bytes: more than a reference takes, and less than three events."""


@pytest.fixture
def source(container: Container) -> str:
    """A finished game that is packed."""
    container.players.ensure_exists(EVE, "Eve")
    return keep(container, "a", finished(TACTICS))


def begun(container: Container, game_id: str, step: int = STEP) -> StoredGame:
    return container.games.practice.begin(game_id, EVE, Wanted(step, "north"), ChangeContext())


def played_on(container: Container, stored: StoredGame, turns: int) -> StoredGame:
    """The game after this many more turns of both."""
    for _ in range(turns):
        mover = stored.player_to_move()
        assert mover is not None
        stored = container.games.play(stored.id, mover, [engine.legal(stored.game)[0]])
    return stored


def another_process(redis: Client, clock: Clock) -> Container:
    """Which has cached nothing."""
    return containers.Container(settings(), redis, clock)


def entries(container: Container, game_id: str) -> list[str]:
    return [fields["event"] for _, fields in container.redis.xrange(keys.log_key(game_id))]


def resigned(container: Container, stored: StoredGame) -> StoredGame:
    return container.games.resign(stored.id, EVE)


class TestStorage:
    def test_one_entry_stands_for_all_moves_up_to_the_step(
        self, container: Container, source: str
    ) -> None:
        stored = begun(container, source)
        assert stored.version >= STEP
        (only,) = entries(container, stored.id)
        assert len(only) < A_FEW
        played_on(container, stored, 1)
        assert len(entries(container, stored.id)) in (
            3,
            4,
        )  # a card, perhaps a draw, the turn's end

    def test_a_later_step_takes_no_more(self, container: Container, source: str) -> None:
        (early,) = entries(container, begun(container, source, 3).id)
        (late,) = entries(container, begun(container, source, 100).id)
        assert len(late) - len(early) < 20

    def test_practice_of_practice_is_a_copy_that_needs_no_other_log(
        self, container: Container, source: str, redis: Client
    ) -> None:
        game_id = source
        for _ in range(5):
            before, stored = game_id, played_on(container, begun(container, game_id), 2)
            game_id = resigned(container, stored).id
        redis.delete(keys.log_key(before))
        assert len(entries(container, game_id)) == container.games.load(game_id).version
        assert verify([json.loads(text) for text in container.log.events.read(game_id)]) is None


class TestReading:
    @pytest.fixture
    def game(self, container: Container, source: str) -> StoredGame:
        return played_on(container, begun(container, source), 4)

    @pytest.fixture
    def events(self, game: StoredGame, redis: Client) -> EventStore:
        """Of another process, which has cached nothing."""
        return EventStore(redis)

    def test_every_slice_is_that_of_the_whole(self, game: StoredGame, events: EventStore) -> None:
        whole = events.read(game.id)
        assert [json.loads(text)["seq"] for text in whole] == [*range(1, game.version + 1)]
        places = (0, 1, STEP - 1, STEP, STEP + 1, STEP + 2, game.version - 1, game.version)
        for after in places:
            assert events.read(game.id, after) == whole[after:]
            for upto in (*places, game.version + 5):
                assert events.read(game.id, after, upto) == whole[after:upto]
        for upto in (None, *places[1:]):
            for count in (1, 5, 1000):
                query = events.last_events_query(game.id, count, upto)
                assert events.execute(query) == whole[:upto][-count:]

    def test_version_and_head_are_those_of_the_whole(
        self, game: StoredGame, events: EventStore
    ) -> None:
        assert events.version(game.id) == game.version
        assert json.loads(events.read(game.id)[-1])["hash"] == game.head

    def test_any_version_can_be_shown(self, game: StoredGame, redis: Client, clock: Clock) -> None:
        games = another_process(redis, clock).games
        for version in (1, 3, STEP - 1, STEP + 1, game.version):
            assert games.repository.get(game.id, version).version == version
        assert views.game_view(games.load(game.id), EVE, {}) == views.game_view(game, EVE, {})

    def test_the_record_is_sound_and_packing_changes_no_byte(
        self, container: Container, game: StoredGame, redis: Client
    ) -> None:
        over = resigned(container, game)
        record = from_jsonl(container.games.history.record(over, None))
        assert verify(record) is None
        assert record[-1]["hash"] == over.head
        assert fault_in_stored(container.log.events, over.id) is None

        before = EventStore(redis).read(over.id)
        assert container.log.events.compact(over.id)
        container.redis.delete(keys.log_key("a" * 20))  # from now on it needs nothing of that game
        assert EventStore(redis).read(over.id) == before
        assert container.log.events.version(over.id) == over.version

    def test_it_goes_on_in_another_process(
        self, game: StoredGame, redis: Client, clock: Clock
    ) -> None:
        other = another_process(redis, clock)
        assert played_on(other, other.games.load(game.id), 1).version > game.version

    def test_the_source_may_still_be_a_stream(self, container: Container, redis: Client) -> None:
        container.players.ensure_exists(EVE, "Eve")
        game_id, old = "b" * 20, finished(TACTICS, 2)
        container.log.events.append(game_id, 0, old.texts)
        stored = begun(container, game_id)
        before = EventStore(redis).read(stored.id)
        assert container.log.events.compact(game_id)
        assert EventStore(redis).read(stored.id) == before

    def test_a_log_that_was_stored_as_a_copy_reads_as_before(
        self, container: Container, game: StoredGame, redis: Client, clock: Clock
    ) -> None:
        texts = container.log.events.read(game.id)
        redis.delete(keys.log_key(game.id))
        container.log.events.append(game.id, 0, texts)
        assert len(entries(container, game.id)) == game.version
        other = another_process(redis, clock)
        assert other.games.load(game.id).head == game.head
        assert other.log.events.read(game.id) == texts
        assert played_on(other, game, 1).version > game.version


class TestRepeating:
    def test_a_repeated_append_writes_once_after_the_last_event_alone(
        self, container: Container, source: str
    ) -> None:
        stored = begun(container, source)
        (reference,) = entries(container, stored.id)
        assert container.log.events.append(stored.id, 0, [reference]) is not None
        assert entries(container, stored.id) == [reference]

        events = container.log.events
        events.append(stored.id, stored.version, ["{}"], head="0" * 64)
        assert events.version(stored.id) == stored.version
        events.append(stored.id, stored.version, ["{}"], head=stored.head)
        assert events.version(stored.id) == stored.version + 1


class TestBackup:
    def test_a_backup_has_the_whole_record_and_changes_nothing_that_is_there(
        self, container: Container, source: str, redis: Client, clock: Clock
    ) -> None:
        stored = played_on(container, begun(container, source), 2)
        texts = container.log.events.read(stored.id)
        lines = [line for line in backup(container) if source not in line[:40].decode()]
        redis.flushall()
        assert not inspect(lines, container.settings.secret_key).faults[1:]  # a line is missing
        assert restore(another_process(redis, clock), lines[:-1]).refused == []
        assert EventStore(redis).read(stored.id) == texts

        kept, lines = entries(container, stored.id), backup(container)
        assert restore(container, lines[:-1]).refused == []
        assert entries(container, stored.id) == kept

    def test_a_later_backup_adds_what_was_played_since(
        self, container: Container, source: str, redis: Client
    ) -> None:
        stored = begun(container, source)
        early = redis.dump(keys.log_key(stored.id))
        played = played_on(container, stored, 2)
        lines = backup(container)
        redis.restore(keys.log_key(stored.id), 0, early, replace=True)
        assert restore(container, lines[:-1]).refused == []
        assert container.log.events.version(stored.id) == played.version
        assert len(entries(container, stored.id)) == 1 + played.version - stored.version


class TestWithoutItsSource:
    @pytest.fixture
    def orphan(self, container: Container, source: str, redis: Client) -> str:
        """A practice game whose source is gone, by no way that the server has."""
        stored = begun(container, source)
        redis.delete(keys.log_key(source))
        return stored.id

    def test_reading_says_which_game_is_missing(self, orphan: str, redis: Client) -> None:
        with pytest.raises(UnreadableLog, match="a" * 20):
            EventStore(redis).read(orphan)

    def test_another_source_in_its_place_is_not_taken_for_it(
        self, orphan: str, redis: Client
    ) -> None:
        EventStore(redis).append("a" * 20, 0, finished(TACTICS, 9).texts)
        with pytest.raises(UnreadableLog, match="others"):
            EventStore(redis).read(orphan)

    def test_others_are_not_held_up(self, container: Container, orphan: str, clock: Clock) -> None:
        other = another_process(container.redis, clock)
        assert other.games.lists.of_player(EVE)[0] == []
        (found,) = reindex(other, [orphan])
        assert "a" * 20 in (found.fault or "")
        (left_out,) = write_backup(other, [orphan], io.BytesIO()).left_out
        assert "a" * 20 in str(left_out)

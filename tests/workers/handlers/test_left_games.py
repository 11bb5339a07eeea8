"""Games without a clock that their only person has left are removed."""

from typing import NamedTuple

import pytest

import engine
from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.client import Client, connect
from service.eventlog import Notice
from service.games import ChangeContext, NewGame, StoredGame
from service.games.notices import LEFT
from service.games.rematches import Wanted
from service.games.stored_game import PRACTICE_LIFE, SOLITARY_LIFE
from tests.faults.mortal import Act, deaths, of_writes
from tests.support.clock import Clock
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.support.stored_games import finished
from tests.support.stored_state import StoredState, stored_text
from tests.workers.delivering import deliver
from workers.context import WorkerContext, build_context

DAY = 86_400
SOURCE = "a" * 20


@pytest.fixture
def container(context: WorkerContext) -> Container:
    """Has a finished game that can be practised."""
    put_source(context.container)
    return context.container


@pytest.fixture
def ann(container: Container) -> str:
    """Has an address."""
    return container.registrations.register("Ann", "ann@example.org").player.id


@pytest.fixture
def guest(container: Container) -> str:
    return container.guests.register("Gustav").id


class Left(NamedTuple):
    """Ann, a server with a game that can be practised, and its worker."""

    ann: str
    container: Container
    context: WorkerContext
    clock: Clock


@pytest.fixture
def left(ann: str, container: Container, context: WorkerContext, clock: Clock) -> Left:
    return Left(ann, container, context, clock)


def put_source(container: Container) -> None:
    """Store the game that is practised, not packed: all keys have to be text here."""
    old = finished()
    for player in old.players:
        container.players.ensure_exists(player, player)
    container.log.events.append(SOURCE, 0, old.texts)


def practice(container: Container, player: str) -> StoredGame:
    return container.games.practice.begin(SOURCE, player, Wanted(), ChangeContext())


def check(container: Container, stored: StoredGame) -> Notice:
    """The notice to see whether this game was left."""
    (found,) = (
        each
        for each in container.log.outbox.pending()
        if each.id.startswith(stored.id) and each.id.endswith(f".{LEFT}")
    )
    return found


def has_none(container: Container) -> bool:
    """Whether no game is to be looked at."""
    return not any(each.id.endswith(f".{LEFT}") for each in container.log.outbox.pending())


def is_there(container: Container, stored: StoredGame) -> bool:
    return container.log.events.exists(stored.id)


def names(redis: Client, stored: StoredGame) -> set[str]:
    """The keys that name this game, themselves or in what they hold."""
    lines = stored_text(redis).splitlines()
    return {line.split(" ", 1)[0] for line in lines if stored.id in line}


class TestPractice:
    def test_a_week_after_the_last_move_it_is_gone_with_all_that_names_it(self, left: Left) -> None:
        stored = practice(left.container, left.ann)
        left.container.games.private_notes.write(left.ann, stored.id, "The bot bluffs.")
        due = check(left.container, stored)
        assert due.due == left.clock.time + PRACTICE_LIFE
        left.clock.time = due.due
        assert deliver(left.context, due.id) == "dropped"
        assert names(left.context.container.redis, stored) == set()
        with pytest.raises(RequestRejected) as refusal:
            left.container.games.load(stored.id)
        assert refusal.value.code == "game-not-found"
        assert left.container.games.lists.of_player(left.ann) == ([], None)

    def test_whoever_plays_on_has_a_week_from_then(self, left: Left) -> None:
        stored = practice(left.container, left.ann)
        due = check(left.container, stored)
        left.clock.time = due.due - DAY
        stored = left.container.games.play(stored.id, str(stored.player_to_move()), [_any(stored)])
        left.clock.time = due.due
        assert deliver(left.context, due.id) == "postponed"
        assert check(left.container, stored).due == due.due - DAY + PRACTICE_LIFE
        assert is_there(left.container, stored)

    def test_so_is_one_that_is_over(self, left: Left) -> None:
        stored = practice(left.container, left.ann)
        due = check(left.container, stored)
        left.clock.time += DAY
        left.container.games.resign(stored.id, left.ann)
        left.clock.time = due.due
        assert deliver(left.context, due.id) == "postponed"
        left.clock.time = check(left.container, stored).due
        assert left.clock.time == due.due + DAY
        assert deliver(left.context, due.id) == "dropped"
        assert names(left.context.container.redis, stored) == set()
        assert left.container.games.index.counts(left.ann).practice == 0

    def test_one_that_was_imported_stays(self, left: Left) -> None:
        stored = left.container.games.resign(practice(left.container, left.ann).id, left.ann)
        assert stored.left_at is not None
        assert stored._replace(imported=True).left_at is None

    def test_a_move_at_the_same_moment_keeps_it(
        self, left: Left, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored = practice(left.container, left.ann)
        due = check(left.container, stored)
        left.clock.time = due.due
        remove = left.container.log.events.remove

        def after_a_move(*args: object) -> bool:
            left.container.games.play(stored.id, str(stored.player_to_move()), [_any(stored)])
            return remove(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(left.container.log.events, "remove", after_a_move)
        deliver(left.context, due.id)
        assert is_there(left.container, stored)
        assert left.container.games.lists.of_player(left.ann)[0] != []
        assert check(left.container, stored)  # it is looked at again

    def test_an_outage_does_not_count(self, left: Left) -> None:
        left.container.outages.record_heartbeat("web")
        left.container.outages.record_heartbeat("worker")
        stored = practice(left.container, left.ann)
        due = check(left.container, stored)
        left.clock.time += 6 * DAY
        other = build_context(settings(), left.container.redis, left.clock).container.outages
        other.record_heartbeat("web")
        other.record_heartbeat("worker")
        left.clock.time = due.due
        other.record_heartbeat("web")
        other.record_heartbeat("worker")
        assert deliver(left.context, due.id) == "postponed"
        assert is_there(left.container, stored)


class TestDealOfTheDay:
    def test_a_try_that_nobody_finishes_is_gone_when_its_table_is(self, left: Left) -> None:
        stored = left.container.games.daily.begin(left.ann)
        due = check(left.container, stored)
        assert due.due == left.clock.time + SOLITARY_LIFE
        left.clock.time = due.due
        deliver(left.context, due.id)
        assert not is_there(left.container, stored)


class TestAgainstABot:
    def test_a_guest_s_game_is_removed_after_sixty_days(
        self, context: WorkerContext, container: Container, guest: str, clock: Clock
    ) -> None:
        stored = container.games.create(guest, NewGame(bot="random"))
        due = check(container, stored)
        assert due.due == clock.time + SOLITARY_LIFE
        clock.time = due.due
        deliver(context, due.id)
        assert names(container.redis, stored) == set()

    def test_that_of_somebody_who_can_come_back_from_anywhere_stays(self, left: Left) -> None:
        stored = left.container.games.create(left.ann, NewGame(bot="random"))
        due = check(left.container, stored)
        left.clock.time = due.due
        assert deliver(left.context, due.id) == "dropped"
        assert is_there(left.container, stored)
        assert has_none(left.container)

    def test_nor_is_that_of_a_guest_s_own_bot_a_guest_s(
        self, context: WorkerContext, container: Container, guest: str, clock: Clock
    ) -> None:
        bot = container.registrations.register("Gus bot", owner=guest).player.id
        stored = container.games.create(bot, NewGame(bot="random"))
        clock.time = check(container, stored).due
        deliver(context, check(container, stored).id)
        assert is_there(container, stored)

    def test_a_guest_who_left_all_is_forgotten_at_last(
        self, context: WorkerContext, container: Container, guest: str, clock: Clock
    ) -> None:
        practice(container, guest)
        container.games.create(guest, NewGame(bot="random"))
        for _ in range(2):
            for due in sorted(container.log.outbox.pending(), key=lambda each: each.due):
                clock.time = max(clock.time, due.due)
                deliver(context, due.id)
        assert container.players.find(guest) is None


class TestOthers:
    def test_what_two_people_play_is_never_looked_at(
        self, container: Container, guest: str, ann: str
    ) -> None:
        made = container.games.create(guest, NewGame())
        container.games.join(made.id, ann, invite=container.games.invitations.token(made.id))
        assert has_none(container)

    def test_nor_what_has_a_clock(self, container: Container, guest: str) -> None:
        container.games.create(guest, NewGame(bot="random", clock={"days_per_move": 3}))
        assert has_none(container)


def test_a_worker_killed_at_any_step_leaves_nothing_half_removed(
    redis: Client, redis_server: SocketServer, clock: Clock
) -> None:
    """Either the game is as it was, or the next worker removes what is left of it."""
    container = build_context(settings(), redis, clock).container
    put_source(container)
    ann = container.registrations.register("Ann", "ann@example.org").player.id
    stored = practice(container, ann)
    container.games.private_notes.write(ann, stored.id, "The bot bluffs.")
    due = check(container, stored)
    clock.time = due.due
    before = StoredState.of(redis)

    def act() -> Act:
        before.put_back(redis)
        return lambda: deliver(build_context(settings(), connect(redis_server.url), clock), due.id)

    died = 0
    for _ in deaths(act, of_writes):
        died += 1
        again = check(container, stored)
        deliver(build_context(settings(), redis, clock), again.id)
        assert names(redis, stored) == set()
    assert died > 5


def _any(stored: StoredGame) -> str:
    return engine.legal(stored.game)[0]

"""Bots play for whoever has few turns due before those of whoever has many."""

from random import Random

import pytest
from redis import Redis

from engine import View
from service.bots import Bot
from service.games import NewGame
from service.ops.status import PONDER, THINK
from tests.support.clock import Clock
from tests.workers.jobs_in_queue import queued, work
from tests.workers.match import registered
from workers.context import WorkerContext
from workers.relay import Relay


class QuickThinker:
    """Answers with the first legal action, after `seconds` on the clock."""

    def __init__(self, clock: Clock, seconds: float = 0.0) -> None:
        self.clock, self.seconds = clock, seconds

    def choose(self, bot: Bot, view: View, rng: Random) -> str:
        self.clock.time += self.seconds
        return view.legal[0]


def begin(context: WorkerContext, person: str, bot: str, count: int = 1) -> list[str]:
    """Begin games in which it is the bot's turn; their ids."""
    wanted = NewGame(bot=bot, first_player="opponent")
    return [context.container.games.create(person, wanted).id for _ in range(count)]


def waiting(queue_redis: Redis, queue: str) -> list[str]:
    """The games whose turns are in a queue, in order."""
    return [job.args[0][0].partition(".")[0] for job in queued(queue_redis, queue)]


def turns_due(context: WorkerContext) -> list[str]:
    return [each.id for each in context.container.log.outbox.pending() if ".bot." in each.id]


def test_who_has_one_turn_due_is_not_behind_who_has_150(
    the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock
) -> None:
    ann, bob, cleo = (registered(context, name) for name in ("Ann", "Bob", "Cleo"))
    many = begin(context, ann, "strategist", 150)
    clock.time += 1
    (quick,) = begin(context, bob, "random")
    (slow,) = begin(context, cleo, "strategist")

    the_relay.poll()

    assert waiting(queue_redis, THINK) == [quick]
    first, second = waiting(queue_redis, PONDER)
    assert slow in (first, second)
    assert {first, second} < {slow, *many}
    assert len(turns_due(context)) == 152


def test_who_has_many_turns_of_quick_bots_due_waits_for_their_own(
    the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock
) -> None:
    ann, bob = registered(context, "Ann"), registered(context, "Bob")
    begin(context, ann, "steward", 100)
    clock.time += 1
    (other,) = begin(context, bob, "random")
    the_relay.poll()
    assert len(waiting(queue_redis, THINK)) == 2
    assert other in waiting(queue_redis, THINK)


@pytest.mark.parametrize("bot", ["random", "strategist"])
def test_every_turn_that_waits_is_played(
    the_relay: Relay,
    context: WorkerContext,
    queue_redis: Redis,
    clock: Clock,
    worked: None,
    bot: str,
) -> None:
    context.__dict__["thinker"] = QuickThinker(clock)
    ann = registered(context, "Ann")
    games = begin(context, ann, bot, 12)
    for _ in games:
        the_relay.poll()
        assert len(waiting(queue_redis, PONDER) + waiting(queue_redis, THINK)) == 1
        work(queue_redis, PONDER)
        work(queue_redis, THINK)
        clock.time += 5
    assert turns_due(context) == []
    assert all(context.container.games.load(game).player_to_move() == ann for game in games)


def test_the_bots_of_a_person_rest_for_as_long_as_one_has_thought(
    the_relay: Relay, context: WorkerContext, queue_redis: Redis, clock: Clock, worked: None
) -> None:
    context.__dict__["thinker"] = QuickThinker(clock, 20.0)
    ann, bob = registered(context, "Ann"), registered(context, "Bob")
    begin(context, ann, "strategist", 2)
    the_relay.poll()
    work(queue_redis, PONDER)
    clock.time += 1
    (other,) = begin(context, bob, "strategist")
    (quick,) = begin(context, ann, "random")
    the_relay.poll()
    assert waiting(queue_redis, PONDER) == [other]
    assert waiting(queue_redis, THINK) == [quick]
    assert context.container.redis.pttl(f"st:{{{ann}}}:turn:{PONDER}") > 15_000

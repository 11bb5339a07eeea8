"""How often a job of mails asks Redis: it must not grow with the number of its mails.

Counted is what the connections send: a pipeline is one trip, and so is a script.
"""

from collections.abc import Callable

import pytest
from redis.connection import AbstractConnection

from service.core.redis.client import Client
from service.games import NewGame
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.match import registered
from workers import jobs
from workers.context import WorkerContext, build_context
from workers.leases import LEASE
from workers.mail.mailer import Message

MAILS = 12
SMTP = "the mail server"


class Silent:
    """Takes every mail."""

    needs_address = True

    def __init__(self, sent: list[str]) -> None:
        self._sent = sent

    def send(self, message: Message) -> None:
        self._sent.append(SMTP)


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was sent to Redis, and to the mail server, in this order."""
    sent: list[str] = []
    send: Callable[..., None] = AbstractConnection.send_packed_command

    def counting(self: AbstractConnection, *command: object, **options: object) -> None:
        sent.append("Redis")
        send(self, *command, **options)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", counting)
    return sent


@pytest.fixture
def fresh(
    context: WorkerContext,
    redis: Client,
    trips: list[str],
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> WorkerContext:
    """That of a worker which has seen none of the games of `context`."""
    fresh = build_context(settings(), redis, clock, Silent(trips))
    monkeypatch.setattr(jobs, "get_context", lambda: fresh)
    return fresh


def turns(context: WorkerContext, ann: str, delivery: str, name: str) -> None:
    """Let it be the turn of so many players, whose mail comes in this way."""
    container = context.container
    for number in range(MAILS):
        bob = registered(context, f"{name}{number}")
        container.mail_preferences.set_choice(bob, {"delivery": delivery})
        game = container.games.create(ann, NewGame(first_player="creator", opponent=bob))
        container.games.join(game.id, bob)
        for notice in list(container.log.outbox.pending()):
            if notice.id.startswith(game.id):
                container.log.outbox.finish(notice.id)
        stored = container.games.load(game.id)
        container.games.play(game.id, ann, container.games.view(stored, ann).legal[:1])
    for notice in list(container.log.outbox.pending()):
        if not notice.id.endswith(".mail.turn"):
            container.log.outbox.finish(notice.id)


@pytest.mark.parametrize("delivery", ["at_once", "until_visit"])
def test_a_batch_of_turns(
    context: WorkerContext, fresh: WorkerContext, clock: Clock, trips: list[str], delivery: str
) -> None:
    ann, outbox = registered(context, "Ann"), fresh.container.log.outbox
    for name in ("Bea", "Bob"):  # by the second batch, Redis knows the scripts
        turns(context, ann, delivery, name)
        clock.time += 60
        heads = outbox.heads()
        trips.clear()
        claimed = outbox.claim(1000, LEASE, "mail", heads=heads)
        assert jobs.deliver_notices(claimed, clock.time + LEASE) == ", ".join(["sent"] * MAILS)
    assert trips.count(SMTP) == MAILS
    before = trips.index(SMTP)
    assert before <= 3, "claim; leases and all that is read; lists, names and slots"
    rest = trips[before:].count("Redis")
    assert rest <= MAILS + 1, "each is acknowledged at once, and all are counted"


def test_a_batch_of_turns_that_are_over(
    context: WorkerContext, fresh: WorkerContext, clock: Clock, trips: list[str]
) -> None:
    ann, outbox = registered(context, "Ann"), fresh.container.log.outbox
    games = context.container.games
    for name in ("Bea", "Bob"):
        turns(context, ann, "at_once", name)
        clock.time += 60
        claimed = outbox.claim(1000, LEASE, "mail", heads=outbox.heads())
        for notice in claimed:
            stored = games.load(notice.partition(".")[0])
            player = stored.player_to_move()
            assert player is not None
            games.play(stored.id, player, games.view(stored, player).legal[:1])
        trips.clear()
        outcomes = jobs.deliver_notices(claimed, clock.time + LEASE)
        assert outcomes == ", ".join(["dropped"] * len(claimed))
        assert not {notice.id for notice in outbox.pending()} & set(claimed)
    assert len(claimed) >= 2 * MAILS
    assert trips.count("Redis") <= 5, "leases and all that is read; lists; what is over; counts"


def test_the_end_of_a_game(
    context: WorkerContext, fresh: WorkerContext, clock: Clock, trips: list[str]
) -> None:
    games, outbox = context.container.games, fresh.container.log.outbox
    ann, bob = registered(context, "Ann"), registered(context, "Bob")
    for _ in range(2):  # by the second, Redis knows the scripts
        game = games.create(ann, NewGame(first_player="creator", opponent=bob))
        games.join(game.id, bob)
        games.resign(game.id, ann)
        claimed = outbox.claim(1000, LEASE, "mail", heads=outbox.heads())
        trips.clear()
        outcomes = jobs.deliver_notices(claimed, clock.time + LEASE)
    assert outcomes.split(", ").count("sent") == 1  # the other player resigned
    rest = trips[trips.index(SMTP) :].count("Redis")
    assert rest <= 2 + 3, (
        "each is acknowledged at once; ratings for the second; what is over; counts"
    )

"""A mail server that accepts connections and never answers: only mail waits for it."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.core.redis.client import Client
from service.games import NewGame
from tests.support.servers import RedisServer
from tests.support.settings import settings
from tests.support.waiting import until
from tests.support.worker import worker
from tests.workers.match import registered
from workers.context import WorkerContext, build_context

DAY = 24 * 3600


@contextmanager
def silent() -> Iterator[str]:
    """The URL of such a server: its connections wait to be accepted, for ever."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        yield f"smtp://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
def context(redis: Client) -> WorkerContext:
    return build_context(settings(), redis)


def mails_due(context: WorkerContext, count: int) -> list[str]:
    """Notices of so many games that are over, which are all true."""
    ann, bob = registered(context, "Ann"), registered(context, "Bob")
    for notice in list(context.container.log.outbox.pending()):
        context.container.log.outbox.finish(notice.id)
    for _ in range(count // 2):
        made = context.container.games.create(ann, NewGame())
        invite = context.container.games.invitations.token(made.id)
        context.container.games.join(made.id, bob, invite=invite)
        over = context.container.games.resign(made.id, ann)
        for notice in list(context.container.log.outbox.pending()):
            if f".{over.version}." not in notice.id:
                context.container.log.outbox.finish(notice.id)
    return [
        notice.id for notice in context.container.log.outbox.pending() if ".mail.over" in notice.id
    ]


def test_bots_move_and_clocks_end_games_meanwhile(
    context: WorkerContext, redis: Client, redis_server: RedisServer, tmp_path: Path
) -> None:
    assert len(mails_due(context, 20)) == 20
    cleo = registered(context, "Cleo")
    wanted = NewGame(bot="steward", first_player="opponent")
    against_bots = [context.container.games.create(cleo, wanted).id for _ in range(5)]
    long_ago = build_context(settings(), redis, lambda: time.time() - 30 * DAY)
    waited_in_vain = long_ago.container.games.create(cleo, NewGame()).id

    def all_done() -> bool:
        moved = all(
            context.container.games.load(game).player_to_move() == cleo for game in against_bots
        )
        return moved and context.container.games.load(waited_in_vain).game.over

    patient = "tests.faults.patient_worker"
    with (
        silent() as url,
        worker(redis_server.url, tmp_path, module=patient, SCOTTENBURY_SMTP_URL=url),
    ):
        until(lambda: bool(context.container.log.outbox.waiting_since()))
        until(all_done)
    assert len([n for n in context.container.log.outbox.pending() if ".mail.over" in n.id]) >= 20

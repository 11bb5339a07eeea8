"""A receiver that never answers delays its own channel, and nothing else."""

from pathlib import Path

from service.core.network import read_allowed
from service.core.redis.client import Client
from service.games import NewGame
from tests.support.channels import working_channel
from tests.support.receiver import Receiver
from tests.support.servers import RedisServer
from tests.support.settings import settings
from tests.support.waiting import until
from tests.support.worker import worker
from tests.workers.match import registered
from workers.context import build_context

GAMES = 5


def test_the_others_get_their_messages_mails_and_turns_meanwhile(
    redis: Client, redis_server: RedisServer, tmp_path: Path
) -> None:
    container = build_context(settings(allowed_egress=read_allowed("127.0.0.1:*")), redis).container
    context = build_context(settings(), redis)
    ann, bob, cleo = (registered(context, name) for name in ("Ann", "Bob", "Cleo"))
    for notice in list(container.log.outbox.pending()):
        container.log.outbox.finish(notice.id)
    with Receiver() as hanging, Receiver() as answering:
        hanging.hangs = True
        for name in ("a", "b"):
            working_channel(container, ann, "webhook", {"url": f"{hanging.url}/{name}"})
        working_channel(container, bob, "webhook", {"url": f"{answering.url}/bob"})
        for _ in range(GAMES):
            made = container.games.create(ann, NewGame())
            container.games.join(made.id, bob, invite=container.games.invitations.token(made.id))
            container.games.resign(made.id, ann)
        wanted = NewGame(bot="steward", first_player="opponent")
        against_bot = container.games.create(cleo, wanted).id

        def all_done() -> bool:
            moved = container.games.load(against_bot).player_to_move() == cleo
            mailed = not any(".mail." in one.id for one in container.log.outbox.pending())
            return moved and mailed and len(answering.received) >= GAMES

        environment = {"SCOTTENBURY_ALLOWED_EGRESS": "127.0.0.1:*"}
        patient = "tests.faults.patient_worker"
        with worker(redis_server.url, tmp_path, module=patient, **environment):
            until(lambda: len(hanging.received) == 2)
            until(all_done)
            waiting = [one.id for one in container.log.outbox.pending() if f".{ann}.web" in one.id]
        assert len(hanging.received) == 2  # of each channel one at a time
        assert len(waiting) == 2 * GAMES

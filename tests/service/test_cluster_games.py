"""Games on a cluster that loses a master in their middle, through the use cases."""

import random
from itertools import count

from engine import legal
from engine.record import from_jsonl
from engine.verify import verify
from service import container
from service.container import Container
from service.core.redis.client import connect
from service.eventlog import IdempotencyKey
from service.games import NewGame
from service.games.writer import ChangeContext
from service.ops.restore import restore
from tests.support.backups import backup
from tests.support.cluster import patiently, replicated, running_cluster
from tests.support.servers import bundled_binary
from tests.support.settings import settings
from tests.support.waiting import until

HOW_MANY = 40
"""Over a dozen for each master."""
TO_THE_END = 6
"""So many are played out; the others go on for a while after the failover, and are resigned."""


class ClusterGame:
    """Two players and their game, with a client that never gives up."""

    def __init__(self, store: Container, number: int) -> None:
        self.store = store
        self.chance = random.Random(number)
        self.keys = count()
        north, south = (
            store.registrations.register(f"{name} {number}").player.id for name in ("Ann", "Bob")
        )
        made = store.games.create(north, NewGame(tactics=number % 2 == 0))
        store.games.join(made.id, south, invite=store.games.invitations.token(made.id))
        self.game = made.id

    def act(self, resign: bool = False) -> bool:
        """One action of the player to move, sent until it is answered; False once it is over."""
        stored = patiently(lambda: self.store.games.load(self.game))
        player = stored.player_to_move()
        if player is None:
            return False
        origin = ChangeContext(key=IdempotencyKey(f"key {next(self.keys)}", "f"))
        games, action = self.store.games, self.chance.choice(legal(stored.game))
        if resign:
            patiently(lambda: games.resign(self.game, player, origin))
        else:
            patiently(lambda: games.play(self.game, player, [action], origin))
        return True

    def finish(self, played_out: bool) -> None:
        """Bring the game to its end."""
        while self.act(resign=not played_out):
            pass


def test_every_game_is_finished_though_a_master_dies_in_their_middle() -> None:
    with running_cluster(bundled_binary()) as cluster, connect(cluster.url) as redis:
        store = container.Container(settings(), redis)
        tables = [ClusterGame(store, number) for number in range(HOW_MANY)]
        for table in tables * 4:
            table.act()
        until(lambda: replicated(cluster))

        cluster.masters[0].kill()
        for table in tables * 3:
            table.act()
        for number, table in enumerate(tables):
            table.finish(played_out=number < TO_THE_END)

        for table in tables:
            record = from_jsonl("\n".join(store.log.events.read(table.game)))
            assert verify(record) is None
            assert record[-1]["type"] == "game_ended"

        lines = backup(store)
        assert len([line for line in lines if line.startswith(b'{"game"')]) == HOW_MANY
        assert restore(store, lines).refused == []

"""The log on a cluster that loses a master in the middle of a hundred games."""

import time

from service.core.redis.client import connect, unavailable
from service.eventlog import Appended, EventLog, IdempotencyKey, Repeated, event_log
from tests.cluster import Cluster, running_cluster, wait_until
from tests.servers import bundled_binary

GAMES = [f"game{number:03}" for number in range(100)]
PATIENCE = 30.0


def play(log: EventLog, version: int) -> None:
    """Append the event after `version` to every game, as a client does that never gives up."""
    for game in GAMES:
        key = IdempotencyKey(f"key {version}", "f")
        answer = patiently(
            lambda game=game, key=key: log.events.append(game, version, [game], key=key)
        )
        assert answer in (Appended(version + 1), Repeated(version + 1))


def patiently(request):
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return request()
        except Exception as error:
            if not unavailable(error) or time.monotonic() > end:
                raise


def replicated(cluster: Cluster) -> bool:
    """Whether the replicas have all that the masters have; a cluster promises it only for later."""
    pairs = zip(cluster.masters, cluster.replicas, strict=True)
    states = [(m.redis.info("replication"), r.redis.info("replication")) for m, r in pairs]
    return all(m["master_repl_offset"] == r["slave_repl_offset"] for m, r in states)


def test_every_game_goes_on_after_a_master_has_died():
    with running_cluster(bundled_binary()) as cluster, connect(cluster.url) as redis:
        log = event_log(redis)
        for version in range(2):
            play(log, version)
        wait_until(lambda: replicated(cluster))

        cluster.masters[0].kill()
        for version in range(2, 4):
            play(log, version)

        assert sorted(log.events.game_ids()) == GAMES
        assert all(log.events.read(game) == [game] * 4 for game in GAMES)

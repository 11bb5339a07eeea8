"""The log on a cluster that loses a master in the middle of a hundred games."""

from service.core.redis.client import connect
from service.eventlog import Appended, EventLog, IdempotencyKey, Repeated
from tests.support.cluster import patiently, replicated, running_cluster
from tests.support.event_logs import event_log
from tests.support.servers import bundled_binary
from tests.support.waiting import until

GAMES = [f"game{number:03}" for number in range(100)]


def play(log: EventLog, version: int) -> None:
    """Append the event after `version` to every game, as a client does that never gives up."""
    for game in GAMES:
        key = IdempotencyKey(f"key {version}", "f")
        answer = patiently(
            lambda game=game, key=key: log.events.append(game, version, [game], key=key)
        )
        assert answer in (Appended(version + 1), Repeated(version + 1))


def test_every_game_goes_on_after_a_master_has_died() -> None:
    with running_cluster(bundled_binary()) as cluster, connect(cluster.url) as redis:
        log = event_log(redis)
        for version in range(2):
            play(log, version)
        until(lambda: replicated(cluster))

        cluster.masters[0].kill()
        for version in range(2, 4):
            play(log, version)

        assert sorted(log.events.game_ids()) == GAMES
        assert all(log.events.read(game) == [game] * 4 for game in GAMES)

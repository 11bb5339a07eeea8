"""Conversations on a cluster, where a player and a game may lie on different servers."""

from service import container
from service.core.redis.client import connect
from service.games import NewGame
from service.ops.status import ONE, gauges, server_status
from tests.support.clock import Clock
from tests.support.cluster import running_cluster
from tests.support.servers import bundled_binary
from tests.support.settings import settings


def test_players_talk_and_the_operator_looks_on_a_cluster() -> None:
    with running_cluster(bundled_binary()) as cluster, connect(cluster.url) as redis:
        store = container.Container(settings(), redis, Clock())
        talk = store.games.conversations
        for number in range(4):
            ann, bob = (
                store.registrations.register(f"{n} {number}").player.id for n in ("Ann", "Bob")
            )
            made = store.games.create(ann, NewGame(opponent=bob))
            store.games.join(made.id, bob)
            talk.write(made.id, ann, "Hi", "web")
            talk.report(made.id, bob, 1, "")
            page = talk.page(store.games.load(made.id), bob)
            assert ([message.text for message in page.messages], page.unread) == (["Hi"], 1)
            assert talk.news.count(bob) == talk.news.count(ann) == 1
            talk.mark_read(made.id, bob, 1)
            assert talk.unread({made.id: "south"}) == {}
        found = server_status(store)
        assert len(found.reports) == 4
        assert len(found.sizes) == 3
        store.delays.add([])
        due = next(gauge for gauge in gauges(store) if gauge.name == "notices_due")
        assert due.samples[ONE] > 4

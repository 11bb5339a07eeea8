"""A failover may lose a game's last events; a process that has seen them has to forget them."""

import json
from typing import Any

import pytest

from engine import OTHER
from engine.verify import verify_chain
from service import container
from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from tests.support.clock import Clock
from tests.support.games import arranged, played
from tests.support.settings import settings
from tests.support.stored_games import game_id, keep, running

GAME = game_id("a")


@pytest.fixture
def store(redis: Client) -> Container:
    store = container.Container(settings(), redis, Clock(running().now))
    keep(store, "a", running())
    store.games.load(GAME)
    return store


def lose_last(store: Container, events: int, game: str = GAME) -> None:
    """Take these events from the log, as if they had never reached the new master."""
    (log_key,) = store.redis.scan_iter(f"*{game}:log")
    left = store.redis.xrange(log_key)[:-events]
    store.redis.delete(log_key)
    for entry_id, fields in left:
        store.redis.xadd(log_key, fields, entry_id)


def test_what_was_lost_is_not_shown_any_more(store: Container) -> None:
    before = store.games.load(GAME).version
    lose_last(store, 2)
    assert store.games.load(GAME).version == before - 2


def test_what_took_its_place_is_shown(store: Container) -> None:
    lost = store.games.load(GAME)
    lose_last(store, 1)
    elsewhere = container.Container(settings(), store.redis, Clock(running().now))
    there = elsewhere.games.load(GAME)
    assert there.game.turn is not None
    after = elsewhere.games.resign(GAME, there.game.players[OTHER[there.game.turn]])
    assert after.version > lost.version
    assert store.games.load(GAME).head == after.head


def test_a_turn_follows_what_took_the_place_of_a_lost_one(store: Container) -> None:
    players = {"north": "north", "south": "south"}
    game = arranged(store, players)
    played(store, game, players, "R7@1 +C")
    lose_last(store, 3, game)
    elsewhere = container.Container(settings(), store.redis, Clock(running().now))
    played(elsewhere, game, players, "R8@2 +C")
    after = store.games.play(game, "south", ["G1@9", "+C"])
    assert verify_chain([json.loads(text) for text in store.log.events.read(game)]) is None
    assert after.game.stone(1).sides["north"] == ()
    assert after.game.stone(2).sides["north"] == ("R8",)


def test_a_lost_end_is_not_shown_any_more(store: Container) -> None:
    stored = store.games.load(GAME)
    over = store.games.resign(GAME, stored.player_to_move())
    lose_last(store, over.version - stored.version)
    assert store.games.load(GAME).head == stored.head


def test_a_game_that_was_lost_whole_is_not_there(store: Container) -> None:
    (log_key,) = store.redis.scan_iter(f"*{GAME}:log")
    store.redis.delete(log_key)
    with pytest.raises(RequestRejected, match="no game"):
        store.games.load(GAME)


def test_in_good_order_only_the_last_line_is_read_again(store: Container) -> None:
    def sent() -> int:
        return store.redis.info("stats")["total_net_output_bytes"]

    def sent_for(act: Any) -> int:
        before = sent()
        act()
        return sent() - before

    to_ask = min(sent_for(lambda: None) for _ in range(3))
    line = store.log.events.read(GAME)[-1]
    assert sent_for(lambda: store.games.load(GAME)) - to_ask < 2 * len(line)

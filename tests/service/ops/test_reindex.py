"""Lists, deadlines and notices come back from the logs alone."""

from typing import Any

import pytest

from engine import OTHER
from service import container
from service.accounts.player import PLAYER
from service.container import Container
from service.eventlog import notice_id
from service.ops.integrity import reindex, sweep, sweep_players
from tests.support.clock import Clock
from tests.support.stored_games import finished, game_id, keep, running


@pytest.fixture
def games(store: Container) -> list[str]:
    return [keep(store, "a", running(seed=1)), keep(store, "b", finished(seed=2))]


def everything_but_logs(store: Container) -> dict[str, object]:
    """What is stored beside the logs and the players, by key."""
    redis, found = store.redis, {}
    for key in redis.scan_iter():
        if not key.endswith((":log", ":player")):
            read = redis.zrange if redis.type(key) == "zset" else redis.hgetall
            found[key] = read(key, 0, -1, withscores=True) if read == redis.zrange else read(key)  # type: ignore[call-arg]
    return found


def test_everything_that_follows_from_the_logs_is_rebuilt_and_else_nothing_changes(
    store: Container, games: list[str]
) -> None:
    before = everything_but_logs(store)
    list(reindex(store, games))
    assert everything_but_logs(store) == before

    assert before
    store.redis.delete(*before)
    done = sorted(reindex(store, store.log.events.game_ids()))
    assert [(each.game, each.fault) for each in done] == [(game, None) for game in games]
    assert everything_but_logs(store) == before


def test_an_index_that_is_ahead_of_the_log_is_put_back(
    store: Container, games: list[str], clock: Clock
) -> None:
    """As after a failover that lost the last events of a game."""
    game = running(seed=3, events=30)
    lost = keep(store, "c", game)
    (key,) = store.redis.scan_iter(f"*{lost}*:log")
    last_turn = max(line["seq"] for line in game.lines if line["type"] == "turn_ended")
    for version in range(last_turn, len(game.lines) + 1):
        store.redis.xdel(key, f"{version}-0")
    store = container.Container(store.settings, store.redis, clock)
    list(reindex(store, [lost]))
    listed, _ = store.games.lists.of_player(game.game.players[OTHER[game.game.turn]], my_turn=True)
    assert [found["id"] for found in listed] == [lost]
    listed, _ = store.games.lists.of_player(game.game.players[game.game.turn], my_turn=True)
    assert listed == []


def test_a_move_made_meanwhile_wins(
    store: Container, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repair, moved = store.log.events.repair, []

    def repair_after_a_move(*args: Any, **kwargs: Any) -> Any:
        if not moved:
            stored = store.games.load(games[0])
            mover = stored.player_to_move()
            legal = store.games.view(stored, mover).legal
            moved.append(store.games.play(games[0], mover, legal[:1]))
        return repair(*args, **kwargs)

    monkeypatch.setattr(store.log.events, "repair", repair_after_a_move)
    list(reindex(store, games[:1]))
    after = store.games.load(games[0])
    assert after.version == moved[0].version
    listed, _ = store.games.lists.of_player(after.player_to_move(), my_turn=True)
    assert [found["id"] for found in listed] == games[:1]


def test_entries_of_games_that_are_gone_are_removed(store: Container, games: list[str]) -> None:
    stored = store.games.load(games[0])
    store.redis.delete(*store.redis.scan_iter(f"*{games[0]}*:log"))
    assert sweep(store) == 2
    assert sweep(store) == 0
    for player in stored.players:
        assert not list(store.redis.scan_iter(f"*{player}*:games:*"))


def test_players_who_are_gone_have_no_lists(store: Container, games: list[str]) -> None:
    gone, *others = {*store.games.load(games[0]).players, *store.games.load(games[1]).players}
    store.redis.delete(PLAYER.key(gone))
    list(reindex(store, games))
    assert store.games.lists.of_player(gone)[0]
    sweep_players(store)
    list(reindex(store, games))
    assert store.games.lists.of_player(gone) == ([], None)
    assert all(store.games.lists.of_player(player)[0] for player in others)


def test_lost_notices_come_back_when_asked_for(
    store: Container, games: list[str], clock: Clock
) -> None:
    list(reindex(store, games, notices_due=clock.time))
    running_game = store.games.load(game_id("a"))
    turn = notice_id(
        running_game.id, running_game.version, running_game.player_to_move(), "mail", "turn"
    )
    pending = dict(store.log.outbox.pending())
    assert pending[turn] == clock.time
    kinds = [notice.split(".")[-1] for notice in pending]
    assert sorted(kinds) == ["last-reminder", "pack", "reminder", "turn"]

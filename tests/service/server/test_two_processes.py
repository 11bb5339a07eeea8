"""Several processes over one Redis, each with its own memory of recent games."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.container import Container
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.games import ChangeContext
from tests.support.clock import Clock
from tests.support.games import arranged, played
from tests.support.settings import settings

PLAYERS = {"north": "north", "south": "south"}


@pytest.fixture
def processes(redis: Client) -> list[Container]:
    return [Container(settings(), redis, Clock()) for _ in range(4)]


def test_what_one_writes_and_who_registered_the_others_know(processes: list[Container]) -> None:
    one, other, *_ = processes
    game = arranged(one, PLAYERS)
    assert other.games.load(game).version == 3
    played(one, game, PLAYERS, "R7@1 +C", "G1@9 +C")
    assert other.games.load(game).head == one.games.load(game).head
    assert other.games.load(game).game.stone(9).sides["south"] == ("G1",)

    player, token = one.registrations.register("Ada")
    assert other.tokens.authenticate(token).player == player.id
    assert other.players.names([player.id, "nobody"]) == {player.id: "Ada"}


def test_a_process_that_has_not_seen_the_last_events_plays_on_from_them(
    processes: list[Container],
) -> None:
    one, other, *_ = processes
    game = arranged(one, PLAYERS)
    begun = one.games.load(game)
    played(other, game, PLAYERS, "R7@1 +C", "G1@9 +C")
    assert one.games.cached(game).version == begun.version
    assert one.games.play(game, "north", ["R8@1", "+C"]).head == other.games.load(game).head


def test_a_process_that_has_not_seen_the_last_events_refuses_by_them(
    processes: list[Container],
) -> None:
    one, other, *_ = processes
    game = arranged(one, PLAYERS)
    one.games.load(game)
    played(other, game, PLAYERS, "R7@1 +C")
    with pytest.raises(RequestRejected) as refused:
        one.games.play(game, "north", ["R8@1"], ChangeContext(expected=[3]))
    assert (refused.value.code, refused.value.members) == ("stale-version", {"version": 6})


def test_exactly_one_of_many_writers_at_a_version_wins(processes: list[Container]) -> None:
    game = arranged(processes[0], PLAYERS)

    def play(writer: int) -> str:
        container = processes[writer % len(processes)]
        try:
            container.games.play(
                game, "north", [f"R7@{1 + writer % 9}"], ChangeContext(expected=[3])
            )
        except RequestRejected as refused:
            return refused.code
        return "played"

    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(play, range(16)))
    assert sorted(outcomes) == ["played"] + ["stale-version"] * 15
    assert processes[0].games.load(game).version == 6

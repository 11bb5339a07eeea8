"""The store that `bench.filling` fills is one that players could have filled."""

from collections import Counter

import pytest

from bench.filling import GAMES_OF_PAIR, RUNNING_OF_PAIR, fill
from service.container import Container
from service.core.redis.client import Client
from service.games.projections.player_games import EVERY
from service.games.stored_game import fold
from service.ops.integrity import fault_in_stored
from tests.support.settings import settings

NUMBER = GAMES_OF_PAIR + 3


@pytest.fixture
def filled(redis: Client) -> Container:
    container = Container(settings(), redis)
    fill(container, NUMBER)
    return container


def test_all_games_are_stored_and_sound(filled: Container) -> None:
    games = list(filled.log.events.game_ids())
    assert len(games) == NUMBER
    assert {fault_in_stored(filled.log.events, game) for game in games} == {None}


def test_some_of_them_go_on(filled: Container) -> None:
    statuses = Counter[str]()
    for game in filled.log.events.game_ids():
        stored = fold(game, None, filled.log.events.read(game))
        assert stored is not None
        statuses[stored.game.status] += 1
    assert statuses["active"] == RUNNING_OF_PAIR + 3


def test_they_are_in_the_lists_of_their_players(filled: Container) -> None:
    index = filled.games.index
    pages = [index.page(player, EVERY, None, 100) for player in index.players()]
    assert Counter(len(page.game_ids) for page in pages) == {GAMES_OF_PAIR: 2, 3: 2}


def test_filling_goes_on_where_it_ended(filled: Container) -> None:
    fill(filled, NUMBER)
    assert len(list(filled.log.events.game_ids())) == NUMBER

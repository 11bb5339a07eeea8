"""The results of a day are read from the logs of its games."""

import pytest

from service.container import Container
from service.games.daily_store import DailyResult
from service.games.terms import DealDay
from tests.support.clock import Clock
from tests.support.deals import draw, play_out

TODAY = DealDay("2026-11-21")


def begin(container: Container, name: str) -> str:
    """A new player's game of today."""
    draw(container, "5e" * 32)
    return container.games.daily.begin(container.registrations.register(name).player.id).id


def test_it_has_the_stones_of_both_the_reason_and_the_turns(container: Container) -> None:
    game = play_out(container, begin(container, "Ann")).id
    found = container.games.daily.results.of_game(TODAY, game)
    assert found == DailyResult(False, 3, 5, "five-stones", 46)


def test_a_resignation_is_a_loss(container: Container) -> None:
    game = begin(container, "Ann")
    container.games.resign(game, container.games.load(game).game.players["north"] or "")
    found = container.games.daily.results.of_game(TODAY, game)
    assert found == DailyResult(False, 0, 0, "resignation", 0)


def test_a_game_that_goes_on_has_none_until_its_day_is_over(
    container: Container, clock: Clock
) -> None:
    game, results = begin(container, "Ann"), container.games.daily.results
    assert results.of(TODAY, [game]) == {}
    clock.time = TODAY.ends
    assert results.of(TODAY, [game]) == {game: None}


def test_a_game_that_never_began_has_none(container: Container, clock: Clock) -> None:
    clock.time = TODAY.ends
    assert container.games.daily.results.of(TODAY, ["a" * 20]) == {}


def test_a_log_is_read_once_after_its_end(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, results = play_out(container, begin(container, "Ann")).id, container.games.daily.results
    first = results.of(TODAY, [game])
    monkeypatch.setattr(container.log.events, "execute_all", None)
    assert results.of(TODAY, [game]) == first


def test_a_damaged_log_hides_no_other(container: Container) -> None:
    sound, damaged = (play_out(container, begin(container, name)).id for name in ("Ann", "Bob"))
    (key,) = container.redis.keys(f"*:g:{damaged}:log")
    container.redis.delete(key)
    container.redis.xadd(key, {"event": "no JSON"}, id="1-0")
    assert [*container.games.daily.results.of(TODAY, [damaged, sound])] == [sound]

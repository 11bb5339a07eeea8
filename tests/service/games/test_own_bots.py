"""Games between a player and their own bot, or two of their bots, are never rated."""

from typing import NamedTuple

import pytest

from engine.clock_events import AgreedClock
from service.container import Container
from service.core.errors import RequestRejected
from service.games import NewGame, StoredGame
from service.games.reading import views
from tests.web.shown import Shown, play_on

CLOCK: AgreedClock = {"days_per_move": 3}


class People(NamedTuple):
    """Ann, two bots of hers, and one of Bob's."""

    ann: str
    deep: str
    further: str
    bobs: str


@pytest.fixture
def people(container: Container) -> People:
    ann, bob = (container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    deep, further, bobs = (
        container.registrations.register(name, owner=owner).player.id
        for name, owner in (("Deep", ann), ("Further", ann), ("Stony", bob))
    )
    return People(ann, deep, further, bobs)


def is_rated(container: Container, stored: StoredGame) -> bool:
    return container.games.view(stored, stored.players[0]).rated


PAIRS = [("ann", "deep", True), ("deep", "ann", True), ("deep", "further", None)]
"""A maker, an opponent, and a choice by which others are rated."""


@pytest.mark.parametrize(("maker", "other", "wanted"), PAIRS)
def test_an_invited_bot_of_ones_own_plays_an_unrated_game(
    container: Container, people: People, maker: str, other: str, wanted: bool | None
) -> None:
    one, two = getattr(people, maker), getattr(people, other)
    made = container.games.create(one, NewGame(clock=CLOCK, opponent=two, rated=wanted))
    assert not is_rated(container, container.games.join(made.id, two))
    made = container.games.create(one, NewGame(clock=CLOCK, opponent=people.bobs, rated=True))
    assert is_rated(container, container.games.join(made.id, people.bobs))


@pytest.mark.parametrize(("maker", "other", "wanted"), PAIRS)
def test_a_challenge_or_a_counter_offer_says_that_it_is_unrated(
    container: Container, people: People, maker: str, other: str, wanted: bool | None
) -> None:
    one, two = getattr(people, maker), getattr(people, other)
    challenges = container.games.challenges
    made = challenges.make(one, two, NewGame(clock=CLOCK, rated=wanted))
    counter = challenges.counter(made.id, two, {"rated": wanted})
    assert [views.challenge_view(each, {})["rated"] for each in (made, counter)] == [False] * 2
    assert not is_rated(container, challenges.accept(counter.id, one))


@pytest.mark.parametrize(("maker", "other", "wanted"), PAIRS)
def test_nobody_takes_the_other_seat_of_an_open_game_that_is_rated(
    container: Container, people: People, maker: str, other: str, wanted: bool | None
) -> None:
    one, two = getattr(people, maker), getattr(people, other)
    rated = container.games.create(one, NewGame(clock=CLOCK, listed=True, rated=wanted))
    with pytest.raises(RequestRejected, match="never rated") as refusal:
        container.games.join(rated.id, two)
    assert refusal.value.code == "own-game"
    assert container.games.join(rated.id, people.bobs).game.status == "active"
    unrated = container.games.create(one, NewGame(clock=CLOCK, listed=True, rated=False))
    assert container.games.join(unrated.id, two).game.status == "active"


def test_games_with_ones_own_bot_move_no_rating_even_once_it_is_deleted(
    container: Container, people: People
) -> None:
    made = container.games.create(
        people.ann, NewGame(clock=CLOCK, opponent=people.deep, rated=True)
    )
    game = Shown(made.id, people.ann, people.deep)
    container.games.join(game.id, people.deep)
    play_on(container, game)
    over = container.games.resign(game.id, people.deep)
    bot = container.players.find(people.deep)
    assert bot is not None
    container.players.forget(bot)
    assert container.games.ratings.of(people.ann, None).forms[False].games == 0
    result = container.games.ratings.result(over)
    assert result is not None
    assert not result.rated


def test_a_rematch_of_a_rated_game_of_before_is_not_rated(
    container: Container, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(type(container.players), "are_of_one_person", lambda *ids: False)
        made = container.games.create(
            people.ann, NewGame(clock=CLOCK, opponent=people.deep, rated=True)
        )
        old = container.games.join(made.id, people.deep)
        play_on(container, Shown(old.id, people.ann, people.deep))
    assert is_rated(container, container.games.resign(old.id, people.deep))
    container.games.rematches.ask(old.id, people.ann)
    assert not is_rated(container, container.games.rematches.ask(old.id, people.deep))

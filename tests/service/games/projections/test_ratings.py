"""Ratings are a fold of the results in the order of their ends, however they arrive."""

import json
import random
from collections.abc import Sequence
from itertools import chain

import pytest

from service.bots import BOTS
from service.container import Container
from service.core.redis.batch import execute
from service.core.times import DAY
from service.games import ChangeContext, NewGame
from service.games.projections import ratings as projection
from service.games.projections.ratings import HeadToHead, Ratings
from service.games.rating import Form, Result, field_of, fold
from service.ops.integrity import reindex
from tests.support.clock import NOON, Clock
from tests.support.round_trips import round_trips
from tests.web.shown import Shown, begin, play_on

STRENGTHS = {f"{name:a<16}": 300 * number for number, name in enumerate(("anna", "ben", "cleo"))}
PLAYERS = [*STRENGTHS, BOTS["steward"].player]
FIELDS = [field_of(player, tactics) for player in PLAYERS for tactics in (False, True)]


def season(seed: int, games: int = 40) -> list[Result]:
    """Some months of games, many of which end in the same second."""
    chance, results, ended = random.Random(seed), list[Result](), int(NOON)
    for number in range(games):
        ended += chance.choice((0, 0, DAY, 3 * DAY))
        first, second = chance.sample(PLAYERS, 2)
        edge = STRENGTHS.get(first, 500) - STRENGTHS.get(second, 500)
        score = 0.5 if not number % 9 else float(chance.random() < 1 / (1 + 10 ** (-edge / 400)))
        rated = chance.random() < 0.8
        game = f"{chance.randrange(2**64):020d}"
        advantage = chance.choice((0, 35))
        tactics = chance.random() < 0.5
        results.append(Result(ended, game, first, second, score, advantage, rated, tactics))
    return sorted(results)


def folded(results: Sequence[Result]) -> dict[str, Form]:
    forms: dict[str, Form] = {}
    list(fold(forms, sorted(results)))
    return forms


def forms_of(container: Container, *players: str) -> dict[str, Form]:
    return execute(container.redis, container.games.ratings.forms_query(players))


def against(container: Container, reader: str, player: str) -> HeadToHead:
    found = container.games.ratings.of(player, reader).against
    assert found is not None
    return found


def stored(container: Container) -> list[object]:
    """All that the ratings store, except the number of writes."""
    forms, results, order, pairs = projection._KEYS
    redis = container.redis
    hashes = [redis.hgetall(key) for key in (forms, results, pairs)]
    hashes[0].pop("revision")
    return [*hashes, redis.zrange(order, 0, -1, withscores=True)]


@pytest.mark.parametrize("seed", range(4))
def test_results_in_any_order_lead_to_the_same_ratings(container: Container, seed: int) -> None:
    results = season(seed)
    chance, late = random.Random(seed), list(results)
    chance.shuffle(late)
    for start in range(0, len(late), 3):
        container.games.ratings.add(late[start : start + 3])
    assert forms_of(container, *FIELDS) == folded(results)


def test_games_of_different_players_may_be_rated_in_either_order() -> None:
    """So only the order of each player's own games matters."""
    some = season(5)
    others = [result._replace(first="d" * 16, second="e" * 16) for result in season(6)]
    mixed = list(chain.from_iterable(zip(some, others, strict=True)))
    expected = folded(some) | folded(others)
    for order in (some + others, others + some, mixed):
        forms: dict[str, Form] = {}
        list(fold(forms, order))
        assert forms == expected


def test_a_result_counts_once(container: Container) -> None:
    results = season(1)
    container.games.ratings.add(results)
    container.games.ratings.add([*results[5:9], results[0]])
    assert forms_of(container, *FIELDS) == folded(results)
    anna, ben, _, steward = PLAYERS
    for other in (ben, steward):
        won, lost, drawn = against(container, anna, other)
        assert won + lost + drawn == sum({anna, other} == {r.first, r.second} for r in results)
        assert against(container, other, anna) == HeadToHead(lost, won, drawn)


@pytest.mark.parametrize("reader", [None, PLAYERS[0]])
def test_a_list_reads_all_ratings_in_one_round_trip(
    container: Container, reader: str | None
) -> None:
    container.games.ratings.add(season(1))
    with round_trips() as trips:
        found = container.games.ratings.all_of(PLAYERS, reader)
    assert trips.count == 1
    assert found == {one: container.games.ratings.of(one, reader) for one in PLAYERS}
    assert container.games.ratings.all_of([], reader) == {}


def test_the_strongest_come_out_on_top(container: Container) -> None:
    container.games.ratings.add(season(2, games=400))
    forms = forms_of(container, *STRENGTHS)
    assert sorted(forms, key=lambda player: forms[player].rating.points) == [*STRENGTHS]


def test_rebuilding_forgets_what_is_not_true_any_more(container: Container) -> None:
    """As after a failover that lost the end of a game."""
    results = season(3)
    container.games.ratings.add(results)
    container.games.ratings.rebuild(results[1:], since=results[-1].ended + 1)
    assert forms_of(container, *FIELDS) == folded(results[1:])


@pytest.mark.parametrize("removed", [[10, 0], range(40)])
def test_a_game_that_is_removed_leaves_no_trace(
    container: Container, removed: Sequence[int]
) -> None:
    """As if it had never been played: all keys are those that rating the others anew gives."""
    results = season(3)
    container.games.ratings.add(results)
    gone = [results[place] for place in removed]
    for result in (*gone, gone[0]):
        container.games.ratings.forget(result.game)
    left = [result for result in results if result not in gone]
    assert forms_of(container, *FIELDS) == folded(left)
    after = stored(container)
    container.games.ratings.rebuild(left, since=results[-1].ended + 1)
    assert after == stored(container)


def test_a_game_that_ends_while_the_logs_are_read_is_not_lost(container: Container) -> None:
    results = season(3)
    container.games.ratings.add(results)
    container.games.ratings.rebuild(results[:-1], since=results[-1].ended)
    assert forms_of(container, *FIELDS) == folded(results)


def test_two_writers_at_once_lose_nothing(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, plain = season(4), Ratings._append
    others = [results[::2]]

    def interrupted(self: Ratings, *args: object, **options: object) -> bool:
        if others:
            container.games.ratings.add(others.pop())
        return plain(self, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Ratings, "_append", interrupted)
    container.games.ratings.add(results[1::2])
    assert forms_of(container, *FIELDS) == folded(results)


def test_many_results_are_written_some_at_a_time(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projection, "_AT_ONCE", 7)
    container.games.ratings.add(reversed(season(7)))
    assert forms_of(container, *FIELDS) == folded(season(7))


def test_what_a_version_with_one_rating_for_both_kinds_stored_is_read_until_the_next_reindexing(
    container: Container,
) -> None:
    results = season(8)
    container.games.ratings.add(results)
    _, stored_results, _, _ = projection._KEYS
    for game, text in container.redis.hgetall(stored_results).items():
        result, *forms = json.loads(text)
        container.redis.hset(stored_results, game, json.dumps([result[:7], *forms]))
    read = container.games.ratings.rated(results[0].game)
    assert read is not None
    assert read.result == results[0]._replace(tactics=False)
    container.games.ratings.forget(results[-1].game)
    container.games.ratings.add(season(9))
    container.games.ratings.rebuild(results, since=results[-1].ended + 10**9)
    assert forms_of(container, *FIELDS) == folded(results)


# With games


@pytest.fixture
def over(container: Container) -> Shown:
    """A game that Ann gave up after five turns of each."""
    game = begin(container, clock={"days_per_move": 3})
    play_on(container, game)
    container.games.resign(game.id, game.ann)
    return game


def test_a_game_is_rated_when_it_ends(container: Container, over: Shown) -> None:
    forms = forms_of(container, over.ann, over.bob)
    assert {player: form.games for player, form in forms.items()} == {over.ann: 1, over.bob: 1}
    assert forms[over.ann].rating.points < 1400 < 1600 < forms[over.bob].rating.points
    assert container.games.ratings.of(over.ann, reader=over.bob).against == (1, 0, 0)


def test_the_end_takes_one_trip_more_than_a_turn_and_a_turn_none(container: Container) -> None:
    game, games = begin(container, clock={"days_per_move": 3}), container.games
    play_on(container, game, 10)
    with round_trips() as turn:
        games.play(game.id, game.ann, games.view(games.load(game.id), game.ann).legal[:1])
    assert turn.count == 3  # to look, to read, to write
    with round_trips() as end:
        games.resign(game.id, game.ann)
    assert end.count == 4  # to read, to write, for the lists with what ratings need, to rate


def test_a_writer_that_died_leaves_the_rest_to_the_notice(
    container: Container, over: Shown, clock: Clock
) -> None:
    before = forms_of(container, over.ann, over.bob)
    container.redis.delete(*projection._KEYS)
    stored = container.games.load(over.id)
    container.games.ratings.apply(stored)
    container.games.ratings.apply(stored)
    assert forms_of(container, over.ann, over.bob) == before


def test_reindexing_rates_the_games_of_an_old_store(container: Container, over: Shown) -> None:
    before = forms_of(container, over.ann, over.bob)
    container.redis.delete(*projection._KEYS)
    done = [each.result for each in reindex(container, container.log.events.game_ids())]
    container.games.ratings.rebuild([result for result in done if result], container.now())
    assert forms_of(container, over.ann, over.bob) == before


def test_a_game_that_goes_on_is_not_rated(container: Container) -> None:
    game = begin(container)
    container.games.abandonments.agree(game.id, game.ann, ChangeContext())
    container.games.abandonments.agree(game.id, game.bob, ChangeContext())
    container.games.create(game.ann, NewGame(opponent=game.bob))
    assert forms_of(container, game.ann, game.bob) == {}

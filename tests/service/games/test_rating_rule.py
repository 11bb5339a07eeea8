"""Which games count, and what they do."""

import json

import pytest

from engine.clock_events import AgreedClock
from service.bots import BOTS
from service.container import Container
from service.core.ids import owned_bot_id
from service.core.times import DAY
from service.games import ChangeContext, NewGame, StoredGame
from service.games.rating import (
    BOTS_DEVIATION,
    Form,
    Rating,
    Result,
    field_of,
    fold,
    is_for_ratings,
    rating_of,
    result_of,
)
from service.ops.integrity import fault_in
from tests.support.clock import NOON, Clock
from tests.support.matches import folded, lines_of_match
from tests.support.telling import tell_all
from tests.web.shown import begin, play_on

ANN, BOB, STEWARD = "a" * 16, "b" * 16, BOTS["steward"].player
BOT = owned_bot_id(bytes(20))
CLOCK: AgreedClock = {"days_per_move": 1}
RESULT = Result(int(NOON), "g" * 20, ANN, BOB, 1.0, advantage=0.0, rated=True)


def ended(container: Container, turns: int, **options: object) -> StoredGame:
    """A game that Ann, who began, gave up after so many turns in all."""
    game = begin(container, clock=CLOCK, **options)
    play_on(container, game, turns)
    return container.games.resign(game.id, game.ann)


# Which games count


@pytest.mark.parametrize("turns", range(8, 12))
def test_a_game_counts_once_both_have_played_five_turns(container: Container, turns: int) -> None:
    result = container.games.ratings.result(ended(container, turns))
    assert (result is not None) == (turns >= 10)


@pytest.mark.parametrize("turns", [9, 10])
def test_the_same_holds_for_time_outs(container: Container, clock: Clock, turns: int) -> None:
    game = begin(container, clock=CLOCK)
    play_on(container, game, turns)
    tell_all(container)
    clock.time += 2 * DAY
    stored = container.games.current(game.id)
    assert stored.game.reason == "time-out"
    assert (container.games.ratings.result(stored) is not None) == (turns == 10)


def test_who_gives_up_loses(container: Container) -> None:
    stored = ended(container, 10)
    result = container.games.ratings.result(stored)
    assert result is not None
    assert (result.first, result.second) == tuple(stored.players)
    assert (result.score, result.rated) == (0.0, True)


def test_a_game_that_both_agree_to_abandon_does_not_count(container: Container) -> None:
    game = begin(container)
    play_on(container, game, 12)
    for player in (game.ann, game.bob):
        container.games.abandonments.agree(game.id, player, ChangeContext())
    stored = container.games.load(game.id)
    assert (stored.game.status, container.games.ratings.result(stored)) == ("finished", None)


def test_a_record_from_elsewhere_does_not_count(container: Container) -> None:
    assert container.games.ratings.result(ended(container, 10)._replace(imported=True)) is None


def test_a_match_counts_as_one_game() -> None:
    stored = folded(lines_of_match(3))
    result = result_of(stored)
    assert result is not None
    winner = stored.game.winner
    assert result.score == (0.5 if winner is None else float(winner == "north"))
    assert result.advantage == 0


# Which of them are rated


@pytest.mark.parametrize(
    ("players", "is_rated"),
    [
        ((ANN, BOB), True),
        ((ANN, STEWARD), False),
        ((ANN, BOT), False),
        ((STEWARD, BOT), True),
        ((ANN, None), True),
    ],
)
def test_games_with_bots_are_unrated_for_people_unless_they_choose_otherwise(
    players: tuple[str | None, ...], is_rated: bool
) -> None:
    assert is_for_ratings(None, False, CLOCK, players) == is_rated
    assert is_for_ratings(True, False, CLOCK, players)
    assert not is_for_ratings(False, False, CLOCK, players)


@pytest.mark.parametrize("wanted", [None, True, False])
def test_a_private_game_and_one_without_a_clock_are_never_rated(wanted: bool | None) -> None:
    assert not is_for_ratings(wanted, True, CLOCK, (ANN, BOB))
    assert not is_for_ratings(wanted, False, None, (ANN, BOB))


@pytest.mark.parametrize("wanted", [None, True, False])
def test_the_choice_is_made_with_the_game(container: Container, wanted: bool | None) -> None:
    stored = ended(container, 10, rated=wanted)
    result = container.games.ratings.result(stored)
    assert result is not None
    assert result.rated == (wanted is not False)
    record = [json.loads(text) for text in container.log.events.read(stored.id)]
    assert fault_in(record) is None, "it verifies"


def test_a_game_against_a_bot_is_rated_where_that_was_chosen(container: Container) -> None:
    ann = container.registrations.register("Ann").player.id
    made = container.games.create(ann, NewGame(bot="steward", rated=True, clock=CLOCK))
    assert container.games.view(made, ann).rated
    assert not container.games.view(
        container.games.create(ann, NewGame(bot="steward", clock=CLOCK)), ann
    ).rated


# What they do


def test_both_are_rated_by_the_ratings_that_both_had() -> None:
    forms: dict[str, Form] = {}
    (rated,) = fold(forms, [RESULT])
    assert rated.before == [Form(), Form()]
    assert rated.after == [forms[ANN], forms[BOB]]
    ann, bob = forms[ANN].rating, forms[BOB].rating
    assert ann.points - 1500 == pytest.approx(1500 - bob.points)
    assert (forms[ANN].games, forms[ANN].at) == (1, int(NOON))


@pytest.mark.parametrize(("tactics", "advantage"), [(False, 0), (True, 35)])
def test_the_first_player_has_an_advantage_with_tactic_cards(
    container: Container, tactics: bool, advantage: float
) -> None:
    result = container.games.ratings.result(ended(container, 10, tactics=tactics))
    assert result is not None
    assert (result.advantage, result.tactics) == (advantage, tactics)


def test_a_draw_is_worth_less_to_whoever_had_the_advantage() -> None:
    forms: dict[str, Form] = {}
    list(fold(forms, [RESULT._replace(score=0.5, advantage=35.0)]))
    assert forms[ANN].rating.points < 1500 < forms[BOB].rating.points


def test_a_game_that_is_not_rated_changes_nothing() -> None:
    forms: dict[str, Form] = {}
    (rated,) = fold(forms, [RESULT._replace(rated=False)])
    assert (forms, rated.before) == ({}, (None, None))


def test_bots_of_the_server_keep_their_measured_rating() -> None:
    forms: dict[str, Form] = {}
    (rated,) = fold(forms, [RESULT._replace(second=STEWARD)])
    assert [*forms] == [ANN]
    assert rated.after[1] is None
    for tactics in (False, True):
        assert rating_of(STEWARD, None, NOON, tactics=tactics) == Rating(1500, BOTS_DEVIATION)


def test_a_game_with_tactic_cards_changes_the_rating_in_those_alone() -> None:
    forms: dict[str, Form] = {}
    list(fold(forms, [RESULT, RESULT._replace(game="h" * 20, score=0.0, tactics=True)]))
    base, tactics = (forms[field_of(ANN, kind)] for kind in (False, True))
    assert (base.games, tactics.games) == (1, 1)
    assert base.rating.points - 1500 == pytest.approx(1500 - tactics.rating.points)


def test_a_bot_is_as_strong_in_each_kind_as_it_was_measured_to_be() -> None:
    piper = BOTS["piper"].player
    base, tactics = (rating_of(piper, None, NOON, tactics=kind).points for kind in (False, True))
    assert base - tactics > 400
    beaten = [RESULT._replace(second=piper, tactics=kind) for kind in (False, True)]
    gains = [next(fold({}, [each])).after[0] for each in beaten]
    assert gains[0] is not None
    assert gains[1] is not None
    assert gains[0].rating.points > gains[1].rating.points + 100


def test_days_without_a_game_make_a_rating_less_certain() -> None:
    form = Form(Rating(1600, 60), int(NOON), 20)
    assert form.current(NOON) == pytest.approx(form.rating)
    assert form.current(NOON + 365 * DAY).deviation == pytest.approx(107, abs=1)
    assert form.current(NOON + 365 * DAY).points == 1600


def test_a_rating_never_becomes_so_certain_that_it_cannot_change() -> None:
    forms: dict[str, Form] = {}
    draw = RESULT._replace(score=0.5)
    list(fold(forms, [draw._replace(ended=int(NOON) + number) for number in range(300)]))
    assert forms[ANN].rating.deviation == 45

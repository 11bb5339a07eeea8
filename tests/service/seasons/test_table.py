"""Divisions, tables and promotion, against a second count from the log alone."""

from itertools import pairwise
from random import Random

import pytest

from service.bots import BOTS
from service.seasons.events import PlayerWithdrew, ResultTaken
from service.seasons.table import (
    division_sizes,
    draw,
    movers,
    order_after,
    pairs,
    standings,
    tables,
)
from service.seasons.verify import verify
from tests.service.seasons.leagues import League, final_tables, player, seasons_in_a_row


@pytest.mark.parametrize("best", [4, 5, 6, 7, 8])
def test_divisions_have_four_to_eight_players_as_near_to_the_best_as_can_be(best: int) -> None:
    for players in range(4, 601):
        sizes = division_sizes(players, best)
        assert sum(sizes) == players
        assert 4 <= min(sizes) <= max(sizes) <= min(8, min(sizes) + 1)
        assert players < 24 or all(abs(size - best) <= 2 for size in sizes)


def test_everybody_plays_everybody_twice_once_from_each_seat() -> None:
    games = pairs("abcdef")
    assert len(games) == 30
    assert {(north, south) for _, north, south in games} == {
        (one, other) for one in "abcdef" for other in "abcdef" if one != other
    }
    assert {leg for leg, *_ in games} == {1, 2}


@pytest.mark.parametrize("players", [6, 7, 9, 13, 41, 600])
@pytest.mark.parametrize("dropouts", [0.0, 0.05])
def test_each_table_is_that_of_a_count_from_the_log(players: int, dropouts: float) -> None:
    random = Random(players)
    league = League().enter(players).start().play(random, dropouts).end()
    assert tables(league.season) == final_tables(league.lines)
    found = verify(league.lines)
    assert len(found.season.results) == len(league.season.games)
    assert {one for table in tables(found.season) for one in table} == {*league.season.entered}


def test_the_lot_decides_last_and_is_named() -> None:
    league = League(division=4).enter(4).start()
    for game in league.season.games.values():
        league.result(game, None, "stalemate", [2, 2])
    rows = standings(league.season, 1)
    assert all(row.by_lot and row.points == 6 for row in rows)
    league.end()
    assert [row.player for row in rows] == final_tables(league.lines)[0]


def test_two_go_up_and_two_go_down_and_who_left_goes_down() -> None:
    league = League().enter(18).start()
    league.add(PlayerWithdrew(league.season.divisions[1][0], "left"))
    league.play(Random(1)).end()
    up, down = movers(league.season, 2, standings(league.season, 2))
    assert (len(up), len(down)) == (2, 3)
    assert movers(league.season, 1, standings(league.season, 1))[0] == []
    assert movers(league.season, 3, standings(league.season, 3))[1] == []
    order = order_after(league.season)
    levels = [order[:6], order[6:11], order[11:]]
    first, second = (tables(league.season)[number] for number in (0, 1))
    assert levels[0] == [*first[:4], *up]
    assert levels[1][:2] == first[4:]
    assert {*down} < {*levels[2]}
    assert league.season.divisions[1][0] in second


def test_seasons_in_a_row_follow_from_each_other() -> None:
    random = Random(7)
    first = League().enter(30).start().play(random, 0.02).end()
    leagues = [first, *seasons_in_a_row(first, 4, random)]
    for before, after in pairwise(leagues):
        assert not verify(after.lines, (), before.lines).is_order_unproved
        assert tables(after.season) == final_tables(after.lines)
    # Whoever is first stays up or goes up, as long as they enter.
    best = tables(leagues[0].season)[0][0]
    assert best in leagues[1].season.divisions[0] or best not in leagues[1].season.entered


def test_bots_fill_short_divisions_and_stay_where_they_are() -> None:
    league = League(bots=["steward", "piper"], division=6).enter(4).start()
    bots = [BOTS["steward"].player, BOTS["piper"].player]
    assert league.season.divisions[0][4:] == bots
    league.play(Random(3)).end()
    assert not {*bots} & {*order_after(league.season)}


def test_too_few_people_make_no_season() -> None:
    league = League().enter(3)
    assert draw(league.season, league.season.active) == []
    alone = League(bots=[*BOTS]).enter(1)
    assert draw(alone.season, alone.season.active) == []


def test_leaving_somebody_out_does_not_change_the_order_of_the_others() -> None:
    league = League().enter(8)
    (order,) = draw(league.season, league.season.active)
    league.add(PlayerWithdrew(player(3), "not-seen"))
    (left,) = draw(league.season, league.season.active)
    assert left == [one for one in order if one != player(3)]


def test_a_removed_game_counts_for_nobody() -> None:
    league = League(division=4).enter(4).start()
    game, *others = league.season.games
    nobody = {"north": 0, "south": 0}
    league.add(ResultTaken(game, "0" * 64, None, "removed", nobody))
    assert sum(row.points for row in standings(league.season, 1)) == 0
    assert len(others) == 11

"""Whatever is changed in a log is found, and what no rule allows too."""

import copy
import json
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest

from engine.shuffle import commitment
from service.seasons.events import CardsSealed, PlayerEntered, PlayerWithdrew, SeasonEnded
from service.seasons.table import order_after, tables
from service.seasons.verify import UnsoundSeason, verify
from tests.service.seasons.forged import (
    CHANGES,
    FORGED,
    MALFORMED,
    NO_LOGS,
    Change,
    hidden_secret,
    sealed_anew,
)
from tests.service.seasons.ladders import Climbing, climbed
from tests.service.seasons.leagues import CARDS, League, player


@pytest.fixture(scope="module")
def played() -> League:
    return League(division=4).enter(9).start().play(Random(5), 0.03).end()


def changes_found(text: str, places: Iterable[int], read: Callable[[str], Any]) -> int:
    """Change each of these bytes of a log for itself: every change is found. Return how many left
    a log that says something else."""
    sound, found = read(text), 0
    for place in places:
        try:
            lines = read(f"{text[:place]}{chr(ord(text[place]) ^ 1)}{text[place + 1 :]}")
        except ValueError:
            continue  # it is no log any more
        if lines == sound:
            continue  # white space
        found += 1
        with pytest.raises(UnsoundSeason):
            verify(lines)
    return found


def test_a_changed_byte_anywhere_is_found(played: League) -> None:
    text = "\n".join(json.dumps(line) for line in played.lines)
    random = Random(2)
    places = {*range(0, len(text), 97), *(random.randrange(len(text)) for _ in range(200))}
    assert changes_found(text, places, lambda one: [*map(json.loads, one.split("\n"))]) > 200


def test_a_line_left_out_or_put_elsewhere_is_found(played: League) -> None:
    lines = played.lines
    for place in range(len(lines) - 1):
        with pytest.raises(UnsoundSeason):
            verify([*lines[:place], *lines[place + 1 :]])
        with pytest.raises(UnsoundSeason):
            verify([*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]])


@pytest.mark.parametrize("change", CHANGES)
def test_what_does_not_follow_is_found_even_in_a_chain_that_holds(
    played: League, change: Change
) -> None:
    lines = copy.deepcopy(played.lines)
    verify(sealed_anew(lines))
    change(lines)
    with pytest.raises(UnsoundSeason):
        verify(sealed_anew(lines))


def test_nobody_enters_after_the_start() -> None:
    league = League().enter(6).start()
    league.add(PlayerEntered(player(9), "late"))
    with pytest.raises(UnsoundSeason, match="nobody enters after the start"):
        verify(league.lines)


def test_two_time_outs_are_a_withdrawal_and_nothing_less() -> None:
    league = League(division=4).enter(4).start()
    league.add(PlayerWithdrew(player(0), "time-outs"))
    with pytest.raises(UnsoundSeason, match="2 time-outs"):
        verify(league.lines)


def test_a_season_does_not_end_while_games_go_on() -> None:
    league = League().enter(6).start()
    league.add(SeasonEnded(tables(league.season)))
    with pytest.raises(UnsoundSeason, match="still going on"):
        verify(league.lines)


def test_before_the_start_the_secret_is_hidden_and_the_rest_holds() -> None:
    league = League().enter(6)
    first: Any = {**league.lines[0], "private": None, "salt": None}
    assert verify([first, *league.lines[1:]]).season.status == "open"
    with pytest.raises(UnsoundSeason):
        verify([first, *league.lines[2:]])


def test_until_the_end_the_secret_of_the_cards_is_hidden_and_no_longer() -> None:
    league = League().enter(6).start()
    hidden: Any = {**league.lines[1], "private": None}
    league.play(Random(1))
    lines: list[Any] = [league.lines[0], hidden, *league.lines[2:]]
    cards = verify(lines).season.cards
    assert cards is not None
    assert cards.secret is None
    league.end()
    with pytest.raises(UnsoundSeason, match="still hidden"):
        verify([*lines, league.lines[-1]])


def test_the_log_of_an_older_version_has_no_seal_of_the_cards() -> None:
    league = League(is_sealed=False, division=4).enter(6).start().play(Random(1)).end()
    assert verify(league.lines).season.cards is None
    late = League(is_sealed=False).enter(1)
    late.add(CardsSealed(commitment(CARDS), CARDS))
    with pytest.raises(UnsoundSeason, match="before anybody enters"):
        verify(late.lines)


def test_names_are_not_sealed() -> None:
    league = League().enter(6)
    named: list[Any] = [
        {**line, "name": None} if line["type"] == "entered" else line for line in league.lines
    ]
    assert verify(named).season.version == 8


@pytest.mark.parametrize("lines", NO_LOGS)
def test_what_is_no_log_is_unsound(lines: list[Any]) -> None:
    with pytest.raises(UnsoundSeason):
        verify(lines)


@pytest.mark.parametrize("name", MALFORMED)
def test_no_line_holds_anything_else_than_it_should(name: str) -> None:
    make, why = MALFORMED[name]
    with pytest.raises(UnsoundSeason, match=why):
        verify(make())


def test_the_order_by_the_season_before_needs_its_log() -> None:
    before = League().enter(12).start().play(Random(1)).end()
    league = League("t" * 20, follows=before.season.id).enter(12).start()
    assert verify(league.lines).is_order_unproved
    with pytest.raises(UnsoundSeason, match="the draw is another"):
        verify(league.lines, (), before.lines)


@pytest.mark.parametrize("name", FORGED)
def test_a_host_who_knows_the_secret_cannot_break_the_rules(name: str) -> None:
    make, why = FORGED[name]
    with pytest.raises(UnsoundSeason, match=why):
        verify(make().lines)


def test_the_log_before_is_that_of_the_season_it_follows_and_over() -> None:
    before = League(division=4).enter(8).start().play(Random(1)).end()
    order = order_after(before.season)
    other = League("t" * 20, follows="x" * 20).enter(8).start(order)
    with pytest.raises(UnsoundSeason, match="another season"):
        verify(other.lines, (), before.lines)
    running = League(division=4).enter(8).start()
    early = League("t" * 20, follows="s" * 20).enter(8).start(order_after(running.season))
    with pytest.raises(UnsoundSeason, match="was not over"):
        verify(early.lines, (), running.lines)


def test_the_secret_of_a_ladder_is_public() -> None:
    with pytest.raises(UnsoundSeason, match="public"):
        verify(hidden_secret(Climbing().enter(1, 2).lines))


def test_a_changed_byte_in_the_log_of_a_ladder_is_found() -> None:
    ladder = climbed(6, 60, Random(1))
    text, random = json.dumps(ladder.lines), Random(2)
    places = [random.randrange(len(text)) for _ in range(300)]
    assert changes_found(text, places, json.loads) > 150

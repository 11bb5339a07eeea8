"""Whatever is changed in a log is found, and what no rule allows too."""

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engine.chain import NO_HASH, StoredEvent, links
from engine.event_codec import EncodedEvent
from service.seasons.season import PlayerEntered, PlayerWithdrew, SeasonEnded
from service.seasons.table import tables
from service.seasons.verify import UnsoundSeason, verify
from tests.service.seasons.leagues import AT, SECRET, League, player


@pytest.fixture(scope="module")
def played() -> League:
    return League(division=4).enter(9).start().play(Random(5), 0.03).end()


def test_a_changed_byte_anywhere_is_found(played: League) -> None:
    text = "\n".join(json.dumps(line) for line in played.lines)
    random = Random(2)
    places = {*range(0, len(text), 97), *(random.randrange(len(text)) for _ in range(200))}
    found = 0
    for place in places:
        other = chr(ord(text[place]) ^ 1)
        changed = f"{text[:place]}{other}{text[place + 1 :]}"
        try:
            lines = [json.loads(line) for line in changed.split("\n")]
        except ValueError:
            continue  # it is no log any more
        if lines == played.lines:
            continue  # white space
        found += 1
        with pytest.raises(UnsoundSeason):
            verify(lines)
    assert found > 200


def test_a_line_left_out_or_put_elsewhere_is_found(played: League) -> None:
    lines = played.lines
    for place in range(len(lines) - 1):
        with pytest.raises(UnsoundSeason):
            verify([*lines[:place], *lines[place + 1 :]])
        with pytest.raises(UnsoundSeason):
            verify([*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]])


def sealed_anew(lines: list[StoredEvent]) -> list[StoredEvent]:
    """The same events in a chain that holds: as a host would forge it."""
    events = [EncodedEvent(line["type"], None, line["data"], line["private"]) for line in lines]
    forged = links(events, after=0, at=AT, via="api", secret=SECRET, previous=NO_HASH)
    return [json.loads(link.text) for link in forged]


Change = Callable[[list[Any]], None]


def _of(lines: list[Any], type_: str) -> Any:
    return next(line for line in lines if line["type"] == type_)["data"]


def _swap_players(lines: list[Any]) -> None:
    divisions = _of(lines, "started")["divisions"]
    divisions[0][0], divisions[1][0] = divisions[1][0], divisions[0][0]


def _drop_a_game(lines: list[Any]) -> None:
    _of(lines, "paired")["games"].pop()


def _same_seats(lines: list[Any]) -> None:
    game = _of(lines, "paired")["games"][1]
    game["north"], game["south"] = game["south"], game["north"]


def _other_table(lines: list[Any]) -> None:
    _of(lines, "ended")["tables"][0].reverse()


def _other_salt(lines: list[Any]) -> None:
    _of(lines, "entered")["salt"] = "another"


def _enter_twice(lines: list[Any]) -> None:
    lines.insert(2, copy.deepcopy(lines[1]))


def _announce_again(lines: list[Any]) -> None:
    lines.insert(1, copy.deepcopy(lines[0]))


def _other_secret(lines: list[Any]) -> None:
    _of(lines, "started")["secret"] = "5f" * 32


def _result_twice(lines: list[Any]) -> None:
    place = next(place for place, line in enumerate(lines) if line["type"] == "result")
    lines.insert(place, copy.deepcopy(lines[place]))


def _a_stranger_wins(lines: list[Any]) -> None:
    _of(lines, "result")["winner"] = "nobody"


def _end_early(lines: list[Any]) -> None:
    place = next(place for place, line in enumerate(lines) if line["type"] == "result")
    del lines[place]


@pytest.mark.parametrize(
    "change",
    [
        *(_swap_players, _drop_a_game, _same_seats, _other_table, _other_salt, _enter_twice),
        *(_announce_again, _other_secret, _result_twice, _a_stranger_wins, _end_early),
    ],
)
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


def test_names_are_not_sealed() -> None:
    league = League().enter(6)
    named: list[Any] = [{**line, "name": None} for line in league.lines]
    assert verify(named).season.version == 7


@pytest.mark.parametrize("lines", [[], [{}], [None], [[]], ["x"], [{"seq": 1}]])
def test_what_is_no_log_is_unsound(lines: list[Any]) -> None:
    with pytest.raises(UnsoundSeason):
        verify(lines)


def test_the_order_by_the_season_before_needs_its_log() -> None:
    before = League().enter(12).start().play(Random(1)).end()
    league = League("t" * 20, follows=before.season.id).enter(12).start()
    assert verify(league.lines).is_order_unproved
    with pytest.raises(UnsoundSeason, match="the draw is another"):
        verify(league.lines, (), before.lines)

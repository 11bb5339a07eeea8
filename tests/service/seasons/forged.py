"""Logs in a chain that holds, of a host who knows the secret and breaks a rule."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from engine.chain import NO_HASH, StoredEvent, links
from engine.event_codec import EncodedEvent
from service.seasons.season import (
    ChallengeMade,
    DivisionPaired,
    Pairing,
    PlayerEntered,
    PlayerWithdrew,
    ResultTaken,
    SeasonEnded,
    SeasonEvent,
    SeasonStarted,
)
from service.seasons.table import draw, pairs
from tests.service.seasons.forged_ladders import FORGED_LADDERS
from tests.service.seasons.ladders import Climbing
from tests.service.seasons.leagues import AT, SECRET, League, player


def sealed_anew(lines: list[StoredEvent]) -> list[StoredEvent]:
    """The same events in a chain that holds: as a host would forge it."""
    events = [EncodedEvent(line["type"], None, line["data"], line["private"]) for line in lines]
    forged = links(events, after=0, at=AT, via="api", secret=SECRET, previous=NO_HASH)
    return [json.loads(link.text) for link in forged]


def hidden_secret(lines: list[StoredEvent]) -> list[StoredEvent]:
    """The same log as its host would show it to hide the secret."""
    first: Any = {**lines[0], "private": None, "salt": None}
    return [first, *lines[1:]]


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


def _other_cards(lines: list[Any]) -> None:
    _of(lines, "sealed")["commitment"] = "1" * 64


def _hidden_cards(lines: list[Any]) -> None:
    lines[1]["private"] = None


def _other_salt(lines: list[Any]) -> None:
    _of(lines, "entered")["salt"] = "another"


def _enter_twice(lines: list[Any]) -> None:
    lines.insert(3, copy.deepcopy(lines[2]))


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


CHANGES: tuple[Change, ...] = (
    *(_swap_players, _drop_a_game, _same_seats, _other_table, _other_salt, _enter_twice),
    *(
        _announce_again,
        _other_secret,
        _other_cards,
        _hidden_cards,
        _result_twice,
        _a_stranger_wins,
        _end_early,
    ),
)
"""Changes to the log of a season that was played."""


def _waiting(count: int = 8, **rules: Any) -> League:
    return League(**{"division": 4, "players": 4, **rules}).enter(count)


def _without(league: League, reason: Any) -> League:
    league.add(PlayerWithdrew(player(0), reason))
    return league


def _then(league: League, *events: SeasonEvent) -> League:
    for event in events:
        league.add(event)
    return league


def _one_game_twice() -> League:
    league = _waiting()
    league.add(SeasonStarted(SECRET, draw(league.season, league.season.active)))
    for number, division in enumerate(league.season.divisions, 1):
        games = [
            Pairing(game=f"{place:020}", round=1, leg=leg, north=north, south=south)
            for place, (leg, north, south) in enumerate(pairs(division))
        ]
        league.add(DivisionPaired(number, games))
    return league


def _result(**changes: Any) -> League:
    league = _waiting(4).start()
    game = next(iter(league.season.games.values()))
    usual: dict[str, Any] = {
        "game": game["game"],
        "head": "1" * 64,
        "winner": game["north"],
        "reason": "five-stones",
        "stones": {"north": 5, "south": 2},
    }
    return _then(league, ResultTaken(**{**usual, **changes}))


def _one_head_twice() -> League:
    league = _result()
    other = [*league.season.games][1]
    return _then(league, replace(next(iter(league.season.results.values())), game=other))


def _ended_without_tables() -> League:
    league = _waiting(4).start().play(Random(1))
    return _then(league, SeasonEnded([]))


def _challenged_in_a_league() -> League:
    one, other, *_ = (league := _waiting(4).start()).season.active
    return _then(league, ChallengeMade("g" * 20, 13, one, other, "1" * 64))


_NOBODY = {"winner": None, "reason": "removed", "head": NO_HASH}

FORGED: dict[str, tuple[Callable[[], League | Climbing], str]] = {
    **FORGED_LADDERS,
    "divisions of ten": (lambda: League(division=10).enter(10).start(), "impossible"),
    "a yes for a number of players": (lambda: League(players=True).enter(4).start(), "impossible"),
    "fewer than the rules want": (lambda: _waiting(4, players=6).start(), "too early"),
    "before its date": (
        lambda: _waiting(players=None, starts_at="2026-12-21T12:00:00Z").start(),
        "too early",
    ),
    "not played although enough wait": (
        lambda: _then(_waiting(starts_at="2026-11-21T11:00:00Z"), SeasonEnded([])),
        "could be",
    ),
    "not played before its date": (
        lambda: _then(_waiting(2, players=None, starts_at="2026-12-21T12:00:00Z"), SeasonEnded([])),
        "too early",
    ),
    "started without anybody": (lambda: _then(_waiting(1), SeasonStarted(SECRET, [])), "too early"),
    "a draw from a secret that was never sealed": (
        lambda: League(secret="5f" * 32).enter(9).start(),
        "salt does not follow",
    ),
    "not seen in the week of the entry": (
        lambda: _without(_waiting(), "not-seen").start(),
        "entered within the week",
    ),
    "left out long before the start": (
        lambda: _then(_without(_waiting(), "gone"), PlayerEntered(player(9), "salt")),
        "as the season starts",
    ),
    "withdrawn for no reason of the rules": (
        lambda: _without(_waiting(), "unloved").start(),
        "reason",
    ),
    "one game for two pairs": (_one_game_twice, "another pair"),
    "one record for two results": (_one_head_twice, "another result"),
    "a removed game with a winner": (
        lambda: _result(reason="removed", head=NO_HASH),
        "counts for nobody",
    ),
    "a removed game with Stones": (lambda: _result(**_NOBODY), "counts for nobody"),
    "ten Stones": (lambda: _result(stones={"north": 10, "south": 0}), "nine Stones"),
    "Stones below none": (lambda: _result(stones={"north": 5, "south": -1}), "nine Stones"),
    "a word for a Stone": (lambda: _result(stones={"north": True, "south": 0}), "nine Stones"),
    "a result without a head": (lambda: _result(head="none"), "head of a game"),
    "a result without a reason": (lambda: _result(reason=None), "head of a game"),
    "Stones of one seat": (lambda: _result(stones={"north": 5}), "nine Stones"),
    "played and ended without tables": (_ended_without_tables, "tables"),
    "a challenge in a league": (_challenged_in_a_league, "in a league"),
    "away from a league": (lambda: _without(_waiting(4).start(), "away"), "no such reason"),
}
"""How each is made, and what the fault says of it."""

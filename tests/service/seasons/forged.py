"""Logs in a chain that holds, of a host who knows the secret and breaks a rule."""

import copy
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

from engine.chain import NO_HASH, EncodedEvent, StoredEvent, links, salt_of
from engine.shuffle import commitment
from service.seasons.events import (
    CardsSealed,
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
from tests.service.seasons.leagues import AT, CARDS, SECRET, League, player


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


def resealed(lines: list[Any]) -> list[Any]:
    """These lines, whatever they hold, in a chain that holds, with salts that follow."""
    previous = NO_HASH
    for seq, line in enumerate(lines, 1):
        line["salt"] = salt_of(SECRET, seq)
        body = {key: line.get(key) for key in _HASHED}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        text = text.replace(".0", "")  # JavaScript writes 1 for 1.0
        sealed = f"{previous}\n{line['salt']}\n{text}".encode("utf-8", "surrogatepass")
        line["hash"] = previous = hashlib.sha256(sealed).hexdigest()
    return lines


_HASHED = ("seq", "v", "at", "type", "by", "via", "data", "private")
_LADDER = ("announced", "sealed", "entered", "challenged", "result")
_LEAGUE = ("started", "paired", "ended")


def _with(type_: str, *path: str | int, value: Any, is_sealed: bool = True) -> list[Any]:
    """A log with this value at this place of the first line of this type."""
    if type_ in _LADDER:
        ladder = Climbing().enter(*range(3))
        lines: list[Any] = ladder.end(ladder.challenge(1, 0), 1).lines
    else:
        lines = _waiting(4).start().play(Random(1)).end().lines
    lines = copy.deepcopy(lines)
    *way, last = path
    place = next(line for line in lines if line["type"] == type_)
    for step in way:
        place = place[step]
    place[last] = value
    return resealed(lines) if is_sealed else lines


def _away_on(moment: str) -> list[Any]:
    ladder = Climbing()
    ladder.now = datetime(2027, 2, 17, 12, tzinfo=UTC)
    lines: list[Any] = ladder.enter(*range(4)).forge(PlayerWithdrew(player(2), "away")).lines
    lines[-1]["at"] = moment
    return resealed(lines)


MALFORMED: dict[str, tuple[Callable[[], list[Any]], str]] = {
    "the 31st of February": (lambda: _away_on("2027-02-31T12:00:00Z"), "not a day of that month"),
    "24 o'clock": (lambda: _away_on("2027-03-03T24:00:00Z"), "not a moment"),
    "a start on no day": (
        lambda: resealed(_waiting(4, starts_at="2026-11-31T12:00:00Z").lines),
        "not a day of that month",
    ),
    "a yes for a version": (lambda: _with("announced", "v", value=True), "v is not a whole"),
    "a fraction for a version": (lambda: _with("announced", "v", value=1.0), "v is not a whole"),
    "a name that nobody entered with": (
        lambda: _with("announced", "name", value="Ann", is_sealed=False),
        "a member that is not known",
    ),
    "a number for a name": (
        lambda: _with("entered", "name", value=7, is_sealed=False),
        "name is not a text",
    ),
    "half a character": (
        lambda: _with("entered", "name", value="\ud800", is_sealed=False),
        "name is not a text",
    ),
    "no data": (lambda: _with("entered", "data", value=None), "data is not an object"),
    "a list of data": (lambda: _with("entered", "data", value=[]), "data is not an object"),
    "a private part of an entry": (
        lambda: _with("entered", "private", value={}),
        "private is not null",
    ),
    "an empty private part": (lambda: _with("sealed", "private", value={}), "without secret"),
    "more in a private part": (
        lambda: _with("announced", "private", value={"secret": SECRET, "by": None}),
        "not known",
    ),
    "a secret in capitals": (
        lambda: _with("sealed", "private", value={"secret": "CA" * 32}),
        "64 hex digits",
    ),
    "somebody's line": (lambda: _with("entered", "by", value="north"), "by is not null"),
    "an unknown way": (lambda: _with("entered", "via", value="<b>"), "known values"),
    "a no for a division": (
        lambda: _with("announced", "data", "division", value=False),
        "not a whole number",
    ),
    "a fraction for a division": (
        lambda: _with("announced", "data", "division", value=0.0),
        "not a whole number",
    ),
    "more players than numbers count": (
        lambda: resealed(League(players=10**26).enter(5).lines),
        "not a whole number",
    ),
    "a yes for players": (lambda: resealed(League(players=True).lines), "not a whole number"),
    "a text for bots": (lambda: _with("announced", "data", "bots", value=""), "not a list"),
    "an object for a name": (
        lambda: _with("announced", "data", "name", value={"a": 1}),
        "not a text",
    ),
    "a number for an id": (lambda: _with("announced", "data", "id", value=5), "not an id"),
    "a word for a clock": (lambda: _with("announced", "data", "clock", value="x"), "not a clock"),
    "another member of a clock": (
        lambda: _with("announced", "data", "clock", "a", value=1),
        "not known",
    ),
    "an unknown format": (
        lambda: _with("announced", "data", "format", value="pyramid"),
        "known values",
    ),
    "a number for a player": (lambda: _with("entered", "data", "player", value=7), "not an id"),
    "nobody for a player": (lambda: _with("entered", "data", "player", value=None), "not an id"),
    "a number for a salt": (lambda: _with("entered", "data", "salt", value=7), "not a text"),
    "a number for a game": (lambda: _with("challenged", "data", "game", value=5), "not an id"),
    "a yes for a challenge": (
        lambda: _with("challenged", "data", "number", value=True),
        "not a whole number",
    ),
    "the next cards unsealed": (
        lambda: _with("challenged", "data", "next_cards", value="1" * 64 + "\n"),
        "64 hex digits",
    ),
    "a yes for a leg": (
        lambda: _with("paired", "data", "games", 0, "leg", value=True),
        "not a whole number",
    ),
    "another round": (
        lambda: _with("paired", "data", "games", 0, "round", value=2),
        "not a whole number",
    ),
    "a table of numbers": (lambda: _with("ended", "data", "tables", value=[[1]]), "not an id"),
    "no divisions": (lambda: _with("started", "data", "divisions", value=None), "not a list"),
    "ten Stones": (
        lambda: _with("result", "data", "stones", "north", value=10),
        "whole number from 0 to 9",
    ),
    "Stones below none": (
        lambda: _with("result", "data", "stones", "north", value=-1),
        "whole number from 0 to 9",
    ),
    "a yes for a Stone": (
        lambda: _with("result", "data", "stones", "north", value=True),
        "whole number from 0 to 9",
    ),
    "Stones of one seat": (
        lambda: _with("result", "data", "stones", value={"north": 5}),
        "without south",
    ),
    "a result without a head": (
        lambda: _with("result", "data", "head", value="none"),
        "64 hex digits",
    ),
    "a result without a reason": (
        lambda: _with("result", "data", "reason", value=None),
        "not a word",
    ),
    "an empty reason": (lambda: _with("result", "data", "reason", value=""), "not a word"),
}
"""How logs are made of which a line holds what it should not, and what the fault says of it."""

NO_LOGS: tuple[list[Any], ...] = (
    *([], [{}], [None], [[]], ["x"], [{"seq": 1}], [{"type": ["sealed"]}]),
)


def _sealed(next_cards: str | None = None) -> CardsSealed:
    return CardsSealed(commitment(CARDS), CARDS, next_cards)


_NOBODY = {"winner": None, "reason": "removed", "head": NO_HASH}

FORGED: dict[str, tuple[Callable[[], League | Climbing], str]] = {
    **FORGED_LADDERS,
    "divisions of ten": (lambda: League(division=10).enter(10).start(), "impossible"),
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
    "called off while it is played": (
        lambda: _then(_waiting(4).start(), SeasonEnded([], by_operator=True)),
        "being played",
    ),
    "sealed anew after the start": (
        lambda: _then(_waiting(4).start(), _sealed()),
        "before the start",
    ),
    "cards of a next challenge in a league": (
        lambda: _then(_waiting(4), _sealed("2" * 64)),
        "no next challenge",
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
    "eighteen Stones": (lambda: _result(stones={"north": 9, "south": 9}), "nine Stones"),
    "played and ended without tables": (_ended_without_tables, "tables"),
    "a challenge in a league": (_challenged_in_a_league, "in a league"),
    "away from a league": (lambda: _without(_waiting(4).start(), "away"), "no such reason"),
}
"""How each is made, and what the fault says of it."""

"""What an archive shows of a game: all that the rules need, and nothing of who played it when."""

import json
import random

import pytest

from engine import Command, CreateGame, Game, GiveTime, JoinGame, TakeTurn, advance, legal
from engine.chain import NO_HASH, StoredEvent, encode, seal
from engine.commands import ChangeCalendar
from engine.nameless import is_nameless, nameless
from engine.record import from_jsonl, to_jsonl
from engine.verify import bound_by, verify
from tests.engine.games import KINDS, Kind

SALTS = ("0123456789abcdef" * 2, "0123456789abcdef" * 4)


def played(kind: Kind, salts: tuple[str, str] = SALTS) -> list[StoredEvent]:
    """The record of a game with a clock and calendars, in which the players tell much."""
    chance = random.Random(7)
    made = CreateGame(
        player="ada-lovelace",
        seat="south",
        edition=kind.edition,
        tactics=kind.tactics,
        expert=kind.expert,
        rounds=kind.rounds,
        first_player="scotland",
        secret=chance.randbytes(32).hex(),
        salt=salts[0],
        visited="2024-06-30",
        terms={"clock": {"days_per_move": 3}, "invited": "bob-the-tailor"},
    )
    game: Game | None = None
    lines: list[StoredEvent] = []

    def take(command: Command, via: str) -> Game:
        after, events = advance(game, command)
        lines.extend(
            seal(
                map(encode, events),
                after=len(lines),
                at=f"2026-11-{1 + len(lines) // 30:02}T12:00:{len(lines) % 60:02}Z",
                via=via,
                secret=after.secret,
                previous=lines[-1]["hash"] if lines else NO_HASH,
            )
        )
        return after

    game = take(made, "web")
    game = take(JoinGame("bob-the-tailor", salts[1], "2025-01-31"), "mail")
    game = take(ChangeCalendar("north", "Europe/Berlin", ("23:00", "07:00"), ()), "web")
    game = take(GiveTime("south", 3600), "api")
    while game.turn is not None:
        game = take(TakeTurn(game.turn, [chance.choice(legal(game))]), "bot")
    return lines


@pytest.fixture
def lines() -> list[StoredEvent]:
    return played(Kind("bga", tactics=True))


@pytest.fixture
def unnamed(lines: list[StoredEvent]) -> list[StoredEvent]:
    return nameless(lines) or []


@pytest.mark.parametrize("kind", [*KINDS, Kind("iello", tactics=True, rounds=2)], ids=str)
def test_it_verifies_as_any_record_does(kind: Kind) -> None:
    lines = played(kind)
    unnamed = nameless(lines)
    assert unnamed is not None
    assert verify(from_jsonl(to_jsonl(unnamed))) is None
    assert [is_nameless(lines), is_nameless(unnamed)] == [False, True]
    assert unnamed[-1]["data"] == lines[-1]["data"]


def test_it_tells_nothing_of_who_played_or_when(
    lines: list[StoredEvent], unnamed: list[StoredEvent]
) -> None:
    assert {line["at"] for line in unnamed} == {f"{lines[-1]['at'][:10]}T00:00:00Z"}
    assert {line["via"] for line in unnamed} == {"api", "bot"}
    assert unnamed[0]["data"]["terms"] == {"nameless": True}
    assert [line["data"]["player"] for line in unnamed[:2]] == ["first", "second"]
    told = ("ada-lovelace", "bob-the-tailor", "Berlin", "2024-06", "3600", "clock", "mail")
    assert all(word in json.dumps(lines) for word in told)
    assert not any(word in json.dumps(unnamed) for word in told)


def test_no_head_of_the_game_fits(lines: list[StoredEvent], unnamed: list[StoredEvent]) -> None:
    assert not any(bound_by(unnamed, line["hash"]) for line in lines)


def test_whatever_is_changed_in_it_is_discovered(unnamed: list[StoredEvent]) -> None:
    unnamed[5] = {**unnamed[5], "at": "2026-11-24T00:00:00Z"}
    assert str(verify(unnamed)).startswith("event 6:")


@pytest.mark.parametrize("salt", ["I am Ada", "0123456789abcdeF" * 2, "0" * 31, "0" * 65])
def test_a_salt_that_might_be_words_keeps_the_game_out(salt: str) -> None:
    assert nameless(played(Kind("iello"), (SALTS[0], salt))) is None


def test_a_game_that_goes_on_is_kept_out(lines: list[StoredEvent]) -> None:
    assert nameless(lines[:-1]) is None

"""Folding events into a game: each fact changes what it tells of, and nothing that came before."""

import random
from dataclasses import replace

import pytest

from engine import Resign, UnknownEvent, advance, evolve, replay
from engine.chain import EncodedEvent, decode
from engine.events import GameAborted, GameEnded, Passed
from engine.game import EMPTY_STONE
from engine.view import view
from tests.engine.games import Kind, begin, whole_game
from tests.engine.invariants import violations
from tests.engine.positions import play, position

TACTICS = Kind("bga", tactics=True, rounds=2)


def test_events_folded_one_by_one_lead_where_a_replay_does() -> None:
    game, events = whole_game(TACTICS, 1)
    folded = None
    for number, event in enumerate(events, 1):
        before = folded and view(folded, None)
        after = evolve(folded, event)
        assert after.version == number
        assert before == (folded and view(folded, None))
        folded = after
    assert view(folded, "north") == view(replay(events), "north") == view(game, "north")


def test_an_empty_log_is_no_game() -> None:
    with pytest.raises(ValueError, match="at least one event"):
        replay([])


def test_a_log_begins_with_the_creation_of_the_game() -> None:
    with pytest.raises(UnknownEvent, match="begins with game_created, not passed"):
        evolve(None, Passed("north"))


def test_a_game_is_created_only_once() -> None:
    game, events = begin(TACTICS, random.Random(1))
    with pytest.raises(UnknownEvent, match="game_created"):
        evolve(game, events[0])


@pytest.mark.parametrize(
    ("type_", "v"), [("stone_turned", 1), ("game_created", 2), ("turn_ended", 0)]
)
def test_an_unknown_type_or_version_is_refused_by_name(type_: str, v: int) -> None:
    with pytest.raises(UnknownEvent, match=f"{type_} v{v}"):
        decode(EncodedEvent(type_, None, {}, None, v))


def test_what_only_a_player_does_names_the_player() -> None:
    with pytest.raises(ValueError, match="passed"):
        decode(EncodedEvent("passed", None, {}))


def test_without_the_secret_a_game_is_followed_until_its_end_tells_it() -> None:
    _, events = begin(TACTICS, random.Random(1))
    game = replay([replace(events[0], secret=None), *events[1:]])
    assert game.secret == ""
    secret = "ab" * 32
    assert evolve(game, GameEnded(None, None, "agreement", {}, secret)).secret == secret
    assert evolve(game, GameAborted(None, secret)).secret == secret


def test_between_two_rounds_nobody_is_to_move() -> None:
    game, _ = begin(TACTICS, random.Random(1))
    resigned, ended, *_ = advance(game, Resign("north"))[1]
    between = evolve(evolve(game, resigned), ended)
    assert (between.turn, between.phase) == (None, None)
    assert between.scores == {"north": 0, "south": 5}


def test_a_new_round_starts_with_a_clean_table() -> None:
    game = position(
        {1: "R1 JOK |"}, north="SPY", discard="BAN", rounds=2, tactics=True, clan="",
        tactics_played=(2, 1), jokers_played=(1, 0),
    )  # fmt: skip
    game.salts = {"north": "a", "south": "b"}
    game.passed = game.claimed_or_drew = True
    game.idle_turns = 3
    fresh = advance(game, Resign("north"))[0]
    assert fresh.round == 2
    assert fresh.stones == (EMPTY_STONE,) * 9
    assert fresh.discard == ()
    assert fresh.tactics_played == fresh.jokers_played == {"north": 0, "south": 0}
    assert (fresh.passed, fresh.claimed_or_drew, fresh.idle_turns) == (False, False, 0)
    assert violations(fresh) == []


def test_only_jokers_played_are_counted_as_jokers() -> None:
    game = position(north="JOK SPY", tactics=True, tactics_played=(0, 1), clan="")
    assert play(game, "JOK@1").jokers_played == {"north": 1, "south": 0}
    assert play(game, "SPY@1").jokers_played == {"north": 0, "south": 0}


def test_a_turn_that_was_no_idle_pass_begins_the_count_of_idle_turns_anew() -> None:
    game = position(north="R1", clan="")
    game.idle_turns = 3
    assert play(game, "R1@1").idle_turns == 0
    assert play(position(north="", clan=""), "pass end").idle_turns == 1

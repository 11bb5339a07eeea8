"""What is refused does not depend on cards that the caller cannot see."""

import random
from typing import Any

import pytest

from engine import (
    OTHER,
    SEATS,
    Abandon,
    Command,
    Game,
    JoinGame,
    Resign,
    RuleBroken,
    TakeTurn,
    TimeOut,
    advance,
    legal,
    proofs,
    replay,
    view,
)
from engine.chain import redact
from tests.engine.games import KINDS, THOROUGHNESS, Kind, begin, record_of, steps
from tests.engine.positions import position
from tests.engine.twins import any_action, twin_of

SEALED = ("commitment", "hash", "salt")
"""What follows from the secret, which the decks follow from."""


def answer(game: Game, command: Command) -> Any:
    """All that a refusal says; None where the command is not refused."""
    try:
        advance(game, command)
    except RuleBroken as refused:
        return {**vars(refused), "message": str(refused)}
    return None


def seen(game: Game, events: Any, seat: Any) -> Any:
    """All that a seat can read of a game."""
    lines = [redact(line, seat, over=False) for line in record_of(events, game.secret)]
    return (
        view(game, seat),
        proofs(game, seat),
        legal(game) if game.turn == seat else None,
        [{key: part for key, part in line.items() if key not in SEALED} for line in lines],
    )


def any_command(game: Game, rng: random.Random) -> Command:
    seat = rng.choice([game.turn or "north", *SEATS])
    actions = [any_action(game, rng) for _ in range(rng.choice([1, 1, 2, 2, 3, 4]))]
    if game.turn is not None and rng.random() < 0.6:  # what is possible, then anything
        possible = legal(game)
        showing = [text for text in possible if text[0] == "+" or text.startswith("REC:")]
        actions = [rng.choice(showing or possible), *actions[1:]]
    others = [Resign(seat), TimeOut(seat), JoinGame("eve", ""), Abandon(seat)]
    return rng.choice(others) if rng.random() < 0.05 else TakeTurn(seat, actions)


@pytest.mark.parametrize("kind", [*KINDS, Kind("community", tactics=True, rounds=2)], ids=str)
@pytest.mark.parametrize("seed", range(THOROUGHNESS))
def test_a_refused_command_is_answered_alike_in_games_that_differ_in_hidden_cards(
    kind: Any, seed: Any
) -> None:
    rng = random.Random(f"{kind} {seed}")
    game, events = begin(kind, rng)
    tried = refused = 0
    for _, after, more in steps(game, rng):
        events += more
        if after.turn is None or rng.random() > 0.3:
            continue
        seat = rng.choice([after.turn, after.turn, OTHER[after.turn]])
        twin_events = twin_of(events, seat, rng)
        twin = replay(twin_events)
        assert seen(after, events, seat) == seen(twin, twin_events, seat)
        for _ in range(40):
            command = any_command(after, rng)
            if getattr(command, "seat", seat) != seat:
                continue
            told = answer(after, command)
            assert told == answer(twin, command), command
            tried, refused = tried + 1, refused + (told is not None)
    assert tried > refused > tried / 3 > 20


def test_a_recruiter_and_what_follows_it_say_nothing_of_the_decks() -> None:
    """Once a refusal named the card that was not drawn, and so told which one was."""
    decks = ("Y1 Y2 Y3", "Y4 Y5 Y6", "R1 R2 Y7")
    games = [
        position({5: "| G4"}, north="REC P1 P2", tactics=True, clan=clan, tactic=tactic)
        for clan in decks
        for tactic in ("BMB MUD SPY", "SHB JOK BAN")
    ]
    for turn in ("REC:CCC -Y1,G4", "REC:CTT -Y1,P1", "REC:TTT -BMB,JOK +C", "REC:CCC -P1,P2 !5"):
        answers = [answer(game, TakeTurn("north", turn.split())) for game in games]
        assert answers[0] is not None
        assert answers.count(answers[0]) == len(games)

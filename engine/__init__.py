"""The rules of Schotten Totten as a pure decider: no input or output, no clock, no randomness.

decide(game, command) -> events     the events of a command, or `RuleBroken`
evolve(game, event) -> game         the game after an event
replay(events) -> game              the game after a whole log
view(game, seat) -> View            the game as a reader may see it
legal(game) -> action texts         the legal actions of the player to move
"""

from typing import Final

from engine import rules
from engine.cards import OTHER, SEATS, Deck, Seat
from engine.commands import (
    Abandon,
    Command,
    CreateGame,
    GiveTime,
    JoinGame,
    MoveClock,
    PauseClock,
    Resign,
    ResumeClock,
    TakeTurn,
    TimeOut,
)
from engine.decide import advance, decide, game_over
from engine.errors import RuleBroken, UnknownEvent
from engine.events import Event
from engine.evolve import between_rounds, evolve, replay
from engine.game import Game, Stone
from engine.notation import parse, parse_turn
from engine.options import EDITIONS, Edition, Options
from engine.rules import legal
from engine.view import SeenHand, SeenStone, View, proofs, seen_fields, verdicts, view

COMPILED: Final = not (rules.__file__ or "").endswith(".py")
"""Whether the rules run compiled (`make speedups`) rather than as Python."""

__all__ = [
    "COMPILED",
    "EDITIONS",
    "OTHER",
    "SEATS",
    "Abandon",
    "Command",
    "CreateGame",
    "Deck",
    "Edition",
    "Event",
    "Game",
    "GiveTime",
    "JoinGame",
    "MoveClock",
    "Options",
    "PauseClock",
    "Resign",
    "ResumeClock",
    "RuleBroken",
    "Seat",
    "SeenHand",
    "SeenStone",
    "Stone",
    "TakeTurn",
    "TimeOut",
    "UnknownEvent",
    "View",
    "advance",
    "between_rounds",
    "decide",
    "evolve",
    "game_over",
    "legal",
    "parse",
    "parse_turn",
    "proofs",
    "replay",
    "seen_fields",
    "verdicts",
    "view",
]

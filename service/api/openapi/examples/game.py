"""The small game of the examples: the engine plays it, so that views are real."""

import json
from functools import cache
from typing import Final, NamedTuple

import engine
from engine import chain
from service.core.timestamps import unix
from service.games import StoredGame
from service.games.reading import views
from service.games.stored_game import changed

ADA: Final = "mfzwizltorzwi4tf"
BO: Final = "nb2xi5dfnvqw4zdi"
NAMES: Final = {ADA: "Ada", BO: "Bo"}
GAME: Final = "onrw65dumvxhs5dporxw"
MOMENT: Final = "2026-11-21T12:00:00Z"
_TURNS: Final = 6


class ExampleGame(NamedTuple):
    """A game and the JSON lines of its log."""

    stored: StoredGame
    texts: list[str]


@cache
def made() -> ExampleGame:
    """Return a game just created."""
    terms = {
        "clock": {"days_per_move": 3},
        "invited": None,
        "invited_by_mail": False,
        "listed": False,
        "private": False,
    }
    command = engine.CreateGame(
        player=ADA,
        seat="north",
        edition="iello",
        tactics=False,
        expert=False,
        rounds=1,
        first_player="creator",
        secret="5e" * 32,
        salt="Ada's",
        terms=terms,
    )
    return after(None, command)


@cache
def begun() -> ExampleGame:
    """Return the game after both players have joined."""
    return after(made(), engine.JoinGame(BO, "Bo's"))


@cache
def played() -> ExampleGame:
    """Return the game after some turns. Each plays the first legal card to Stone 1, if possible."""
    example = begun()
    for _ in range(_TURNS):
        game = example.stored.game
        assert game.turn is not None, "nobody has won yet"
        legal = engine.legal(game)
        action = next((text for text in legal if text.endswith("@1")), legal[0])
        example = after(example, engine.TakeTurn(game.turn, [action]))
    return example


@cache
def resigned() -> ExampleGame:
    """Return the game after the second player has resigned."""
    return after(played(), engine.Resign("south"))


def after(example: ExampleGame | None, command: engine.Command) -> ExampleGame:
    """Return the game after a command; `example` None stands for no game yet."""
    before, texts = (example.stored, example.texts) if example else (None, [])
    stored, _, lines = changed(GAME, before, command, at=unix(MOMENT), via="api")
    return ExampleGame(stored, [*texts, *lines])


def view(example: ExampleGame, player: str) -> dict[str, object]:
    """Return the game view of this player, as it reads in JSON."""
    text = views.to_json(views.view_data(views.game_view(example.stored, player, NAMES)))
    shown: dict[str, object] = json.loads(text)
    return shown


def lines_for(player: str) -> list[chain.StoredEvent]:
    """Return the events of the log, as this player may see them."""
    example = played()
    return views.redacted(example.stored, player, example.texts)

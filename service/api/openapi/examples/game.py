"""What the examples are made of, and their small game: the engine plays it, so views are real."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

import engine
from engine import chain
from service.core.timestamps import unix
from service.games import StoredGame
from service.games.orders.standing import Orders, TurnOrder
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


JSON: Final = "application/json"


class Example(NamedTuple):
    """An example of an operation: a request body, and the response body by media type.

    If responses of one type differ by status, the rarer one has a key like `201 application/json`.
    """

    body: object = None
    answers: Mapping[str, object] = {}

    def answer(self, status: str, mimetype: str) -> object:
        """Return the response body for this status and media type; None without one."""
        return self.answers.get(f"{status} {mimetype}", self.answers.get(mimetype))


def reply(answer: object, body: object = None) -> Example:
    """Return the example of an operation that responds with the JSON `answer` to `body`."""
    return Example(body, {JSON: answer})


def given_orders() -> dict[str, object]:
    """Return standing orders, as their player sees them."""
    turn = TurnOrder(actions=("R7@3",), when=("G4@3",))
    return views.orders_view(played().stored, Orders(claim_proved=True, turn=turn))


def registered(player: str) -> dict[str, object]:
    """Return the response body of a registration."""
    return {"id": player, "name": NAMES[player], "token": token_of(player)}


def token_of(player: str) -> str:
    return f"scot_{player}Zk3vQm8nVYp4bXcUeHs3iT6jw0ZJr2l1Q5aGd7oRtMw"

"""The examples of requests and answers in the document.

They follow from their declarations: a member is what it says to be `Shown`, or the first of its
values. The engine plays a small game, so views and events are real.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from marshmallow.validate import OneOf

import engine
from engine import chain, record
from engine.chain import EncodedEvent
from service.api.endpoints.history import JSON_LINES, PNG, SVG, TEXT
from service.api.endpoints.stream import NewsItemShape
from service.api.schemas.outputs import GameEventShape, ProofShape, StreamMessageShape
from service.core.shapes import NOW, Default, Keyword, Shown, parents, required, rules_of
from service.core.times import unix
from service.core.words import ENGLISH
from service.games import StoredGame
from service.games.reading import views
from service.games.shapes import GameShape, GameSummaryShape
from service.games.stored_game import changed
from service.text.board import board_text


def example_of(shape: Any) -> Any:
    """An example of a shape, or of another type."""
    origin, args = get_origin(shape), get_args(shape)
    if origin is NotRequired:
        return example_of(args[0])
    if origin is Annotated:
        return next(_values(*args), None)
    if is_typeddict(shape):
        return _whole(shape)
    if origin is list:
        return [example_of(args[0])]
    if origin is Literal:
        return args[0]
    if origin in (Union, UnionType):
        return None if NoneType in args else example_of(args[0])
    return {bool: True, int: 1, dict: {}}.get(origin or shape, "…")


def _values(hint: Any, *added: Any) -> Iterator[Any]:
    """What a type with these additions can be, the best first."""
    yield from (value for each in reversed(added) for value in _shown(each))
    for each in added:
        match each:
            case Keyword("x-extensible-enum" | "enum", values) | OneOf(choices=values):
                yield next(iter(values))
        if is_typeddict(each):
            yield example_of(each)
    yield example_of(hint)


def _shown(added: Any) -> list[Any]:
    match added:
        case Shown(value) | Keyword("example", value):
            return [list(value) if isinstance(value, tuple) else value]
    return []


def _whole(shape: type) -> dict[str, Any]:
    if (given := rules_of(shape).example or _made().get(shape)) is not None:
        return dict(given)
    found: dict[str, Any] = {}
    for parent in parents(shape):
        found |= _made().get(parent, {})
    for name, hint in get_type_hints(shape, include_extras=True).items():
        plain = get_args(hint)[0] if get_origin(hint) is NotRequired else hint
        added = plain.__metadata__ if get_origin(plain) is Annotated else ()
        always = name in required(shape) and not any(isinstance(each, Default) for each in added)
        if name not in found and (always or any(map(_shown, added))):
            found[name] = example_of(hint)
    return found


ADA: Final = "mfzwizltorzwi4tf"
BO: Final = "nb2xi5dfnvqw4zdi"
NAMES: Final = {ADA: "Ada", BO: "Bo"}
GAME: Final = "onrw65dumvxhs5dporxw"
_TURNS: Final = 6


class ExampleGame(NamedTuple):
    """A game and the JSON lines of its log."""

    stored: StoredGame
    texts: list[str]


@cache
def begun() -> ExampleGame:
    """A game that both players have joined."""
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
    return after(after(None, command), engine.JoinGame(BO, "Bo's"))


@cache
def played() -> ExampleGame:
    """The game after some turns. Each plays the first legal card to Stone 1, if possible."""
    example = begun()
    for _ in range(_TURNS):
        game = example.stored.game
        assert game.turn is not None, "nobody has won yet"
        legal = engine.legal(game)
        action = next((text for text in legal if text.endswith("@1")), legal[0])
        example = after(example, engine.TakeTurn(game.turn, [action]))
    return example


def after(example: ExampleGame | None, command: engine.Command) -> ExampleGame:
    """The game after a command; `example` None stands for no game yet."""
    before, texts = (example.stored, example.texts) if example else (None, [])
    stored, _, lines = changed(GAME, before, command, at=unix(NOW), via="api")
    return ExampleGame(stored, [*texts, *lines])


@cache
def _made() -> Mapping[type, Any]:
    """Examples of shapes from the small game."""
    stored, line = played().stored, _lines()[-1]
    return {
        GameShape: json.loads(views.to_json(views.view_data(begun().stored, BO, NAMES))),
        GameSummaryShape: views.summary(stored, ADA, NAMES),
        GameEventShape: line,
        ProofShape: engine.proofs(stored.game, "north")[0],
        StreamMessageShape: {
            "id": str(line["seq"]),
            "event": line["type"],
            "data": views.to_json(line),
        },
        NewsItemShape: {"game": GAME, "event": line},
    }


def _lines() -> list[chain.StoredEvent]:
    """The events of its log, as a player may see them."""
    return views.redacted(played().stored, ADA, played().texts)


def _entered() -> dict[str, object]:
    """A line of a season's log."""
    data = {"player": ADA, "salt": "Ada's"}
    (line,) = chain.seal(
        [EncodedEvent("entered", None, data)],
        after=1,
        at=NOW,
        via="api",
        secret="5e" * 32,
        previous=chain.NO_HASH,
    )
    return {**line, "name": "Ada"}


@cache
def texts() -> Mapping[tuple[str, str], str]:
    """Examples of the answers that are text, by operation id and media type."""
    lines, game = _lines(), played().stored.game
    archived = {"id": "2026-11-21.4b1f0c7a92d3e85f6a07", "players": None, "record": [lines[-1]]}
    return {
        ("listEvents", JSON_LINES): record.to_jsonl(lines[-1:]),
        ("getRecord", JSON_LINES): record.to_jsonl(lines[1:2]),
        ("getRecord", TEXT): record.to_text(lines),
        ("listRecords", JSON_LINES): f"{views.to_json(archived)}\n",
        ("getBoard", TEXT): board_text(
            ENGLISH, engine.view(game, None), {"north": "Ada", "south": "Bo"}
        ),
        ("readSeasonLog", JSON_LINES): f"{views.to_json(_entered())}\n",
        ("getBoard", SVG): "<svg>…</svg>",
        ("getBoard", PNG): "…",
    }

"""The identifiers that stand in addresses, `/games/<game:game_id>`.

Every text is let through to the operation, so that an id that none can be is answered like one that
nothing has.
"""

import re
from typing import Any, Final, NamedTuple

from flask import Flask, request
from flask_smorest import Api
from werkzeug.routing import UnicodeConverter

from service.core.errors import RequestRejected
from service.core.ids import GAME_ID, PLAYER_ID


class Kind(NamedTuple):
    """What is told by an identifier: how it is written, and how one that nothing has is refused."""

    pattern: str
    example: str
    code: str
    detail: str


KINDS: Final = {
    "game": Kind(
        GAME_ID, "onrw65dumvxhs5dporxw", "game-not-found", "There is no game with this id."
    ),
    "challenge": Kind(
        GAME_ID,
        "onvwkzdfobxxe5dfmvzg",
        "challenge-not-found",
        "There is no challenge with this id.",
    ),
    "player": Kind(
        PLAYER_ID,
        "mfzwizltorzwi4tf",
        "player-not-found",
        "There is no player with this id.",
    ),
    "token": Kind(
        "[0-9a-f]{16}", "0f3a9c5d7b1e2846", "token-not-found", "There is no token with this id."
    ),
}
"""By the name of their converter; the parameter is called `NAME_id`."""


_CONVERTERS: Final = {name: type(f"{name.title()}Id", (UnicodeConverter,), {}) for name in KINDS}


def register(app: Flask) -> None:
    """Let routes of the application use these identifiers."""
    app.url_map.converters.update(_CONVERTERS)


def describe(api: Api) -> None:
    """Let the document describe them."""
    for name, kind in KINDS.items():
        api.register_converter(_CONVERTERS[name], _described(kind))


def check() -> None:
    """Refuse a request to an address with an identifier that none can be."""
    for name, text in (request.view_args or {}).items():
        kind = KINDS.get(name.removesuffix("_id"))
        if kind is not None and not re.fullmatch(kind.pattern, text):
            raise RequestRejected(kind.code, kind.detail)


def _described(kind: Kind) -> Any:
    schema = {"type": "string", "pattern": f"^{kind.pattern}$", "examples": [kind.example]}
    return lambda converter: schema

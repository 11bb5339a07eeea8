"""The ids in URL paths, such as `/games/<game:game_id>`.

The routes accept any text, so that a malformed id gets the same response as an unknown one.
"""

import re
from typing import Any, Final, NamedTuple

from flask import Flask, request
from werkzeug.routing import UnicodeConverter

from service.accounts.channels import CHANNEL_ID
from service.core.errors import RequestRejected
from service.core.ids import GAME_ID, PLAYER_ID
from service.core.words import N_

PREFIX: Final = "/v1"
"""The beginning of the URL paths of all operations."""


class IdKind(NamedTuple):
    """A kind of id: its pattern, an example, and the problem's code and detail if none exists."""

    pattern: str
    example: str
    code: str
    detail: str


ID_KINDS: Final = {
    "game": IdKind(
        GAME_ID, "onrw65dumvxhs5dporxw", "game-not-found", "There is no game with this id."
    ),
    "challenge": IdKind(
        GAME_ID,
        "onvwkzdfobxxe5dfmvzg",
        "challenge-not-found",
        "There is no challenge with this id.",
    ),
    "season": IdKind(
        GAME_ID, "onvwkzdfobxxe5dfmvzg", "season-not-found", "There is no season with this id."
    ),
    "player": IdKind(
        PLAYER_ID, "mfzwizltorzwi4tf", "player-not-found", "There is no player with this id."
    ),
    "channel": IdKind(
        CHANNEL_ID, "ab2cd3ef", "channel-not-found", "There is no channel with this id."
    ),
    "offer": IdKind(
        "(abandonment|pause)", "pause", "not-found", N_("Offers are of a pause or an abandonment.")
    ),
    "token": IdKind(
        "[0-9a-f]{16}", "0f3a9c5d7b1e2846", "token-not-found", "There is no token with this id."
    ),
}
"""The kinds of ids by the name of their route converter. The parameter is called `NAME_…`."""


_PARAMETER: Final = re.compile(r"<(\w+):(\w+)>")
_CONVERTERS: Final = {name: type(f"{name.title()}Id", (UnicodeConverter,), {}) for name in ID_KINDS}


def register(app: Flask) -> None:
    """Let routes of the application use these converters."""
    app.url_map.converters.update(_CONVERTERS)


def documented(rule: str) -> tuple[str, list[dict[str, Any]]]:
    """Return the path of this rule in the OpenAPI document, and the parameters in it."""
    parameters = [
        {
            "in": "path",
            "name": name,
            "required": True,
            "schema": {
                "type": "string",
                "pattern": f"^{ID_KINDS[kind].pattern}$",
                "examples": [ID_KINDS[kind].example],
            },
        }
        for kind, name in _PARAMETER.findall(rule)
    ]
    return PREFIX + _PARAMETER.sub(r"{\2}", rule), parameters


def check() -> None:
    """Raise `RequestRejected` if the request's path contains a malformed id."""
    for name, text in (request.view_args or {}).items():
        kind = ID_KINDS.get(name.partition("_")[0])
        if kind is not None and not re.fullmatch(kind.pattern, text):
            raise RequestRejected(kind.code, kind.detail)

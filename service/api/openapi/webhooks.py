"""Documents the messages that webhooks receive."""

from typing import Final

from engine import SEATS
from service.api.shapes import Json
from service.core.ids import GAME_ID

_TEXT: Final[Json] = {"type": "string"}
_COMPONENTS: Final = "#/components/schemas/"
_NAME: Final = "WebhookMessage"
_OTHER: Final = "OtherWebhook"


def _text(description: str, **more: object) -> Json:
    return {**_TEXT, "description": description, **more}


def _object(members: Json) -> Json:
    return {"type": "object", "properties": members, "required": list(members)}


_OPPONENT: Final = {
    "anyOf": [_object({"id": _TEXT, "name": _TEXT}), {"type": "null"}],
    "description": "Null if there is none (yet).",
}
_WORDS: Final[Json] = {
    "title": _text("A few words."),
    "text": _text("A sentence or some, without a card that is hidden from anybody."),
    "url": _text("The page that it is about.", format="uri"),
}
"""The members that `data` has in every message."""
_OF_GAME: Final[Json] = {
    "game": _text("The game's id.", pattern=f"^{GAME_ID}$"),
    "version": {"type": "integer", "description": "The game's version, as in its `ETag`."},
    "head": _text("The last hash of the game's log."),
    "seat": {
        "type": ["string", "null"],
        "enum": [*SEATS, None],
        "description": "Your seat; null while you are invited.",
    },
    "opponent": _OPPONENT,
    "deadline": {
        "type": ["string", "null"],
        "format": "date-time",
        "description": "Until when the turn has to be played; null without a clock that runs.",
    },
}
_MOMENT: Final = "When it happened, or else was written."
_GAME_TYPES: Final = (
    "game.turn",
    "game.orders",
    "game.reminder",
    "game.last-reminder",
    "game.started",
    "game.invitation",
    "game.over",
    "game.clock-runs",
    "game.time-out",
    "game.message",
    "game.abandonment",
    "game.pause",
    "game.answered",
    "game.called-off",
)
_FORMS: Final[dict[str, tuple[tuple[str, ...], Json]]] = {
    "GameWebhook": (_GAME_TYPES, _OF_GAME),
    "ChallengeWebhook": (
        ("challenge.challenge", "challenge.declined", "challenge.expired", "challenge.withdrawn"),
        {"challenge": _text("The challenge's id.")},
    ),
    "DigestWebhook": (
        ("channel.digest",),
        {"turns": {"type": "integer", "description": "In how many games it is your turn."}},
    ),
    "PlainWebhook": (("calendar.vacation-ends", "channel.test"), {}),
}
"""The schemas of messages, by name: the types of messages, and the members of `data` besides
`_WORDS`."""
_EXAMPLE: Final = {
    "type": "game.turn",
    "timestamp": "2026-11-21T12:00:00Z",
    "data": {
        "game": "onrw65dumvxhs5dporxw",
        "version": 12,
        "head": "6b" * 32,
        "seat": "south",
        "opponent": {"id": "mfzwizltorzwi4tf", "name": "Ada"},
        "deadline": "2026-11-24T12:00:00Z",
        "title": "Your turn: Ada v Bo",
        "text": "Ada played R7 on Stone 3.",
        "url": "https://play.example.org/games/onrw65dumvxhs5dporxw",
    },
}
_HEADERS: Final = {
    "webhook-id": (
        "The message, the same for every attempt: use it to notice what you have had.",
        "onrw65dumvxhs5dporxw_12_mfzwizltorzwi4tf_webhook-ab2cd3ef_turn",
    ),
    "webhook-timestamp": ("When this attempt was made, in unix seconds.", "1795262400"),
    "webhook-signature": (
        "`v1,` and the base64 of the HMAC-SHA256 of `webhook-id`.`webhook-timestamp`.body, by the"
        " channel's secret (what follows `whsec_`, decoded from base64). Refuse what it does not"
        " fit, and what is older than some minutes.",
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ),
}
_ANSWERS: Final = {
    "2XX": "You have it. The body of the answer is not read.",
    "410": "Nothing is there any more: the channel is turned off, until its player turns it on.",
    "default": "Anything else, a redirect too, and no answer within ten seconds: the same message"
    " is tried again for a day, then the channel is turned off. A `Retry-After` in seconds is kept"
    " to, of six hours at most.",
}
_DESCRIPTION: Final = """\
Posted to the address of each channel of the type `webhook`, as [Standard
Webhooks](https://www.standardwebhooks.com) describes; `POST /v1/me/channels` adds one. `type` says
which schema a message has. New types and members may be added: let your program skip those it does
not know. Tests, and messages that a player lets us send again, are tried once, whatever you answer,
and never turn the channel off."""


def with_webhooks(document: Json) -> Json:
    """Return the document, completed by the messages of webhooks."""
    schemas = document["components"]["schemas"]
    types_listed = [type_ for types, _ in _FORMS.values() for type_ in types]
    for name, (types, members) in _FORMS.items():
        schemas[name] = _message({"enum": list(types)}, members)
    schemas[_OTHER] = _message({"not": {"enum": types_listed}}, {})
    schemas[_NAME] = {"anyOf": [{"$ref": _COMPONENTS + name} for name in (*_FORMS, _OTHER)]}
    document["webhooks"] = {"channelMessage": {"post": _operation()}}
    return document


def _message(types: Json, members: Json) -> Json:
    moment = _text(_MOMENT, format="date-time")
    data = _object({**members, **_WORDS})
    return _object({"type": {**_TEXT, **types}, "timestamp": moment, "data": data})


def _operation() -> Json:
    answers: Json = {status: {"description": words} for status, words in _ANSWERS.items()}
    answers["default"]["headers"] = {"Retry-After": {"$ref": "#/components/headers/Retry-After"}}
    body = {"schema": {"$ref": _COMPONENTS + _NAME}, "example": _EXAMPLE}
    return {
        "operationId": "receiveChannelMessage",
        "summary": "A message on a webhook",
        "description": _DESCRIPTION,
        "tags": ["channels"],
        "security": [],
        "parameters": [
            {
                "name": name,
                "in": "header",
                "required": True,
                "description": description,
                "schema": _TEXT,
                "example": example,
            }
            for name, (description, example) in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": body}},
        "responses": answers,
    }

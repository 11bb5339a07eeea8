"""Documents the messages that webhooks receive."""

from typing import Annotated, Final, TypedDict

from engine import Seat
from service.accounts.notice_kinds import DIGEST, KINDS, TEST
from service.core.ids import GAME_ID
from service.core.shapes import COMPONENTS, Json, Keyword, Timestamp, components, properties_of

_TEXT: Final[Json] = {"type": "string"}
_NAME: Final = "WebhookMessage"
_OTHER: Final = "OtherWebhook"


class PlainWebhook(TypedDict):
    """What a message about nothing in particular says; every other has these members too."""

    title: str
    """A few words."""
    text: str
    """A sentence or some, without a card that is hidden from anybody."""
    url: Annotated[str, Keyword("format", "uri")]
    """The page that it is about."""


class OtherPlayer(TypedDict):
    id: str
    name: str


class GameWebhook(TypedDict):
    """What a message about a game says besides."""

    game: Annotated[str, Keyword("pattern", f"^{GAME_ID}$")]
    """The game's id."""
    version: int
    """The game's version, as in its `ETag`."""
    head: str
    """The last hash of the game's log."""
    seat: Seat | None
    """Your seat; null while you are invited."""
    opponent: OtherPlayer | None
    """Null if there is none (yet)."""
    deadline: Timestamp | None
    """Until when the turn has to be played; null without a clock that runs."""


class ChallengeWebhook(TypedDict):
    """What a message about a challenge says besides."""

    challenge: str
    """The challenge's id."""


class SeasonWebhook(TypedDict):
    """What a message about a season says besides."""

    season: Annotated[str, Keyword("pattern", f"^{GAME_ID}$")]
    """The season's id."""


class DigestWebhook(TypedDict):
    """What the daily digest says besides."""

    turns: int
    """In how many games it is your turn."""


_MOMENT: Final = "When it happened, or else was written."
_FORMS: Final = {
    "game": GameWebhook,
    "challenge": ChallengeWebhook,
    "season": SeasonWebhook,
    KINDS[DIGEST].message_type: DigestWebhook,
}
"""What messages say besides, by their type or the first word of it."""


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
    types: dict[type, list[str]] = {form: [] for form in (*_FORMS.values(), PlainWebhook)}
    for kind in KINDS.values():
        if kind.is_to_reader or kind.name in (DIGEST, TEST):
            name = kind.message_type
            form = _FORMS.get(name, _FORMS.get(name.partition(".")[0], PlainWebhook))
            types[form].append(name)
    for form, listed in types.items():
        schemas[form.__name__] = _message({"enum": listed}, properties_of(form))
    every = [name for listed in types.values() for name in listed]
    schemas[_OTHER] = _message({"not": {"enum": every}}, {})
    names = [*(form.__name__ for form in types), _OTHER]
    schemas[_NAME] = {"anyOf": [{"$ref": COMPONENTS + name} for name in names]}
    schemas |= components([OtherPlayer])
    document["webhooks"] = {"channelMessage": {"post": _operation()}}
    return document


def _message(types: Json, members: Json) -> Json:
    moment = {**_TEXT, "description": _MOMENT, "format": "date-time"}
    data = _object({**members, **properties_of(PlainWebhook)})
    return _object({"type": {**_TEXT, **types}, "timestamp": moment, "data": data})


def _object(members: Json) -> Json:
    return {"type": "object", "properties": members, "required": list(members)}


def _operation() -> Json:
    answers: Json = {status: {"description": words} for status, words in _ANSWERS.items()}
    answers["default"]["headers"] = {"Retry-After": {"$ref": "#/components/headers/Retry-After"}}
    body = {"schema": {"$ref": COMPONENTS + _NAME}, "example": _EXAMPLE}
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

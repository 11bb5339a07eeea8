"""Requests: bodies and query parameters.

In this order: players, options of a game, joining and rematches, moves, queries; at the end the
translation into the words of the use cases.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any, ClassVar, Final

from marshmallow import ValidationError, fields, validate, validates_schema

from engine import EDITIONS, SEATS
from engine.options import FIRST_PLAYERS
from service.api.schemas.clocks import ClockInput
from service.api.schemas.fields import (
    PLAYER_ID,
    Alternative,
    Cursor,
    Destination,
    EmailAddress,
    Flag,
    Input,
    Moment,
    NewName,
    Pattern,
    QueryInteger,
    Salt,
    StoneNumber,
    WholeNumber,
)
from service.bots import BOTS
from service.games import NewGame
from service.games.opening.again import USUAL_BOT
from service.games.opening.new_game import MOST_DAYS
from service.games.projections.player_games import ARCHIVED, CURSOR, STATUSES, GameFilter

DECKS = ("clan", "tactic")
EVENTS_AT_ONCE = 500
"""Most events in one answer: enough for nearly every game of one round."""
MOST_EVENTS = 1000
MAX_ACTIONS = 20
MAX_VERSION = 999_999_999
MAX_WAIT = 60

_CARD = Pattern(r"^[A-Za-z0-9]{2,3}$", "the code of a card, such as R7 or JOK")
_INVITE = validate.Length(1, 100)


class PlayerInput(Input):
    """A new player."""

    name = NewName(required=True, metadata={"example": "Ada"})
    email = EmailAddress(
        load_default=None, allow_none=True, metadata={"example": "ada@example.org"}
    )
    """The address for mail about turns, used once the link sent to it is confirmed."""
    invitation = fields.String(
        load_default=None, allow_none=True, validate=validate.Length(max=100)
    )
    """The end of a link that the operator gave, where `GET /v1` does not say that registration is
    open."""


class OpponentInput(Input):
    """Whom to invite, by one of three members."""

    alternatives = (
        Alternative("PlayerOpponentInput", ("player",)),
        Alternative("EmailOpponentInput", ("email",)),
        Alternative("BotOpponentInput", ("bot",)),
    )

    player = fields.String(validate=PLAYER_ID)
    """A player's id. That player may take the seat without the invite."""
    email = EmailAddress()
    """The invite is sent to this address."""
    bot = fields.String(
        validate=validate.Length(1, 40),
        metadata={"x-extensible-enum": list(BOTS), "example": "steward"},
    )
    """The name of a bot, from `GET /v1/bots`. The game starts at once."""


def _visited() -> fields.Date:
    return fields.Date(
        load_default=None,
        allow_none=True,
        validate=_not_in_the_future,
        metadata={
            "description": "Your last day in or near Scotland, for `first_player: scotland`."
        },
    )


def _salt() -> Salt:
    return Salt(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "This player's share of the shuffle. Without one the game's commitment"
            " is used."
        },
    )


def _seal() -> fields.String:
    return fields.String(
        load_default=None,
        allow_none=True,
        validate=Pattern(r"^[A-Za-z0-9_-]{1,100}$", "a seal from `POST /v1/seals`"),
        metadata={
            "description": "A seal from `POST /v1/seals`. The game then uses the secret that the"
            " server committed to before it knew any salt."
        },
    )


def _not_in_the_future(day: date) -> None:
    # In some time zones it is tomorrow already.
    if day > datetime.now(UTC).date() + timedelta(days=1):
        raise ValidationError("This day is still to come.")


def _not_together(**values: Any) -> dict[str, Any]:
    """The JSON Schema of objects that have all these members, each with one of these values."""
    properties = {name: {"enum": list(allowed)} for name, allowed in values.items()}
    return {"properties": properties, "required": list(properties)}


_IMPOSSIBLE: Final = (
    _not_together(
        edition=[edition.name for edition in EDITIONS.values() if not edition.has_tactics],
        tactics=[True],
    ),
    _not_together(
        edition=[edition.name for edition in EDITIONS.values() if not edition.has_expert],
        expert=[True],
    ),
)
"""Combinations that no edition has."""


class GameOptions(Input):
    """The options of a game, against any opponent."""

    keywords: ClassVar = {"not": {"anyOf": list(_IMPOSSIBLE)}}

    edition = fields.String(load_default="iello", metadata={"x-extensible-enum": list(EDITIONS)})
    tactics = Flag(load_default=False)
    expert = Flag(load_default=False)
    rounds = WholeNumber(load_default=1, validate=validate.Range(1, 99))
    first_player = fields.String(load_default="random", validate=validate.OneOf(FIRST_PLAYERS))
    seat = fields.String(load_default="north", validate=validate.OneOf(SEATS))
    clock = fields.Nested(ClockInput, load_default=None, allow_none=True)
    private = Flag(load_default=False)
    """Only its players may see the game."""
    rated = Flag(load_default=None, allow_none=True)
    """Whether its result changes ratings. Default: between people and between bots. Never: without
    a clock, in private, with one's own bots."""
    invitation_days = WholeNumber(
        load_default=None, allow_none=True, validate=validate.Range(1, MOST_DAYS)
    )
    """Days to wait for the other player. Default: 14."""
    seal = _seal()
    salt = _salt()
    visited_scotland = _visited()


_OPTIONS: Final = tuple(GameOptions().fields)


class GameInput(GameOptions):
    """A game to create."""

    keywords: ClassVar = {
        "not": {"anyOf": [*_IMPOSSIBLE, _not_together(listed=[True], private=[True])]}
    }

    opponent = fields.Nested(OpponentInput, load_default=None, allow_none=True)
    """Whom to invite; null leaves the seat to whoever has the invite."""
    listed = Flag(load_default=False)
    """Show the game in the lobby, where anyone may take the free seat, and then among the public
    games (`GET /v1/games?public=true`)."""

    @validates_schema
    def _listed_or_private(self, data: dict[str, object], **kwargs: object) -> None:
        if data.get("listed") and data.get("private"):
            raise ValidationError("A listed game cannot be private.", "listed")


class SeatInput(Input):
    """What a player may send when taking a seat."""

    salt = _salt()
    visited_scotland = _visited()


class JoinInput(SeatInput):
    """What a player who joins may send."""

    invite = fields.String(load_default=None, allow_none=True, validate=_INVITE)
    name = NewName(load_default=None, allow_none=True, metadata={"example": "Bob"})
    """Without a token: the name of the guest who joins, which registers them."""


class RematchInput(Input):
    """What may come with a rematch."""

    seal = _seal()
    salt = _salt()


class PracticeInput(Input):
    """The choices of a practice game."""

    step = WholeNumber(load_default=0, validate=validate.Range(0, MAX_VERSION))
    """The event to go on after."""
    seat = fields.String(validate=validate.OneOf(SEATS))
    """Yours; else that of the finished game, or whose turn it is."""
    bot = fields.String(load_default=USUAL_BOT, validate=validate.Length(1, 40))
    """Who plays the other seat."""


class TargetInput(Input):
    """A card on the table."""

    card = fields.String(required=True, validate=_CARD)
    stone = StoneNumber(required=True)


class MoveInput(Input):
    """A turn that plays a card, or passes."""

    alternatives = (
        Alternative("CardMoveInput", ("card", "stone"), ("pass",), {"pass": False}),
        Alternative("RuseMoveInput", ("card", "target"), ("to", "pass"), {"pass": False}),
        Alternative("RecruiterMoveInput", ("card", "draws"), ("pass",), {"pass": False}),
        Alternative("PassMoveInput", ("pass",), flags={"pass": True}),
    )

    card = fields.String(validate=_CARD, metadata={"example": "R7"})
    """The card played, by its code."""
    stone = StoneNumber()
    """Where to play a Clan card, Elite Troop or Combat Mode."""
    target = fields.Nested(TargetInput)
    """The card that a Ruse is played on."""
    to = Destination(
        metadata={"oneOf": [{"type": "integer", "minimum": 1, "maximum": 9}, {"const": "discard"}]}
    )
    """Where a Strategist or Traitor moves it."""
    draws = fields.List(
        fields.String(validate=validate.OneOf(DECKS)), validate=validate.Length(1, 3)
    )
    """The decks from which a Recruiter draws, in order."""
    claims = fields.List(StoneNumber(), load_default=list, validate=validate.Length(max=9))
    """Stones to claim in the same turn, in this order."""
    draw = fields.String(validate=validate.OneOf(DECKS))
    """The deck to draw from."""
    passing = Flag(data_key="pass")
    """Whether no card is played."""


class ClaimsInput(Input):
    """One Stone to claim, or several."""

    alternatives = (
        Alternative("OneClaimInput", ("stone",)),
        Alternative("SeveralClaimsInput", ("stones",)),
    )

    stone = StoneNumber()
    stones = fields.List(StoneNumber(), validate=validate.Length(1, 9))


class TurnInput(Input):
    """Actions of one turn, all or none."""

    actions = fields.List(
        fields.String(validate=validate.Length(1, 40)),
        required=True,
        validate=validate.Length(1, MAX_ACTIONS),
        metadata={"example": ["R7@3", "!3"]},
    )


class EmptyInput(Input):
    """An empty object."""


def wait() -> QueryInteger:
    return QueryInteger(
        load_default=0,
        validate=validate.Range(0, MAX_WAIT),
        metadata={"description": "Seconds to wait for news if there is none yet."},
    )


def limit(default: int = 20, most: int = 100) -> QueryInteger:
    """The size of a page."""
    return QueryInteger(
        load_default=default,
        validate=validate.Range(1, most),
        metadata={"description": "The maximum number of items in a page."},
    )


class GameQuery(Input):
    at = QueryInteger(validate=validate.Range(1, MAX_VERSION))
    """Show the game as it stood after the event with this number."""
    invite = fields.String(validate=_INVITE)
    """The invite, whose holder may see a private game."""
    wait = wait()


class PageQuery(Input):
    """The query of a list of games or challenges."""

    cursor = Cursor(CURSOR)
    limit = limit()


def _query_flag(description: str) -> fields.Boolean:
    return fields.Boolean(
        truthy={"true"},
        falsy={"false"},
        load_default=False,
        metadata={"description": description},
    )


class GamesQuery(PageQuery):
    status = fields.String(validate=validate.OneOf(STATUSES))
    turn = fields.String(validate=validate.OneOf(["me"]))
    """Only where it is my turn."""
    mine = _query_flag("Only games I play, not those I am invited to.")
    public = _query_flag(
        "Games that anybody may find, not mine. Not with `turn`, `mine`, `opponent`."
    )
    opponent = fields.String(validate=PLAYER_ID)
    """Only games with this player, by id."""
    edition = fields.String(validate=validate.OneOf(EDITIONS))
    ended_after = Moment()
    """Only games that ended after this moment."""

    @validates_schema
    def _mine_or_public(self, data: dict[str, Any], **kwargs: object) -> None:
        if data["public"] and (data["mine"] or {"turn", "opponent"} & data.keys()):
            raise ValidationError("Not with `turn`, `mine` or `opponent`.", "public")


class ArchiveQuery(Input):
    cursor = fields.String(validate=Pattern(f"^{ARCHIVED}$", "the id of a game in the archive"))
    """The `id` of the last game fetched."""
    ended_after = fields.Date()
    """Only games that ended after this day."""
    limit = limit()


class EventsQuery(Input):
    after = QueryInteger(load_default=0, validate=validate.Range(0, MAX_VERSION))
    """Only events after the one with this number."""
    limit = limit(default=EVENTS_AT_ONCE, most=MOST_EVENTS)
    wait = wait()


class RecordQuery(Input):
    format = fields.String(validate=validate.OneOf(["jsonl", "text"]))
    """The format. Default: by `Accept`."""


class BoardQuery(Input):
    at = QueryInteger(validate=validate.Range(1, MAX_VERSION))
    """Draw the board as it stood after the event with this number."""
    format = fields.String(validate=validate.OneOf(["text", "svg", "png"]))
    """The format. Default: by `Accept`."""


def wanted(query: dict[str, Any]) -> GameFilter:
    """The games that a `GamesQuery` asks for, regardless of whose turn it is."""
    return GameFilter(
        query.get("status"),
        query.get("opponent"),
        query.get("edition"),
        query["mine"],
        query.get("ended_after", ""),
    )


def new_game(body: dict[str, Any]) -> NewGame:
    """A `GameInput` in the words of the use case."""
    opponent = body.get("opponent") or {}
    return NewGame(
        opponent=opponent.get("player"),
        opponent_email=opponent.get("email"),
        bot=opponent.get("bot"),
        listed=body.get("listed", False),
        **options(body),
    )


def options(body: dict[str, Any]) -> dict[str, Any]:
    """The given members of a `GameOptions`, in the words of `NewGame`."""
    given = {name: body[name] for name in _OPTIONS if name in body}
    if "visited_scotland" in given:
        given["visited"] = day(given.pop("visited_scotland"))
    return given


def day(given: date | None) -> str | None:
    """A date as text, `2026-05-31`."""
    return None if given is None else given.isoformat()

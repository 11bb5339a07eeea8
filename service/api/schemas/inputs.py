"""Requests: bodies and query parameters.

In this order: players, options of a game, joining and rematches, moves, queries; at the end the
translation into the words of the use cases.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from marshmallow import ValidationError
from marshmallow.validate import Length, OneOf, Range

from engine import EDITIONS, Seat
from engine.cards import Deck
from service.api.schemas.fields import (
    ClockInput,
    Destination,
    EmailAddress,
    Language,
    Moment,
    Name,
    NewName,
    PlayerId,
    Salt,
    StoneNumber,
    cursor,
)
from service.api.schemas.outputs import INVITE
from service.bots import BOTS
from service.core.shapes import Alternative, Default, Example, Keyword, Pattern, rules, rules_of
from service.games import NewGame
from service.games.creation import LONGEST_MESSAGE
from service.games.projections.player_games import ARCHIVED, CURSOR, STATUSES, GameFilter
from service.games.rematches import USUAL_BOT
from service.games.shapes import FirstPlayer
from service.games.terms import MOST_DAYS

EVENTS_AT_ONCE = 500
"""Most events in one answer: enough for nearly every game of one round."""
MOST_EVENTS = 1000
MAX_ACTIONS = 20
MAX_VERSION = 999_999_999
MAX_WAIT = 60
Actions = list[Annotated[str, Length(1, 40)]]

_Card = Annotated[str, Pattern(r"^[A-Za-z0-9]{2,3}$", "the code of a card, such as R7 or JOK")]
_Invite = Annotated[str, Length(1, 100)]
_Salt = Annotated[
    Salt | None,
    Default(None),
    "This player's share of the shuffle. Without one the game's commitment is used.",
]
_Seal = Annotated[
    Annotated[str, Pattern(r"^[A-Za-z0-9_-]{1,100}$", "a seal from `POST /v1/seals`")] | None,
    Default(None),
    "A seal from `POST /v1/seals`. The game then uses the secret that the server committed to"
    " before it knew any salt.",
]


class PlayerInput(TypedDict):
    """A new player."""

    name: Annotated[NewName, Example("Ada")]
    email: Annotated[EmailAddress | None, Default(None), Example("ada@example.org")]
    """The address for mail about turns, used once the link sent to it is confirmed."""
    invitation: Annotated[Annotated[str, Length(max=100)] | None, Default(None)]
    """The end of a link that the operator gave, where `GET /v1` does not say that registration is
    open."""


@rules(
    Alternative("PlayerOpponentInput", ("player",)),
    Alternative("EmailOpponentInput", ("email",)),
    Alternative("BotOpponentInput", ("bot",)),
)
class OpponentInput(TypedDict, total=False):
    """Whom to invite, by one of three members."""

    player: PlayerId
    """A player's id. That player may take the seat without the invite."""
    email: EmailAddress
    """The invite is sent to this address."""
    bot: Annotated[
        str, Length(1, 40), Keyword("x-extensible-enum", tuple(BOTS)), Example("steward")
    ]
    """The name of a bot, from `GET /v1/bots`. The game starts at once."""


def _not_in_the_future(day: date) -> None:
    # In some time zones it is tomorrow already.
    if day > datetime.now(UTC).date() + timedelta(days=1):
        raise ValidationError("This day is still to come.")


_Visited = Annotated[
    Annotated[date, _not_in_the_future] | None,
    Default(None),
    "Your last day in or near Scotland, for `first_player: scotland`.",
]


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


@rules(keywords={"not": {"anyOf": list(_IMPOSSIBLE)}})
class GameOptions(TypedDict):
    """The options of a game, against any opponent."""

    edition: Annotated[str, Default("iello"), Keyword("x-extensible-enum", tuple(EDITIONS))]
    tactics: Annotated[bool, Default(False)]
    expert: Annotated[bool, Default(False)]
    rounds: Annotated[int, Default(1), Range(1, 99)]
    first_player: Annotated[FirstPlayer, Default("random")]
    seat: Annotated[Seat, Default("north")]
    clock: Annotated[ClockInput | None, Default(None)]
    private: Annotated[bool, Default(False)]
    """Only its players may see the game."""
    rated: Annotated[bool | None, Default(None)]
    """Whether its result changes ratings. Default: between people and between bots. Never: without
    a clock, in private, with one's own bots."""
    invitation_days: Annotated[Annotated[int, Range(1, MOST_DAYS)] | None, Default(None)]
    """Days to wait for the other player. Default: 14."""
    seal: _Seal
    salt: _Salt
    visited_scotland: _Visited


def _listed_or_private(game: "GameInput") -> None:
    if game["listed"] and game["private"]:
        raise ValidationError("A listed game cannot be private.", "listed")


@rules(
    check=_listed_or_private,
    keywords={"not": {"anyOf": [*_IMPOSSIBLE, _not_together(listed=[True], private=[True])]}},
    example={"edition": "iello", "tactics": False, "first_player": "creator"},
)
class GameInput(GameOptions):
    """A game to create."""

    opponent: Annotated[OpponentInput | None, Default(None)]
    """Whom to invite; null leaves the seat to whoever has the invite."""
    language: Annotated[Language | None, Default(None)]
    """The language of mails to an opponent by `email`, unless an account there has one. Default:
    yours."""
    message: Annotated[Annotated[str, Length(max=LONGEST_MESSAGE)] | None, Default(None)]
    """What you write in the mail to an opponent by `email`: a line without links or addresses."""
    listed: Annotated[bool, Default(False)]
    """Show the game in the lobby, where anyone may take the free seat, and then among the public
    games (`GET /v1/games?public=true`)."""


@rules(
    Alternative("ChallengeByIdInput", ("player",)),
    Alternative("ChallengeByNameInput", ("name",)),
    keywords=rules_of(GameOptions).keywords,
    example={"name": "Bo", "tactics": True},
)
class ChallengeInput(GameOptions, total=False):
    """A challenge to a player, by id or name."""

    player: Annotated[PlayerId, Example("mfzwizltorzwi4tf")]
    """Whom to challenge, by id."""
    name: Name
    """Whom to challenge, by name, in any case."""


@rules(defaults=False, keywords=rules_of(GameOptions).keywords, example={"tactics": False})
class CounterOfferInput(GameOptions):
    """What shall differ from the challenge."""


class SeatInput(TypedDict):
    """What a player may send when taking a seat."""

    salt: _Salt
    visited_scotland: _Visited


@rules(example={"invite": INVITE})
class JoinInput(SeatInput):
    """What a player who joins may send."""

    invite: Annotated[_Invite | None, Default(None)]
    name: Annotated[NewName | None, Default(None), Example("Bob")]
    """Without a token: the name of the guest who joins, which registers them."""


class RematchInput(TypedDict):
    """What may come with a rematch."""

    seal: _Seal
    salt: _Salt


@rules(example={"step": 12})
class PracticeInput(TypedDict):
    """The choices of a practice game."""

    step: Annotated[int, Default(0), Range(0, MAX_VERSION)]
    """The event to go on after."""
    seat: NotRequired[Seat]
    """Yours; else that of the finished game, or whose turn it is."""
    bot: Annotated[str, Default(USUAL_BOT), Length(1, 40)]
    """Who plays the other seat."""


class TargetInput(TypedDict):
    """A card on the table."""

    card: _Card
    stone: StoneNumber


_Pass = TypedDict("_Pass", {"pass": NotRequired[Annotated[bool, "Whether no card is played."]]})


class _Play(TypedDict, total=False):
    card: Annotated[_Card, Example("R7")]
    """The card played, by its code."""
    stone: StoneNumber
    """Where to play a Clan card, Elite Troop or Combat Mode."""
    target: TargetInput
    """The card that a Ruse is played on."""
    to: Annotated[StoneNumber | Literal["discard"], Destination]
    """Where a Strategist or Traitor moves it."""
    draws: Annotated[list[Deck], Length(1, 3)]
    """The decks from which a Recruiter draws, in order."""
    claims: Annotated[list[StoneNumber], Default(list), Length(max=9)]
    """Stones to claim in the same turn, in this order."""
    draw: Deck
    """The deck to draw from."""


@rules(
    Alternative("CardMoveInput", ("card", "stone"), ("pass",), {"pass": False}),
    Alternative("RuseMoveInput", ("card", "target"), ("to", "pass"), {"pass": False}),
    Alternative("RecruiterMoveInput", ("card", "draws"), ("pass",), {"pass": False}),
    Alternative("PassMoveInput", ("pass",), flags={"pass": True}),
    example={"card": "R7", "stone": 3, "claims": [3]},
)
class MoveInput(_Play, _Pass):
    """A turn that plays a card, or passes."""


@rules(
    Alternative("OneClaimInput", ("stone",)),
    Alternative("SeveralClaimsInput", ("stones",)),
    example={"stone": 3},
)
class ClaimsInput(TypedDict, total=False):
    """One Stone to claim, or several."""

    stone: StoneNumber
    stones: Annotated[list[StoneNumber], Length(1, 9)]


class TurnInput(TypedDict):
    """Actions of one turn, all or none."""

    actions: Annotated[Actions, Length(1, MAX_ACTIONS), Example(["R7@3", "!3"])]


class EmptyInput(TypedDict):
    """An empty object."""


Wait = Annotated[
    int, Default(0), Range(0, MAX_WAIT), "Seconds to wait for news if there is none yet."
]
Limit = Annotated[int, Default(20), Range(1, 100), "The maximum number of items in a page."]


class GameQuery(TypedDict):
    at: NotRequired[Annotated[int, Range(1, MAX_VERSION)]]
    """Show the game as it stood after the event with this number."""
    invite: NotRequired[_Invite]
    """The invite, whose holder may see a private game."""
    wait: Wait


class PageQuery(TypedDict):
    """The query of a list of games or challenges."""

    cursor: NotRequired[Annotated[str, cursor(CURSOR)]]
    limit: Limit


def _mine_or_public(query: "GamesQuery") -> None:
    if query["public"] and (query["mine"] or {"turn", "opponent"} & query.keys()):
        raise ValidationError("Not with `turn`, `mine` or `opponent`.", "public")


@rules(check=_mine_or_public)
class GamesQuery(PageQuery):
    status: NotRequired[Annotated[str, OneOf(STATUSES)]]
    turn: NotRequired[Literal["me"]]
    """Only where it is my turn."""
    mine: Annotated[bool, Default(False)]
    """Only games I play, not those I am invited to."""
    public: Annotated[bool, Default(False)]
    """Games that anybody may find, not mine. Not with `turn`, `mine`, `opponent`."""
    opponent: NotRequired[PlayerId]
    """Only games with this player, by id."""
    edition: NotRequired[Annotated[str, OneOf(EDITIONS)]]
    ended_after: NotRequired[Moment]
    """Only games that ended after this moment."""


class ArchiveQuery(TypedDict):
    cursor: NotRequired[Annotated[str, Pattern(f"^{ARCHIVED}$", "the id of a game in the archive")]]
    """The `id` of the last game fetched."""
    ended_after: NotRequired[date]
    """Only games that ended after this day."""
    limit: Limit


class EventsQuery(TypedDict):
    after: Annotated[int, Default(0), Range(0, MAX_VERSION)]
    """Only events after the one with this number."""
    limit: Annotated[
        int,
        Default(EVENTS_AT_ONCE),
        Range(1, MOST_EVENTS),
        "The maximum number of items in a page.",
    ]
    wait: Wait


class RecordQuery(TypedDict, total=False):
    format: Literal["jsonl", "text"]
    """The format. Default: by `Accept`."""


class BoardQuery(TypedDict, total=False):
    at: Annotated[int, Range(1, MAX_VERSION)]
    """Draw the board as it stood after the event with this number."""
    format: Literal["text", "svg", "png"]
    """The format. Default: by `Accept`."""


def wanted(query: GamesQuery) -> GameFilter:
    """The games that a `GamesQuery` asks for, regardless of whose turn it is."""
    return GameFilter(
        query.get("status"),
        query.get("opponent"),
        query.get("edition"),
        query["mine"],
        query.get("ended_after", ""),
    )


def new_game(body: Mapping[str, Any]) -> NewGame:
    """A `GameInput` in the words of the use case."""
    opponent = body.get("opponent") or {}
    return NewGame(
        opponent=opponent.get("player"),
        opponent_email=opponent.get("email"),
        language=body.get("language"),
        message=body.get("message"),
        bot=opponent.get("bot"),
        listed=body.get("listed", False),
        **options(body),
    )


def options(body: Mapping[str, Any]) -> dict[str, Any]:
    """The given members of a `GameOptions`, in the words of `NewGame`."""
    given = {name: body[name] for name in GameOptions.__annotations__ if name in body}
    if "visited_scotland" in given:
        given["visited"] = day(given.pop("visited_scotland"))
    return given


def day(given: date | None) -> str | None:
    """A date as text, `2026-05-31`."""
    return None if given is None else given.isoformat()

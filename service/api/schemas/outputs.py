"""Answers: players, games, events, proofs and problems, in this order.

These schemas are for the document. Answers are built as plain data; tests validate them against the
schemas.
"""

from typing import Any

from marshmallow import fields, validate

from engine import EDITIONS, SEATS
from engine.chain import VIA
from service.api.schemas.base import Output
from service.api.schemas.clocks import ClockStateSchema
from service.games.projections.player_games import STATUSES
from service.mail.budget import AXES

PHASES = ("play", "return", "finish")
CLAIM_TIMINGS = ("after_play", "before_play", "any_time")
JOKER_LIMITS = ("one_per_game", "one_on_table")
TRAITOR_TO = ("any", "another")
REASONS = (
    "three-adjacent",
    "five-stones",
    "stalemate",
    "resignation",
    "time-out",
    "agreement",
)


def _text(description: str | None = None, **options: Any) -> fields.String:
    if description is not None:
        options["metadata"] = {"description": description}
    return fields.String(required=True, **options)


def _choice(*choices: str, **options: Any) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(choices), **options)


def _open_choice(*choices: str) -> fields.String:
    """One of these texts, or one that a later version of the server adds."""
    return fields.String(required=True, metadata={"x-extensible-enum": list(choices)})


def _number() -> fields.Integer:
    return fields.Integer(required=True)


def _moment(description: str | None = None, **options: Any) -> fields.DateTime:
    if description is not None:
        options["metadata"] = {"description": description}
    return fields.DateTime(required=True, **options)


def _texts(description: str | None = None, **options: Any) -> fields.List[str]:
    if description is not None:
        options["metadata"] = {"description": description}
    return fields.List(fields.String(), required=True, **options)


def next_cursor() -> fields.String:
    """The member `next` of a page."""
    return _text("The next `cursor`; null at the end.", allow_none=True)


class RegisteredPlayerSchema(Output):
    id = _text()
    name = _text()
    token = _text("The bearer token, shown only once.")


class PlayerSummarySchema(Output):
    id = _text()
    name = _text(allow_none=True)
    bot = fields.Boolean(required=True)


class PlayersBySeatSchema(Output):
    north = fields.Nested(PlayerSummarySchema, required=True, allow_none=True)
    south = fields.Nested(PlayerSummarySchema, required=True, allow_none=True)


class CountsBySeatSchema(Output):
    north = _number()
    south = _number()


class StoneSchema(Output):
    number = _number()
    owner = _choice(*SEATS, allow_none=True)
    north = _texts("North's cards, in the order played.")
    south = _texts("South's cards, in the order played.")
    modes = _texts("The Combat Modes on the Stone.")
    completed_first = _choice(*SEATS, allow_none=True)


class HandSchema(Output):
    cards = _texts(
        "The cards. Until the game is over, null for everyone but their holder.", allow_none=True
    )
    clan = _number()
    tactic = _number()


class HandsSchema(Output):
    north = fields.Nested(HandSchema, required=True)
    south = fields.Nested(HandSchema, required=True)


class DeckSizesSchema(Output):
    clan = _number()
    tactic = _number()


class ClockSchema(Output):
    """The clock as agreed. It has one of `days_per_move`, `bank_days` and `until`; what was not
    asked for is absent."""

    days_per_move = fields.Integer()
    bank_days = fields.Integer()
    increment_hours = fields.Integer()
    cap_days = fields.Integer()
    until = fields.String(metadata={"format": "date-time"})
    weekends_off = fields.Boolean()
    sleeping_hours = fields.Boolean()
    vacations = fields.Boolean()
    time_out = fields.String(validate=validate.OneOf(("auto", "claim")))


class RuleOptionsSchema(Output):
    """The options that the rules depend on."""

    hand_size = fields.Integer(required=True, metadata={"description": "Cards in a full hand."})
    claim_timing = _choice(
        *CLAIM_TIMINGS, metadata={"description": "When Stones can be claimed: ruling 3."}
    )
    joker_limit = _choice(
        *JOKER_LIMITS, metadata={"description": "When a player may play a second Joker: ruling 22."}
    )
    traitor_to = _choice(
        *TRAITOR_TO,
        metadata={
            "description": "Where a Traitor may put a card: at any Stone, even the same one, or"
            " only at another: ruling 26."
        },
    )


class Invited(fields.Field[dict[str, object] | bool]):
    """A player, or true for an e-mail address, which is never shown."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any] | bool:
        return value is True or PlayerSummarySchema().load(value)


class PracticeSchema(Output):
    game = _text()
    step = _number()
    turn = _number()


class GameBasicsSchema(Output):
    """The members that a game in a list and a game view share."""

    id = _text()
    version = fields.Integer(
        required=True, metadata={"description": "The number of the game's events."}
    )
    status = _choice(*STATUSES)
    edition = _open_choice(*EDITIONS)
    tactics = fields.Boolean(required=True)
    expert = fields.Boolean(required=True)
    rounds = _number()
    seat = _choice(*SEATS, allow_none=True)
    players = fields.Nested(PlayersBySeatSchema, required=True)
    turn = _choice(*SEATS, allow_none=True)
    deadline = _moment("When the time of the player to move runs out.", allow_none=True)
    winner = _choice(*SEATS, allow_none=True)
    reason = _choice(*REASONS, allow_none=True)
    imported = fields.Boolean(
        required=True,
        metadata={"description": "Whether it was imported from a record."},
    )
    practice = fields.Nested(PracticeSchema)
    daily = fields.Date(
        metadata={
            "description": "The day (UTC) whose deal it has, if any: sealed until that is over."
        }
    )


class GameSummarySchema(GameBasicsSchema):
    created_at = _moment()
    ended_at = _moment("When it ended; null before.", allow_none=True)


class RatingSchema(Output):
    rating = _number()
    deviation = _number()


class PlayerRatingSchema(RatingSchema):
    games = fields.Integer(required=True)


class RatingsSchema(Output):
    base = fields.Nested(PlayerRatingSchema, required=True)
    tactics = fields.Nested(PlayerRatingSchema, required=True)


class RatingChangeSchema(RatingSchema):
    before = _number()


class RatingsBySeatSchema(Output):
    north = fields.Nested(RatingChangeSchema, required=True, allow_none=True)
    south = fields.Nested(RatingChangeSchema, required=True, allow_none=True)


class GameSchema(GameBasicsSchema):
    round = _number()
    scores = fields.Nested(CountsBySeatSchema, required=True)
    phase = _choice(*PHASES, allow_none=True)
    stones = fields.List(fields.Nested(StoneSchema), required=True)
    hands = fields.Nested(HandsSchema, required=True)
    decks = fields.Nested(DeckSizesSchema, required=True)
    discard = _texts()
    tactics_played = fields.Nested(CountsBySeatSchema, required=True)
    legal = _texts(
        "The caller's legal actions, in action text. Empty on the opponent's turn. With `at`, those"
        " of that moment."
    )
    invited = Invited(
        required=True,
        allow_none=True,
        metadata={
            "description": "For whom the free seat is reserved: a player, or true for the owner of"
            " an e-mail address. Null once it is taken.",
            "oneOf": [
                {"$ref": "#/components/schemas/PlayerSummary"},
                {"type": "boolean", "enum": [True]},
                {"type": "null"},
            ],
        },
    )
    clock = fields.Nested(ClockSchema, required=True, allow_none=True)
    options = fields.Nested(RuleOptionsSchema, required=True)
    private = fields.Boolean(
        required=True, metadata={"description": "Whether only its players may see it."}
    )
    listed = fields.Boolean(
        required=True,
        metadata={"description": "Whether anyone may take the free seat, and find the game later."},
    )
    rated = fields.Boolean(required=True)
    ratings = fields.Nested(RatingsBySeatSchema, required=True, allow_none=True)
    created_at = _moment()
    started_at = _moment("When the second player joined.", allow_none=True)
    ended_at = _moment(allow_none=True)
    clock_state = fields.Nested(ClockStateSchema, required=True, allow_none=True)
    commitment = _text("SHA-256 of the secret from which every shuffle follows.")
    untold_until = _moment(
        "The time of the player to move is up, but the turn could not be told to them: nothing ends"
        " before this moment, unless they are told. Null otherwise.",
        allow_none=True,
    )
    head = _text(
        "The last hash of the game's log: it shows later whether a record holds what was played."
    )


class SealSchema(Output):
    seal = _text("Send it once, when you create a game or a challenge.")
    commitment = _text("SHA-256 of the secret, as in the game that the seal is used for.")
    expires_at = _moment("When it expires.")


class CreatedGameSchema(GameSchema):
    invite = _text("The holder of the invite may take the free seat.")
    invite_url = _text("A link for the opponent, to a page where they can join.")


class GameListSchema(Output):
    games = fields.List(fields.Nested(GameSummarySchema), required=True)
    next = next_cursor()


class GameEventSchema(Output):
    seq = _number()
    v = fields.Integer(
        required=True, metadata={"description": "The schema version of this event type."}
    )
    at = _moment()
    type = _text()
    by = _choice(*SEATS, allow_none=True)
    via = _open_choice(*VIA)
    data = fields.Dict(required=True)
    private = fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "Null if the caller may not see it before the end."},
    )
    salt = _text(allow_none=True)
    hash = _text()


class GameEventListSchema(Output):
    version = _number()
    events = fields.List(fields.Nested(GameEventSchema), required=True)
    next = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The `after` of the next page, null if there is none yet."},
    )


class ArchivedGameSchema(Output):
    id = _text("Its id in the archive: the `cursor` to go on after it.")
    players = fields.Dict(
        values=fields.String(),
        required=True,
        allow_none=True,
        metadata={"description": "Names by seat, null unless both want to be named."},
    )
    record = fields.List(fields.Nested(GameEventSchema), required=True)


class ArchiveSchema(Output):
    records = fields.List(fields.Nested(ArchivedGameSchema), required=True)
    next = next_cursor()


class StreamMessageSchema(Output):
    """One of the many messages of a stream."""

    id = _text("The event's number or position. Send the last one as `Last-Event-ID` to resume.")
    event = _text("The type of the event.")
    data = _text("The event as JSON.")


class FormationSchema(Output):
    rank = _text()
    total = _number()
    cards = _texts("The cards, with each Elite Troop as the card it counts as.", data_key="as")


class ProofSchema(Output):
    stone = _number()
    claimable = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether the claim is proved, even if this is not the moment to claim."
        },
    )
    reason = _text()
    mine = fields.Nested(FormationSchema, required=True, allow_none=True)
    theirs = fields.Nested(FormationSchema, required=True, allow_none=True)
    counterexample = _texts(
        "With `beatable`: unseen Clan cards that, added to the other side, would beat the"
        " caller's.",
        allow_none=True,
    )


class ProofListSchema(Output):
    version = _number()
    proofs = fields.List(fields.Nested(ProofSchema), required=True)


class ProblemSchema(Output):
    """A problem (RFC 9457). Some codes have further members, as `core.errors.MEMBERS` says."""

    type = _text("The address of a description of this code.")
    title = _text()
    status = _number()
    detail = _text("What is wrong in this case, for people.")
    code = _text("The stable code, for programs to decide by.")
    errors = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        metadata={
            "description": "With validation-failed: messages by field, with dots in nested names."
            " Messages about the whole are under `body` or `query`."
        },
    )
    version = fields.Integer(
        metadata={"description": "With stale-version or time-out: the current version."}
    )
    refusal = fields.String(
        metadata={
            "description": "If a rule of the game forbids it: which one, more exactly than `code`."
        }
    )
    rule = fields.Integer(
        metadata={"description": "If a rule of the game forbids it: the number of the ruling."}
    )
    rule_url = fields.String(
        metadata={
            "description": "If a rule of the game forbids it: where to read it, on this server."
        }
    )
    counterexample = fields.List(
        fields.String(),
        metadata={
            "description": "With claim-not-proven: cards that beat the formation. If `refusal` is"
            " `beatable` they are unseen and would be added to the other side; else they lie there."
        },
    )
    registration = fields.String(
        metadata={"description": "With registration-closed: `invited` or `closed`, as `GET /v1`."}
    )
    suggestion = fields.String(metadata={"description": "With name-taken: a name that is free."})
    players = fields.List(
        fields.Nested(PlayerSummarySchema),
        metadata={"description": "With ambiguous-name: the players with this name, at most 20."},
    )
    bots = fields.List(
        fields.String(),
        metadata={"description": "With bot-not-available: the names of all bots."},
    )
    challenge_status = fields.String(
        metadata={"description": "With challenge-closed: the outcome of the challenge."}
    )
    id = fields.String(
        metadata={"description": "With already-asked: the open challenge, or the game with it."}
    )
    by = fields.String(
        validate=validate.OneOf(("you", "opponent")),
        metadata={"description": "With messages-off: who turned them off."},
    )
    budget = fields.String(
        validate=validate.OneOf(AXES),
        metadata={"description": "With too-many-mails: what they are counted for."},
    )
    retry_after = fields.Integer(
        metadata={
            "description": "With too-many-mails or too-many-messages: seconds after which to try"
            " again, as in the header `Retry-After`."
        }
    )
    used_up = fields.Boolean(
        metadata={
            "description": "With too-many-mails or too-many-messages, always true: an allowance by"
            " the hour or the day is used up. Tell your user, rather than wait as after"
            " `too-many-requests`."
        }
    )
    request_id = fields.String(
        metadata={
            "description": "With internal-error or unreadable-log: the request, as in the header"
            " `X-Request-Id` and in the server's log."
        }
    )
    year = fields.Integer(
        metadata={"description": "With vacation-days-exceeded: the year without enough days."}
    )
    seconds_left = fields.Integer(
        metadata={"description": "With vacation-days-exceeded: seconds of vacation left in it."}
    )

"""What the API answers, for its documentation. Answers are built as plain data, and proved against
these schemas in the tests."""

from typing import Any

from marshmallow import RAISE, Schema, fields, validate

from engine import EDITIONS, SEATS
from engine.chain import CHANNELS
from service.games.projections.player_games import STATUSES

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


class Output(Schema):
    """The base of all answers: no field but these, and each of them."""

    class Meta:
        unknown = RAISE


def _text(description: str | None = None, **options: Any) -> fields.String:
    if description is not None:
        options["metadata"] = {"description": description}
    return fields.String(required=True, **options)


def _choice(*choices: str, **options: Any) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(choices), **options)


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
    """The member `next` of a list's answer."""
    return _text("The `cursor` of the next page, null on the last.", allow_none=True)


class Registered(Output):
    id = _text()
    name = _text()
    token = _text("The bearer token, shown only this once.")


class Seated(Output):
    id = _text()
    name = _text(allow_none=True)


class Players(Output):
    north = fields.Nested(Seated, required=True, allow_none=True)
    south = fields.Nested(Seated, required=True, allow_none=True)


class Counts(Output):
    north = _number()
    south = _number()


class StoneView(Output):
    number = _number()
    owner = _choice(*SEATS, allow_none=True)
    north = _texts("North's cards, in the order played.")
    south = _texts("South's cards, in the order played.")
    modes = _texts("The Combat Modes on the Stone.")
    completed_first = _choice(*SEATS, allow_none=True)


class Hand(Output):
    cards = _texts(
        "The cards; null for everyone but their holder until the game is over.", allow_none=True
    )
    clan = _number()
    tactic = _number()


class Hands(Output):
    north = fields.Nested(Hand, required=True)
    south = fields.Nested(Hand, required=True)


class Decks(Output):
    clan = _number()
    tactic = _number()


class Clock(Output):
    days_per_move = _number()


class RuleOptions(Output):
    """What the rules of the game depend on."""

    hand_size = _number()
    claim_timing = _choice(*CLAIM_TIMINGS)
    joker_limit = _choice(*JOKER_LIMITS)
    traitor_to = _choice(*TRAITOR_TO)


class Invited(fields.Field[dict[str, Any] | bool]):
    """A player; true in the place of an e-mail address, which nobody is shown."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any] | bool:
        return value is True or Seated().load(value)


class GameHead(Output):
    """What a list of games and a game have in common."""

    id = _text()
    version = fields.Integer(required=True, metadata={"description": "The number of its events."})
    status = _choice(*STATUSES)
    edition = _choice(*EDITIONS)
    tactics = fields.Boolean(required=True)
    expert = fields.Boolean(required=True)
    rounds = _number()
    seat = _choice(*SEATS, allow_none=True)
    players = fields.Nested(Players, required=True)
    turn = _choice(*SEATS, allow_none=True)
    deadline = _moment("When the player to move runs out of time.", allow_none=True)
    winner = _choice(*SEATS, allow_none=True)
    reason = _choice(*REASONS, allow_none=True)
    imported = fields.Boolean(
        required=True,
        metadata={"description": "Whether it was taken in as a record, from here or elsewhere."},
    )


class GameSummary(GameHead):
    created = _moment()


class GameView(GameHead):
    round = _number()
    scores = fields.Nested(Counts, required=True)
    phase = _choice(*PHASES, allow_none=True)
    stones = fields.List(fields.Nested(StoneView), required=True)
    hands = fields.Nested(Hands, required=True)
    decks = fields.Nested(Decks, required=True)
    discard = _texts()
    tactics_played = fields.Nested(Counts, required=True)
    legal = _texts(
        "What the caller may do next, in action text; empty on the opponent's turn. With `at`, what"
        " could be done then."
    )
    invited = Invited(
        required=True,
        allow_none=True,
        metadata={
            "description": "Who the free seat is kept for: a player, or true for the holder of an"
            " e-mail address; null once it is taken.",
            "oneOf": [
                {"$ref": "#/components/schemas/Seated"},
                {"type": "boolean", "enum": [True]},
                {"type": "null"},
            ],
        },
    )
    clock = fields.Nested(Clock, required=True, allow_none=True)
    options = fields.Nested(RuleOptions, required=True)
    private = fields.Boolean(
        required=True, metadata={"description": "Whether only the players may see it."}
    )
    listed = fields.Boolean(
        required=True, metadata={"description": "Whether anyone may take the free seat."}
    )
    created_at = _moment()
    started_at = _moment("When the second player sat down.", allow_none=True)
    ended_at = _moment(allow_none=True)
    commitment = _text("SHA-256 of the secret that every shuffle follows from.")
    head = _text("The last hash of the game's log.")


class Seal(Output):
    seal = _text("To be given once, when a game or challenge is made.")
    commitment = _text("SHA-256 of the secret: that of the game which the seal is used for.")
    expires_at = _moment("Until when it can be used.")


class GameMade(GameView):
    invite = _text("Whoever holds it may take the free seat.")
    invite_url = _text("The page to send to the opponent.")


class GameList(Output):
    games = fields.List(fields.Nested(GameSummary), required=True)
    next = next_cursor()


class StoredEvent(Output):
    seq = _number()
    v = fields.Integer(required=True, metadata={"description": "Schema version of this type."})
    at = _moment()
    type = _text()
    by = _choice(*SEATS, allow_none=True)
    via = _choice(*CHANNELS)
    data = fields.Dict(required=True)
    private = fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "Null where the caller may not see it before the end."},
    )
    salt = _text(allow_none=True)
    hash = _text()


class EventList(Output):
    version = _number()
    events = fields.List(fields.Nested(StoredEvent), required=True)
    next = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The `after` of the events that follow, null where none do yet."},
    )


class StreamMessage(Output):
    """A message of a stream, of which it sends many."""

    id = _text("The event's number or place; the last one is to be sent as `Last-Event-ID`.")
    event = _text("The type of the event.")
    data = _text("The JSON of it.")


class Formation(Output):
    rank = _text()
    total = _number()
    cards = _texts("The cards, each Elite Troop as what it counts for.", data_key="as")


class Proof(Output):
    stone = _number()
    claimable = fields.Boolean(
        required=True,
        metadata={"description": "Whether the claim stands, be it the moment to claim or not."},
    )
    reason = _text()
    mine = fields.Nested(Formation, required=True, allow_none=True)
    theirs = fields.Nested(Formation, required=True, allow_none=True)
    counterexample = _texts(
        "With `beatable`: unseen Clan cards that, added to the other side, beat the caller's.",
        allow_none=True,
    )


class ProofList(Output):
    version = _number()
    proofs = fields.List(fields.Nested(Proof), required=True)


class Problem(Schema):
    """RFC 9457. Some codes bring further members."""

    type = _text("Where this kind of problem is described.")
    title = _text()
    status = _number()
    detail = _text("What is wrong this time.")
    code = _text("Stable: what a program decides on.")
    errors = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        metadata={
            "description": "With validation-failed: messages by field, nested ones with dots; what"
            " is wrong with the whole is under `body` or `query`."
        },
    )
    version = fields.Integer(metadata={"description": "With stale-version: the current one."})
    refusal = fields.String(metadata={"description": "Of a rule: which one, finer than `code`."})
    rule = fields.Integer(metadata={"description": "Of a rule: the number of the ruling."})
    rule_url = fields.String(
        metadata={"description": "Of a rule: where to read it, on this server."}
    )
    counterexample = fields.List(
        fields.String(),
        metadata={
            "description": "With claim-not-proven: the cards that beat it. Where `refusal` is"
            " `beatable` these are unseen ones, to be added to the other side; else those there."
        },
    )
    suggestion = fields.String(metadata={"description": "With name-taken: a name that is free."})
    players = fields.List(
        fields.Nested(Seated),
        metadata={"description": "With ambiguous-name: those who have it, 20 at most."},
    )
    bots = fields.List(
        fields.String(),
        metadata={"description": "With bot-not-available: the names of those that there are."},
    )
    challenge_status = fields.String(
        metadata={"description": "With challenge-closed: what became of it."}
    )

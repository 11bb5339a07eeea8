"""The shapes of answers about games, events, proofs and problems, in this order."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from engine import EDITIONS, Seat
from engine.chain import VIA
from engine.game import Phase
from engine.options import ClaimTiming, JokerLimit, TraitorTo
from service.api.schemas.clocks import ClockStateShape
from service.api.schemas.players import NextCursor, PlayerSummaryShape, RatingShape
from service.api.shapes import Day, Keyword, Shown, Timestamp
from service.games.projections.player_games import STATUSES
from service.mail.budget import AXES

EditionName = Annotated[str, Keyword("x-extensible-enum", tuple(EDITIONS))]
GameStatus = Annotated[str, Keyword("enum", tuple(STATUSES))]
COMMITMENT = "9985b2e4b9b71b28ce59ea5ce77f0b110637b625c6d7f41e982c9510940a2056"
INVITE = "s3iT6jw0ZJr2l1Qm8nVYp4bXcUeHk5aGd7oRtMwNzEA"
Reason = Literal[
    "three-adjacent", "five-stones", "stalemate", "resignation", "time-out", "agreement"
]


class PlayersBySeatShape(TypedDict):
    """The players; null for a seat that is free."""

    north: PlayerSummaryShape | None
    south: PlayerSummaryShape | None


class CountsBySeatShape(TypedDict):
    """A number for each seat."""

    north: int
    south: int


class StoneShape(TypedDict):
    """A Stone with its cards."""

    number: int
    """Its number, 1 to 9."""
    owner: Seat | None
    """The seat that has claimed it; null if neither has."""
    north: list[str]
    """North's cards, in the order played."""
    south: list[str]
    """South's cards, in the order played."""
    modes: list[str]
    """The Combat Modes on the Stone."""
    completed_first: Seat | None
    """The seat that completed its side first, of those complete now."""


class HandShape(TypedDict):
    """A hand."""

    cards: list[str] | None
    """The cards. Until the game is over, null for everyone but their holder."""
    clan: int
    tactic: int


class HandsShape(TypedDict):
    """The hands of both."""

    north: HandShape
    south: HandShape


class DeckSizesShape(TypedDict):
    """Cards left in the decks."""

    clan: int
    tactic: int


class ClockShape(TypedDict):
    """The pace agreed, by `days_per_move`, `bank_days` or `until`; the rest is absent."""

    days_per_move: NotRequired[int]
    bank_days: NotRequired[int]
    """Days for a player's whole round."""
    increment_hours: NotRequired[int]
    """Hours that each turn adds to the bank."""
    cap_days: NotRequired[int]
    """The days up to which a bank fills."""
    until: NotRequired[Timestamp]
    """The fixed end."""
    weekends_off: NotRequired[bool]
    """Whether Saturdays and Sundays do not count."""
    sleeping_hours: NotRequired[bool]
    """Whether sleeping hours do not count."""
    vacations: NotRequired[bool]
    """Whether vacations do not count."""
    time_out: NotRequired[Literal["auto", "claim"]]
    """What happens when time is out."""


class RuleOptionsShape(TypedDict):
    """The options that the rules depend on."""

    hand_size: Annotated[int, Shown(6)]
    """Cards in a full hand."""
    claim_timing: ClaimTiming
    """When Stones can be claimed: ruling 3."""
    joker_limit: JokerLimit
    """When a player may play a second Joker: ruling 22."""
    traitor_to: TraitorTo
    """Where a Traitor may put a card: at any Stone, even the same one, or only at another: ruling
    26."""


class PracticeShape(TypedDict):
    """Where a practice game came from; else absent."""

    game: str
    step: int
    """The event after which it goes on."""
    turn: int
    """The turn of that event's round."""


class GameBasicsShape(TypedDict):
    """What lists and views of games share."""

    id: str
    version: int
    """The number of the game's events."""
    status: GameStatus
    edition: EditionName
    tactics: bool
    expert: bool
    rounds: int
    seat: Seat | None
    """The caller's seat; null for anybody else."""
    players: PlayersBySeatShape
    turn: Seat | None
    deadline: Timestamp | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    reason: Reason | None
    """How it ended; null before."""
    imported: bool
    """Whether it was imported from a record."""
    practice: NotRequired[PracticeShape]
    daily: NotRequired[Day]
    """The day (UTC) whose deal it has, if any: sealed until that is over."""


class GameSummaryShape(GameBasicsShape):
    """A game in a list."""

    created_at: Timestamp
    ended_at: Timestamp | None
    """When it ended; null before."""


class RatingChangeShape(RatingShape):
    """A rating after a game."""

    before: int
    """Points before it."""


class RatingsBySeatShape(TypedDict):
    """Ratings after a game, null for a bot of the server."""

    north: RatingChangeShape | None
    south: RatingChangeShape | None


class GameShape(GameBasicsShape):
    """A game as the caller may see it."""

    round: int
    """The number of the current round, from 1."""
    scores: CountsBySeatShape
    phase: Phase | None
    """What is to be done in this turn; null if nobody is to move."""
    stones: list[StoneShape]
    """The nine Stones."""
    hands: HandsShape
    """The hands."""
    decks: DeckSizesShape
    """Cards left in the decks."""
    discard: list[str]
    """Cards out of play."""
    tactics_played: CountsBySeatShape
    """How many Tactic cards each side has played."""
    legal: list[str]
    """The caller's legal actions, in action text. Empty on the opponent's turn. With `at`, those of
    that moment."""
    invited: PlayerSummaryShape | Literal[True] | None
    """For whom the free seat is reserved: a player, or true for the owner of an e-mail address.
    Null once it is taken."""
    clock: ClockShape | None
    options: RuleOptionsShape
    private: bool
    """Whether only its players may see it."""
    listed: bool
    """Whether anyone may take the free seat, and find the game later."""
    rated: bool
    ratings: RatingsBySeatShape | None
    """What the result did to ratings; null before the end, and if it does not count."""
    created_at: Timestamp
    started_at: Timestamp | None
    """When the second player joined."""
    ended_at: Timestamp | None
    """When it ended; null before."""
    clock_state: ClockStateShape | None
    """How the clock runs; null without one."""
    commitment: str
    """SHA-256 of the secret from which every shuffle follows."""
    untold_until: Timestamp | None
    """The time of the player to move is up, but the turn could not be told to them: nothing ends
    before this moment, unless they are told. Null otherwise."""
    head: str
    """The last hash of the game's log: it shows later whether a record holds what was played."""


class SealShape(TypedDict):
    """The server's promise of a secret that it has drawn."""

    seal: Annotated[str, Shown("Qm8nVYp4bXcUeHk5aGd7oRtMwNzEAs3iT6jw0ZJr2l1")]
    """Send it once, when you create a game or a challenge."""
    commitment: Annotated[str, Shown(COMMITMENT)]
    """SHA-256 of the secret, as in the game that the seal is used for."""
    expires_at: Annotated[Timestamp, Shown("2026-11-21T13:00:00Z")]
    """When it expires."""


class CreatedGameShape(GameShape):
    """A new game, with its invite."""

    invite: Annotated[str, Shown(INVITE)]
    """The holder of the invite may take the free seat."""
    invite_url: Annotated[
        str, Shown(f"https://stones.example/games/onrw65dumvxhs5dporxw?invite={INVITE}")
    ]
    """A link for the opponent, to a page where they can join."""


class GameListShape(TypedDict):
    """A page of games."""

    games: list[GameSummaryShape]
    """The games."""
    next: NextCursor


class GameEventShape(TypedDict):
    """An event of a game, of a type known here or added later."""

    seq: int
    v: int
    """The schema version of this event type."""
    at: Timestamp
    type: str
    by: Seat | None
    via: Annotated[str, Keyword("x-extensible-enum", tuple(VIA))]
    data: dict[str, Any]
    private: dict[str, Any] | None
    """Null if the caller may not see it before the end."""
    salt: str | None
    hash: str


class GameEventListShape(TypedDict):
    """A page of events."""

    version: Annotated[int, Shown(19)]
    events: list[GameEventShape]
    """The events in their order."""
    next: int | None
    """The `after` of the next page, null if there is none yet."""


class ArchivedGameShape(TypedDict):
    """A finished game to study."""

    id: str
    """Its id in the archive: the `cursor` to go on after it."""
    players: dict[str, str] | None
    """Names by seat, null unless both want to be named."""
    record: list[GameEventShape]
    """Its nameless record."""


class ArchiveShape(TypedDict):
    """A page of the archive."""

    records: Annotated[list[ArchivedGameShape], Shown(())]
    """The games."""
    next: NextCursor


class StreamMessageShape(TypedDict):
    """One of the many messages of a stream."""

    id: str
    """The event's number or position. Send the last one as `Last-Event-ID` to resume."""
    event: str
    """The type of the event."""
    data: str
    """The event as JSON."""


_As = TypedDict(
    "_As",
    {"as": Annotated[list[str], "The cards, with each Elite Troop as the card it counts as."]},
)


class FormationShape(_As):
    """A formation's value."""

    rank: str
    total: int


class ProofShape(TypedDict):
    """Whether a Stone's claim is proved."""

    stone: int
    claimable: bool
    """Whether the claim is proved, even if this is not the moment to claim."""
    reason: str
    mine: FormationShape | None
    theirs: FormationShape | None
    counterexample: list[str] | None
    """With `beatable`: unseen Clan cards that, added to the other side, would beat the caller's."""


class ProofListShape(TypedDict):
    """The verdicts on all Stones where the caller's side is complete."""

    version: Annotated[int, Shown(19)]
    proofs: list[ProofShape]
    """The verdicts."""


class ProblemShape(TypedDict):
    """A problem (RFC 9457). Codes may be added, and members."""

    type: str
    """The address of a description of this code."""
    title: str
    """The problem in a few words, the same for every problem of this code."""
    status: int
    """The HTTP status."""
    detail: str
    """What is wrong in this case, for people."""
    code: str
    """The stable code, for programs to decide by."""
    errors: NotRequired[dict[str, list[str]]]
    """With validation-failed: messages by field, with dots in nested names. Messages about the
    whole are under `body` or `query`."""
    version: NotRequired[int]
    """With stale-version or time-out: the current version."""
    refusal: NotRequired[str]
    """If a rule of the game forbids it: which one, more exactly than `code`."""
    rule: NotRequired[int]
    """If a rule of the game forbids it: the number of the ruling."""
    rule_url: NotRequired[str]
    """If a rule of the game forbids it: where to read it, on this server."""
    counterexample: NotRequired[list[str]]
    """With claim-not-proven: cards that beat the formation. If `refusal` is `beatable` they are
    unseen and would be added to the other side; else they lie there."""
    registration: NotRequired[str]
    """With registration-closed: `invited` or `closed`, as `GET /v1`."""
    suggestion: NotRequired[str]
    """With name-taken: a name that is free."""
    players: NotRequired[list[PlayerSummaryShape]]
    """With ambiguous-name: the players with this name, at most 20."""
    bots: NotRequired[list[str]]
    """With bot-not-available: the names of all bots."""
    challenge_status: NotRequired[str]
    """With challenge-closed: the outcome of the challenge."""
    id: NotRequired[str]
    """With already-asked: the open challenge, or the game with it."""
    by: NotRequired[Literal["you", "opponent"]]
    """With messages-off: who turned them off."""
    budget: NotRequired[Annotated[str, Keyword("enum", tuple(AXES))]]
    """With too-many-mails: what they are counted for."""
    retry_after: NotRequired[int]
    """With too-many-mails or too-many-messages: seconds after which to try again, as in the header
    `Retry-After`."""
    used_up: NotRequired[bool]
    """With too-many-mails or too-many-messages, always true: an allowance by the hour or the day is
    used up. Tell your user, rather than wait as after `too-many-requests`."""
    request_id: NotRequired[str]
    """With internal-error or unreadable-log: the request, as in the header `X-Request-Id` and in
    the server's log."""
    year: NotRequired[int]
    """With vacation-days-exceeded: the year without enough days."""
    seconds_left: NotRequired[int]
    """With vacation-days-exceeded: seconds of vacation left in it."""

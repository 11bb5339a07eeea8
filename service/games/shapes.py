"""The shapes in which players and games are shown: the parts of answers of the API."""

from typing import Annotated, Literal, TypedDict

from marshmallow.validate import OneOf

from engine import EDITIONS, Seat
from engine.clock_events import AgreedClock
from engine.game import Phase, Status
from engine.options import FIRST_PLAYERS, ClaimTiming, JokerLimit, TraitorTo
from service.core.shapes import NOW, Day, Keyword, Shown, Timestamp
from service.games.challenge import Status as ChallengeStatus
from service.games.clock.view import ClockStateShape


class PlayerSummaryShape(TypedDict):
    """A player by id and name."""

    id: Annotated[str, Shown("mfzwizltorzwi4tf")]
    name: Annotated[str | None, Shown("Ada")]
    bot: Annotated[bool, Shown(False)]
    """Whether a program plays."""


class RatingShape(TypedDict):
    rating: Annotated[int, Shown(1540)]
    deviation: Annotated[int, Shown(80)]


class PlayerRatingShape(RatingShape):
    """A rating."""

    games: Annotated[int, Shown(16)]
    """Rated games."""


class RatingsShape(TypedDict):
    """By the kind of game."""

    base: PlayerRatingShape
    """Without Tactic cards."""
    tactics: PlayerRatingShape
    """With them."""


class PlayerShape(TypedDict):
    """What everybody may see of a player."""

    id: Annotated[str, Shown("mfzwizltorzwi4tf")]
    name: Annotated[str, Shown("Ada")]
    bot: Annotated[bool, Shown(False)]
    """Whether a program plays."""
    owner: PlayerSummaryShape | None
    """Who registered this bot; null for a person or the server's."""
    created_at: Annotated[Timestamp | None, Shown(NOW)]
    """When the player registered; null for a bot."""


EditionName = Annotated[str, Keyword("x-extensible-enum", tuple(EDITIONS))]


COMMITMENT = "9985b2e4b9b71b28ce59ea5ce77f0b110637b625c6d7f41e982c9510940a2056"


_REASONS = ("three-adjacent", "five-stones", "stalemate", "resignation", "time-out", "agreement")
Reason = Annotated[str | None, Keyword("enum", (*_REASONS, None))]


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


class ClockShape(AgreedClock):
    """The pace agreed, by `days_per_move`, `bank_days` or `until`; the rest is absent."""


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


class SeasonPlaceShape(TypedDict):
    """The place of a game in a season; else absent. On a ladder `round` is the number of the
    challenge."""

    id: str
    round: int
    leg: int
    """Which of the games of its pair it is: 1, or 2 with the seats swapped."""


class OriginShape(TypedDict, total=False):
    season: SeasonPlaceShape
    practice: PracticeShape
    daily: Day
    """The day (UTC) whose deal it has, if any: sealed until that is over."""


class GameBasicsShape(OriginShape):
    """What lists and views of games share."""

    id: str
    version: int
    """The number of the game's events."""
    status: Status
    edition: EditionName
    tactics: bool
    expert: bool
    rounds: int
    seat: Seat | None
    """The caller's seat; null for anybody else."""
    players: Annotated[dict[Seat, PlayerSummaryShape | None], PlayersBySeatShape]
    turn: Seat | None
    deadline: Timestamp | None
    """When the time of the player to move runs out."""
    winner: Seat | None
    reason: Reason
    """How it ended; null before."""
    imported: bool
    """Whether it was imported from a record."""


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


FirstPlayer = Annotated[str, OneOf(FIRST_PLAYERS)]


class GameTermsShape(TypedDict):
    """The options of a game that has not begun."""

    edition: EditionName
    tactics: bool
    expert: Annotated[bool, Shown(False)]
    rounds: int
    first_player: Annotated[FirstPlayer, Shown("random")]
    clock: Annotated[ClockShape | None, Shown({"days_per_move": 3})]
    rated: bool


class OpenGameShape(GameTermsShape):
    """A game in the lobby."""

    id: Annotated[str, Shown("onrw65dumvxhs5dporxw")]
    created_at: Timestamp
    expires_at: Annotated[Timestamp, Shown("2026-12-05T12:00:00Z")]
    """How long it waits for a second player."""
    creator: PlayerSummaryShape
    """Who waits."""
    seat: Annotated[Seat, Shown("south")]
    """The free seat."""


_From = TypedDict("_From", {"from": Annotated[PlayerSummaryShape, "Who proposes it."]})


class ChallengeShape(GameTermsShape, _From):
    """A game proposed to a player."""

    id: Annotated[str, Shown("onvwkzdfobxxe5dfmvzg")]
    """Also the id of the game it leads to."""
    status: ChallengeStatus
    """What became of it."""
    to: Annotated[PlayerSummaryShape, Shown({"id": "nb2xi5dfnvqw4zdi", "name": "Bo", "bot": False})]
    """To whom."""
    created_at: Timestamp
    expires_at: Annotated[Timestamp, Shown("2026-12-05T12:00:00Z")]
    seat: Seat
    """Where the challenger sits."""
    private: Annotated[bool, Shown(False)]
    """Whether only the players may see the game."""
    commitment: Annotated[str | None, Shown(COMMITMENT)]
    """SHA-256 of the game's secret. Null only in challenges that are older than this member."""
    salt: Annotated[str | None, Shown("Ada's")]
    """The challenger's share of the shuffle, fixed like the commitment."""
    counters: str | None
    """The challenge to which this one is the counter-offer."""
    counter_offer: str | None
    """The challenge that replaces it."""
    game: str | None
    """The id of the game, once it is accepted."""


TURN = {"actions": ["R7@3"], "when": ["G4@3"]}


class TurnOrderShape(TypedDict):
    """A turn to be played."""

    actions: list[str]
    when: list[str]
    """Played only if the opponent's turn held all these actions."""


class OrderResultShape(TypedDict):
    """What became of a turn that was ordered."""

    outcome: Literal["played", "cancelled"]
    actions: list[str]
    version: int
    """The version of the game when this was decided."""
    code: str | None
    """Why it was cancelled: the code of the problem with the turn, or `not-as-foreseen` if the
    condition was not met."""
    detail: str | None


class OrdersShape(TypedDict):
    """The standing orders."""

    version: Annotated[int, Shown(19)]
    """The version of the game."""
    claim_proved: bool
    """Claim every Stone that can be proved."""
    pass_when_stuck: Annotated[bool, Shown(False)]
    turn: Annotated[TurnOrderShape | None, Shown(TURN)]
    """The turn to play as soon as it is the caller's; null for none."""
    last: OrderResultShape | None
    """The outcome of the latest conditional turn."""

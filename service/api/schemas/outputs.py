"""The shapes of answers about games, events, proofs and problems, in this order."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from engine import Seat
from engine.chain import VIA
from service.core.shapes import Keyword, Shown, Timestamp
from service.games.shapes import (
    COMMITMENT,
    ChallengeShape,
    GameShape,
    GameSummaryShape,
    OpenGameShape,
    PlayerShape,
    PlayerSummaryShape,
    RatingsShape,
)
from service.mail.budget import AXES
from service.seasons.ladder import Obstacle

TOKEN = "scot_mfzwizltorzwi4tfZk3vQm8nVYp4bXcUeHs3iT6jw0ZJr2l1Q5aGd7oRtMw"


NextCursor = Annotated[str | None, "The next `cursor`; null at the end."]


class RegisteredPlayerShape(TypedDict):
    """A new player, with the token that is the account's only key."""

    id: Annotated[str, Shown("mfzwizltorzwi4tf")]
    name: Annotated[str, Shown("Ada")]
    token: Annotated[str, Shown(TOKEN)]
    """The bearer token, shown only once."""


class PlayerCountsShape(TypedDict):
    """Numbers of games that are not private."""

    active: Annotated[int, Shown(2)]
    """Games under way."""
    finished: Annotated[int, Shown(17)]
    """Games that are over."""


class HeadToHeadShape(TypedDict):
    """Games that count for ratings, or would, were they rated."""

    won: int
    """Games the caller won."""
    lost: int
    """Games the caller lost."""
    drawn: int
    """Drawn games."""


class PlayerProfileShape(PlayerShape):
    """A player with public counts."""

    games: PlayerCountsShape
    """How many games the player is in, without private ones."""
    ratings: RatingsShape
    """Now."""
    head_to_head: Annotated[HeadToHeadShape | None, Shown({"won": 3, "lost": 5, "drawn": 0})]
    """The caller's games against the player; null without a caller, or for oneself."""


class PlayerListShape(TypedDict):
    """A page of players."""

    players: list[PlayerShape]
    next: NextCursor


INVITE = "s3iT6jw0ZJr2l1Qm8nVYp4bXcUeHk5aGd7oRtMwNzEA"


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
    errors: NotRequired[
        Annotated[dict[str, list[str]], Shown({"name": ["Length must be between 1 and 40."]})]
    ]
    """With validation-failed: messages by field, with dots in nested names. Messages about the
    whole are under `body` or `query`."""
    version: NotRequired[Annotated[int, Shown(43)]]
    """With stale-version or time-out: the current version."""
    refusal: NotRequired[str]
    """If a rule of the game forbids it: which one, more exactly than `code`."""
    rule: NotRequired[int]
    """If a rule of the game forbids it: the number of the ruling."""
    rule_url: NotRequired[str]
    """If a rule of the game forbids it: where to read it, on this server."""
    counterexample: NotRequired[Annotated[list[str], Shown(("G5", "G6"))]]
    """With claim-not-proven: cards that beat the formation. If `refusal` is `beatable` they are
    unseen and would be added to the other side; else they lie there."""
    registration: NotRequired[Annotated[str, Shown("invited")]]
    """With registration-closed: `invited` or `closed`, as `GET /v1`."""
    suggestion: NotRequired[Annotated[str, Shown("Ada 2")]]
    """With name-taken: a name that is free."""
    players: NotRequired[list[PlayerSummaryShape]]
    """With ambiguous-name: the players with this name, at most 20."""
    bots: NotRequired[Annotated[list[str], Shown(("random", "steward"))]]
    """With bot-not-available: the names of all bots."""
    challenge_status: NotRequired[Annotated[str, Shown("withdrawn")]]
    """With challenge-closed: the outcome of the challenge."""
    obstacle: NotRequired[Annotated[Obstacle, Shown("too-far-up")]]
    """With challenge-refused: why, as the season's `ladder` shows it for each player."""
    until: NotRequired[Timestamp]
    """With entry-barred, if a date is certain: the moment before which nothing else helps."""
    games: NotRequired[Annotated[int, Shown(2)]]
    """With entry-barred after time-outs: how many other games have to be finished besides."""
    id: NotRequired[Annotated[str, Shown("onvwkzdfobxxe5dfmvzg")]]
    """With already-asked: the open challenge, or the game with it."""
    by: NotRequired[Annotated[Literal["you", "opponent"], Shown("opponent")]]
    """With messages-off: who turned them off."""
    budget: NotRequired[Annotated[Annotated[str, Keyword("enum", tuple(AXES))], Shown("account")]]
    """With too-many-mails: what they are counted for."""
    retry_after: NotRequired[Annotated[int, Shown(480)]]
    """With too-many-mails or too-many-messages: seconds after which to try again, as in the header
    `Retry-After`."""
    used_up: NotRequired[bool]
    """With too-many-mails or too-many-messages, always true: an allowance by the hour or the day is
    used up. Tell your user, rather than wait as after `too-many-requests`."""
    request_id: NotRequired[Annotated[str, Shown("5f0c2e8a9b1d4c37")]]
    """With internal-error or unreadable-log: the request, as in the header `X-Request-Id` and in
    the server's log."""
    year: NotRequired[Annotated[int, Shown(2026)]]
    """With vacation-days-exceeded: the year without enough days."""
    seconds_left: NotRequired[Annotated[int, Shown(345600)]]
    """With vacation-days-exceeded: seconds of vacation left in it."""


class LobbyShape(TypedDict):
    """A page of games whose free seat anybody may take."""

    games: list[OpenGameShape]
    """The games."""
    next: NextCursor


class ChallengeListShape(TypedDict):
    """A page of challenges."""

    challenges: list[ChallengeShape]
    """The challenges, the newest first."""
    next: NextCursor


class GuestGameShape(GameShape):
    """The game, and the account made for the guest who joined."""

    account: Annotated[
        RegisteredPlayerShape, Shown({"id": "nb2xi5dfnvqw4zdi", "name": "Bo", "token": TOKEN})
    ]
    """The guest's account. Add an address with `PATCH /v1/me` to keep it."""

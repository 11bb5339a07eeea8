"""Schemas about opponents: the lobby, challenges, guests, abandonment."""

from typing import Annotated, TypedDict

from engine import Seat
from service.api.schemas.fields import Name, PlayerId
from service.api.schemas.inputs import FirstPlayer, GameOptions
from service.api.schemas.outputs import COMMITMENT, ClockShape, EditionName, GameShape
from service.api.schemas.players import TOKEN, NextCursor, PlayerSummaryShape, RegisteredPlayerShape
from service.api.shapes import Alternative, Example, Shown, Timestamp, rules, rules_of
from service.games.challenges.model import Status


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


class LobbyShape(TypedDict):
    """A page of games whose free seat anybody may take."""

    games: list[OpenGameShape]
    """The games."""
    next: NextCursor


_From = TypedDict("_From", {"from": Annotated[PlayerSummaryShape, "Who proposes it."]})


class ChallengeShape(GameTermsShape, _From):
    """A game proposed to a player."""

    id: Annotated[str, Shown("onvwkzdfobxxe5dfmvzg")]
    """Also the id of the game it leads to."""
    status: Status
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

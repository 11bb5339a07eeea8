"""The shapes of answers about players."""

from typing import Annotated, TypedDict

from service.api.shapes import Timestamp

NextCursor = Annotated[str | None, "The next `cursor`; null at the end."]


class RegisteredPlayerShape(TypedDict):
    """A new player, with the token that is the account's only key."""

    id: str
    name: str
    token: str
    """The bearer token, shown only once."""


class PlayerSummaryShape(TypedDict):
    """A player by id and name."""

    id: str
    name: str | None
    bot: bool
    """Whether a program plays."""


class RatingShape(TypedDict):
    rating: int
    deviation: int


class PlayerRatingShape(RatingShape):
    """A rating."""

    games: int
    """Rated games."""


class RatingsShape(TypedDict):
    """By the kind of game."""

    base: PlayerRatingShape
    """Without Tactic cards."""
    tactics: PlayerRatingShape
    """With them."""


class PlayerShape(TypedDict):
    """What everybody may see of a player."""

    id: str
    name: str
    bot: bool
    """Whether a program plays."""
    owner: PlayerSummaryShape | None
    """Who registered this bot; null for a person or the server's."""
    created_at: Timestamp | None
    """When the player registered; null for a bot."""


class PlayerCountsShape(TypedDict):
    """Numbers of games that are not private."""

    active: int
    """Games under way."""
    finished: int
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
    head_to_head: HeadToHeadShape | None
    """The caller's games against the player; null without a caller, or for oneself."""


class PlayerListShape(TypedDict):
    """A page of players."""

    players: list[PlayerShape]
    next: NextCursor

"""The shapes of answers about players."""

from typing import Annotated, TypedDict

from service.api.shapes import NOW, Shown, Timestamp

TOKEN = "scot_mfzwizltorzwi4tfZk3vQm8nVYp4bXcUeHs3iT6jw0ZJr2l1Q5aGd7oRtMw"
NextCursor = Annotated[str | None, "The next `cursor`; null at the end."]


class RegisteredPlayerShape(TypedDict):
    """A new player, with the token that is the account's only key."""

    id: Annotated[str, Shown("mfzwizltorzwi4tf")]
    name: Annotated[str, Shown("Ada")]
    token: Annotated[str, Shown(TOKEN)]
    """The bearer token, shown only once."""


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

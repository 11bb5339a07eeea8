"""The editions of the rules, and the bots."""

from functools import cache
from importlib import metadata
from itertools import product
from typing import Annotated, Final, TypedDict, cast

from engine import EDITIONS, Edition, RuleBroken
from engine.options import options_for
from service.api.blueprint import PUBLIC, Blueprint
from service.bots import BOTS
from service.container import get_container
from service.core.shapes import Shown
from service.games.projections.ratings import PlayerRating
from service.games.reading.views import ratings_view
from service.games.shapes import PlayerSummaryShape, RatingsShape, RuleOptionsShape
from service.text.game_terms import CHARACTERS

NAME: Final = "scottenbury"

blueprint = Blueprint("catalogue", __name__, description="Editions and bots")


class ServerShape(TypedDict):
    """The program that answers."""

    name: Annotated[str, Shown("scottenbury")]
    """Always `scottenbury`."""
    version: Annotated[str, Shown("0.2.0")]
    """The version of the program that runs."""
    registration: Annotated[str, Shown("open")]
    """Who may register: `open`: everybody; `invited`: whoever holds an invite of a game or of the
    operator; `closed`: an invitation of the operator."""
    sandbox: Annotated[bool, Shown(False)]
    """Whether programs can move clocks here."""


class EditionCombinationShape(TypedDict):
    """A combination that the edition has."""

    tactics: Annotated[bool, Shown(False)]
    expert: Annotated[bool, Shown(False)]
    options: RuleOptionsShape


class EditionShape(TypedDict):
    """An edition of the rules."""

    name: Annotated[str, Shown("scottentots")]
    """The `edition` of a game."""
    title: Annotated[str, Shown("Scottentots, 1999")]
    """For people."""
    combinations: list[EditionCombinationShape]
    """All combinations that the edition has, the basic game first."""


class EditionListShape(TypedDict):
    """All editions."""

    editions: list[EditionShape]
    """The editions."""


class BotShape(TypedDict):
    """A player that the server moves."""

    name: Annotated[str, Shown("steward")]
    """The `bot` of an opponent, such as `random`."""
    player: Annotated[
        PlayerSummaryShape, Shown({"id": "botsteward222222", "name": "Steward (bot)", "bot": True})
    ]
    """The bot as a player."""
    character: Annotated[str, Shown("Keeps order: weighs every Stone before it plays.")]
    """For people."""
    ratings: RatingsShape
    """As measured."""


class BotListShape(TypedDict):
    """All bots of this server."""

    bots: list[BotShape]
    """The bots."""


@blueprint.operation("GET ", "getServer", "too-many-requests", security=PUBLIC)
def server() -> ServerShape:
    """Show which program answers here"""
    container = get_container()
    return {
        "name": NAME,
        "version": _version(),
        "registration": container.admission.registration,
        "sandbox": container.settings.sandbox,
    }


@blueprint.operation("GET /editions", "listEditions", "too-many-requests", security=PUBLIC)
def editions() -> EditionListShape:
    """List the editions

    Each with its combinations of `tactics` and `expert`, and the options that the rules depend on.
    Any other combination is rejected with `no-such-combination`.
    """
    return {"editions": [_edition(edition) for edition in EDITIONS.values()]}


@blueprint.operation("GET /bots", "listBots", "too-many-requests", security=PUBLIC)
def bots() -> BotListShape:
    """List the bots

    Weakest first. Create a game with `{"opponent": {"bot": NAME}}` to play against one. It
    starts at once.
    """
    return {
        "bots": [
            {
                "name": bot.name,
                "player": {"id": bot.player, "name": bot.title, "bot": True},
                "character": CHARACTERS[bot.name],
                "ratings": ratings_view(PlayerRating(bot.player), 0),
            }
            for bot in BOTS.values()
        ]
    }


@cache
def _version() -> str:
    return metadata.version(NAME)


def _edition(edition: Edition) -> EditionShape:
    return {
        "name": edition.name,
        "title": edition.title,
        "combinations": [
            combination
            for expert, tactics in product((False, True), repeat=2)
            if (combination := _combination(edition.name, tactics, expert))
        ],
    }


def _combination(edition: str, tactics: bool, expert: bool) -> EditionCombinationShape | None:
    try:
        options = options_for(edition, tactics, expert)
    except RuleBroken:
        return None
    shown = {name: getattr(options, name) for name in RuleOptionsShape.__annotations__}
    return {"tactics": tactics, "expert": expert, "options": cast(RuleOptionsShape, shown)}

"""The editions of the rules, and the bots."""

from functools import cache
from importlib import metadata
from itertools import product
from typing import Final

from flask import Response
from marshmallow import fields

from engine import EDITIONS, Edition, RuleBroken
from engine.options import options_for
from service.api.blueprint import PUBLIC, Blueprint
from service.api.responses import json_answer
from service.api.schemas.base import Output
from service.api.schemas.outputs import PlayerSummarySchema, RatingsSchema, RuleOptionsSchema
from service.bots import BOTS
from service.container import get_container
from service.games.projections.ratings import PlayerRating
from service.games.reading.views import ratings_view

NAME: Final = "scottenbury"

blueprint = Blueprint("catalogue", __name__, description="Editions and bots")


class ServerSchema(Output):
    name = fields.String(required=True, metadata={"description": "Always `scottenbury`."})
    version = fields.String(
        required=True, metadata={"description": "The version of the program that runs."}
    )
    registration = fields.String(
        required=True,
        metadata={
            "description": "Who may register: `open`: everybody; `invited`: whoever holds an invite"
            " of a game or of the operator; `closed`: an invitation of the operator."
        },
    )
    sandbox = fields.Boolean(
        required=True,
        metadata={"description": "Whether programs can move clocks here."},
    )


class EditionCombinationSchema(Output):
    tactics = fields.Boolean(required=True)
    expert = fields.Boolean(required=True)
    options = fields.Nested(RuleOptionsSchema, required=True)


class EditionSchema(Output):
    name = fields.String(required=True, metadata={"description": "The `edition` of a game."})
    title = fields.String(required=True, metadata={"description": "For people."})
    combinations = fields.List(
        fields.Nested(EditionCombinationSchema),
        required=True,
        metadata={"description": "All combinations that the edition has, the basic game first."},
    )


class EditionListSchema(Output):
    editions = fields.List(fields.Nested(EditionSchema), required=True)


class BotSchema(Output):
    name = fields.String(
        required=True, metadata={"description": "The `bot` of an opponent, such as `random`."}
    )
    player = fields.Nested(
        PlayerSummarySchema, required=True, metadata={"description": "The bot as a player."}
    )
    character = fields.String(required=True, metadata={"description": "For people."})
    ratings = fields.Nested(RatingsSchema, required=True)


class BotListSchema(Output):
    bots = fields.List(fields.Nested(BotSchema), required=True)


@blueprint.route("")
@blueprint.operation("getServer", "too-many-requests", security=PUBLIC)
@blueprint.response(200, ServerSchema)
def server() -> Response:
    """Show which program answers here"""
    container = get_container()
    return json_answer(
        {
            "name": NAME,
            "version": _version(),
            "registration": container.admission.registration,
            "sandbox": container.settings.sandbox,
        }
    )


@blueprint.route("/editions")
@blueprint.operation("listEditions", "too-many-requests", security=PUBLIC)
@blueprint.response(200, EditionListSchema)
def editions() -> Response:
    """List the editions

    Each with its combinations of `tactics` and `expert`, and the options that the rules depend on.
    Any other combination is rejected with `no-such-combination`.
    """
    return json_answer({"editions": [_edition(edition) for edition in EDITIONS.values()]})


@blueprint.route("/bots")
@blueprint.operation("listBots", "too-many-requests", security=PUBLIC)
@blueprint.response(200, BotListSchema)
def bots() -> Response:
    """List the bots

    Weakest first. Create a game with `{"opponent": {"bot": NAME}}` to play against one. It
    starts at once.
    """
    bots_shown = [
        {
            "name": bot.name,
            "player": {"id": bot.player, "name": bot.title, "bot": True},
            "character": bot.character,
            "ratings": ratings_view(PlayerRating(bot.player), 0),
        }
        for bot in BOTS.values()
    ]
    return json_answer({"bots": bots_shown})


@cache
def _version() -> str:
    return metadata.version(NAME)


def _edition(edition: Edition) -> dict[str, object]:
    return {
        "name": edition.name,
        "title": edition.title,
        "combinations": [
            combination
            for expert, tactics in product((False, True), repeat=2)
            if (combination := _combination(edition.name, tactics, expert))
        ],
    }


def _combination(edition: str, tactics: bool, expert: bool) -> dict[str, object] | None:
    try:
        options = options_for(edition, tactics, expert)
    except RuleBroken:
        return None
    shown = {name: getattr(options, name) for name in RuleOptionsSchema().fields}
    return {"tactics": tactics, "expert": expert, "options": shown}

"""What a game's log says: events, the record, and what a claim would meet."""

from typing import Any

from flask import Response

from engine import chain, record
from service.api import inputs, outputs
from service.api.blueprint import OPTIONAL, Blueprint
from service.api.exchange import accepted, caller, json_answer, reader, text_answer, unchanged
from service.api.games import GAME
from service.services import services

blueprint = Blueprint("history", __name__, description="Events, records and proofs")

JSON, JSON_LINES, TEXT = "application/json", "application/x-ndjson", "text/plain"
_TYPE_OF = {"jsonl": JSON_LINES, "text": TEXT}


@blueprint.route(f"{GAME}/events")
@blueprint.operation("getEvents", 401, 404, 406, headers=("IfNoneMatch",), security=OPTIONAL)
@blueprint.query(inputs.EventsQuery)
@blueprint.response(200, outputs.Events)
@blueprint.alt_response(304, response="NOT_MODIFIED", success=True)
def events(query: dict[str, Any], game_id: str) -> Response:
    """Read the events of a game

    Those after event `after`, as `application/json`, or `application/x-ndjson`: one a line. What
    the caller may not see before the end is null.
    """
    player, games = reader(), services().games
    mimetype = accepted([JSON, JSON_LINES])
    stored = games.read(game_id, player)
    if not_modified := unchanged(stored.version):
        return not_modified
    lines = games.events(stored, player, query["after"])
    if mimetype == JSON_LINES:
        return text_answer(record.to_jsonl(lines), mimetype, stored.version)
    return json_answer({"version": stored.version, "events": lines}, version=stored.version)


@blueprint.route(f"{GAME}/record")
@blueprint.operation("getRecord", 401, 404, 406, headers=("IfNoneMatch",), security=OPTIONAL)
@blueprint.query(inputs.RecordQuery)
@blueprint.response(200, {"type": "string"}, content_type=JSON_LINES)
@blueprint.response(200, {"type": "string"}, content_type=TEXT)
@blueprint.alt_response(304, response="NOT_MODIFIED", success=True)
def show_record(query: dict[str, Any], game_id: str) -> Response:
    """Download the record of a game

    Full once the game is over, before it what the caller may see. JSON Lines, or text for people.
    """
    player, games = reader(), services().games
    form = query.get("format")
    mimetype = _TYPE_OF[form] if form else accepted([JSON_LINES, TEXT])
    stored = games.read(game_id, player)
    if not_modified := unchanged(stored.version):
        return not_modified
    lines: list[chain.StoredEvent] = games.events(stored, player)
    text = record.to_text(lines) if mimetype == TEXT else record.to_jsonl(lines)
    return text_answer(text, mimetype, stored.version)


@blueprint.route(f"{GAME}/proofs")
@blueprint.operation("getProofs", 401, 403, 404, headers=("IfNoneMatch",))
@blueprint.response(200, outputs.Proofs)
@blueprint.alt_response(304, response="NOT_MODIFIED", success=True)
def proofs(game_id: str) -> Response:
    """Show which of my Stones a claim would win

    For each unclaimed Stone where the caller's side is complete: whether a claim stands, and why.
    """
    player, games = caller(), services().games
    stored = games.read(game_id, player)
    found = games.proofs(stored, player)
    return unchanged(stored.version) or json_answer(
        {"version": stored.version, "proofs": found}, version=stored.version
    )

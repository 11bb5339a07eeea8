"""Seasons: the list of them, and the page of one with its rules, tables and games."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from flask import Response, abort, render_template, request
from markupsafe import Markup

from service.container import get_container
from service.core.errors import STORE_FAILURE, RequestRejected
from service.core.times import HOUR, timestamp, unix
from service.games.stored_game import StoredGame
from service.seasons.season import Pairing, ResultTaken, Season
from service.seasons.table import Standing, movers, standings
from service.text.drawing.cards import small_board
from service.web import session
from service.web.answers import signed_in, to
from service.web.blueprint import blueprint
from service.web.forms import given_salt

_TURNS: Final = 27
"""The Clan cards that a player can lay in a game: about the most turns that add to a bank."""


class SeasonGame(NamedTuple):
    """A game of a division as the page shows it: its board, and until when its player to move has
    time (RFC 3339). `result` is None while it goes on."""

    game: Pairing
    board: Markup
    mover: str | None
    deadline: str | None
    result: ResultTaken | None


class DivisionTable(NamedTuple):
    """A division: its rows, who goes up and down as it stands, its games, and for two players those
    between them."""

    number: int
    rows: list[Standing]
    up: list[str]
    down: list[str]
    games: list[SeasonGame]
    between: Mapping[frozenset[str], list[SeasonGame]]


@blueprint.get("/seasons")
def seasons() -> str:
    """List all seasons, the newest first."""
    container = get_container()
    return render_template(
        "seasons.html", seasons=container.seasons.all(), reader=session.player_id()
    )


@blueprint.get("/seasons/<season_id>")
def season(season_id: str) -> str:
    """Show a season: before it starts who waits, then a division, by default the reader's."""
    return _page(_found(season_id))


@blueprint.post("/seasons/<season_id>/enter")
def enter_season(season_id: str) -> Response | tuple[str, int]:
    """Enter a season."""
    player = signed_in()
    try:
        get_container().seasons.enter(season_id, player, given_salt(), "web")
    except RequestRejected as refusal:
        return _page(_found(season_id), refusal), 409
    return to("web.season", season_id=season_id)


@blueprint.post("/seasons/<season_id>/leave")
def leave_season(season_id: str) -> Response | tuple[str, int]:
    """Leave a season."""
    player = signed_in()
    try:
        get_container().seasons.withdraw(season_id, player, "web")
    except RequestRejected as refusal:
        return _page(_found(season_id), refusal), 409
    return to("web.season", season_id=season_id)


@blueprint.app_template_global()
def pair_of(one: str, other: str) -> frozenset[str]:
    """Return the key of two players in `DivisionTable.between`."""
    return frozenset((one, other))


@blueprint.app_template_global()
def has_seasons() -> bool:
    """Whether this server has any season."""
    try:
        return get_container().seasons.exist()
    except STORE_FAILURE:  # a visitor's front page needs no store
        return False


@blueprint.app_template_global()
def ends_by(season: Season) -> str:
    """Return the moment (RFC 3339) by which the games of a season are over, outages and turns of
    which nobody was told aside."""
    clock, started = season.rules.clock, unix(season.started or season.announced)
    if "until" in clock:
        return clock["until"]
    hours = 24 * clock["bank_days"] + _TURNS * clock.get("increment_hours", 0)
    return timestamp(started + 2 * hours * HOUR)


def _found(season_id: str) -> Season:
    try:
        return get_container().seasons.get(season_id)
    except RequestRejected:
        return abort(404)


def _page(season: Season, refusal: RequestRejected | None = None) -> str:
    container, reader = get_container(), session.player_id()
    number = season.division_of.get(reader or "", 1)
    asked = request.args.get("division", "")
    if asked.isascii() and asked.isdigit() and 0 < int(asked) <= len(season.divisions):
        number = int(asked)
    division = _division(season, number) if season.divisions else None
    people = [row.player for row in division.rows] if division else season.active
    names = container.players.names(people)
    blocked = container.seasons.blocked_in(season, reader) if reader else []
    return render_template(
        "season.html",
        season=season,
        rules=season.rules,
        division=division,
        names=names,
        reader=reader,
        is_in=season.has(reader),
        blocked=container.players.names(blocked) if season.started is None else {},
        refusal=refusal,
        following=container.seasons.following(season) if season.ended else None,
        now=container.now(),
    )


def _division(season: Season, number: int) -> DivisionTable:
    paired = season.paired.get(number, ())
    stored = get_container().repository.latest_of(game["game"] for game in paired)
    games = [_game(game, stored[game["game"]], season.results) for game in paired]
    between = dict[frozenset[str], list[SeasonGame]]()
    for each in games:
        between.setdefault(frozenset((each.game["north"], each.game["south"])), []).append(each)
    up, down = movers(season, number) if season.results else ([], [])
    return DivisionTable(number, standings(season, number), up, down, games, between)


def _game(game: Pairing, stored: object, results: Mapping[str, ResultTaken]) -> SeasonGame:
    result = results.get(game["game"])
    if not isinstance(stored, StoredGame):  # removed, or its log is damaged
        return SeasonGame(game, Markup(), None, None, result)
    board = Markup(small_board(stored.game.stones, "north"))
    return SeasonGame(game, board, stored.player_to_move(), stored.deadline_text, result)

"""Seasons: read them and their logs, enter and leave them, announce one, challenge on a ladder."""

from collections import defaultdict
from typing import Any, Final, cast

from flask import Response, request

from engine.chain import StoredEvent
from service.accounts.player import check_person
from service.api.auth import caller, caller_if_any
from service.api.blueprint import OPTIONAL, Blueprint
from service.api.endpoints.games import made
from service.api.endpoints.history import EVENT_ID, EVENT_STREAM, JSON_LINES
from service.api.headers import accepted, place_after
from service.api.responses import Created, compressed, stream_answer
from service.api.schemas.fields import cursor_at
from service.api.schemas.outputs import StreamMessageShape
from service.api.schemas.seasons import (
    ChallengedInput,
    DivisionShape,
    EntrantShape,
    RungShape,
    SeasonEntryInput,
    SeasonGameShape,
    SeasonInput,
    SeasonLogQuery,
    SeasonPageShape,
    SeasonShape,
    SeasonsQuery,
    SeasonSummaryShape,
    StandingShape,
)
from service.container import get_container
from service.core.errors import RequestRejected
from service.games import StoredGame
from service.games.reading.views import player_summary, to_json
from service.realtime import deferred
from service.realtime.deferred import LongPoll, OpenStream, defer
from service.seasons.events import NAME, CardsSealed, Pairing
from service.seasons.season import Season
from service.seasons.seasons import NewSeason
from service.seasons.table import movers, standings

blueprint = Blueprint(
    "seasons", __name__, description="Leagues and ladders whose log anybody can verify"
)

SEASON: Final = "/seasons/<season:season_id>"
_IMPOSSIBLE: Final = "bad-season bad-clock bot-not-available unknown-edition no-such-combination"


@blueprint.operation("GET /seasons", "listSeasons", security=OPTIONAL)
def list_all(query: SeasonsQuery) -> SeasonPageShape:
    """List the seasons

    First those that are not over: the operator's before those of players, those with more players
    before those with fewer, then the newest. `next` is the `cursor` of the next page.
    """
    found, last = get_container().seasons.page(query.get("cursor"), query["limit"])
    after = None if last is None else cursor_at(last)
    return {"seasons": [*map(_summary, found)], "next": after}


@blueprint.operation("POST /seasons", "announceSeason", f"forbidden not-for-bots {_IMPOSSIBLE}")
def announce(body: SeasonInput) -> Created[SeasonShape]:
    """Announce a season

    Its rules never change. Only where the operator lets players announce seasons.
    """
    player, container = caller(), get_container()
    if container.settings.seasons_by != "players":
        raise RequestRejected("forbidden", "Here only the operator announces seasons.")
    check_person(player, "Players’ own bots announce no seasons.")
    season = container.seasons.announce(NewSeason(**body), player, "api")
    return Created(_view(season, player), f"/v1/seasons/{season.id}")


@blueprint.operation(f"GET {SEASON}", "getSeason", "season-not-found", security=OPTIONAL)
def show(season_id: str) -> SeasonShape:
    """Show a season

    Its rules, who has entered, and the tables as they stand.
    """
    return _view(get_container().seasons.get(season_id), caller_if_any())


@blueprint.operation(
    f"PUT {SEASON}/entry",
    "enterSeason",
    "season-not-found season-closed not-for-bots nobody-to-tell entry-barred",
)
def enter(body: SeasonEntryInput, season_id: str) -> SeasonShape:
    """Enter a season

    A league until it starts, a ladder at its bottom. Repeating it changes nothing. Where the server
    sends mail you need a confirmed address or another channel, and you must give a sign of life in
    the week before the start. Whoever ran out of time twice in a season enters again after 14 days
    and two other games in which both played five turns; whoever left a ladder, after 7 days.
    """
    player = caller()
    return _view(get_container().seasons.enter(season_id, player, body["salt"], "api"), player)


@blueprint.operation(f"DELETE {SEASON}/entry", "leaveSeason", "season-not-found season-closed")
def leave(season_id: str) -> SeasonShape:
    """Leave a season

    Your games in it that are going on are lost. If fewer than half are over by then, none counts in
    the table.
    """
    player = caller()
    return _view(get_container().seasons.withdraw(season_id, player, "api"), player)


@blueprint.operation(
    f"POST {SEASON}/challenges",
    "challengeOnLadder",
    "season-not-found challenge-refused game-removed too-many-mails",
)
def challenge(body: ChallengedInput, season_id: str) -> Created[StoredGame]:
    """Challenge a player of a ladder

    Up to three places above you, or 30 % of your own place. The game begins at once. A refusal has
    the `obstacle`, which the season shows for each player before. Repeating it while that game goes
    on returns the game.
    """
    seasons = get_container().seasons
    return made(seasons.challenge(season_id, caller(), body["player"], "api"))


@blueprint.operation(
    f"GET {SEASON}/log",
    "readSeasonLog",
    "season-not-found not-acceptable",
    headers="LastEventId",
    security=OPTIONAL,
)
@blueprint.response(200, {"type": "string"}, content_type=JSON_LINES)
@blueprint.response(200, StreamMessageShape, content_type=EVENT_STREAM)
def log(query: SeasonLogQuery, season_id: str) -> Response:
    """Read or follow the log of a season

    One event a line, from which `scottenbury verify-season` recomputes draw, pairs and tables. With
    `wait` an empty answer waits until there are events. As `text/event-stream` each event is a
    message, as in `listEvents`.
    """
    mimetype, container = accepted([JSON_LINES, EVENT_STREAM]), get_container()
    streams = mimetype == EVENT_STREAM
    after = int(place_after(EVENT_ID, None, streams=streams) or query["after"])
    season = container.seasons.get(season_id)
    lines = container.season_store.lines(season_id, after, query.get("limit"))
    entered = {line["data"]["player"] for line in lines if line["type"] == "entered"}
    names = container.players.names(entered)
    exported = [exported_line(line, names, season) for line in lines]
    following = frozenset([season.id])
    if streams:
        last = str(lines[-1]["seq"] if lines else after)
        messages = ((line["type"], str(line["seq"]), to_json(line)) for line in exported)
        stream = None if season.ended else OpenStream(following, last)
        begun = deferred.preamble(str(after))
        return stream_answer(begun, deferred.messages(messages), stream)
    if not lines and query["wait"] and season.ended is None:
        defer(request.environ, LongPoll(following, query["wait"]))
    text = "".join(f"{to_json(line)}\n" for line in exported)
    return compressed(Response(text, mimetype=mimetype))


def exported_line(line: StoredEvent, names: dict[str, str], season: Season) -> dict[str, Any]:
    """A line as everybody may see it: with the name of who entered (null for a former player),
    which is not sealed, before the start without the secret, and before the end without that of
    the cards, and on a ladder always."""
    shown: dict[str, Any] = {**line}
    is_sealed = season.ended is None or season.ladder is not None  # a ladder's games may go on
    if is_sealed and line["type"] == CardsSealed.TYPE:
        shown["private"] = None
    elif season.started is None and line["private"] is not None:
        shown |= {"private": None, "salt": None}
    if line["type"] == "entered":
        shown[NAME] = names.get(line["data"]["player"])
    return shown


_RULES: Final = (
    *("id", "name", "format", "edition", "tactics", "expert", "clock", "division", "starts_at"),
    *("bots", "follows"),
)
"""The rules that a season's summary shows as they are."""


def _summary(season: Season) -> SeasonSummaryShape:
    rules = season.rules
    shown = {
        **{name: getattr(rules, name) for name in _RULES},
        "version": season.version,
        "status": season.status,
        "wanted": rules.players,
        "announced_at": season.announced,
        "started_at": season.started,
        "ended_at": season.ended,
        "entered": len(season.active),
    }
    return cast(SeasonSummaryShape, shown)


def _view(season: Season, reader: str | None) -> SeasonShape:
    container, rules = get_container(), season.rules
    people = {*season.entered, *season.division_of, *filter(None, [rules.by])}
    names = container.players.names(people)
    entrants: list[EntrantShape] = [
        {
            **player_summary(player, names),
            "withdrawn": None if season.has(player) else season.withdrawn[player].reason,
        }
        for player in season.entered
    ]
    return {
        **_summary(season),
        "commitment": rules.commitment,
        "cards_commitment": season.cards.commitment if season.cards else None,
        "secret": rules.secret if season.started else None,
        "head": season.head,
        "by": None if rules.by is None else player_summary(rules.by, names),
        "entrants": entrants,
        "blocked": container.seasons.blocked_in(season, reader) if reader else [],
        "divisions": [
            _division(season, number, names) for number in range(1, len(season.divisions) + 1)
        ],
        "ladder": _rungs(season, reader, names),
    }


def _rungs(season: Season, reader: str | None, names: dict[str, str]) -> list[RungShape]:
    if season.ladder is None:
        return []
    obstacle = season.obstacles(reader, get_container().now())
    games = defaultdict[str, list[SeasonGameShape]](list)
    for game in season.open_games:
        for player in (game["north"], game["south"]):
            games[player].append(_game(season, game))
    return [
        {
            "place": place,
            "player": player_summary(player, names),
            "entered_at": season.entered[player],
            "games": games[player],
            "obstacle": obstacle(player),
        }
        for place, player in enumerate(season.ladder.order, 1)
    ]


def _division(season: Season, number: int, names: dict[str, str]) -> DivisionShape:
    rows = standings(season, number)
    up, down = movers(season, number, rows)
    table = [
        {
            **row._asdict(),
            "player": player_summary(row.player, names),
            "moves": "up" if row.player in up else "down" if row.player in down else None,
        }
        for row in rows
    ]
    games = [_game(season, game) for game in season.paired.get(number, ())]
    return {"number": number, "table": cast(list[StandingShape], table), "games": games}


def _game(season: Season, game: Pairing) -> SeasonGameShape:
    result = season.results.get(game["game"])
    winner, reason = (result.winner, result.reason) if result else (None, None)
    return {**game, "over": result is not None, "winner": winner, "reason": reason}

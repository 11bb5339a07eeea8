"""Seasons: read them and their logs, enter and leave them, announce one, challenge on a ladder."""

from collections import defaultdict
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict, cast, get_args

from flask import Response, request
from marshmallow.validate import Length, Range

from engine.chain import StoredEvent
from service.accounts.player import check_person
from service.api.auth import caller, caller_if_any
from service.api.blueprint import OPTIONAL, Blueprint
from service.api.endpoints.games import made
from service.api.endpoints.history import EVENT_ID, EVENT_STREAM, JSON_LINES
from service.api.headers import accepted, place_after
from service.api.responses import Created, compressed, stream_answer
from service.api.schemas import inputs
from service.api.schemas.fields import ClockInput, Moment, Name, PlayerId, Salt, cursor, cursor_at
from service.api.schemas.outputs import NextCursor, StreamMessageShape
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.ids import GAME_ID
from service.core.shapes import Default, Example, Pattern, Shown, Timestamp
from service.games import StoredGame
from service.games.reading.views import player_summary, to_json
from service.games.shapes import COMMITMENT, ClockShape, EditionName, PlayerSummaryShape
from service.realtime import deferred
from service.realtime.deferred import LongPoll, OpenStream, defer
from service.seasons.events import NAME, CardsSealed, Format, Pairing, Reason
from service.seasons.ladder import Obstacle
from service.seasons.season import LARGEST, SMALLEST, Season, Status
from service.seasons.seasons import MOST_PLAYERS, USUAL_CLOCK, NewSeason
from service.seasons.table import FEWEST, movers, standings

blueprint = Blueprint(
    "seasons", __name__, description="Leagues and ladders whose log anybody can verify"
)

SEASON: Final = "/seasons/<season:season_id>"
SEASON_ID: Final = Pattern(f"^{GAME_ID}$", "the id of a season")
_IMPOSSIBLE: Final = "bad-season bad-clock bot-not-available unknown-edition no-such-combination"


class SeasonInput(TypedDict):
    """A season to announce. A league starts at a moment, or as soon as enough players wait; a
    ladder at once, and takes neither `division`, `starts_at`, `players`, `bots` nor `follows`."""

    name: Annotated[Name, Example("Spring league")]
    format: Annotated[Format, Default("league")]
    edition: Annotated[str, Default("iello")]
    tactics: Annotated[bool, Default(False)]
    expert: Annotated[bool, Default(False)]
    clock: Annotated[ClockInput | None, Default(None)]
    """Default: a bank of 3 days, and 12 hours for each turn; on a ladder vacations do not count. In
    a league `days_per_move` and times that do not count are not possible, on a ladder a fixed end
    is not."""
    division: Annotated[Annotated[int, Range(SMALLEST, LARGEST)] | None, Default(None)]
    """The best number of players of a division. Default: 6."""
    starts_at: Annotated[Moment | None, Default(None), Example("2026-12-01T18:00:00Z")]
    """When it starts at the latest. Without it, it waits for so many players."""
    players: Annotated[Annotated[int, Range(FEWEST, MOST_PLAYERS)] | None, Default(None)]
    """How many have to wait for it to start."""
    bots: Annotated[list[Annotated[str, Length(1, 40)]], Default([]), Length(max=LARGEST)]
    """Bots that fill short divisions, in this order."""
    follows: Annotated[Annotated[str, SEASON_ID] | None, Default(None)]
    """The season whose last table orders the divisions. It waits for that one to end."""


class SeasonEntryInput(TypedDict):
    """What a player may send who enters."""

    salt: Annotated[Salt | None, Default(None)]
    """Your share of the draw, and of the shuffles of your games. Default: the commitment."""


class ChallengedInput(TypedDict):
    """Whom to challenge on a ladder."""

    player: Annotated[PlayerId, Example("mfzwizltorzwi4tf")]


class SeasonsQuery(TypedDict):
    cursor: NotRequired[Annotated[str, cursor(GAME_ID)]]
    limit: inputs.Limit


class SeasonLogQuery(TypedDict):
    after: Annotated[int, Default(0), Range(0, inputs.MAX_VERSION)]
    """Only events after the one with this number."""
    limit: NotRequired[Annotated[int, Range(1, inputs.MOST_EVENTS)]]
    """The most events. Default: all."""
    wait: inputs.Wait


class SeasonSummaryShape(TypedDict):
    """A season in a list."""

    id: Annotated[str, Shown("onvwkzdfobxxe5dfmvzg")]
    version: Annotated[int, Shown(9)]
    """The number of the events of its log."""
    name: Annotated[str, Shown("Spring league")]
    """Its name."""
    format: Annotated[Format, Shown("league")]
    """A league in divisions, or a ladder, which goes on until the operator ends it, or nobody has
    stood on it for 90 days."""
    status: Annotated[Status, Shown("running")]
    edition: EditionName
    tactics: Annotated[bool, Shown(False)]
    expert: Annotated[bool, Shown(False)]
    clock: Annotated[ClockShape, Shown(USUAL_CLOCK)]
    """The pace of its games."""
    division: Annotated[int, Shown(6)]
    """The best number of players of a division; 0 on a ladder, which has none."""
    starts_at: Timestamp | None
    """When it starts; null for one that only waits for enough players."""
    wanted: Annotated[int | None, Shown(6)]
    """How many players have to wait for it to start; null for one that starts at a moment."""
    bots: Annotated[list[str], Shown([])]
    """The bots that fill short divisions."""
    follows: str | None
    """The season whose last table orders its divisions."""
    announced_at: Timestamp
    """When it was announced: its rules never change."""
    started_at: Timestamp | None
    """When it started; null before."""
    ended_at: Timestamp | None
    """When it ended; null before. A league that was not played has no `divisions` then."""
    entered: Annotated[int, Shown(6)]
    """How many players are in it."""


class EntrantShape(PlayerSummaryShape):
    """A player who has entered."""

    withdrawn: Literal[*get_args(Reason)] | None  # type: ignore[valid-type]
    """Why the player is not in it any more: `left`; `not-seen` in the week before the start;
    `gone`: without an account; `time-outs`; `away` from a ladder. Null for who is in it."""


class StandingShape(TypedDict):
    """A player in the table of a division."""

    player: PlayerSummaryShape
    """The player."""
    rank: Annotated[int | None, Shown(1)]
    """The place, from 1; null for a player whose games left the table."""
    points: Annotated[int, Shown(14)]
    """2 for each win, 1 for each draw."""
    won: Annotated[int, Shown(7)]
    """Games won."""
    drawn: Annotated[int, Shown(0)]
    """Games drawn."""
    lost: Annotated[int, Shown(3)]
    """Games lost."""
    berger: Annotated[int, Shown(132)]
    """Sonneborn-Berger: for each game, the points that it brought times the opponent's points."""
    stones: Annotated[int, Shown(33)]
    """Stones won."""
    by_lot: Annotated[bool, Shown(False)]
    """Whether the lot decided between the player and an equal one."""
    moves: Annotated[Literal["up", "down"] | None, Shown("up")]
    """Where the player goes as the table stands."""


class SeasonGameShape(TypedDict):
    """A game of a season. On a ladder `round` is the number of the challenge."""

    game: Annotated[str, Shown("onrw65dumvxhs5dporxw")]
    round: int
    leg: Annotated[int, Shown(1)]
    """Which of the two games of its pair it is: 1, or 2 with the seats swapped."""
    north: str
    """The id of the player who sits north: in a league they begin, on a ladder they challenged."""
    south: str
    """The id of the other player."""
    over: Annotated[bool, Shown(True)]
    """Whether its result is in the table."""
    winner: str | None
    """The winner's id; null for nobody, and before the end."""
    reason: Annotated[str | None, Shown("three-adjacent")]


class DivisionShape(TypedDict):
    """A division."""

    number: Annotated[int, Shown(1)]
    """Its number, from 1."""
    table: list[StandingShape]
    """The players, the best first."""
    games: list[SeasonGameShape]
    """All games."""


class RungShape(TypedDict):
    """A player of a ladder."""

    place: Annotated[int, Shown(4)]
    """The place, 1 at the top."""
    player: PlayerSummaryShape
    """The player."""
    entered_at: Timestamp
    """When the player entered."""
    games: list[SeasonGameShape]
    """Their games that are going on; the challenger sits north."""
    obstacle: Annotated[Obstacle | None, Shown("too-far-up")]
    """Why you cannot challenge the player now; null if you can. `not-on-ladder`: you are not on it
    yourself."""


class SeasonShape(SeasonSummaryShape):
    """A season with its tables."""

    commitment: Annotated[str, Shown(COMMITMENT)]
    """SHA-256 of the secret of its draws."""
    cards_commitment: Annotated[str | None, Shown(COMMITMENT)]
    """SHA-256 of the secret of the cards of all its games to come, which the log of a league shows
    once it is over; null for seasons of older versions."""
    secret: str | None
    """The secret; null before it starts."""
    head: Annotated[str, Shown(COMMITMENT[::-1])]
    """The last hash of its log."""
    by: PlayerSummaryShape | None
    """The player who made it; null for the operator."""
    entrants: list[EntrantShape]
    """Everybody who has entered, in order."""
    blocked: Annotated[list[str], Shown([])]
    """The ids of those in it whom you have blocked: you may have to play them."""
    divisions: list[DivisionShape]
    """The divisions; none before it starts, and on a ladder."""
    ladder: list[RungShape]
    """The players of a ladder from the top; none in a league."""


class SeasonPageShape(TypedDict):
    """A page of seasons."""

    seasons: list[SeasonSummaryShape]
    """The seasons."""
    next: NextCursor


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

"""Seasons: the list of them, and the page of one with its rules, tables and games."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from datetime import date
from typing import Final, NamedTuple

from flask import Response, abort, render_template, request

from engine import EDITIONS, RuleBroken
from engine.clock_events import AgreedClock
from service.accounts.mail_preferences import moment_of, zone
from service.bots import BOTS
from service.container import get_container
from service.core import ids
from service.core.errors import STORE_FAILURE, RequestRejected
from service.core.times import HOUR, timestamp, unix
from service.games.reading.overview import Listed
from service.seasons.events import REMOVED, ResultTaken
from service.seasons.season import Season, seated
from service.seasons.seasons import LADDER_CLOCK, USUAL_CLOCK, NewSeason
from service.seasons.table import Standing, movers, standings
from service.text.game_terms import EDITION_WORDS, pace
from service.web import session
from service.web.account.private_pages import FeedItem, calendar_answer, feed_answer
from service.web.answers import signed_in, to
from service.web.blueprint import blueprint
from service.web.forms import form_key, given_salt
from service.web.games.game_form import SAME_AS_MODERN, Errors
from service.web.games.ladders import SeasonGame, ladder_page, result_words, shown_game
from service.web.language import reader_words, reason

_TURNS: Final = 27
"""The Clan cards that a player can lay in a game: about the most turns that add to a bank."""


_PACES: Final[Mapping[str, AgreedClock]] = {
    "quick": {"bank_days": 2, "increment_hours": 8},
    "usual": USUAL_CLOCK,
    "slow": {"bank_days": 7, "increment_hours": 24},
}
"""The clocks of the form that announces a season."""
_STARTS: Final = 18 * 60
"""The minute of the day, in the reader's time zone, at which a season of that form starts."""
_PAGE: Final = 20
"""The most seasons on a page."""
_LATEST: Final = 60
"""The last events of a log, whose results a feed has."""


class DivisionTable(NamedTuple):
    """A division: its rows, who goes up and down as it stands, its games, and by the ids of two
    players, one behind the other, those between them."""

    number: int
    rows: list[Standing]
    up: list[str]
    down: list[str]
    games: list[SeasonGame]
    between: Mapping[str, list[SeasonGame]]


@blueprint.get("/seasons")
def seasons() -> str:
    """List the seasons; `?after=` continues the list."""
    return _list({})


@blueprint.post("/seasons")
def announce_season() -> Response | tuple[str, int]:
    """Announce a season, where the operator lets players do so."""
    player, container = signed_in(), get_container()
    if container.settings.seasons_by != "players":
        abort(403)
    errors: Errors = {}
    if (wanted := _wanted(errors)) is not None:
        key = form_key(player)
        material = key and ids.derive(container.settings.secret_key, "web season", key.key)
        try:
            season = container.seasons.announce(wanted, player, "web", material)
            return to("web.season", season_id=season.id)
        except (RequestRejected, RuleBroken) as refusal:
            errors["season"] = reason(refusal)
    return _list(errors), 422


def _wanted(errors: Errors) -> NewSeason | None:
    """The season in the form; None with a message in `errors`."""
    form, starts = request.form, None
    name, edition = " ".join(form.get("name", "").split()), form.get("edition", "")
    if form.get("format") == "ladder":
        return NewSeason(name, edition, format="ladder")
    if form.get("starts"):
        try:
            day = date.fromisoformat(form["starts"])
            starts = timestamp(moment_of(day, _STARTS, zone(session.time_zone() or "UTC")))
        except (ValueError, OverflowError):
            errors["season"] = reader_words().say("That is not a valid date.")
            return None
    players, pace = form.get("players", "").strip(), form.get("pace", "")
    if (players and not re.fullmatch("[0-9]{1,4}", players)) or pace not in _PACES:
        errors["season"] = reader_words().say("Choose one of these.")
        return None
    number = int(players) if players else None
    return NewSeason(name, edition, clock=_PACES[pace], starts_at=starts, players=number)


def _list(errors: Errors) -> str:
    container, reader = get_container(), session.player_id()
    found, last = container.seasons.page(request.args.get("after"), _PAGE)
    may_announce = reader is not None and container.settings.seasons_by == "players"
    return render_template(
        "seasons.html",
        found=found,
        following=last,
        reader=reader,
        may_announce=may_announce,
        chosen=request.form
        or {"format": "league", "edition": "iello", "players": "6", "pace": "usual"},
        editions={name: EDITION_WORDS[name].title for name in EDITIONS if name != SAME_AS_MODERN},
        paces={name: pace(reader_words(), clock) for name, clock in _PACES.items()},
        ladder_pace=pace(reader_words(), LADDER_CLOCK),
        zone=session.time_zone() or "UTC",
        errors=errors,
    )


@blueprint.get("/seasons/<season_id>")
def season(season_id: str) -> str:
    """Show a season: before it starts who waits, then a division, by default the reader's."""
    return _page(_found(season_id))


@blueprint.post("/seasons/<season_id>/enter")
def enter_season(season_id: str) -> Response | tuple[str, int]:
    """Enter a season."""
    player, seasons = signed_in(), get_container().seasons
    return _after(season_id, lambda: seasons.enter(season_id, player, given_salt(), "web"))


@blueprint.post("/seasons/<season_id>/leave")
def leave_season(season_id: str) -> Response | tuple[str, int]:
    """Leave a season."""
    player, seasons = signed_in(), get_container().seasons
    return _after(season_id, lambda: seasons.withdraw(season_id, player, "web"))


@blueprint.post("/seasons/<season_id>/challenges")
def challenge_on_ladder(season_id: str) -> Response | tuple[str, int]:
    """Challenge a player of a ladder, and show the game, which has begun."""
    player, other = signed_in(), request.form.get("player", "")
    try:
        stored = get_container().seasons.challenge(season_id, player, other, "web")
    except RequestRejected as refusal:
        return _page(_found(season_id), refusal), 409
    return to("web.game", game_id=stored.id)


def _after(season_id: str, change: Callable[[], object]) -> Response | tuple[str, int]:
    """Show the season's page after a change, or why it was refused."""
    try:
        change()
    except RequestRejected as refusal:
        return _page(_found(season_id), refusal), 409
    return to("web.season", season_id=season_id)


@blueprint.get("/seasons/<season_id>.ics")
def season_calendar(season_id: str) -> Response:
    """Return when a season starts, and by when its games are over, as a calendar."""
    season, words = _found(season_id), reader_words()
    name, page = season.rules.name, f"{get_container().settings.base_url}/seasons/{season.id}"
    starts = season.started or season.rules.starts_at
    ends = season.ended or ends_by(season)
    items = [
        ("starts", words.say("%(name)s starts", name=name), starts),
        ("ends", words.say("%(name)s: all games are over", name=name), ends),
    ]
    return calendar_answer(
        FeedItem(f"{part}.{season.id}", title, season.announced, page, at=at)
        for part, title, at in items[: 2 if season.started else 1]
        if at is not None
    )


@blueprint.get("/seasons/<season_id>.atom")
def season_feed(season_id: str) -> Response:
    """Return the latest results of a season as a feed, the newest first."""
    season, words, container = _found(season_id), reader_words(), get_container()
    lines = container.season_store.lines(season.id, max(0, season.version - _LATEST))
    games = [
        (line, season.games[line["data"]["game"]])
        for line in reversed(lines)
        if line["type"] == ResultTaken.TYPE and line["data"]["reason"] != REMOVED
    ]
    names = container.players.names({one for _, game in games for one in seated(game)})
    items = list[FeedItem]()
    for line, game in games:
        title = result_words(words, game, line["data"]["winner"], names)
        page = f"{container.settings.base_url}/games/{game['game']}"
        items.append(FeedItem(game["game"], title, line["at"], page, title))
    return feed_answer(f"season:{season.id}", season.rules.name, f"/seasons/{season.id}", items)


@blueprint.app_template_global()
def has_seasons() -> bool:
    """Whether this server has any season, or players may announce one."""
    container = get_container()
    try:
        return container.settings.seasons_by == "players" or container.seasons.exist()
    except STORE_FAILURE:  # a visitor's front page needs no store
        return False


@blueprint.app_template_global()
def season_title(season_id: str) -> str:
    """Return how the page of a game names the season that it is of."""
    return _titles({season_id})[season_id]


@blueprint.app_template_global()
def season_titles(listed: Iterable[Listed]) -> dict[str, str]:
    """Return, by its id, how a list names each season that any of its games is of."""
    of_games = (each.stored.terms.season for each in listed)
    return _titles({season.id for season in of_games if season is not None})


def _titles(season_ids: Set[str]) -> dict[str, str]:
    words = reader_words()
    # The log of one may be lost or not to be read: its games go on.
    titles = dict.fromkeys(season_ids, words.say("Seasons"))
    for season in get_container().season_store.readable(season_ids):
        name = season.rules.name
        titles[season.id] = (
            words.say("Season: %(name)s", name=name)
            if season.ladder is None
            else words.say("Ladder: %(name)s", name=name)
        )
    return titles


@blueprint.app_template_global()
def ends_by(season: Season) -> str | None:
    """Return the moment (RFC 3339) by which the games of a season are over, outages and turns of
    which nobody was told aside; None for a ladder."""
    if season.ladder is not None:
        return None
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
    if season.ladder is not None:
        return ladder_page(season, season.ladder, refusal)
    container, reader = get_container(), session.player_id()
    number = season.division_of.get(reader or "", 1)
    asked = request.args.get("division", "")
    if asked.isascii() and asked.isdigit() and 0 < int(asked) <= len(season.divisions):
        number = int(asked)
    division = _division(season, number) if season.divisions else None
    people = [row.player for row in division.rows] if division else season.active
    names = container.players.names([*people, *filter(None, [season.rules.by])])
    blocked = container.seasons.blocked_in(season, reader) if reader else []
    return render_template(
        "season.html",
        season=season,
        rules=season.rules,
        division=division,
        names=names,
        reader=reader,
        # Only the reader's own: those of two others would tell of their private games.
        ratings=container.games.ratings.all_of(people if reader in people else (), reader),
        is_in=season.has(reader),
        bots=[BOTS[name].title for name in season.rules.bots],
        blocked=container.players.names(blocked) if season.started is None else {},
        refusal=refusal,
        barred=container.seasons.entry_problem(season, reader),
        following=container.seasons.following(season) if season.ended else None,
        now=container.now(),
    )


def _division(season: Season, number: int) -> DivisionTable:
    paired = season.paired.get(number, ())
    stored = get_container().repository.latest_of(game["game"] for game in paired)
    games = [shown_game(game, stored[game["game"]], season.results) for game in paired]
    between = defaultdict[str, list[SeasonGame]](list)
    for each in games:
        for one, other in (seated(each.game), seated(each.game)[::-1]):
            between[one + other].append(each)
    rows = standings(season, number)
    up, down = movers(season, number, rows) if season.results else ([], [])
    return DivisionTable(number, rows, up, down, games, between)

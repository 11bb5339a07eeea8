"""The commands `scottenbury season` and `verify-season`."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final

import click

from engine import EDITIONS
from engine.clock_events import MOST_DAYS, MOST_DAYS_PER_MOVE, AgreedClock
from service.bots import BOTS
from service.cli.files import parsed, records_in
from service.cli.operator import address_of, open_store
from service.cli.output import echo
from service.core.times import timestamp
from service.seasons.events import NAME, REMOVED
from service.seasons.season import LARGEST, SMALLEST, Season
from service.seasons.seasons import LADDER_CLOCK, USUAL_CLOCK, USUAL_SIZE, NewSeason
from service.seasons.table import standings
from service.seasons.verify import UnsoundSeason, verify

_NOT_SHOWN: Final = (
    "Not shown: that this log is the one that others saw (compare its head), that nobody was left"
    " out who wanted to enter or was there, that those who left wanted to, that all who entered are"
    " players of their own, that the host told no player a secret before, and when anything"
    " happened."
)
_MOMENT: Final = click.DateTime(["%Y-%m-%dT%H:%M", "%Y-%m-%d"])


_BANK_DAYS: Final = click.IntRange(1, MOST_DAYS)
_HOURS: Final = click.IntRange(1, 24 * MOST_DAYS)


@click.group(short_help="Announce a season, list them, or end one.")
def season() -> None:
    """Announce a season, list them, or end one."""


@season.command(short_help="Announce the season NAME.")
@click.argument("name")
@click.option("--starts", type=_MOMENT, help="When it starts, in UTC: 2026-12-01T18:00.")
@click.option("--players", type=int, help="It starts as soon as so many players wait.")
@click.option("--edition", type=click.Choice([*EDITIONS]), default="iello", show_default=True)
@click.option("--tactics", is_flag=True, help="With Tactic cards.")
@click.option("--expert", is_flag=True, help="The edition's Expert variant.")
@click.option(
    "--ladder",
    is_flag=True,
    help="A ladder: it begins at once, and goes on until you end it or nobody comes.",
)
@click.option(
    "--days",
    type=click.IntRange(1, MOST_DAYS_PER_MOVE),
    help="Of a ladder: the days for each move, in place of a bank.",
)
@click.option("--bank-days", type=_BANK_DAYS, help=f"Default: {USUAL_CLOCK['bank_days']}.")
@click.option("--turn-hours", type=_HOURS, help=f"Default: {USUAL_CLOCK['increment_hours']}.")
@click.option("--until", type=_MOMENT, help="In place of a bank: when all games end, in UTC.")
@click.option(
    "--division",
    type=click.IntRange(SMALLEST, LARGEST),
    help=f"The best number of players of a division. Default: {USUAL_SIZE}.",
)
@click.option(
    "--bot", "bots", type=click.Choice([*BOTS]), multiple=True, help="Fills short divisions."
)
@click.option("--follows", metavar="SEASON", help="The season whose last table orders it.")
def announce(
    starts: datetime | None,
    ladder: bool,
    days: int | None,
    bank_days: int | None,
    turn_hours: int | None,
    until: datetime | None,
    **rules: Any,
) -> None:
    """Announce the season NAME. Its rules never change.

    A league starts on a date (--starts), or as soon as enough wait (--players), whichever comes
    first. A ladder (--ladder) takes the options of the game and of its time alone.
    """
    wanted = NewSeason(
        clock=_clock(days, bank_days, turn_hours, until, is_ladder=ladder),
        starts_at=None if starts is None else _utc(starts),
        format="ladder" if ladder else "league",
        **rules,
    )
    store = open_store()
    made = store.seasons.announce(wanted, None, "operator")
    echo(address_of(store, f"/seasons/{made.id}"))


def _clock(
    days: int | None,
    bank_days: int | None,
    turn_hours: int | None,
    until: datetime | None,
    *,
    is_ladder: bool,
) -> AgreedClock | None:
    """The clock of these options; None: the usual one. Raises `UsageError`."""
    kinds = [days is not None, bank_days is not None or turn_hours is not None, until is not None]
    if sum(kinds) > 1:
        raise click.UsageError("Give --days, a bank or --until, not several of them.")
    if until is not None:
        return {"until": _utc(until)}
    if days is not None:
        return {"days_per_move": days, "vacations": True}
    if bank_days is turn_hours is None:
        return None
    clock: AgreedClock = {**(LADDER_CLOCK if is_ladder else USUAL_CLOCK)}
    clock["bank_days"] = bank_days or clock["bank_days"]
    clock["increment_hours"] = turn_hours or clock["increment_hours"]
    return clock


@season.command(name="list", short_help="List the seasons.")
def list_all() -> None:
    """List the seasons: id, status, players, name.

    First those that are not over: the operator's, then those of players; with more players before
    those with fewer, then the newest.
    """
    store = open_store().season_store
    for season_id, each in store.latest_of(store.ids()).items():
        if isinstance(each, Season):
            echo(f"{each.id}  {each.status:8}{len(each.active):5}  {each.rules.name}")
        elif each is not None:
            echo(f"{season_id}  {each}")


@season.command(short_help="End the ladder or the waiting league ID.")
@click.argument("season_id", metavar="ID")
def end(season_id: str) -> None:
    """End a ladder, or call off a league that has not started, for good.

    Nobody enters it any more or challenges on it, and everybody in it is told. Games of a ladder
    that are going on go on, and are rated.
    """
    ended = open_store().season_clock.end(season_id)
    echo(f"Ended: {ended.rules.name}.")


@click.command(name="verify-season", short_help="Check the LOG of a season.")
@click.argument("log", type=click.Path(allow_dash=True))
@click.argument("records", type=click.Path(), nargs=-1)
@click.option("--before", type=click.Path(), help="The log of the season that it follows.")
def verify_season(log: str, records: tuple[str, ...], before: str | None) -> None:
    """Check the LOG of a season: chain, secret, draw, pairs, results, tables, who goes up and down;
    of a ladder each challenge and who stands where.

    LOG is what GET /v1/seasons/ID/log gives, or - for standard input; RECORDS are those of its
    games, each proved by itself and compared with its result. Neither server nor network is needed.
    If anything was changed, the command names the event and exits with 1.
    """
    games = (parsed(record) for record in chain.from_iterable(map(records_in, records)))
    lines: list[Any] = _lines(log)
    try:
        found = verify(lines, games, None if before is None else _lines(before))
    except UnsoundSeason as unsound:
        raise click.ClickException(f"Not sound: {unsound}.") from None
    for sentence in chain(_verdict(found.season, found.proved), _sealed_anew(found.season)):
        echo(sentence)
    if found.is_order_unproved:
        echo("Not checked: the order by the season before. Give its log with --before.")
    names = {line["data"]["player"]: line.get(NAME) for line in lines if NAME in line}
    for place, points, player in _places(found.season):
        echo(f"{place:>4}{points}  {player}  {names.get(player) or ''}".rstrip())
    echo(_NOT_SHOWN)
    echo(f"Head {found.season.head}")


def _places(season: Season) -> Iterator[tuple[int | str, str, str]]:
    """Place, points (none on a ladder) and player of each row of the ladder or of all tables."""
    if season.ladder is not None:
        yield from ((place, "", player) for place, player in enumerate(season.ladder.order, 1))
    for number in range(1, len(season.divisions) + 1):
        yield from (
            (row.rank or "", f"{row.points:5}", row.player) for row in standings(season, number)
        )


def _verdict(season: Season, proved: int) -> Iterator[str]:
    state = {"open": "waits for players", "running": "is being played", "ended": "is over"}
    yield f"Sound: {season.version} events. {season.rules.name} {state[season.status]}."
    if season.ladder is not None:
        yield from _verdict_on_ladder(season, proved)
        return
    if season.started is None:
        yield "Its draw can be checked once it has started; until then its rules go by their hash."
        return
    results = len(season.results)
    yield (
        f"Recomputed: the draw of {len(season.division_of)} players (divisions:"
        f" {len(season.divisions)}), {len(season.games)} pairs, the tables of {results} results."
    )
    yield f"Proved by the record of the game: {proved} of {results} results."
    if season.cards is None:
        yield "Not shown: who chose the cards. Nothing seals those of a season of this version."
    elif season.cards_secret is None:
        yield "Not yet: whether the cards are those sealed. Their secret is told at the end."
    else:
        yield f"Sealed before anybody entered: the cards of {proved} of {results} games."
    yield from _removed(season)


def _verdict_on_ladder(season: Season, proved: int) -> Iterator[str]:
    results = len(season.results)
    yield (
        f"Recomputed: that each of {len(season.games)} challenges was allowed, and the order after"
        f" {results} results."
    )
    are_all_sealed = bool(season.sealings) and season.sealings[0].next_cards is not None
    yield (
        f"Proved by the record of the game: {proved} of {results} results, and that its cards were"
        f" sealed before the challenge{'' if are_all_sealed else ', the first of all aside'}."
    )
    yield from _removed(season)


def _sealed_anew(season: Season) -> Iterator[str]:
    if (count := len(season.sealings) - 1) > 0:
        often = "once" if count == 1 else f"{count} times"
        yield f"Sealed anew, so that the host could choose among secrets of cards: {often}."


def _removed(season: Season) -> Iterator[str]:
    if removed := sum(each.reason == REMOVED for each in season.results.values()):
        yield f"Removed by the operator, and counting for nobody: {removed}."


def _lines(path: str) -> list[object]:
    """The lines of a log, read from JSON. Raises `ClickException`."""
    try:
        with click.open_file(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        raise click.ClickException(f"{path} is no log of a season: {error}") from None


def _utc(moment: datetime) -> str:
    return timestamp(moment.replace(tzinfo=UTC).timestamp())

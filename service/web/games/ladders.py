"""The page of a ladder: who stands where, whom the reader can challenge, and why not the others.
Also the games of seasons as their pages show them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from flask import render_template, request
from markupsafe import Markup

from service.container import get_container
from service.core.errors import RequestRejected
from service.core.words import N_, Words
from service.games.stored_game import StoredGame
from service.seasons.events import REMOVED, Pairing, ResultTaken
from service.seasons.ladder import OBSTACLES, Ladder, Obstacle
from service.seasons.season import Season, seated
from service.text.drawing.cards import small_board
from service.web import session
from service.web.language import reader_words

_WON: Final = N_("%(name)s won against %(other)s.")
_DRAWN: Final = N_("%(name)s and %(other)s drew.")


class SeasonGame(NamedTuple):
    """A game as the page of its season shows it: its board, and until when its player to move has
    time (RFC 3339). `result` is None while it goes on."""

    game: Pairing
    board: Markup
    mover: str | None
    deadline: str | None
    result: ResultTaken | None

    def other(self, player: str) -> str:
        """The id of the player's opponent."""
        return next(one for one in seated(self.game) if one != player)


def shown_game(game: Pairing, stored: object, results: Mapping[str, ResultTaken]) -> SeasonGame:
    """A game, given what is stored of it."""
    result = results.get(game["game"])
    if not isinstance(stored, StoredGame):  # removed, or its log is damaged
        return SeasonGame(game, Markup(), None, None, None)
    board = Markup(small_board(stored.game.stones, "north"))
    return SeasonGame(game, board, stored.player_to_move(), stored.deadline_text, result)


def result_words(words: Words, game: Pairing, winner: str | None, names: Mapping[str, str]) -> str:
    """Say the result of a game in a sentence."""
    first, other = seated(game) if winner != game["south"] else seated(game)[::-1]
    shown = [names.get(one) or words.say("a former player") for one in (first, other)]
    return words.say(_DRAWN if winner is None else _WON, name=shown[0], other=shown[1])


_PAGE: Final = 50
"""The most rungs on a page."""
_ABOVE: Final = 20
"""The rungs above the reader's own that a page has at least, if there are so many."""
_LATEST: Final = 10
"""The latest results that the page names."""


class Rung(NamedTuple):
    """A player of a ladder: their challenges that go on, those against them, and why the reader
    cannot challenge them."""

    place: int
    player: str
    challenges: list[SeasonGame]
    against: list[SeasonGame]
    obstacle: Obstacle | None


class Climb(NamedTuple):
    """What a ladder is for its reader: their place (None: not on it), the game in which it is their
    turn, and whom to challenge next: the nearest that they can."""

    place: int | None
    turn: SeasonGame | None
    suggested: Rung | None


def ladder_page(season: Season, ladder: Ladder, refusal: RequestRejected | None) -> str:
    """Show a ladder, from the top or where the reader stands; `?from=` is the first place."""
    container, reader = get_container(), session.player_id()
    place = ladder.order.index(reader) + 1 if reader in ladder.order else None
    first = _first_place(len(ladder.order), place)
    rungs = _rungs(season, ladder, first, reader)
    latest = [*islice(_decided(season), _LATEST)]
    people = {one for rung in rungs for each in rung.challenges for one in seated(each.game)}
    people |= {rung.player for rung in rungs} | {one for game in latest for one in seated(game[0])}
    people |= {each.other(rung.player) for rung in rungs for each in rung.against}
    names = container.players.names([*people, *filter(None, [season.rules.by])])
    blocked = container.seasons.blocked_in(season, reader) if reader and place is None else []
    return render_template(
        "ladder.html",
        season=season,
        rules=season.rules,
        rungs=rungs,
        climb=_climb(rungs, reader, place),
        players=len(ladder.order),
        first=first,
        higher=max(1, first - _PAGE) if first > 1 else None,
        lower=first + _PAGE if first + _PAGE <= len(ladder.order) else None,
        latest=[
            (game["game"], result_words(reader_words(), game, result.winner, names))
            for game, result in latest
        ],
        names=names,
        reader=reader,
        obstacles=OBSTACLES,
        blocked=container.players.names(blocked),
        refusal=refusal,
        barred=container.seasons.entry_problem(season, reader),
        now=container.now(),
    )


def _first_place(count: int, own: int | None) -> int:
    """The place at the top of the page."""
    asked = request.args.get("from", "")
    if asked.isascii() and asked.isdigit() and 0 < int(asked) <= count:
        return int(asked)
    return 1 if own is None or own <= _PAGE else own - _ABOVE


def _rungs(season: Season, ladder: Ladder, first: int, reader: str | None) -> list[Rung]:
    container = get_container()
    people = ladder.order[first - 1 : first - 1 + _PAGE]
    shown = [game for game in season.open_games if {*seated(game)} & {*people}]
    stored = container.repository.latest_of(game["game"] for game in shown)
    out, against = (
        defaultdict[str, list[SeasonGame]](list),
        defaultdict[str, list[SeasonGame]](list),
    )
    for game in shown:
        each = shown_game(game, stored[game["game"]], season.results)
        out[game["north"]].append(each)
        against[game["south"]].append(each)
    obstacle = season.obstacles(reader, container.now())
    return [
        Rung(place, player, out[player], against[player], obstacle(player))
        for place, player in enumerate(people, first)
    ]


def _climb(rungs: list[Rung], reader: str | None, place: int | None) -> Climb:
    own = next((rung for rung in rungs if rung.player == reader), None)
    games = [] if own is None else [*own.challenges, *own.against]
    turn = next((each for each in games if each.mover == reader), None)
    free = [rung for rung in rungs if rung.obstacle is None]
    return Climb(place, turn, free[-1] if free else None)


def _decided(season: Season) -> Iterator[tuple[Pairing, ResultTaken]]:
    """The games with a result, the latest first."""
    for result in reversed(season.results.values()):
        if result.reason != REMOVED:
            yield season.games[result.game], result

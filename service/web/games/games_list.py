"""The front page: what this server is, for a visitor; all their games, for a player. The list of
these games without the rest of the page, for scripts that refresh it, and the finished ones.

The lobby: games that anybody may join.
"""

import re
from typing import Final

from flask import Response, abort, render_template, request
from markupsafe import Markup

from engine import OTHER, Seat
from service.container import get_container
from service.core.errors import STORE_FAILURE
from service.core.times import unix
from service.games.projections.player_games import CURSOR, GameFilter
from service.games.reading.overview import Listed
from service.games.reading.waiting import Waiting
from service.text import game_terms
from service.text.drawing.cards import small_board
from service.web import session
from service.web.account.guests import WrongName, join
from service.web.answers import personal, signed_in, to
from service.web.blueprint import blueprint
from service.web.game.clock_words import bank_words, urgency
from service.web.games.showcase import STILL, beats, still
from service.web.language import reader_words

_PAGE: Final = 20


@blueprint.get("/")
def home() -> str:
    """Show what this server is, or the player's games."""
    player = session.player()
    if player is None:
        return render_template("home.html", spots=still(), still=STILL, beats=beats())
    container = get_container()
    return render_template(
        "my_games.html",
        player=player,
        overview=container.overviews.of(reader_words(), player.id),
        now=container.now(),
        channels_off=[one for one in container.channels.all(player.id) if one.has_failed],
        problem=container.players.address_problem(player),
        reachable=container.sign_in.can_return(player),
    )


@blueprint.get("/games")
def games() -> Response:
    """Redirect a shortened URL to the player's games."""
    signed_in()
    return to("web.home")


@blueprint.get("/games/list")
def games_list() -> Response:
    """Return the front page's element `games`, and how much waits."""
    player = session.player_id()
    if player is None:
        return personal("_signed_out.html", 401)
    overview = get_container().overviews.of(reader_words(), player)
    return personal("games_list.html", overview=overview, now=get_container().now())


@blueprint.get("/games/finished")
def finished_games() -> Response:
    """Show the player's finished games, the newest first; `?after=` continues the list."""
    player = signed_in()
    games, following = get_container().games.lists.of_player(
        player, GameFilter("finished"), after=place_asked_for(), limit=_PAGE
    )
    return personal(
        "finished_games.html",
        games=get_container().overviews.finished(games, player),
        following=following,
        now=get_container().now(),
    )


@blueprint.app_template_global()
def board_of(listed: Listed) -> Markup:
    """Return the small board of a game in a list, with the player's own side nearest."""
    return Markup(small_board(listed.stored.game.stones, listed.game["seat"] or "south"))


@blueprint.app_template_global()
def stones_of(listed: Listed) -> dict[str, int]:
    """Return the number of Stones of the reader (`below`) and of the other player (`above`)."""
    own: Seat = listed.game["seat"] or "south"
    stones = listed.stored.game.stones_of
    return {"below": len(stones(own)), "above": len(stones(OTHER[own]))}


@blueprint.app_template_global()
def share_left(listed: Listed, now: float) -> int | None:
    """Return how much of the turn's time is left, in per cent; None without a deadline."""
    ends, since = listed.stored.deadline, listed.stored.turn_since
    if ends is None or since is None or ends <= unix(since):
        return None
    return max(0, min(100, round(100 * (ends - now) / (ends - unix(since)))))


@blueprint.app_template_global()
def urgency_of(listed: Listed, now: float) -> str:
    """Return how near the end of the turn is, as the table does."""
    clock = listed.stored.clock
    return "" if clock is None or clock.turn is None else urgency(clock, now)


@blueprint.app_template_global()
def unusual_of(listed: Listed) -> list[str]:
    """Return what a row says of the game beyond the usual: the player's bank of time, the rules,
    the round of a match."""
    words, stored, seat = reader_words(), listed.stored, listed.game["seat"]
    said = [] if stored.clock is None or seat is None else bank_words(words, stored.clock, seat)
    said += game_terms.variants(words, listed.game, but_usual=True)
    if (rounds := stored.game.rounds) > 1:
        said.append(
            words.say("round %(round)s of %(rounds)s", round=stored.game.round, rounds=rounds)
        )
    return said


def place_asked_for() -> str | None:
    """Return the position in a list of games that `?after=` names; None without one."""
    after = request.args.get("after")
    if after is not None and not re.fullmatch(CURSOR, after):
        abort(404)
    return after


@blueprint.app_template_global()
def games_waiting() -> Waiting:
    """Return the reader's turns, invitations and challenges that wait.

    Nothing does if nobody is signed in, or if the store fails: the rest of the page may not need
    it.
    """
    try:
        player = session.player_id()
        return get_container().games.waiting_for.of(player) if player else Waiting([], 0)
    except STORE_FAILURE:
        return Waiting([], 0)


@blueprint.get("/lobby")
def lobby() -> Response:
    """Show the open games, the newest first, and the challenges to the reader; `?after=` continues
    the list."""
    container, player = get_container(), session.player_id()
    games, following = container.games.lists.lobby(place_asked_for(), _PAGE, player)
    received = container.overviews.challenges_to(player) if player else []
    askers = [*(game["creator"] for game in games), *(made["from"] for made in received)]
    return personal(
        "lobby.html",
        ratings=container.games.ratings.all_of([one["id"] for one in askers], player),
        games=games,
        presences=container.presences.of({game["creator"]["id"] for game in games}),
        following=following,
        me=player,
        received=received,
        now=container.now(),
    )


@blueprint.post("/lobby/<game_id>/join")
def join_from_lobby(game_id: str) -> Response:
    """Join the game; whoever has no name yet is asked for it on the game's page."""
    try:
        return join(game_id)
    except WrongName:
        return to("web.game", game_id=game_id)

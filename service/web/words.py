"""Words for pages about games, and the numbers and dates in URLs and forms."""

import re
from dataclasses import replace
from datetime import date
from typing import Final

from service.accounts.names import shown_name
from service.bots import BOTS, Bot, bot_at
from service.container import get_container
from service.core.times import unix
from service.core.words import N_
from service.games import StoredGame
from service.games.projections.ratings import HeadToHead, PlayerRating
from service.games.reading.snapshot import GameSnapshot
from service.games.reading.views import rating_view
from service.games.shapes import GameSummaryShape, PlayerSummaryShape, RatingShape
from service.text import game_terms, moments
from service.text.board import FORMER
from service.text.event_words import outcome, won_by_both
from service.text.game_terms import CHARACTERS, LEVELS, bot_label, counted
from service.web.blueprint import blueprint
from service.web.language import reader_words

SETTLED: Final = 110
"""The largest deviation of a rating that is not provisional: that of a settled player who has been
away for a year."""


# Note: answers "Who plays first?"
FIRST_PLAYERS: Final = {
    "random": N_("drawn by lot"),
    "creator": N_("I do"),
    "opponent": N_("the other player"),
    "scotland": N_("whoever was near Scotland last"),
}


# Note: answers "Does it change your rating?"
RATED: Final = {
    "": N_("between people, with a time limit"),
    "yes": N_("yes, against a bot too, with a time limit"),
    "no": N_("no"),
}


@blueprint.app_template_global()
def rated_words() -> str:
    """Say what it means that a game is rated."""
    return reader_words().say(
        "Rated: a win raises your rating. A loss lowers it, and resigning is a loss."
    )


@blueprint.app_template_global()
def is_sandbox() -> bool:
    """Whether this is a test server, on which players may move a game's clock forward."""
    return get_container().settings.sandbox


@blueprint.app_template_global()
def server_bots() -> list[Bot]:
    """Return the bots of this server, the weakest first."""
    return list(BOTS.values())


@blueprint.app_template_global()
def label_of(bot: Bot) -> str:
    """Return the words by which a page offers a bot: `Steward (hard)`."""
    return bot_label(reader_words(), bot.name, bot.level)


@blueprint.app_template_global()
def character_of(bot: Bot) -> str:
    """Return how a bot plays, in a sentence."""
    return reader_words().say(CHARACTERS[bot.name])


def first_player(first: str, maker: str) -> str:
    """Say who begins, by the name of the player who made the offer; `""` where it is drawn."""
    return game_terms.first_player(reader_words(), first, maker)


def remaining(moment: str, now: float) -> str:
    """Return the time left until a moment: `2 d 23 h`."""
    left = unix(moment) - now
    return moments.short_span(reader_words(), left) if left > 0 else time_left(moment, now)


def time_left(moment: str, now: float) -> str:
    """Return the time left until a moment, in words: `2 d 23 h left`."""
    return moments.time_left(reader_words(), unix(moment) - now)


def signed(change: int) -> str:
    """Return a change with its sign: `+11`."""
    return f"{change:+d}".replace("-", "\N{MINUS SIGN}")


def ago(moment: str, now: float) -> str:
    """Return the time since a moment: `3 hours ago`."""
    return moments.ago(reader_words(), now - unix(moment))


def result(game: GameSummaryShape, stored: StoredGame | None = None) -> str:
    """Return the result of a game in a player's list: `You won with five Stones.` Only of a
    `stored` game both counts are named if both won."""
    if game["status"] == "aborted":
        return reader_words().say("The game was cancelled.")
    names: dict[str, str] = {seat: player_name(player) for seat, player in game["players"].items()}
    words, seat = reader_words(), game["seat"]
    winner, why = game["winner"], game["reason"]
    if winner and stored and won_by_both(why, len(stored.game.stones_of(winner))):
        why = "both"
    return outcome(words, winner, why, names, seat, rounds=game["rounds"])


def player_name(player: PlayerSummaryShape | None) -> str:
    """Return the name to show, also for a deleted account or an empty seat."""
    if player is None:
        return reader_words().say("nobody yet")
    name = player["name"]
    return name_shown(name) if name else reader_words().say("a former player")


@blueprint.app_template_global()
def name_shown(name: str) -> str:
    """Return a player's name as the page's reader sees it."""
    return shown_name(reader_words(), name)


def names_shown(snapshot: GameSnapshot) -> GameSnapshot:
    """Return the snapshot with its players' names as the page's reader sees them."""
    names = {player: name_shown(name) for player, name in snapshot.names.items()}
    return replace(snapshot, names={**names, FORMER: reader_words().say(FORMER)})


def snapshot_of(game_id: str, reader: str | None, invite: str | None = None) -> GameSnapshot:
    """Read the game as it is now, with its players' names as the page's reader sees them."""
    return names_shown(get_container().snapshots.read(game_id, reader, invite=invite))


def seat_names(stored: StoredGame) -> dict[str, str]:
    """Return the name for each seat as the page's reader sees it."""
    names = get_container().games.seat_names(stored)
    return {
        seat: reader_words().say(FORMER) if name == FORMER else name_shown(name)
        for seat, name in names.items()
    }


def rating_words(rating: PlayerRating, now: float, *, tactics: bool) -> str:
    """Return a player's rating in a kind of game: `1,540`; everybody has one."""
    return points_words(rating_view(rating.at(now, tactics=tactics)))


def points_words(rating: RatingShape) -> str:
    """Return a rating in the API's form, in words: `1,540`, or `1,500, provisional`."""
    points = reader_words().count(rating["rating"])
    if rating["deviation"] <= SETTLED:
        return points
    return reader_words().say("%(rating)s, provisional", rating=points)


def against_words(games: HeadToHead | None, name: str) -> str:
    """Return the reader's games against a player: `Won 3, lost 1 against Bob.`

    `""` without any.
    """
    if not games or not any(games):
        return ""
    words, won, lost = reader_words(), games.won, games.lost
    if not games.drawn:
        # Note: the reader's games against a player
        return words.say(
            "Won %(won)s, lost %(lost)s against %(name)s.", won=won, lost=lost, name=name
        )
    return words.say(
        "Won %(won)s, lost %(lost)s, drew %(drawn)s against %(name)s.",
        won=won,
        lost=lost,
        drawn=games.drawn,
        name=name,
    )


def strength_words(
    rating: PlayerRating | None, now: float, *, tactics: bool, rated: bool = True
) -> str:
    """Return the words next to a player's name in a list: their rating in this kind of game, and
    the reader's games against them.

    An example is `1,540; you won 3, lost 1`; a bot's begins with its level. A provisional
    rating says nothing yet, and is left out, as all are beside a game that is not `rated`.
    """
    if rating is None:
        return ""
    bot = bot_at(rating.player)
    level = reader_words().say(LEVELS[bot.level]) if bot else ""
    is_settled = rating_view(rating.at(now, tactics=tactics))["deviation"] <= SETTLED
    points = rating_words(rating, now, tactics=tactics) if rated and is_settled else ""
    return reader_words().parts((level, points, _between(rating.against)))


def _between(games: HeadToHead | None) -> str:
    """Return the reader's games against a player, after the player's name: `you won 3, lost 1`."""
    if not games or not any(games):
        return ""
    words, won, lost = reader_words(), games.won, games.lost
    if not games.drawn:
        return words.say("you won %(won)s, lost %(lost)s", won=won, lost=lost)
    return words.say(
        "you won %(won)s, lost %(lost)s, drew %(drawn)s", won=won, lost=lost, drawn=games.drawn
    )


for _word in (
    strength_words,
    rating_words,
    points_words,
    against_words,
    remaining,
    signed,
    time_left,
    ago,
    counted,
    result,
    player_name,
):
    blueprint.add_app_template_global(_word)


_NUMBER: Final = re.compile("[1-9][0-9]{0,8}")


def read_number(text: str) -> int | None:
    """Return a number of 1 or more in ASCII digits, as our pages write it; None for other text."""
    return int(text) if _NUMBER.fullmatch(text) else None


def read_date(text: str) -> date | None:
    """Return a date as our pages write it, `2026-11-23`; None for any other text."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if text == day.isoformat() else None

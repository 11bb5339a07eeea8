"""The end of a game: the Stones of both players, who took the lead when, and a picture to share."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flask import Response, abort, request

from engine import OTHER, SEATS, Seat, View
from engine.cards import full_name
from engine.chain import StoredEvent
from engine.events import RoundEnded, StoneClaimed
from service.bots import bot_at
from service.container import get_container
from service.games import StoredGame
from service.games.rating import TURNS, ended_early, is_for_ratings, is_rated
from service.text.drawing import moor
from service.text.history import narrate, turn_of
from service.web import session
from service.web.blueprint import blueprint
from service.web.card_filters import mark_drawing
from service.web.game.words import state_words
from service.web.installing import png


class LeadTaken(NamedTuple):
    """The claim that took the lead for good: the number of its event, its turn, and a sentence."""

    seq: int
    turn: int
    words: str


class Ending(NamedTuple):
    """The end of a game: the number of each player's Stones, and the claim after which the winner
    always had more."""

    stones: Mapping[Seat, int]
    lead_taken: LeadTaken | None


def ending(view: View, lines: Sequence[StoredEvent], names: Mapping[str, str]) -> Ending:
    """Return the end of the game; `lines` are those of its last round."""
    owners = [stone.owner for stone in view.stones]
    stones = {seat: owners.count(seat) for seat in SEATS}
    return Ending(stones, _lead_taken(lines, names))


def unrated_words(stored: StoredGame) -> str:
    """Return why a finished game is unrated: `because it is private`; `""` without a reason."""
    reasons = {
        "it is for practice": stored.practice is not None,
        "it is a deal of the day": stored.daily is not None,
        "it was taken in from a record": stored.imported,
        "it is private": stored.private,
        "its maker chose so": stored.game.terms.get("rated") is False,
        "it has no time limit": stored.terms.clock is None
        and is_for_ratings(stored.game.terms.get("rated"), stored.private, True, stored.players),
        "its maker did not choose to have it rated": not is_rated(stored),
        "both agreed to end it": stored.game.reason == "agreement",
        f"not both have played {TURNS} turns": ended_early(stored),
    }
    return next((f"because {reason}" for reason, holds in reasons.items() if holds), "")


@blueprint.get("/games/<game_id>/end.png")
def picture_end(game_id: str) -> Response:
    """Return the last board of a finished game as a picture, the same for everybody.

    The winner's side is below, or that of a person who has played a bot.
    """
    games = get_container().games
    stored = games.read(game_id, session.player_id(), invite=request.args.get("invite"))
    if stored.game.status != "finished":
        abort(404)
    names = games.seat_names(stored)
    title = state_words(games.view(stored, None), names)
    people = [seat for seat in SEATS if bot_at(stored.game.players[seat] or "") is None]
    below = people[0] if len(people) == 1 else stored.game.winner or "south"
    sides = (below, OTHER[below])
    stones = "{} : {}".format(*(len(stored.game.stones_of(seat)) for seat in sides))
    tally = f"{names[below]} {stones} {names[OTHER[below]]}"
    return png(
        moor.preview(
            title if moor.can_write(title) else "A game is over",
            (tally if moor.can_write(tally) else stones,),
            moor.spots_of(stored.game.stones, below),
            tuple(mark_drawing(stored.game.players[seat] or "") for seat in sides),
        )
    )


def _lead_taken(lines: Sequence[StoredEvent], names: Mapping[str, str]) -> LeadTaken | None:
    """Return the claim after which the winner always had more Stones than the other player.

    None if there is no such claim, or if it was in the last turn of the round.
    """
    ended = next((line for line in lines if line["type"] == RoundEnded.TYPE), None)
    winner = ended["data"]["winner"] if ended else None
    taken, lead = None, 0
    for line in lines:
        if winner is not None and line["type"] == StoneClaimed.TYPE:
            before, lead = lead, lead + (1 if line["by"] == winner else -1)
            if before <= 0 < lead:
                taken = line
    if taken is None or lead <= 0:
        return None
    turn, turns = turn_of(lines, taken["seq"])
    if turn == turns:
        return None
    return LeadTaken(taken["seq"], turn, narrate([taken], names, full_name)[0].text)

"""Practice: playing the deal of a finished game again; and the origin of a practice game."""

from typing import NamedTuple

from flask import Response, abort, request

from engine import SEATS, Seat
from service.bots import Bot
from service.container import get_container
from service.core.words import Words
from service.games import ChangeContext
from service.games.reading.snapshot import GameSnapshot
from service.games.rematches import USUAL_BOT, Wanted, is_playable
from service.text.board import seat_names
from service.text.game_terms import bot_label
from service.web import session
from service.web.account.guests import signed_in_or_guest
from service.web.answers import to
from service.web.blueprint import blueprint
from service.web.forms import form_key
from service.web.words import read_number


class PracticeOffer(NamedTuple):
    """The form that begins a practice game after this step of a finished game.

    It suggests the seat and the bot. `is_possible` is false in a later round of a match:
    its cards cannot be dealt again.
    """

    step: int
    seat: Seat | None
    bot: str = USUAL_BOT
    is_possible: bool = True


class PracticeOrigin(NamedTuple):
    """The origin of a practice game: the finished game, and the form that begins it once more."""

    game: str
    names: dict[str, str]
    turn: int
    against: str
    again: PracticeOffer


def practice_offer(snapshot: GameSnapshot, *, is_step: bool) -> PracticeOffer | None:
    """Return the form for the step that is shown, or for the whole deal; None if the game cannot be
    practised.

    At a step it suggests the seat whose hand the reader has chosen to see.
    """
    latest, shown = snapshot.latest, snapshot.shown.game
    if not latest.was_played:
        return None
    if not is_step:
        bot = latest.bot
        return PracticeOffer(0, snapshot.seat, bot.name if bot else USUAL_BOT)
    if shown.round > 0 and shown.turn is None:
        return None
    is_possible = shown.round == 0 or is_playable(shown)
    eyes = request.args.get("eyes")
    seat = eyes if eyes in SEATS else snapshot.seat or shown.turn
    return PracticeOffer(snapshot.shown.version, seat, is_possible=is_possible)


def practice_origin(words: Words, snapshot: GameSnapshot) -> PracticeOrigin | None:
    """Return the origin of this game; None if it is not for practice."""
    stored, practice = snapshot.latest, snapshot.latest.practice
    if practice is None:
        return None
    bot = stored.bot
    return PracticeOrigin(
        practice.game,
        seat_names(practice.players, snapshot.names),
        practice.turn,
        _against(words, bot),
        PracticeOffer(practice.step, snapshot.seat, bot.name if bot else USUAL_BOT),
    )


def _against(words: Words, bot: Bot | None) -> str:
    if bot is None:
        # Note: whom a game is played against
        return words.say("a bot")
    # Note: whom a game is played against; %(name)s is a bot
    return words.say("the %(name)s", name=bot_label(words, bot.name, bot.level))


@blueprint.post("/games/<game_id>/practice")
def practise(game_id: str) -> Response:
    """Play the deal again from a step, as the signed-in player, or else as a new guest."""
    practice = get_container().games.practice
    seat = request.form.get("seat") or None
    given = request.form.get("step", "0")
    step = 0 if given == "0" else read_number(given)
    if step is None or seat not in (*SEATS, None):
        abort(422)
    wanted = Wanted(step, seat, request.form.get("bot", USUAL_BOT))
    if session.player_id() is None:  # nobody becomes a guest for nothing
        practice.check(game_id, None, wanted)
    player, signed_in = signed_in_or_guest(None)
    context = ChangeContext("web", key=form_key(player))
    made = practice.begin(game_id, player, wanted, context)
    return signed_in(to("web.game", game_id=made.id))

"""Going through a game step by step: the present step, the steps before and after it, and the
choice of hands. From a step of a finished game its deal can be played again, for practice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from flask import Response, abort, request

from engine import SEATS, Seat
from engine.chain import StoredEvent
from engine.events import RoundStarted
from engine.view import SeenHand
from service.bots import Bot
from service.container import get_container
from service.core.words import Words
from service.games import ChangeContext
from service.games.reading.snapshot import GameSnapshot
from service.games.reading.views import GameShown
from service.games.rematches import USUAL_BOT, Wanted, is_playable
from service.text.board import seat_names
from service.text.game_terms import bot_label
from service.text.history import Sentence
from service.web import session
from service.web.account.guests import signed_in_or_guest
from service.web.answers import to
from service.web.blueprint import blueprint
from service.web.forms import form_key
from service.web.game.sentences import state_words, step_words
from service.web.words import read_number

BOTH: Final = "both"
"""The value of `eyes` for which both hands are shown."""


class Replay(NamedTuple):
    """A step of a game, and the links from it.

    `first` is the deal, before which there is no board. `back` and `forward` skip a whole sentence
    of the story, mostly a turn; None at the first or last step. `eyes` selects the hand that is
    shown: a seat's, both, or None for the reader's usual view. `choices` are the possible `eyes`,
    empty while the game goes on. `since` is the step at which the reader's last own turn ended;
    None if nothing happened after it. `here` is the sentence of the story that tells of the step;
    None at the deal. `stands` says after which turn, and at the end of the game its result.
    """

    at: int
    first: int
    last: int
    back: int | None
    forward: int | None
    eyes: str | None
    choices: Sequence[str]
    since: int | None
    here: Sentence | None
    stands: str


def around(
    at: int, first: int, last: int, story: Sequence[Sentence]
) -> tuple[int | None, int | None]:
    """Return the targets of "back" and "forward": where the sentences of `story` before and after
    `at` end.

    `story` covers one round; beyond its first and last sentence the targets are `at - 1` and `at +
    1`. A target is None if it lies before `first` or after `last`.
    """
    ends = [each.seq for each in story]
    back = max((end for end in ends if end < at), default=at - 1)
    forward = min((end for end in ends if end > at), default=at + 1)
    return back if back >= first else None, forward if forward <= last else None


def sentence_at(story: Sequence[Sentence], at: int) -> Sentence | None:
    """Return the sentence of `story` that tells of event `at`."""
    return next((each for each in story if each.seq >= at), None)


def replay(words: Words, snapshot: GameSnapshot, story: Sequence[Sentence]) -> Replay:
    """Return the shown step and its links. `story` contains the sentences of its round."""
    latest, at, seen = snapshot.latest, snapshot.shown.version, snapshot.last_turn
    over = latest.game.over
    first = deal(snapshot.lines) if snapshot.lines[0]["seq"] == 1 else 1
    return Replay(
        at,
        first,
        latest.version,
        *around(at, first, latest.version, story),
        _eyes(snapshot),
        (*sorted(SEATS, key=lambda seat: seat != snapshot.seat), BOTH) if latest.was_played else (),
        None if over or seen == latest.version else seen,
        sentence_at(story, at),
        stands(words, snapshot),
    )


def stands(words: Words, snapshot: GameSnapshot) -> str:
    """Return the title of the shown step: after which turn, or how the game ended."""
    shown = snapshot.shown
    if not shown.game.over:
        return step_words(words, snapshot.lines, shown.version)
    view = snapshot.view(shown, snapshot.reader)
    return state_words(words, view, view.seat_names)


def deal(lines: Sequence[StoredEvent]) -> int:
    """Return the step of the first deal in these lines; 1 without one."""
    return next((line["seq"] for line in lines if line["type"] == RoundStarted.TYPE), 1)


def view_at(snapshot: GameSnapshot) -> GameShown:
    """Return the view of the game at a step, with the hands that the URL asks for (`?eyes=`).

    Once the game is over, everybody may see either player's hand, or both.
    """
    shown, reader, eyes = snapshot.shown, snapshot.reader, _eyes(snapshot)
    if eyes is None:
        return snapshot.view(shown, reader)
    players = shown.game.players
    if eyes != BOTH:
        view = snapshot.view(shown, players[eyes])  # type: ignore[index]
        return replace(view, hands=only(view.hands, eyes))
    hands = {seat: snapshot.view(shown, players[seat]).hands[seat] for seat in SEATS}
    # As the reader sits: a player finds the own side where it was in the game.
    return replace(snapshot.view(shown, reader), hands=hands)


def only(hands: Mapping[Seat, SeenHand], seat: str) -> dict[Seat, SeenHand]:
    """Return these hands, where only the cards of this seat's are shown: at the end of a game both
    are open."""
    return {
        side: hand if side == seat else replace(hand, cards=None) for side, hand in hands.items()
    }


@blueprint.get("/games/<game_id>/record")
def record(game_id: str) -> Response:
    """Download the game's record, as the reader may see it now, in JSON Lines."""
    games, reader = get_container().games, session.player_id()
    stored = games.read(game_id, reader, invite=request.args.get("invite"))
    answer = Response(games.history.record(stored, reader), mimetype="application/x-ndjson")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game_id}.jsonl"'
    return answer


def _eyes(snapshot: GameSnapshot) -> str | None:
    """Return the `eyes` in the URL; without it, a player's own seat, and both for a spectator.

    None for the reader's usual view: without a step, or while the game goes on.
    """
    latest, eyes = snapshot.latest, request.args.get("eyes")
    if eyes is None:
        return (snapshot.seat or BOTH) if "at" in request.args and latest.was_played else None
    if eyes not in (*SEATS, BOTH) or not latest.was_played:
        abort(404)
    return eyes


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

"""The end of a game: the Stones of both players, who took the lead when, and a picture to share.

Ending a game: resigning, abandoning it by agreement, calling it off, and rematches.

Actions that cannot be undone ask for confirmation on a separate page.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from flask import Response, abort, make_response, redirect, request, url_for

from engine import OTHER, SEATS, Seat, View
from engine.chain import StoredEvent
from engine.events import RoundEnded, StoneClaimed
from service.bots import bot_at
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.words import N_, Words
from service.games import ChangeContext, StoredGame
from service.games.agreements import LastOffer
from service.games.drafts import CLOCK
from service.games.permissions import own_seat
from service.games.projections.player_games import GameFilter
from service.games.rating import TURNS, bot_declines, ended_early, is_for_ratings, is_rated
from service.games.reading.overview import MOST_FINISHED
from service.games.reading.snapshot import GameSnapshot
from service.text.card_names import card_name
from service.text.drawing import moor
from service.text.event_words import won_by_both
from service.text.game_terms import BOT_DECLINES, end_offered
from service.text.history import narrate, turn_of, turns_by_event
from service.web import answers, session
from service.web.answers import personal, signed_in
from service.web.assets import png
from service.web.blueprint import blueprint
from service.web.card_filters import mark_drawing
from service.web.forms import form_key, given_salt, given_seal
from service.web.game.sentences import state_words
from service.web.language import reader_words
from service.web.words import read_number, seat_names


class LeadTaken(NamedTuple):
    """The claim that took the lead for good: the number of the last event of its turn, the turn,
    and a sentence."""

    seq: int
    turn: int
    words: str


class Ending(NamedTuple):
    """The end of a game: the number of each player's Stones, the claim after which the winner
    always had more, and the adjacent Stones that won where the number did not."""

    stones: Mapping[Seat, int]
    lead_taken: LeadTaken | None
    row: tuple[int, ...] = ()


def ending(
    words: Words, view: View, lines: Sequence[StoredEvent], names: Mapping[str, str]
) -> Ending:
    """Return the end of the game for the reader of `view`; `lines` are of its last round."""
    owners = [stone.owner for stone in view.stones]
    stones = {seat: owners.count(seat) for seat in SEATS}
    taken = _lead_taken(lines)
    lead = taken and _told(words, taken, lines, names, view.seat)
    return Ending(stones, lead, _row(view, stones))


def _row(view: View, stones: Mapping[Seat, int]) -> tuple[int, ...]:
    """Return the three or more adjacent Stones that won, roped together on the board; none where
    the winner has five as well, so that the count says it all, or won a match whose last round the
    other took."""
    if view.winner is None or view.reason != "three-adjacent":
        return ()
    if won_by_both(view.reason, stones[view.winner]):
        return ()
    owned = [stone.owner == view.winner for stone in view.stones]
    runs = ([*run] for _, run in groupby(range(9), key=owned.__getitem__))
    rows = (tuple(at + 1 for at in run) for run in runs if owned[run[0]] and len(run) >= 3)
    return next(rows, ())


_UNRATED: Final = N_("This game does not count for ratings.")


def unrated_words(words: Words, stored: StoredGame) -> str:
    """Return that a finished game is unrated, and the reason if there is one."""
    rated, private = stored.game.terms.get("rated"), stored.private
    reasons = {
        N_("This game does not count for ratings because it is for practice."): stored.practice
        is not None,
        N_("This game does not count for ratings because it is a deal of the day."): stored.daily
        is not None,
        N_(
            "This game does not count for ratings because it was taken in from a record."
        ): stored.imported,
        N_("This game does not count for ratings because it is private."): private,
        _UNRATED: rated is False,
        N_("This game does not count for ratings because it has no time limit."): stored.terms.clock
        is None
        and is_for_ratings(rated, private, True, stored.players),
        N_(
            "This game does not count for ratings because its maker did not choose to have it"
            " rated."
        ): not is_rated(stored),
        N_(
            "This game does not count for ratings because both agreed to end it."
        ): stored.game.reason == "agreement",
        N_(
            "This game does not count for ratings because not both have played %(turns)s turns."
        ): ended_early(stored),
    }
    reason = next((reason for reason, holds in reasons.items() if holds), None)
    return words.say(reason or _UNRATED, turns=TURNS)


def cancelled_words(words: Words, snapshot: GameSnapshot) -> tuple[str, str]:
    """Return the title and the sentence of a game that never began: `Game cancelled`, `Ada called
    this game off.`"""
    end = snapshot.lines[-1]
    is_declined = end["by"] is None and end["via"] != CLOCK
    title = words.say(N_("Declined") if is_declined else N_("Game cancelled"))
    return title, _cancelled_words(words, snapshot)


def _cancelled_words(words: Words, snapshot: GameSnapshot) -> str:
    end, invited = snapshot.lines[-1], snapshot.latest.invited
    if end["by"] is not None:
        if end["by"] == snapshot.seat:
            return words.say("You called this game off.")
        name = snapshot.seat_names[end["by"]]
        return words.say("%(name)s called this game off.", name=name)
    if end["via"] == CLOCK:
        return words.say("Nobody took the seat in time, so this game never began.")
    if invited is None:
        return words.say("The invitation was declined.")
    if invited == snapshot.reader:
        return words.say("You declined this game.")
    if invited not in snapshot.names:
        return words.say("A former player declined this game.")
    declined = N_("%(name)s declined this game.")
    if _is_rematch(snapshot):
        declined = N_("%(name)s declined the rematch.")
    return words.say(declined, name=snapshot.names[invited])


def _is_rematch(snapshot: GameSnapshot) -> bool:
    """Whether the game repeats one of the reader's last games."""
    games, reader = get_container().games, snapshot.reader
    if reader is None or snapshot.seat is None:
        return False
    finished, _ = games.lists.of_player(reader, GameFilter("finished"), limit=MOST_FINISHED)
    return any(games.rematches.is_of(snapshot.latest.id, old["id"]) for old in finished)


@blueprint.get("/games/<game_id>/end.png")
def picture_end(game_id: str) -> Response:
    """Return the last board of a finished game as a picture, the same for everybody.

    The winner's side is below, or that of a person who has played a bot.
    """
    games = get_container().games
    stored = games.read(game_id, session.player_id(), invite=request.args.get("invite"))
    if stored.game.status != "finished":
        abort(404)
    names = seat_names(stored)
    words = reader_words()
    title = state_words(words, games.view(stored, None), names)
    people = [seat for seat in SEATS if bot_at(stored.game.players[seat] or "") is None]
    below = people[0] if len(people) == 1 else stored.game.winner or "south"
    sides = (below, OTHER[below])
    stones = "{} : {}".format(*(len(stored.game.stones_of(seat)) for seat in sides))
    tally = f"{names[below]} {stones} {names[OTHER[below]]}"
    return png(
        moor.preview(
            words,
            title if moor.can_write(title) else words.say("A game is over"),
            (tally if moor.can_write(tally) else stones,),
            moor.spots_of(stored.game.stones, below),
            tuple(mark_drawing(stored.game.players[seat] or "") for seat in sides),
        )
    )


def _lead_taken(lines: Sequence[StoredEvent]) -> StoredEvent | None:
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
    return None if turn == turns else taken


def _told(
    words: Words,
    taken: StoredEvent,
    lines: Sequence[StoredEvent],
    names: Mapping[str, str],
    reader: Seat | None,
) -> LeadTaken:
    turns = turns_by_event(lines)
    turn = turns[taken["seq"]]
    sentence = narrate(words, [taken], names, reader, card_name)[0]
    return LeadTaken(max(seq for seq, of in turns.items() if of == turn), turn, sentence.text)


class Question(NamedTuple):
    """A question for confirmation: a heading, the consequences, and the button's name."""

    heading: str
    about: str
    button: str


@blueprint.get("/games/<game_id>/resign")
def ask_to_resign(game_id: str) -> Response:
    """Ask whether the player really resigns."""
    player, games = signed_in(), get_container().games
    stored = games.read(game_id, player)
    if stored.game.over:
        return _to_game(game_id)
    seat, words = stored.seat_of(player), reader_words()
    if seat is None or stored.game.rounds > 1:
        about = words.say("The other player wins this round. It cannot be taken back.")
    else:
        winner = seat_names(stored)[OTHER[seat]]
        about = words.say("%(name)s wins the game. It cannot be taken back.", name=winner)
        if is_rated(stored):
            rated = N_(
                "The game is rated: your loss counts if both of you have played %(turns)s turns."
            )
            about += f" {words.say(rated, turns=TURNS)}"
    return ask(game_id, Question(words.say("Resign this game?"), about, words.say("Resign")))


@blueprint.post("/games/<game_id>/resign")
def resign(game_id: str) -> Response:
    """Give up the round."""
    player, games = signed_in(), get_container().games
    versions = _versions_of_asked_round(games.read(game_id, player))
    games.resign(game_id, player, ChangeContext("web", versions, form_key(player)))
    return _to_game(game_id)


@blueprint.get("/games/<game_id>/abandon")
def ask_to_abandon(game_id: str) -> Response:
    """Ask whether the player really wants to abandon the game, or agrees to the offer."""
    player, games = signed_in(), get_container().games
    stored = games.read(game_id, player)
    if stored.game.over:
        return _to_game(game_id)
    offer, words = games.abandonments.offered(stored), reader_words()
    heading = words.say("End without a winner?")
    if offer is not None and offer.by != stored.seat_of(player):
        about = words.say(
            "The other player offers it. If you agree, the game ends at once and does not count for"
            " ratings."
        )
        return ask(game_id, Question(heading, about, words.say("Agree")), offer=offer.number)
    if bot_declines(stored):
        raise RequestRejected("bot-declines", words.say(BOT_DECLINES))
    about = end_offered(words, to_bot=stored.has_bot, rounds=stored.game.rounds)
    return ask(game_id, Question(heading, about, words.say("Offer it")))


@blueprint.post("/games/<game_id>/abandon")
def abandon(game_id: str) -> Response:
    """Offer to abandon the game, or agree to the offer that the question showed."""
    player, games = signed_in(), get_container().games
    versions = _versions_of_asked_round(games.read(game_id, player))
    origin = ChangeContext("web", versions, form_key(player))
    if (offer := request.form.get("offer")) is not None:
        games.abandonments.accept(game_id, player, read_number(offer) or 0, origin)
    else:
        made = games.abandonments.agree(game_id, player, origin)
        if made.offered is not None:
            answers.announce(reader_words().say("You offered an end without a winner."))
    return _to_game(game_id)


@blueprint.post("/games/<game_id>/keep-playing")
def keep_playing(game_id: str) -> Response:
    """Withdraw or decline the offer to abandon the game."""
    offers, words = get_container().games.abandonments, reader_words()
    closed = offers.last(offers.withdraw(game_id, signed_in()).stored)
    say_closed(closed, words.say("You declined to end the game: it goes on as before."))
    return _to_game(game_id)


def say_closed(last: LastOffer | None, declined: str) -> None:
    """Let the next page say that the player declined an offer, in these words, or took it back."""
    if last is not None and last.state == "declined":
        answers.announce(declined)
    elif last is not None and last.state == "gone":
        answers.announce(reader_words().say("You took the offer back."))


@blueprint.get("/games/<game_id>/call-off")
def ask_to_call_off(game_id: str) -> Response:
    """Ask whether to call off a game that has not begun."""
    words = reader_words()
    about = words.say("Nobody will be able to join.")
    question = Question(words.say("Cancel this game?"), about, words.say("Cancel the game"))
    return ask(game_id, question)


@blueprint.post("/games/<game_id>/call-off")
def call_off(game_id: str) -> Response:
    """Call off a game that has not begun."""
    player = signed_in()
    get_container().games.call_off(game_id, player, ChangeContext("web", key=form_key(player)))
    return _to_game(game_id)


@blueprint.post("/games/<game_id>/rematch")
def rematch(game_id: str) -> Response:
    """Ask for a rematch: the first request creates the game, the other player's starts it."""
    rematches = get_container().games.rematches
    made = rematches.ask(game_id, signed_in(), given_salt(), given_seal(), via="web")
    return _to_game(made.id)


def ask(
    game_id: str, question: Question, *, offer: int | None = None, days: int | None = None
) -> Response:
    """Return the page that asks for confirmation before an action that cannot be undone."""
    player, games = signed_in(), get_container().games
    stored = games.read(game_id, player)
    if stored.invited != player:
        own_seat(stored, player)
    names = seat_names(stored)
    return personal(
        "game/ask.html",
        game_id=game_id,
        names=names,
        question=question,
        round=stored.game.round,
        offer=offer,
        days=days,
        stones=stored.started and {seat: len(stored.game.stones_of(seat)) for seat in SEATS},
    )


def _versions_of_asked_round(stored: StoredGame) -> range:
    """Return the versions for which the form is valid: an old page must not end a later round."""
    is_same = request.form.get("round") == str(stored.game.round)
    return range(stored.version + 1 if is_same else 0)


def _to_game(game_id: str) -> Response:
    return make_response(redirect(url_for("web.game", game_id=game_id), 303))

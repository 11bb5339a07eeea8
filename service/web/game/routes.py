"""A game's page: the board, the reader's own turn, or the free seat; with `?at=N` a step."""

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from flask import Response, abort, make_response, redirect, render_template, request

from service.accounts.links import Ask
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.words import Words
from service.games.drafts import OrderOutcome
from service.games.rating import TURNS, bot_declines, is_rated, was_too_short
from service.games.reading.snapshot import BegunSnapshot, GameSnapshot
from service.games.reading.views import offered
from service.games.turn_draft import MOST_ACTIONS
from service.text.board import board_text, deck_words
from service.text.card_names import card_name, people
from service.text.game_terms import edition_title
from service.text.history import Sentence, narrate, told_to, turns_by_event
from service.web import session
from service.web.account.mail import game_mail
from service.web.blueprint import blueprint
from service.web.card_filters import hidden_tactics, unseen_rows
from service.web.game import sentences
from service.web.game.clock import clock_panel, gifts
from service.web.game.conversation import conversation_panel
from service.web.game.endings import Ending, cancelled_words, ending, unrated_words
from service.web.game.first_game import first_games, is_told, notify_panel
from service.web.game.free_seat import free_seat, invitation, seat_taken
from service.web.game.page import GamePage, game_page, step_page
from service.web.game.replay import (
    Replay,
    deal,
    practice_offer,
    practice_origin,
    replay,
    stands,
    view_at,
)
from service.web.game.since import Since, drawn_places, of_step, since
from service.web.game.turn_choices import TurnMessage, UnsentTurn
from service.web.game.worth import log_marks, worth_at, worth_panel
from service.web.games.daily import daily_notice
from service.web.language import reader_words
from service.web.moments import with_moments
from service.web.words import names_shown, read_number, snapshot_of


@blueprint.app_template_filter()
def action_words(text: str) -> str:
    """Return an action of the unsent turn in words."""
    return sentences.action_words(reader_words(), text)


@dataclass(frozen=True)
class Story:
    """The round that a page shows, told only if no earlier page drew the same log."""

    words: Words
    snapshot: GameSnapshot

    @cached_property
    def entries(self) -> list[Sentence]:
        """The events in sentences."""
        names, reader = people(self.words, self.snapshot.seat_names), self.snapshot.seat
        lines = told_to(self.snapshot.lines, reader)
        return narrate(self.words, lines, names, reader, card_name, with_moments)

    @cached_property
    def turns(self) -> dict[int, int]:
        """The turn that a sentence tells, by its `seq`; of other sentences there is none."""
        return turns_by_event(self.snapshot.lines)

    @cached_property
    def replay(self) -> Replay:
        """The step that is shown, and the ways to the others."""
        return replay(self.words, self.snapshot, self.entries)

    @property
    def marks(self) -> Since:
        """What the turn at the step that is shown has changed on the board."""
        shown, at = self.snapshot, self.replay.at
        return of_step(self.words, shown.lines, at, self.entries, shown.seat_names, shown.seat)

    @property
    def before(self) -> int | None:
        """A step of the round before; None without one."""
        first = self.snapshot.lines[0]["seq"]
        return first - 1 if first > 1 else None

    @property
    def after(self) -> int | None:
        """A step of the round after; None without one."""
        last = self.snapshot.lines[-1]["seq"]
        return last + 1 if last < self.snapshot.latest.version else None


def ask_snapshot() -> Ask[BegunSnapshot]:
    """Return a function that asks for the game named in the URL, now or at the step `?at=N`."""
    assert request.view_args is not None, "the view is one of a game's"
    return get_container().snapshots.asking(request.view_args["game_id"], _number("at"))


def this_snapshot(reader: str | None) -> GameSnapshot:
    """Return the snapshot that `ask_snapshot` asked for. `?invite=` opens a private game."""
    begun = session.asked_along(ask_snapshot)
    return names_shown(get_container().snapshots.finish(begun, reader, request.args.get("invite")))


@blueprint.get("/games/<game_id>")
@session.asks_along(ask_snapshot)
def game(game_id: str) -> Response:
    """Show the game with the unsent turn in the URL, or with `?at=N` the game after event N, but at
    the earliest after the deal, before which there is no board.

    `?invite=` opens a private game, and the free seat.
    """
    try:
        snapshot = this_snapshot(session.player_id())
    except RequestRejected as refusal:
        raise seat_taken(game_id, request.args.get("invite"), refusal) from None
    at = _at()
    if at is None:
        actions = request.args.getlist("turn")[:MOST_ACTIONS]
        unsent = UnsentTurn(actions, request.args.get("chosen", ""), _number("version"))
        return show(game_page(reader_words(), snapshot, unsent))
    if at < deal(snapshot.lines):
        args = request.args.to_dict() | {"at": str(deal(snapshot.lines))}
        return make_response(redirect(f"{request.path}?{urlencode(args)}"))
    words = reader_words()
    page = step_page(words, snapshot, view_at(snapshot), stands(words, snapshot))
    return show(page, is_step=True)


def show(page: GamePage, *, is_step: bool = False, status: int = 200) -> Response:
    """Return the response with the game's page."""
    words, snapshot = page.words, page.snapshot
    latest, beside, story = snapshot.latest, snapshot.of_player, Story(words, snapshot)
    if latest.game.status == "aborted":
        return make_response(_cancelled(page), status)
    seat = None if is_step else free_seat(snapshot, request.args.get("invite"))
    if seat is not None:
        return make_response(invitation(page, seat), status)
    news = None if is_step else news_of(page)
    rematch_id = beside.rematch.id if beside and beside.rematch else None  # it has its own button
    worth = worth_panel(words, snapshot, page.below)
    # Without an analysis the log of an earlier page may do, and nothing is told.
    mattered = log_marks(worth.shown, story.entries) if worth and worth.shown else {}
    html = render_template(
        "game/page.html",
        page=page,
        view=page.view,
        names=page.names,
        is_step=is_step,
        reader=snapshot.reader,
        beside=beside,
        said=beside.said if beside else 0,
        talk=conversation_panel(snapshot),
        mail=beside and game_mail(beside.mail, latest.id),
        declines=bot_declines(latest),
        offer=snapshot.abandonment and snapshot.abandonment.by,
        next_games=[game for game in snapshot.waiting if game != rematch_id],
        key=None if is_step else (*_key(page), *mattered.items()),
        decks=deck_words(words, page.view),
        first=None if is_step else first_games(page),
        notify=None if is_step else notify_panel(page),
        clock=None if is_step else clock_panel(page),
        gifts=gifts(words),
        drawn=frozenset() if is_step else drawn_places(page.view, snapshot.lines),
        unseen_rows=unseen_rows(words, page.view),
        hidden_tactics=hidden_tactics(page.view),
        news=news,
        marks=news or story.marks,
        rematch=beside and beside.rematch,
        rematch_kind=beside and beside.rematch and offered(beside.rematch, snapshot.names),
        rematch_is_told=beside and is_told(beside, rematch_id or latest.id),
        worth=worth,
        mattered=mattered,
        worth_here=worth_at(words, snapshot, story.entries) if is_step else "",
        end=None if is_step else _end(page),
        unrated=unrated_words(words, latest),
        too_short=TURNS if was_too_short(latest, snapshot.rated) and not is_rated(latest) else None,
        practice=practice_offer(snapshot, is_step=is_step),
        origin=practice_origin(words, snapshot),
        opponent=snapshot.opponent,
        plan=None if page.turn else _plan(page),
        became=None if is_step else _became(page),
        story=story,
        started=latest.started is not None,
        over=latest.game.over,
        is_open=latest.is_open_to_all,
        daily=daily_notice(latest),
        edition=edition_title(words, page.view.edition),
        text=board_text(words, page.view, page.names),
        now=snapshot.now,
    )
    return make_response(html, status)


def _key(page: GamePage) -> tuple[object, ...]:
    """Return all that board and log depend on: what was seen at that end of the chain, from which
    side and by which names, the unsent turn, and the options in the URL."""
    turn, stored, args = page.turn, page.stored, request.args
    unsent = (*turn.draft.actions, turn.choices.chosen) if turn else ()
    links = args.get("invite"), args.get("eyes"), args.get("log") == "all", session.time_zone()
    return stored.head, stored.sealed, page.seat, *page.names.values(), unsent, *links


def _cancelled(page: GamePage) -> str:
    """Return the page of a game that was cancelled before it began, as HTML."""
    title, words = cancelled_words(page.words, page.snapshot)
    return render_template(
        "game/cancelled.html", title=title, words=words, version=page.stored.version
    )


def refused(
    game_id: str, reader: str | None, unsent: UnsentTurn, message: TurnMessage, status: int
) -> Response:
    """Return the page of the game as it is now, after an action was refused."""
    snapshot = snapshot_of(game_id, reader)
    return show(game_page(reader_words(), snapshot, unsent, [message]), status=status)


def news_of(page: GamePage) -> Since:
    """Return the events since the reader's own last turn; of a planned turn what became of it."""
    words, snapshot = page.words, page.snapshot
    names = people(words, snapshot.seat_names)
    lines = [*snapshot.end_before, *snapshot.lines]
    news = since(words, lines, _seen(snapshot), names, snapshot.seat)
    last, became = _last_plan(snapshot), _became(page)
    return news.with_plan(last, snapshot.seat, became) if last and became else news


def _seen(snapshot: GameSnapshot) -> int | None:
    """Return the number of the last event of the reader's last turn; None for a spectator."""
    return None if snapshot.seat is None else snapshot.last_turn or 0


def _end(page: GamePage) -> Ending | None:
    """Return the end of the game; None if it goes on, or was cancelled."""
    if page.stored.game.status != "finished":
        return None
    names = people(page.words, page.names)
    return ending(page.words, page.view, page.snapshot.lines, names)


def _plan(page: GamePage) -> str | None:
    """Return the reader's planned turn in words, None without one."""
    if page.snapshot.latest.game.status != "active":
        return None
    turn = page.snapshot.orders.turn
    if turn is None:
        return None
    return sentences.order_words(page.words, turn, people(page.words, page.names)[page.above])


def _became(page: GamePage) -> str | None:
    """Return what became of the reader's plan for their last turn, or for this one; None without
    one."""
    last = _last_plan(page.snapshot)
    if last is None:
        return None
    return sentences.outcome_words(page.words, last, people(page.words, page.names)[page.above])


def _last_plan(snapshot: GameSnapshot) -> OrderOutcome | None:
    last = snapshot.orders.last
    return None if last is None or last.version < (snapshot.last_turn or 0) else last


def _number(field: str) -> int | None:
    return read_number(request.args.get(field, ""))


def _at() -> int | None:
    if "at" not in request.args:
        return None
    at = _number("at")
    return abort(404) if at is None else at

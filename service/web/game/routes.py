"""A game's page: the board, the reader's own turn, or the free seat; any step with `?at=`."""

from typing import NamedTuple

from flask import Response, abort, make_response, render_template, request

from engine.chain import StoredEvent
from service.container import get_container
from service.games import StoredGame
from service.games.turn_draft import MOST_ACTIONS
from service.text.board import board_text, names_in
from service.text.card_names import full_name, people
from service.text.history import Sentence, narrate
from service.web import session
from service.web.blueprint import blueprint
from service.web.card_filters import unseen_rows
from service.web.game import words
from service.web.game.clock_panel import GIFTS, clock_panel
from service.web.game.conversation import Talk, talk_of
from service.web.game.drawn import drawn_places
from service.web.game.ending import Ending, ending
from service.web.game.first_game import first_game
from service.web.game.free_seat import FreeSeat, free_seat
from service.web.game.page import GamePage, deck_words, game_page, step_page, waiting_games
from service.web.game.replay import replay, view_at
from service.web.game.since import since
from service.web.game.turn_messages import TurnMessage, Wish
from service.web.games.showcase import still
from service.web.moments import with_moments
from service.web.news import said_count
from service.web.numbers import read_number

blueprint.add_app_template_filter(words.action_words)


class Story(NamedTuple):
    """What happened in one round, and where the rounds around it are; None: no such round."""

    lines: list[StoredEvent]
    told: list[Sentence]
    before: int | None
    after: int | None


@blueprint.get("/games/<game_id>")
def game(game_id: str) -> Response:
    """The game as it stands, with the unsent turn of the address; with `?at=N` after event N.

    `?invite=` opens a private game, and the free seat.
    """
    reader = session.player_id()
    games, invite = get_container().games, request.args.get("invite")
    latest = games.read(game_id, reader, invite=invite)
    at = _at()
    if at is None:
        wish = Wish(_actions(), request.args.get("chosen", ""), _number("version"))
        return show(game_page(latest, reader, wish), reader)
    stored = games.read(game_id, reader, at=at, invite=invite)
    lines = games.history.lines_of_round(latest, reader, at)
    page = step_page(stored, view_at(latest, stored, reader), words.step_words(lines, at))
    return show(page, reader, latest, is_step=True)


def show(
    page: GamePage,
    reader: str | None,
    latest: StoredGame | None = None,
    *,
    is_step: bool = False,
    status: int = 200,
) -> Response:
    """The game's page as an answer."""
    newest = latest or page.stored
    seat = None if is_step else free_seat(page.stored, reader, request.args.get("invite"))
    if seat is not None:
        return make_response(_invitation(page, reader, seat), status)
    said = 0 if is_step else said_count(reader if page.seat else None)  # before it is looked for
    story = _story(newest, reader, page.stored.version)
    seen = get_container().games.history.last_turn(newest, reader)
    html = render_template(
        "game/page.html",
        page=page,
        view=page.view,
        names=page.names,
        is_step=is_step,
        reader=reader,
        said=said,
        talk=_talk(page, reader, is_step),
        offer=_offer(page, is_step),
        next_games=[] if is_step else waiting_games(page, reader),
        decks=deck_words(page.view),
        first=None if is_step else first_game(page, seen),
        clock=None if is_step else clock_panel(page),
        gifts=GIFTS,
        drawn=frozenset() if is_step else drawn_places(page.view, story.lines),
        unseen_rows=unseen_rows(page.view),
        replay=replay(newest, page.stored.version, seen, story.told),
        news=None if is_step else since(story.lines, _seen(page, seen), people(page.names)),
        rematch=None if is_step else _rematch(page),
        end=None if is_step else _end(page, story),
        plan=None if is_step else _plan(page, reader),
        story=story,
        started=newest.started is not None,
        over=newest.game.over,
        text=board_text(page.view),
        now=get_container().now(),
    )
    return make_response(html, status)


def _invitation(page: GamePage, reader: str | None, seat: FreeSeat) -> str:
    """The page of a game that waits for its second player."""
    return render_template(
        "game/invitation.html",
        page=page,
        view=page.view,
        names=page.names,
        reader=reader,
        said=said_count(reader if page.seat else None),
        seat=seat,
        spots=still(),
    )


def refused(
    game_id: str, reader: str | None, wish: Wish, message: TurnMessage, status: int
) -> Response:
    """The page as the game stands now, after something was refused."""
    stored = get_container().games.read(game_id, reader)
    return show(game_page(stored, reader, wish, [message]), reader, status=status)


def _talk(page: GamePage, reader: str | None, is_step: bool) -> Talk | None:
    """The conversation, for the game's players."""
    if is_step or page.seat is None or reader is None:
        return None
    return talk_of(page.stored, reader)


def _offer(page: GamePage, is_step: bool) -> str | None:
    """The seat from which it is offered to abandon the game, for its players."""
    if is_step or page.seat is None or page.stored.game.status != "active":
        return None
    return get_container().games.abandonments.offered_by(page.stored)


def _seen(page: GamePage, last_turn: int | None) -> int | None:
    """Up to which event the reader knows the game; None for somebody who looks on."""
    return None if page.seat is None else last_turn or 0


def _rematch(page: GamePage) -> StoredGame | None:
    """The next game of the same two, if one of them has asked for it."""
    if page.seat is None:
        return None
    return get_container().games.rematches.standing(page.stored)


def _end(page: GamePage, story: Story) -> Ending | None:
    """How the game ended; None where it goes on, or was called off."""
    if page.stored.game.status != "finished":
        return None
    return ending(page.view, story.lines, people(page.names))


def _plan(page: GamePage, reader: str | None) -> str | None:
    """The reader's planned turn, while it waits for the other player's."""
    if page.seat is None or reader is None or page.turn or page.stored.game.status != "active":
        return None
    _, orders = get_container().games.orders.of(page.stored.id, reader)
    return words.order_words(orders.turn, people(page.names)[page.above]) if orders.turn else None


def _actions() -> list[str]:
    return request.args.getlist("turn")[:MOST_ACTIONS]


def _number(field: str) -> int | None:
    return read_number(request.args.get(field, ""))


def _at() -> int | None:
    if "at" not in request.args:
        return None
    at = _number("at")
    return abort(404) if at is None else at


def _story(latest: StoredGame, reader: str | None, at: int) -> Story:
    """What happened in the round that event `at` is in."""
    games = get_container().games
    lines = games.history.lines_of_round(latest, reader, at)
    first, last = lines[0]["seq"], lines[-1]["seq"]
    return Story(
        lines,
        told=narrate(lines, people(names_in(games.view(latest, reader))), full_name, with_moments),
        before=first - 1 if first > 1 else None,
        after=last + 1 if last < latest.version else None,
    )

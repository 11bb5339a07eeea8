"""Help for beginners (formations, hints), and the question how to notify the player.

Dismissed hints do not return: a cookie stores them, since a guest has one browser.
"""

from typing import Final, Literal, NamedTuple

from flask import Response, abort, request
from marshmallow import ValidationError

from engine.chain import to_event
from engine.events import CardPlayed
from service.accounts.player import Player
from service.api.schemas.fields import EmailAddress, checked, load
from service.api.schemas.settings import ChannelInput
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.times import DAY
from service.games.reading.snapshot import BesideGame
from service.text.history import turn_of
from service.web import cookies, session
from service.web.account.mailbox import mail_goes
from service.web.answers import signed_in_player
from service.web.blueprint import blueprint
from service.web.game.conversation import back
from service.web.game.page import GamePage
from service.web.language import reader_words

COACH: Final = "coach"
FORMATIONS: Final = "formations"
FOLDED: Final = "folded"
"""The formations again: not put away, but folded by hand."""
NOTIFY: Final = "telling"
HINTS: Final = (COACH, FORMATIONS, FOLDED, NOTIFY)
FIRST_TURNS: Final = 7
"""The turn, of both players, from which a beginner needs no word on what is strongest."""
_FIRST: Final = 2
"""The number of turns, of both players, after which each has sent one."""
_ASKED: Final = 2 * _FIRST
"""The number of turns, of both players, after which who has not answered is asked no more."""
COOKIE_LIFE: Final = int(400 * DAY)
"""Seconds for which a browser stores the cookie; none stores a cookie for longer."""
SEPARATOR: Final = "."


class FirstGames(NamedTuple):
    """Additional parts of a beginner's page: the formations, `open` in the first game unless put
    away or folded; there also hints on the first turn (`coach`), what a claim is until the first
    (`claims`), what is strongest in the first turns (`begins`), and no plans ahead. `laid`: the
    Stone of the reader's last card."""

    open: bool = False
    coach: bool = False
    claims: bool = False
    begins: bool = False
    is_first: bool = False
    laid: int | None = None


class NotifyPanel(NamedTuple):
    """The question how to notify the player, or the page's reaction to the player's choice.

    `state` is `ask`; or after the choice `confirm` (a link went to `email`), `mailbox` (this server
    sends no mail out) or `push`. Without a `push_key` the server sends no push messages. If it
    sends no mail that anybody reads either, there is no such panel. `is_new`: the player has just
    sent their first turn.
    """

    state: Literal["ask", "confirm", "mailbox", "push"]
    email: str | None = None
    push_key: str | None = None
    is_new: bool = False


def first_games(page: GamePage) -> FirstGames | None:
    """Return the additional parts of a player's page: in the first game, and afterwards the
    formations, folded, until they are put away; None for everybody else."""
    beside, away = page.snapshot.of_player, _put_away()
    if beside is None or page.stored.game.status != "active":
        return None
    if beside.other_games:
        return None if FORMATIONS in away else FirstGames()
    is_first_turn = page.turn is not None and page.snapshot.last_turn is None
    coach = is_first_turn and COACH not in away
    owners = {stone.owner for stone in page.stored.game.stones}
    claims = page.snapshot.seat not in owners
    is_open = not {FORMATIONS, FOLDED} & set(away)
    begins = turn_of(page.snapshot.lines, page.stored.version)[0] < FIRST_TURNS
    return FirstGames(is_open, coach, claims, begins, is_first=True, laid=_stone_of_last_card(page))


def _stone_of_last_card(page: GamePage) -> int | None:
    laid = (
        event
        for event in map(to_event, reversed(page.snapshot.lines))
        if isinstance(event, CardPlayed)
    )
    return next((event.stone for event in laid if event.by == page.snapshot.seat), None)


def is_reached(beside: BesideGame) -> bool:
    """Whether a notice can reach this player, by mail or otherwise."""
    account = beside.account
    by_mail = account is not None and get_container().sign_in.reaches_by_mail(account)
    return bool(beside.has_channels) or by_mail


def is_told(beside: BesideGame, game: str) -> bool:
    """Whether notices about this game get to the player: by a channel, or by mail that they want
    and can read."""
    by_mail = is_reached(beside) and beside.mail.delivery_of(game) != "off"
    return bool(beside.has_channels) or (by_mail and mail_goes() != "nowhere")


def notify_panel(page: GamePage) -> NotifyPanel | None:
    """Return the question for a player whom no notice can reach, while they wait for another
    person, in their first two turns; None if there is nothing to ask or say."""
    snapshot = page.snapshot
    beside, stored = snapshot.of_player, snapshot.latest
    if beside is None or beside.account is None or stored.game.over:
        return None
    if stored.has_bot:  # it answers at once
        return None
    account, answered = beside.account, request.args.get("notify")
    if answered == "push" and beside.has_channels:
        return NotifyPanel("push")
    if answered == "mail" and account.email and not account.verified:
        return NotifyPanel("confirm" if mail_goes() == "out" else "mailbox", account.email)
    if page.turn is not None or is_reached(beside) or NOTIFY in _put_away():
        return None
    if account.email:
        return NotifyPanel("confirm", account.email)
    push_key = get_container().channels.push_key()
    if push_key is None and mail_goes() == "nowhere":
        return None
    turn, _ = turn_of(snapshot.lines, stored.version)
    if turn > _ASKED:
        return None
    return NotifyPanel("ask", None, push_key, snapshot.last_turn is not None and turn <= _FIRST)


@blueprint.post("/games/<game_id>/hints")
def put_away(game_id: str) -> Response:
    """Dismiss a hint."""
    hint = next((one for one in HINTS if one == request.form.get("hint")), None) or abort(422)
    return _without(back(game_id, "game"), hint)


@blueprint.post("/games/<game_id>/telling")
def choose_notify(game_id: str) -> Response:
    """Notify the player by push to this browser, or by mail to an address."""
    player = signed_in_player()
    try:
        if request.form.get("by") == "push":
            _add_push(player)
            return back(game_id, "telling", notify="push")
        email = checked(EmailAddress, request.form.get("email", "").strip())
        with get_container().players.counting_address_mail(player, email):
            get_container().players.set_address(player, email)
        session.note_time_zone(player.id)
    except ValidationError:
        return back(game_id, "telling", wrong="address")
    except RequestRejected as refusal:
        return back(game_id, "telling", wrong=refusal.code)
    return back(game_id, "telling", notify="mail")


def _add_push(player: Player) -> None:
    """Add a push channel for this browser. Raises ValidationError and `RequestRejected`."""
    target = {name: request.form.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    name = reader_words().say("This browser")
    loaded = load(ChannelInput, {"push": target, "name": name})
    get_container().channels.add(player.id, "push", loaded["push"], name=loaded["name"])


def _put_away() -> list[str]:
    return cookies.given(cookies.HINTS).split(SEPARATOR)


def _without(answer: Response, hint: str) -> Response:
    away = SEPARATOR.join(sorted({*filter(None, _put_away()), hint} & set(HINTS)))
    answer.set_cookie(cookies.name_of(cookies.HINTS), away, max_age=COOKIE_LIFE, **cookies.rules())
    return answer

"""The pages for the operator of this server: its state, players, games, and the log of the
operators' acts.

They open by a link that works once. Their session has a separate cookie.
"""

import re
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, Final, ParamSpec

from flask import Response, abort, request
from marshmallow import ValidationError

from service.accounts.links import OPERATOR_SESSION_LIFE
from service.api.schemas.fields import NewName, checked
from service.container import get_container
from service.core.errors import RequestRejected
from service.core.ids import GAME_ID
from service.core.times import timestamp
from service.eventlog import parse_notice_id
from service.eventlog.results import LONGEST_WORDS
from service.games.conversation_store import plain_text
from service.ops import operating
from service.ops.operating import game_shown, remove_game
from service.ops.status import server_status
from service.web import cookies
from service.web.answers import gone, personal, to
from service.web.blueprint import blueprint
from service.web.language import fault

_Given = ParamSpec("_Given")
COOKIE: Final = "scottenbury_operator"
_WHY_GONE: Final = "A link of `scottenbury operator` works once, for ten minutes."


@blueprint.get("/operator/open/<secret>")
def ask_to_open(secret: str) -> Response:
    """Ask whether to open the operator's page here. Only submitting the form uses up the link."""
    if not get_container().operator_access.is_link(secret):
        return gone(_WHY_GONE)
    return personal("operator/open.html", secret=secret)


@blueprint.post("/operator/open/<secret>")
def open_operator_page(secret: str) -> Response:
    """Begin a session, and show the page."""
    session = get_container().operator_access.open(secret)
    if session is None:
        return gone(_WHY_GONE)
    answer = to("web.operator")
    answer.set_cookie(cookies.name_of(COOKIE), session, max_age=OPERATOR_SESSION_LIFE, **_rules())
    return answer


@blueprint.post("/operator/leave")
def leave_operator_page() -> Response:
    """End the operator's session in this browser."""
    get_container().operator_access.close(cookies.given(COOKIE))
    answer = to("web.home")
    answer.delete_cookie(cookies.name_of(COOKIE), **_rules())
    return answer


def operator_name() -> str:
    """Return the name under which the present operator acts."""
    return get_container().operator_access.name(cookies.given(COOKIE)) or "operator"


def operators_only(view: Callable[_Given, Response]) -> Callable[_Given, Response]:
    """Show this view only to somebody with an operator's session."""

    @wraps(view)
    def guarded(*args: _Given.args, **options: _Given.kwargs) -> Response:
        if get_container().operator_access.is_open(cookies.given(COOKIE)):
            return view(*args, **options)
        return personal("operator/closed.html", HTTPStatus.UNAUTHORIZED)

    return guarded


def _rules() -> dict[str, Any]:
    return {**cookies.rules(), "samesite": "Strict"}


_MOST_SHOWN: Final = 100
"""The most dead letters, and the most failing addresses, in the lists."""
_MEGABYTE: Final = 2**20


@blueprint.get("/operator")
@operators_only
def operator() -> Response:
    """Show the whole state at a glance."""
    store, status = get_container(), server_status(get_container())
    concerned = {player for report in status.reports for player in (report.by, report.about)}
    concerned |= status.muted.keys()
    names = store.players.names(concerned)
    letters = []
    for dead in status.dead[:_MOST_SHOWN]:
        parts, at = parse_notice_id(dead.notice), timestamp(dead.at)
        what = f"{parts.transport} {parts.kind}"
        letters.append({"notice": dead.notice, "at": at, "what": what, "error": dead.error})
    return personal(
        "operator/page.html",
        found=status,
        dead=letters,
        failing=[
            (digest, timestamp(failure.at), failure)
            for digest, failure in sorted(status.failing.items(), key=lambda pair: -pair[1].at)
        ][:_MOST_SHOWN],
        late=[(one, timestamp(one.since)) for one in status.late],
        sizes=[
            (size.memory / _MEGABYTE, size.file / _MEGABYTE, size.keys) for size in status.sizes
        ],
        names={player: names.get(player) or "a former player" for player in concerned},
        now=store.now(),
    )


@blueprint.post("/operator/dead-letters")
@operators_only
def settle_dead_letters() -> Response:
    """Try a dead letter again, or discard it; or try all of them again."""
    store, what, named = get_container(), request.form.get("do"), request.form.get("notice")
    for dead in store.dead_letters.all():
        if what == "retry-all" or (what == "retry" and dead.notice == named):
            operating.retry(store, dead)
        elif what == "discard" and dead.notice == named:
            store.dead_letters.remove(dead.notice)
    return to("web.operator", _anchor="dead")


@blueprint.post("/operator/addresses")
@operators_only
def clear_address() -> Response:
    """Clear an address's failure, so that mail goes there again."""
    get_container().addresses.failing.clear_digest(request.form.get("address", ""))
    return to("web.operator", _anchor="addresses")


@blueprint.post("/operator/messages")
@operators_only
def settle_report() -> Response:
    """Settle a report: mute the writer, or dismiss it; or let a muted player write again."""
    moderation = get_container().games.conversations.moderation
    reports = {report.id: report for report in moderation.reports()}
    report = reports.get(request.form.get("report", ""))
    match request.form.get("do"):
        case "mute" if report is not None:
            moderation.mute(report.about)
            moderation.dismiss(report.id)
            _log("mute", report.about, f"report {report.id}")
        case "dismiss" if report is not None:
            moderation.dismiss(report.id)
            _log("dismiss a report", report.about, f"report {report.id}")
        case "unmute":
            moderation.unmute(request.form.get("player", ""))
            _log("unmute", request.form.get("player", ""), "")
    return to("web.operator", _anchor="reports")


def _log(act: str, player: str, reason: str) -> None:
    store = get_container()
    name = store.players.names([player]).get(player) or "a former player"
    operating.log(store, operator_name(), act, player, name, reason)


_MOST_ENTRIES = 50


@blueprint.get("/operator/players")
@operators_only
def operator_players() -> Response:
    """Show the newest accounts, or with `?name=` the accounts with this name."""
    store, name = get_container(), request.args.get("name", "").strip()
    if name:
        shown = [operating.shown(store, player) for player in store.players.named(name)]
    else:
        shown = operating.newest_players(store, _MOST_ENTRIES)
    return personal(
        "operator/players.html", shown=shown, name=name, most=_MOST_ENTRIES, now=store.now()
    )


@blueprint.get("/operator/players/<player_id>")
@operators_only
def operator_player(player_id: str) -> Response:
    """Show one account, and the operator's possible acts."""
    return _player_page(player_id)


@blueprint.post("/operator/players/<player_id>")
@operators_only
def operate(player_id: str) -> Response:
    """Carry out one of the operator's acts on this account."""
    store = get_container()
    player = store.players.find(player_id) or abort(404)
    what = next((one for one in operating.ACTS if one == request.form.get("do")), None)
    reason = request.form.get("reason", "").strip()
    if what is None or not reason:
        return _player_page(player_id, "Say why: the reason is logged.")
    try:
        name = checked(NewName, request.form["name"]) if what == "rename" else None
        operating.act(store, operator_name(), what, player, reason, name)
    except (ValidationError, RequestRejected) as error:
        return _player_page(player_id, fault(error))
    if what == "close":
        return to("web.operator_log")
    return to("web.operator_player", player_id=player_id)


@blueprint.get("/operator/log")
@operators_only
def operator_log() -> Response:
    """Show the operators' acts, the newest first; `?before=` continues with older ones."""
    entries = operating.entries(get_container(), request.args.get("before", "+"), _MOST_ENTRIES)
    following = entries[-1].id if len(entries) == _MOST_ENTRIES else None
    return personal("operator/log.html", entries=entries, following=following)


def _player_page(player_id: str, error: str | None = None) -> Response:
    store = get_container()
    player = store.players.find(player_id) or abort(404)
    return personal(
        "operator/player.html",
        shown=operating.shown(store, player),
        done=operating.entries_about(store, player_id),
        recovers=store.sign_in.reaches_by_mail(player),
        error=error,
        now=store.now(),
    )


@blueprint.get("/operator/games")
@operators_only
def find_operator_game() -> Response:
    """Redirect to the page of the game with this id or URL."""
    match = re.search(rf"(?<![a-z2-7]){GAME_ID}(?![a-z2-7])", request.args.get("game", ""))
    return to("web.operator_game", game_id=match[0] if match else abort(404))


@blueprint.get("/operator/games/<game_id>")
@operators_only
def operator_game(game_id: str) -> Response:
    """Show one game, and the form that removes it."""
    return _game_page(game_id)


@blueprint.post("/operator/games/<game_id>")
@operators_only
def remove_operator_game(game_id: str) -> Response:
    """Remove the game, if the form contains its id and a reason."""
    reason = request.form.get("reason", "").strip()
    words = plain_text(request.form.get("words", ""))[:LONGEST_WORDS]
    if request.form.get("typed", "").strip() != game_id:
        return _game_page(
            game_id, "Nothing was removed: what you typed is not the id of this game."
        )
    if not reason:
        return _game_page(game_id, "Say why: the reason is logged.")
    remove_game(get_container(), operator_name(), game_id, reason, words)
    return to("web.operator_log")


def _game_page(game_id: str, error: str | None = None) -> Response:
    shown = game_shown(get_container(), game_id) or abort(404)
    return personal("operator/game.html", shown=shown, error=error, longest=LONGEST_WORDS)

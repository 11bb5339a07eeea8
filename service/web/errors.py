"""Problems as pages, to browsers outside the API: what is wrong, and what the reader can do now.

A GET of a URL that takes forms is redirected to the page with the form: the page that reports a
refused form has the form's URL; a reader may reload that page, or return to it.
"""

from http import HTTPStatus
from typing import Final

from flask import Response, current_app, redirect, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from engine import RuleBroken
from service.api.parsing import PREFIX
from service.api.problems import MIMETYPE, PROBLEMS
from service.core.errors import RequestRejected
from service.core.words import N_
from service.web.blueprint import HEADERS, blueprint, partly_compressed
from service.web.language import in_english, reader_words, reason

_TYPES: Final = (MIMETYPE, "application/json", "text/html")
"""The media types offered; the first one if the client accepts anything."""
_TEMPLATES: Final = {404: "missing.html", 410: "gone.html", 429: "wait.html"}
"""Templates by status; for other statuses `error.html` shows the problem's own words."""
ADVICE: Final = {
    "seat-taken": N_("There may be other games in the lobby."),
    "invitation-expired": N_("Ask whoever invited you for another game, or look into the lobby."),
    "own-game": N_("Send the link to somebody else, or open the game in the lobby."),
    "already-joined": N_("You find the game in your list."),
    "game-removed": N_("Nothing of it is left here, and nobody won or lost it."),
    "game-over": N_("You find it among your finished games."),
    "no-offer": N_("Nothing was changed. Look at the game as it stands now."),
    "stale-version": N_("Nothing was done. Look at the game as it stands now."),
    "game-started": N_("You find it in your list of games."),
    "challenge-closed": N_("Nothing is left to answer. You can make a challenge of your own."),
    "not-challenged": N_("Look whether you are signed in as the right player."),
    "not-a-player": N_("Look whether you are signed in as the right player."),
    "already-asked": N_("Your list of games shows what is open between you."),
    "too-many-games": N_("Finish or cancel some of your games, and try again."),
    "unknown-opponent": N_("Start a new game with somebody else."),
    "address-not-verified": N_(
        "Open the link that was sent to your address, or send the invite link yourself."
    ),
    "idempotency-key-spent": N_("Go back to the front page and begin anew."),
}
"""What the reader can do now, by the code of the refusal."""


@blueprint.after_app_request
def _as_page(answer: Response) -> Response:
    if answer.mimetype != MIMETYPE or _of_the_api():
        return answer
    answer.vary.add("Accept")
    if request.accept_mimetypes.best_match(_TYPES) != "text/html":
        return answer
    problem = answer.get_json()
    template = _TEMPLATES.get(answer.status_code, "error.html")
    language = answer.content_language.to_header()
    del answer.headers["Content-Language"]  # that of the detail alone
    answer.set_data(render_template(template, problem=problem, language=language))
    answer.mimetype = "text/html"
    answer.headers.update(HEADERS)
    answer.headers["Cache-Control"] = "no-store"
    return partly_compressed(answer)


def _of_the_api() -> bool:
    return request.path.startswith(f"{PREFIX}/") or request.path == PREFIX


@blueprint.errorhandler(RequestRejected)
def refused(error: RequestRejected) -> tuple[str, int]:
    """Return the page for this refusal, and its status."""
    kind = PROBLEMS[error.code]
    if kind.status == HTTPStatus.NOT_FOUND:
        return render_template("missing.html"), kind.status
    if kind.status == HTTPStatus.TOO_MANY_REQUESTS:
        detail = reason(error)
        return render_template("wait.html", detail=detail), kind.status
    return _page(kind.title, error), kind.status


@blueprint.errorhandler(RuleBroken)
def rule_broken(error: RuleBroken) -> tuple[str, int]:
    """Return the page for an action that the rules forbid, and its status."""
    kind = PROBLEMS[error.code]
    return _page(kind.title, error), kind.status


def _page(title: str, refusal: RequestRejected | RuleBroken) -> str:
    words, advice, detail = reader_words(), ADVICE.get(refusal.code), reason(refusal)
    return render_template(
        "refused.html",
        title=words.say(title),
        detail=detail if detail != refusal.detail else in_english(detail),
        advice=words.say(advice) if advice else None,
    )


_READING: Final = ("GET", "HEAD")


@blueprint.after_app_request
def _lead_back(answer: Response) -> Response:
    if answer.status_code != HTTPStatus.METHOD_NOT_ALLOWED or request.method not in _READING:
        return answer
    page = _nearest_page(request.path)
    return answer if page is None else current_app.make_response(redirect(page, 303))


def _nearest_page(path: str) -> str | None:
    """Return the path of the nearest page above `path`, to which one of our forms is posted; None
    if no form of ours is, or no page is above it."""
    routes = current_app.create_url_adapter(request)
    if routes is None or not _is_ours(routes, path, "POST"):
        return None
    while path:
        path = path.rpartition("/")[0]
        if _is_ours(routes, path or "/", "GET"):
            return path or "/"
    return None


def _is_ours(routes: MapAdapter, path: str, method: str) -> bool:
    try:
        endpoint, _ = routes.match(path, method)
    except HTTPException:
        return False
    return str(endpoint).startswith(f"{blueprint.name}.")

"""Pages for refusals: the problem, and what the reader can do now."""

from http import HTTPStatus
from typing import Final

from flask import render_template

from engine import RuleBroken
from service.api.problems import PROBLEMS
from service.core.errors import RequestRejected
from service.web.blueprint import blueprint

ADVICE: Final = {
    "seat-taken": "Somebody was quicker. There may be other games in the lobby.",
    "invitation-expired": "Ask whoever invited you for another game, or look into the lobby.",
    "own-game": "Send the link to somebody else, or open the game in the lobby.",
    "already-joined": "You find the game in your list.",
    "game-removed": "Nothing of it is left here, and nobody won or lost it.",
    "game-over": "You find it among your finished games.",
    "no-offer": "Nothing was changed. Look at the game as it stands now.",
    "stale-version": "Nothing was done. Look at the game as it stands now.",
    "game-started": "You find it in your list of games.",
    "challenge-closed": "Nothing is left to answer. You can make a challenge of your own.",
    "not-challenged": "Look whether you are signed in as the right player.",
    "not-a-player": "Look whether you are signed in as the right player.",
    "already-asked": "Your list of games shows what is open between you.",
    "too-many-games": "Finish or call off some of your games, and try again.",
    "unknown-opponent": "Start a new game with somebody else.",
    "address-not-verified": "Open the link that was sent to your address, or send the invite"
    " link yourself.",
    "idempotency-key-spent": "Go back to the front page and begin anew.",
}
"""What the reader can do now, by the code of the refusal."""


@blueprint.errorhandler(RequestRejected)
def refused(error: RequestRejected) -> tuple[str, int]:
    """Return the page for this refusal, and its status."""
    kind = PROBLEMS[error.code]
    if kind.status == HTTPStatus.NOT_FOUND:
        return render_template("missing.html"), kind.status
    if kind.status == HTTPStatus.TOO_MANY_REQUESTS:
        return render_template("wait.html", detail=error.detail), kind.status
    return _page(kind.title, error.detail, error.code), kind.status


@blueprint.errorhandler(RuleBroken)
def rule_broken(error: RuleBroken) -> tuple[str, int]:
    """Return the page for an action that the rules forbid, and its status."""
    return _page(PROBLEMS[error.code].title, error.detail, error.code), PROBLEMS[error.code].status


def _page(title: str, detail: str, code: str) -> str:
    return render_template("refused.html", title=title, detail=detail, advice=ADVICE.get(code))

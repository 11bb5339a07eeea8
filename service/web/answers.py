"""Answers that several pages give."""

from typing import Any

from flask import Response, abort, make_response, redirect, render_template, url_for

from service.accounts.player import Player
from service.accounts.tokens import Access
from service.web import session


def personal(page: str, status: int = 200) -> Response:
    """A page for this reader alone, which nobody may keep."""
    answer = make_response(page, status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def gone(why: str | None = None) -> Response:
    """A link that was used, or came too late, or was never one."""
    return personal(render_template("gone.html", why=why), 410)


def to(endpoint: str, **values: Any) -> Response:
    """What follows a form: another page, which is asked for with GET."""
    return make_response(redirect(url_for(endpoint, **values), 303))


def saved(endpoint: str, part: str) -> Response:
    """Back to this part of a page, which then says that it was saved."""
    return to(endpoint, saved=part, _anchor=part)


def signed_in() -> str:
    """The id of the player who is signed in; whoever is not is led to where they can."""
    return signed_in_access().player


def signed_in_access() -> Access:
    """The same, as what the session gives."""
    access = session.current()
    if access is None:
        abort(_to_sign_in())
    return access


def signed_in_player() -> Player:
    """The same, as the player."""
    player = session.player()
    if player is None:
        abort(_to_sign_in())
    return player


def _to_sign_in() -> Response:
    return to("web.sign_in", why="ended" if session.text() else "needed")

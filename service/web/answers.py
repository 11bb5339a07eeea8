"""Answers that several pages give."""

from typing import Any

from flask import Response, make_response, redirect, render_template, url_for

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


def to_sign_in() -> Response:
    """The way to sign in, for a page that is for players."""
    return to("web.sign_in", why="ended" if session.text() else "needed")

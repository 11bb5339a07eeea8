"""Answers that several pages give."""

from flask import Response, make_response, render_template


def personal(page: str, status: int = 200) -> Response:
    """A page for this reader alone, which nobody may keep."""
    answer = make_response(page, status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def gone() -> Response:
    """A link that was used, or came too late, or was never one."""
    return personal(render_template("gone.html"), 410)

"""The OpenAPI document, a page that shows it, and the list of problems."""

from functools import cache

from flask import Blueprint, Response, render_template

from service.api import problems as problem
from service.api.openapi import document

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""The page loads nothing from other servers."""

blueprint = Blueprint(
    "docs",
    __name__,
    static_folder="static",
    static_url_path="/docs/static",
    template_folder="templates",
)


@blueprint.get("/openapi.yaml")
def openapi() -> Response:
    """The OpenAPI document."""
    return Response(_text(), mimetype="application/yaml")


@blueprint.get("/docs")
def docs() -> Response:
    """The document as a page, where operations can be tried."""
    return _page("docs.html")


@blueprint.get("/docs/problems")
def problems() -> Response:
    """The meaning of each `code`. The `type` of a problem links here."""
    return _page("problems.html")


def _page(template: str) -> Response:
    answer = Response(render_template(template, problems=problem.PROBLEMS), mimetype="text/html")
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


@cache
def _text() -> str:
    return document.text()

"""The OpenAPI document, and a page where its operations can be tried."""

from functools import cache

from flask import Blueprint, Response, render_template

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


@blueprint.get("/docs/console")
def console() -> Response:
    """The document as a page, where operations can be tried."""
    answer = Response(render_template("console.html"), mimetype="text/html")
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


@cache
def _text() -> str:
    return document.text()

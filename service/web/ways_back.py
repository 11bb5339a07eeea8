"""Redirects a GET of a URL that takes forms to the page with the form.

The page that reports a refused form has the form's URL; a reader may reload that page, or return to
it.
"""

from http import HTTPStatus
from typing import Final

from flask import Response, current_app, redirect, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from service.web.blueprint import blueprint

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

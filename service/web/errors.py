"""Shows problems as pages, to browsers outside the API."""

from typing import Final

from flask import Response, render_template, request

from service.api.paths import PREFIX
from service.api.problems import MIMETYPE
from service.web.blueprint import HEADERS, blueprint, partly_compressed

_TYPES: Final = (MIMETYPE, "application/json", "text/html")
"""The media types offered; the first one if the client accepts anything."""
_TEMPLATES: Final = {404: "missing.html", 410: "gone.html", 429: "wait.html"}
"""Templates by status; for other statuses `error.html` shows the problem's own words."""


@blueprint.after_app_request
def _as_page(answer: Response) -> Response:
    if answer.mimetype != MIMETYPE or _of_the_api():
        return answer
    answer.vary.add("Accept")
    if request.accept_mimetypes.best_match(_TYPES) != "text/html":
        return answer
    problem = answer.get_json()
    template = _TEMPLATES.get(answer.status_code, "error.html")
    answer.set_data(render_template(template, problem=problem))
    answer.mimetype = "text/html"
    answer.headers.update(HEADERS)
    answer.headers["Cache-Control"] = "no-store"
    return partly_compressed(answer)


def _of_the_api() -> bool:
    return request.path.startswith(f"{PREFIX}/") or request.path == PREFIX

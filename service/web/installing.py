"""This server as an app on a phone: the manifest, the icons, and a preview of its front page."""

from typing import Final

from flask import Response, abort, jsonify, url_for

from service.container import get_container
from service.text.drawing import moor
from service.web.blueprint import blueprint
from service.web.games.showcase import still
from service.web.language import reader_words

ICONS: Final = {
    "icon-180": (180, True),
    "icon-192": (192, False),
    "icon-512": (512, False),
    "maskable-512": (512, True),
}
"""Each icon's size in pixels, and whether it fills its whole square because the system cuts its
corners. iPhones take the first."""
CACHE_CONTROL: Final = "public, max-age=86400"
SKY: Final = "#eae1e6"


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the manifest that a browser reads to put this server on a home screen."""
    fields: dict[str, object] = {
        "id": "/",
        "name": "Scottenbury",
        "short_name": "Scottenbury",
        "description": reader_words().say("Schotten Totten, one move a day."),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": SKY,
        "theme_color": SKY,
        "icons": [
            {
                "src": url_for("web.icon", name=name),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": "maskable" if name.startswith("maskable") else "any",
            }
            for name, (size, _) in ICONS.items()
        ],
    }
    answer = jsonify(fields)
    answer.mimetype = "application/manifest+json"
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@blueprint.get("/icons/<name>.png")
def icon(name: str) -> Response:
    """Return an icon as PNG."""
    size, whole = ICONS.get(name) or abort(404)
    return png(moor.icon(size, whole=whole))


@blueprint.get("/preview.png")
def preview() -> Response:
    """Return the picture that chats show for a link to the front page."""
    words = reader_words()
    title, line = words.say("One move a day"), words.say("Nine stones, fifty-four cards, two clans")
    return png(moor.preview(words, title, (line,), still()))


def png(content: bytes) -> Response:
    """Return a PNG picture that browsers may cache for a day."""
    answer = Response(content, mimetype="image/png")
    answer.headers["Cache-Control"] = CACHE_CONTROL
    return answer


@blueprint.app_template_global()
def absolute(path: str) -> str:
    """Return the full URL of a path on this server."""
    return get_container().settings.base_url + path

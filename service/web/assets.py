"""Styles, scripts, fonts and pictures, under URLs that change with their content; and this server
as an app on a phone: the manifest, the icons, and a preview of its front page.

The URLs of styles and scripts contain the same digest, so that a script finds its neighbours by
relative URLs.
"""

import base64
import hashlib
import json
import re
import zlib
from functools import cache
from mimetypes import guess_type
from pathlib import Path
from typing import Final, NamedTuple

from flask import Response, abort, jsonify, request, url_for

from service.accounts import faces
from service.container import get_container
from service.core.words import ENGLISH_CODE
from service.text.drawing import moor
from service.text.drawing.cards import sprite, tactic_sprite
from service.web.blueprint import blueprint
from service.web.games.showcase import still
from service.web.language import reader_words

FOLDER: Final = Path(__file__).with_name("static")
ASSETS: Final = "/assets/"
"""The path below which all of them are."""
CARDS: Final = "cards.svg"
"""Drawn by `service.text.drawing`; there is no such file."""
FOR_EVER: Final = "public, max-age=31536000, immutable"

_GZIPPED: Final = ("text/", "image/svg")
_NOT_CODE: Final = re.compile(
    rb"^ *//[^\n]*\n|^ */\*\*.*?\*/\n|^ +| // [^\n]*$", re.DOTALL | re.MULTILINE
)
"""Comments and indentation, which are removed. None of our strings contains ` // ` or begins a
line."""
_LINE_END: Final = re.compile(rb"(?<=[;{,])\n+")
"""Line ends that mean nothing in code. No line within our strings ends like these."""

_DRAWING_COMMENT: Final = re.compile(rb"<!--.*?-->\n?", re.DOTALL)
_STYLE_COMMENT: Final = re.compile(rb"/\*.*?\*/", re.DOTALL)
_NOT_STYLE: Final = re.compile(rb";?\s*(\})\s*|\s*([{;~]|[<>]=?|!(?=important))\s*|(?<=[:,])\s+")
"""Spaces and semicolons that mean nothing. None of our strings contains one of these signs before a
space."""

_FONT: Final = re.compile(rb"(?<=url\()[\w/-]+\.woff2")


class Asset(NamedTuple):
    """A file as it is sent; `gzipped` is None if compressing saves nothing."""

    mimetype: str
    content: bytes
    gzipped: bytes | None


@blueprint.get(f"{ASSETS}<digest>/<path:filename>", endpoint="static")
def asset(digest: str, filename: str) -> Response:
    """Return a file. Caches may store it for ever under its present URL; an old URL returns the new
    file."""
    file = _assets().get(filename) or abort(404)
    answer = Response(file.content, mimetype=file.mimetype)
    if file.gzipped is not None:
        answer.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"]:
            answer.set_data(file.gzipped)
            answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Cache-Control"] = FOR_EVER if digest == current_digest() else "no-cache"
    return answer


@cache
def current_digest() -> str:
    """Return the digest of all files together, which is part of their URLs."""
    digest = hashlib.sha256()
    for name, file in _assets().items():
        digest.update(f"{name}\0{len(file.content)}\0".encode() + file.content)
    return digest.hexdigest()[:8]


@blueprint.app_url_defaults
def _add_digest(endpoint: str, values: dict[str, object]) -> None:
    if endpoint == "web.static":
        values.setdefault("digest", current_digest())


@blueprint.app_template_global()
def tactic_cards() -> str:
    """Return the file of the Tactic cards, whose faces have their names on them."""
    return _tactic_cards(reader_words().language)


def _tactic_cards(language: str) -> str:
    return f"tactic-cards/{language}.svg"


@cache
def _assets() -> dict[str, Asset]:
    files = sorted(path for path in FOLDER.rglob("*") if path.is_file())
    contents = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in files}
    contents[CARDS] = sprite().replace("\n</svg>", f"\n{faces.symbols()}\n</svg>").encode()
    languages = get_container().languages
    for language, messages in languages.scripts.items():
        contents[f"words/{language}.js"] = f"export default {json.dumps(messages)};\n".encode()
    for language in (ENGLISH_CODE, *languages.scripts):
        contents[_tactic_cards(language)] = tactic_sprite(languages.words(language)).encode()
    return {name: _packed(name, contents[name]) for name in sorted(contents)}


def _packed(name: str, content: bytes) -> Asset:
    mimetype = guess_type(name)[0] or "text/plain"
    if mimetype == "text/css":
        content = _FONT.sub(_embedded, content)
        content = _NOT_STYLE.sub(rb"\1\2", _STYLE_COMMENT.sub(b"", content))
    elif mimetype == "text/javascript" and "vendor/" not in name:
        content = _LINE_END.sub(b"", _NOT_CODE.sub(b"", content))
    elif mimetype == "image/svg+xml":
        content = _DRAWING_COMMENT.sub(b"", content)
    gzipped = _compressed(content) if mimetype.startswith(_GZIPPED) else None
    return Asset(mimetype, content, gzipped)


def _compressed(content: bytes) -> bytes:
    """Return the smallest gzip that zlib makes: with less memory its blocks are shorter."""
    made = []
    for memory in range(5, 10):
        compressor = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS, memory)
        made.append(compressor.compress(content) + compressor.flush())
    return min(made, key=len)


def _embedded(font: re.Match[bytes]) -> bytes:
    """Return a font as a `data:` URL. Fonts in a style sheet are there at the first paint; others
    may come after it, and then text moves, or has the device's font until the page is reloaded."""
    content = (FOLDER / font[0].decode()).read_bytes()
    return b"data:font/woff2;base64," + base64.b64encode(content)


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

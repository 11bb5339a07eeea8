"""The blueprint of all pages, and their common headers."""

import re
import zlib
from http import HTTPStatus
from struct import pack
from typing import Final

from flask import Blueprint, Response, render_template, request
from flask.blueprints import BlueprintSetupState
from jinja2.ext import Extension
from werkzeug.exceptions import Forbidden, NotFound, TooManyRequests

from service.web import cookies, trusted_header

# Links here are keys to what they show: no other site is told of them.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; font-src data:; object-src 'none'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

ASSETS = ("web.static", "web.icon")
MAIL = ("web.mailbox", "web.mail", "web.mail_html")
"""Endpoints that show mails, which contain links that sign in."""

blueprint = Blueprint("web", __name__, template_folder="templates")


_PRINTS_NOTHING: Final = re.compile(
    r"^((?:\{%(?:(?!%\}).)*%\}|\{#(?:(?!#\}).)*#\})+)\n", re.MULTILINE
)
"""A line of a template with nothing but statements and comments."""


class Unindented(Extension):
    """Removes the indentation of templates, and the line ends of lines that print nothing: a tenth
    of the bytes of a game's page."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the template without indentation. No template may contain text in `<pre>` or
        `<textarea>`."""
        lines = re.sub(r"^\s+", "", source, flags=re.MULTILINE)
        return _PRINTS_NOTHING.sub(r"\1", lines)


@blueprint.record_once
def _leave_out_indents(state: BlueprintSetupState) -> None:
    state.app.jinja_env.add_extension(Unindented)


@blueprint.after_request
def _with_headers(response: Response) -> Response:
    if request.endpoint in ASSETS and response.status_code < HTTPStatus.BAD_REQUEST:
        return response  # these headers are for documents; a first visit asks for twenty assets
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.vary.add("Cookie")
    if response.status_code >= HTTPStatus.BAD_REQUEST or _is_personal():
        response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.after_request
def partly_compressed(response: Response) -> Response:
    """Gzip what stands between `<!--open-->` and `<!--/open-->`, and send the rest as it is.

    A template marks what holds neither secrets of its reader (hands, drawn cards, tokens of forms)
    nor words that others chose, names aside. Each part is packed by itself, so its length tells
    nothing of another (BREACH). The query may name nothing that a part would show.
    """
    if response.mimetype != "text/html" or response.is_streamed or response.content_encoding:
        return response
    parts = re.split(rb"<!--/?open-->\n?", response.get_data())
    page = b"".join(parts)
    response.set_data(page)
    if len(parts) == 1:
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings.quality("gzip") and request.args.keys() <= {"at", "log"}:
        blocks = b"".join(_block(part, level=9 * (at % 2)) for at, part in enumerate(parts))
        end = b"\x03\0" + pack("<LL", zlib.crc32(page), len(page))
        response.set_data(b"\x1f\x8b\x08" + bytes(7) + blocks + end)
        response.headers["Content-Encoding"] = "gzip"
    return response


def _block(part: bytes, level: int) -> bytes:
    """Return a part as blocks of a gzip file that refer to no other part; level 0 only stores."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH)


@blueprint.app_template_global()
def signed_in() -> bool:
    """Whether this browser, or the proxy in front of us, claims that somebody is signed in.

    This needs no access to the store.
    """
    return trusted_header.is_given() or bool(cookies.given(cookies.SESSION))


def _is_personal() -> bool:
    """Whether only this reader may see the page: they are signed in, or came with an invite, or it
    shows mail."""
    return signed_in() or "invite" in request.args or request.endpoint in MAIL


@blueprint.errorhandler(TooManyRequests)
def _too_many(error: TooManyRequests) -> tuple[str, int]:
    return render_template("wait.html"), 429


@blueprint.errorhandler(Forbidden)
def _foreign(error: Forbidden) -> tuple[str, int]:
    return render_template("foreign.html"), 403


@blueprint.errorhandler(NotFound)
def _missing(error: Exception) -> tuple[str, int]:
    return render_template("missing.html"), 404

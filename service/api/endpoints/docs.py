"""The OpenAPI document, and a page where its operations can be tried."""

import gzip
import subprocess
import sys
from functools import cache
from typing import Final, NamedTuple

from flask import Blueprint, Response, render_template, request

from service.api.openapi import FILE
from service.core import ids

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""The page loads nothing from other servers."""

_AS_JSON: Final = FILE.with_name("as_json.py")

blueprint = Blueprint(
    "docs",
    __name__,
    static_folder="static",
    static_url_path="/docs/static",
    template_folder="templates",
)


class Packed(NamedTuple):
    """A file as it is sent: compressed, with a name that follows from its content."""

    content: bytes
    tag: str


@cache
def _packed(mimetype: str) -> Packed:
    """The document in this media type: made on first use, as to make it takes 0.3 s."""
    if mimetype == "application/json":
        command = [sys.executable, "-P", str(_AS_JSON)]
        text = subprocess.run(command, capture_output=True, check=True).stdout
    else:
        text = FILE.read_bytes()
    return Packed(gzip.compress(text, mtime=0), ids.digest(text.decode()))


@blueprint.get("/openapi.yaml", defaults={"mimetype": "application/yaml"})
@blueprint.get("/openapi.json", defaults={"mimetype": "application/json"})
def openapi(mimetype: str) -> Response:
    """The OpenAPI document."""
    content, tag = _packed(mimetype)
    if request.accept_encodings.quality("gzip"):
        answer = Response(content, mimetype=mimetype, headers={"Content-Encoding": "gzip"})
        answer.set_etag(f"{tag}-gzip")
    else:
        answer = Response(gzip.decompress(content), mimetype=mimetype)
        answer.set_etag(tag)
    answer.headers["Cache-Control"] = "no-cache"
    answer.vary.add("Accept-Encoding")
    answer.make_conditional(request)
    return answer


@blueprint.get("/docs/console")
def console() -> Response:
    """The document as a page, where operations can be tried."""
    answer = Response(render_template("console.html"), mimetype="text/html")
    answer.headers["Content-Security-Policy"] = POLICY
    return answer

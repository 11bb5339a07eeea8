"""Routes to the documents. Each document is read and rendered once per process, at its first
request."""

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import yaml
from flask import Blueprint, Response, abort, render_template
from markupsafe import Markup

from service.api import BLUEPRINTS
from service.api.openapi import FILE, reference
from service.api.problems import PROBLEMS
from service.api.schemas.outputs import ProblemShape
from service.container import get_container
from service.core.errors import MEMBERS
from service.core.shapes import words
from service.web.blueprint import HEADERS, partly_compressed
from service.web.reference.rules import to_html

_SOURCE: Final = Path(__file__).with_name("source")
_EXAMPLE: Final = "http://127.0.0.1:8080"
_OPERATORS: Final = "\n## For operators"
"""The heading at which a guide ends for players and programs."""

PROGRAMS: Final = {
    "quick-start": "Quick start",
    "write-a-bot": "Write a bot",
    "playing": "Playing by the API",
    "client": "Python client",
    "events": "Events and streams",
    "clock": "The clock",
    "webhooks": "Webhooks",
    "channels": "Channels",
    "verify": "Verify a record",
    "study": "Games to study",
    "limits": "Limits and retries",
    "changes": "Changes",
    "problems": "Problems",
}
"""The pages under `/docs`, with their titles in the menu."""
PLAYERS: Final = {
    "how-to-play": "How to play",
    "inviting": "Invitations",
    "notifications": "Turn alerts",
    "mail": "Playing by mail",
    "clocks": "Clocks and pauses",
    "privacy": "Privacy",
    "fair-play": "Fair dealing",
    "ratings": "Ratings",
}
"""The pages under `/help`, with their titles in the menu."""

_ELSEWHERE: Final = {
    "../openapi.yaml": "/openapi.yaml",
    "../engine/rules.md": "/rules",
    "../service/web/reference/lessons.py": "/learn/1",
    "../service/web/reference/puzzles.py": "/puzzles",
    "../service/web/games/daily.py": "/daily",
    "../service/api/openapi/guide.md": "/docs/playing",
    "programs.md": "/docs",
    "help.md": "/help",
    **{f"{name}.md": f"/docs/{name}" for name in PROGRAMS},
    **{f"{name}.md": f"/help/{name}" for name in PLAYERS},
}
"""The paths on this server to which links in the source files lead."""
_CODE: Final = re.compile(r"^### `([a-z-]+)`$", re.MULTILINE)
_REPEAT: Final[dict[int | str, str]] = {
    **dict.fromkeys((408, "body-incomplete"), "repeat it as it is"),
    412: "read the game again first",
    **dict.fromkeys((429, 503), "repeat it after `Retry-After`"),
    500: "repeat it later",
}
"""Advice on repeating a request that failed with this status or code. Others may not be repeated.
"""

blueprint = Blueprint("guides", __name__)


class Document(NamedTuple):
    """A document as HTML; `parts` are the anchors and titles of its sections."""

    title: str
    text: Markup
    parts: list[tuple[str, Markup]]


@blueprint.after_request
def _with_headers(answer: Response) -> Response:
    answer.headers.update(HEADERS)
    answer.vary.add("Cookie")
    return partly_compressed(answer)


@blueprint.get("/docs", defaults={"name": "programs"})
@blueprint.get("/docs/<name>")
def programs(name: str) -> str:
    """Show a page for authors of programs."""
    return _shown(_here(name) if name in PROGRAMS or name == "programs" else abort(404), name)


@blueprint.get("/docs/api/<name>")
def operations(name: str) -> str:
    """Show the operations of a tag."""
    return _shown(_operations().get(name) or abort(404), name)


@blueprint.get("/help", defaults={"name": "help"})
@blueprint.get("/help/<name>")
def players(name: str) -> str:
    """Show a guide for players."""
    return _shown(_here(name) if name in PLAYERS or name == "help" else abort(404), name)


def _shown(page: Document, name: str) -> str:
    # `waiting` keeps the number of games out of the title, which would take the store.
    return render_template(
        "docs.html",
        page=page,
        name=name,
        programs=PROGRAMS,
        players=PLAYERS,
        tags=_tags(),
        waiting=0,
    )


def _tags() -> dict[str, str]:
    described = {each.name: each.description for each in BLUEPRINTS}
    return {tag: described[tag] for tag in (*reference.FIRST, *described)}


def _here(name: str) -> Document:
    return _document(name, get_container().settings.base_url)


@cache
def _document(name: str, site: str) -> Document:
    """Return the document; its examples use this server's base URL, `site`."""
    source = FILE.with_name("guide.md") if name == "playing" else _SOURCE / f"{name}.md"
    text = source.read_text(encoding="utf-8").partition(_OPERATORS)[0]
    text = text.replace(_EXAMPLE, site.rstrip("/"))
    if name == "playing":
        text = f"# {PROGRAMS[name]}\n\n" + text.replace("\n# ", "\n## ")
    return _page(_CODE.sub(_problem, text) if name == "problems" else text)


@cache
def _operations() -> dict[str, Document]:
    tags = _tags()
    pages = reference.pages(yaml.load(FILE.read_bytes(), yaml.CSafeLoader))
    return {tag: _page(f"# {tags[tag]}\n\n{text}") for tag, text in pages.items()}


def _page(text: str) -> Document:
    heading, _, body = to_html(text, _address).partition("</h1>")
    parts = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', body)
    return Document(
        Markup(heading).striptags(), Markup(body), [(at, Markup(each)) for at, each in parts]
    )


def _address(link: str) -> str | None:
    path, mark, part = link.partition("#")
    if not path or path.startswith(("/", "https://")):
        return link
    return _ELSEWHERE[path] + mark + part if path in _ELSEWHERE else None


def _problem(heading: re.Match[str]) -> str:
    """Return the description of a problem code, from the table of problems and the schema."""
    code = heading[1]
    status, title = PROBLEMS[code]
    described = words(ProblemShape)
    members = [f"- `{name}`: {described[name]}" for name in sorted(MEMBERS.get(code, ()))]
    repeat = _REPEAT.get(code) or _REPEAT.get(status, "do not repeat it")
    return "\n\n".join((heading[0], f"**{title}.** {status}: {repeat}.", "\n".join(members)))

"""Documents as pages: documents for programs under `/docs`, guides for players under `/help`.

`source` is the folder `docs` of the repository, so both show the same text. Each document is read
and rendered once per process and language, at its first request. Players read theirs in their
language; documents for programs are in English.
"""

import re
from functools import cache
from posixpath import normpath
from typing import Final, NamedTuple

import yaml
from flask import Blueprint, Response, abort, render_template, request
from markupsafe import Markup

from service.api import BLUEPRINTS
from service.api.openapi import FILE, reference
from service.api.problems import PROBLEMS
from service.api.schemas.outputs import ProblemShape
from service.container import get_container
from service.core.errors import MEMBERS
from service.core.shapes import words
from service.core.words import ENGLISH_CODE, N_
from service.web.blueprint import HEADERS, partly_compressed, signed_in
from service.web.documents import DOCS, for_players, to_html
from service.web.language import reader_words

_EXAMPLE: Final = "http://127.0.0.1:8080"

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
    "how-to-play": N_("How to play"),
    "inviting": N_("Invitations"),
    "notifications": N_("Turn alerts"),
    "mail": N_("Playing by mail"),
    "clocks": N_("Clocks and pauses"),
    "privacy": N_("Privacy"),
    "fair-play": N_("Fair dealing"),
    "ratings": N_("Ratings"),
    "seasons": N_("Seasons"),
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
    "rules.md": "/rules",
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


class RenderedDocument(NamedTuple):
    """A document as HTML; `parts` are the anchors and titles of its sections."""

    language: str
    title: str
    text: Markup
    parts: list[tuple[str, Markup]]


@blueprint.after_request
def _with_headers(answer: Response) -> Response:
    answer.headers.update(HEADERS)
    if signed_in():
        answer.headers["Cache-Control"] = "no-store"
    answer.vary.update(("Cookie", "Accept-Language"))
    return partly_compressed(answer)


@blueprint.get("/docs", defaults={"name": "programs"})
@blueprint.get("/docs/<name>")
def programs(name: str) -> str:
    """Show a page for authors of programs."""
    known = name in PROGRAMS or name == "programs"
    return _shown(_here(name, ENGLISH_CODE) if known else abort(404), name)


@blueprint.get("/docs/api/<name>")
def operations(name: str) -> str:
    """Show the operations of a tag."""
    return _shown(_operations().get(name) or abort(404), name)


@blueprint.get("/help", defaults={"name": "help"})
@blueprint.get("/help/<name>")
def players(name: str) -> str:
    """Show a guide for players."""
    known = name in PLAYERS or name == "help"
    return _shown(_here(name, reader_words().language) if known else abort(404), name)


def _shown(page: RenderedDocument, name: str) -> str:
    # To tell how much waits takes the store, which what authors of programs read can do without.
    return render_template(
        "docs.html",
        page=page,
        name=name,
        programs=PROGRAMS,
        players=PLAYERS,
        tags=_tags(),
        **({} if request.path.startswith("/help") else {"waiting": 0}),
    )


def _tags() -> dict[str, str]:
    described = {each.name: each.description for each in BLUEPRINTS}
    return {tag: described[tag] for tag in (*reference.FIRST, *described)}


def _here(name: str, language: str) -> RenderedDocument:
    return _document(name, language, get_container().settings.base_url)


@cache
def _document(name: str, language: str, site: str) -> RenderedDocument:
    """Return the document; its examples use this server's base URL, `site`."""
    source = FILE.with_name("guide.md") if name == "playing" else DOCS / f"{name}.md"
    language, text, original = for_players(source, language)
    text = text.replace(_EXAMPLE, site.rstrip("/"))
    if name == "playing":
        text = f"# {PROGRAMS[name]}\n\n" + text.replace("\n# ", "\n## ")
    if name == "problems":
        text = _CODE.sub(_problem, text)
    return _page(text, language, original, folds=name in PLAYERS)


@cache
def _operations() -> dict[str, RenderedDocument]:
    tags = _tags()
    pages = reference.pages(yaml.load(FILE.read_bytes(), yaml.CSafeLoader))
    return {tag: _page(f"# {tags[tag]}\n\n{text}") for tag, text in pages.items()}


def _page(
    text: str, language: str = ENGLISH_CODE, original: str = "", *, folds: bool = False
) -> RenderedDocument:
    html = to_html(text, lambda link: _address(link, language), original, folds=folds)
    heading, _, body = html.partition("</h1>")
    parts = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', body)
    title = Markup(heading).striptags()
    return RenderedDocument(
        language, title, Markup(body), [(at, Markup(each)) for at, each in parts]
    )


def _address(link: str, language: str) -> str | None:
    path, mark, part = link.partition("#")
    if not path or path.startswith(("/", "https://")):
        return link
    if language != ENGLISH_CODE:  # it stands one folder deeper, beside the others in its language
        path = normpath(f"{language}/{path}").removeprefix(f"{language}/")
    return _ELSEWHERE[path] + mark + part if path in _ELSEWHERE else None


def _problem(heading: re.Match[str]) -> str:
    """Return the description of a problem code, from the table of problems and the schema."""
    code = heading[1]
    status, title = PROBLEMS[code]
    described = words(ProblemShape)
    members = [f"- `{name}`: {described[name]}" for name in sorted(MEMBERS.get(code, ()))]
    repeat = _REPEAT.get(code) or _REPEAT.get(status, "do not repeat it")
    return "\n\n".join((heading[0], f"**{title}.** {status}: {repeat}.", "\n".join(members)))

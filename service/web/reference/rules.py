"""The rules of play, with an anchor for each ruling: refusals lead here."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from flask import render_template
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

import engine
from service.web.blueprint import blueprint
from service.web.reference.judge import worked_examples

_SOURCE: Final = Path(engine.__file__).with_name("rules.md")
_SOURCES: Final = '<h2 id="from-rulebook-to-ruling-to-test">From rulebook to ruling to test</h2>'
"""The heading of what is for those who check the rulings."""


@blueprint.get("/rules")
def rules() -> str:
    """The rulings, by number."""
    # The page has a title and an introduction of its own.
    _, _, text = _rendered().partition("</h1>")
    rulings, _, sources = text.partition(_SOURCES)
    return render_template(
        "rules.html",
        rulings=Markup(rulings),
        sources=Markup(sources),
        examples=worked_examples(),
    )


@cache
def _rendered() -> Markup:
    # No HTML of the source comes through: whatever is not Markdown is escaped.
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("text", _text)
    tokens = reader.parse(_SOURCE.read_text(encoding="utf-8"))
    for token, content in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(content.content))
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # on a phone it is scrolled, by keys too
    return Markup(reader.renderer.render(tokens, reader.options, {}))


def _anchor(title: str) -> str:
    """As the usual viewers of Markdown name it: `ruling-14`."""
    return "-".join(title.lower().split())


def _text(renderer: object, tokens: list[Token], place: int, *args: object) -> str:
    """A text, in which `<br>` breaks a line, as tables need it."""
    return str(escape(tokens[place].content)).replace("&lt;br&gt;", "<br>")

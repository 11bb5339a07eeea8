"""The rules of play, with an anchor for each ruling: refusals link here. Also this project's
Markdown as HTML. HTML in the source is escaped.
"""

import re
from collections.abc import Callable, Iterator
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
from service.web.language import reader_words
from service.web.reference.judge import worked_examples


def to_html(text: str, address: Callable[[str], str | None]) -> Markup:
    """Return the text as HTML; its headings have the anchors that Markdown viewers usually give.

    `address` returns a link's target on this server; if it returns None, only the words of the link
    are left.
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("text", _text)
    tokens = reader.parse(text)
    for token, content in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(content.content))
        if token.type in ("table_open", "fence", "code_block"):
            token.attrSet("tabindex", "0")  # on a phone it is scrolled, by keys too
    for token in tokens:
        if token.children:
            token.children = list(_with_links(token.children, address))
    return Markup(reader.renderer.render(tokens, reader.options, {}))


def anchor(title: str) -> str:
    """Return the anchor of a heading: `ruling-14`."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _with_links(tokens: list[Token], address: Callable[[str], str | None]) -> Iterator[Token]:
    leads = True
    for token in tokens:
        if token.type == "link_open":
            target = address(str(token.attrs["href"]))
            leads = target is not None
            token.attrs["href"] = target or ""
        if leads or token.type not in ("link_open", "link_close"):
            yield token


def _text(renderer: object, tokens: list[Token], place: int, *args: object) -> str:
    """Return a text as HTML in which `<br>` breaks a line, as tables need it."""
    return str(escape(tokens[place].content)).replace("&lt;br&gt;", "<br>")


_SOURCE: Final = Path(engine.__file__).with_name("rules.md")
_SOURCES: Final = '<h2 id="from-rulebook-to-ruling-to-test">From rulebook to ruling to test</h2>'
"""The heading of the part for people who check the rulings."""


@blueprint.get("/rules")
def rules() -> str:
    """Show the rulings, by number."""
    # The page has a title and an introduction of its own.
    _, _, text = _rendered().partition("</h1>")
    rulings, _, sources = text.partition(_SOURCES)
    return render_template(
        "rules.html",
        rulings=Markup(rulings),
        sources=Markup(sources),
        examples=worked_examples(reader_words()),
    )


@cache
def _rendered() -> Markup:
    return to_html(_SOURCE.read_text(encoding="utf-8"), lambda link: link)

"""This project's documents: their Markdown as HTML, in English and as they were translated. The
rules of play have an anchor for each ruling, to which refusals link.

The translation of `docs/mail.md` into French is `docs/fr/mail.md`, that of the rules
`docs/fr/rules.md`. It has what its original has for players: nothing for operators or for those who
check the rulings.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from flask import render_template
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

import engine
from service.core.words import ENGLISH_CODE
from service.web.blueprint import blueprint
from service.web.language import reader_words
from service.web.reference.judge import worked_examples

DOCS: Final = Path(__file__).parent / "docs" / "source"
"""The folder `docs` of the repository."""
END: Final = re.compile(r"\n## (For operators|From rulebook to ruling to test).*", re.DOTALL)
"""What of a document is not for players: from one of these headings on."""
_Address = Callable[[str], str | None]


class Document(NamedTuple):
    """What players read of a document, in this language; `original` is what a translation is of."""

    language: str
    text: str
    original: str = ""


def for_players(original: Path, language: str) -> Document:
    """Return a document in this language, or else in English."""
    english = END.sub("", original.read_text(encoding="utf-8"))
    translation = DOCS / language / original.name
    if not translation.exists():
        return Document(ENGLISH_CODE, english)
    # The first line says of which original it is the translation.
    _, _, text = translation.read_text(encoding="utf-8").partition("-->\n")
    return Document(language, text, english)


def to_html(text: str, address: _Address, original: str = "", *, folds: bool = False) -> Markup:
    """Return the text as HTML; its headings have the anchors that Markdown viewers usually give, or
    those of its original, so that a link leads to the same place in each language. `folds`: parts
    of the third level are closed until they are opened.

    `address` returns a link's target on this server; if it returns None, only the words of the link
    are left.
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("text", _text)
    tokens = reader.parse(text)
    titled = _headings(reader.parse(original) if original else tokens)
    for (token, _), (_, title) in zip(_headings(tokens), titled, strict=True):
        token.attrSet("id", anchor(title.content))
    for token in tokens:
        if token.type in ("table_open", "fence", "code_block"):
            token.attrSet("tabindex", "0")  # on a phone it is scrolled, by keys too
        if token.children:
            token.children = list(_with_links(token.children, address))
    shown = list(_folded(tokens)) if folds else tokens
    return Markup(reader.renderer.render(shown, reader.options, {}))


def _folded(tokens: list[Token]) -> Iterator[Token]:
    """Put each part of the third level into an element that opens."""
    is_open = False
    for token in tokens:
        if token.type == "heading_open" and is_open:
            yield _markup("</details>")
            is_open = False
        folds = token.tag == "h3"
        if folds and token.type == "heading_open":
            yield _markup("<details><summary>")
        yield token
        if folds and token.type == "heading_close":
            yield _markup("</summary>")
            is_open = True
    if is_open:
        yield _markup("</details>")


def _markup(text: str) -> Token:
    return Token("html_block", "", 0, content=text)


def anchor(title: str) -> str:
    """Return the anchor of a heading: `ruling-14`."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _headings(tokens: list[Token]) -> list[tuple[Token, Token]]:
    """Return where each heading opens, with its content."""
    return [(token, content) for token, content in pairwise(tokens) if token.type == "heading_open"]


def _with_links(tokens: list[Token], address: _Address) -> Iterator[Token]:
    leads = True
    for token in tokens:
        if token.type == "link_open":
            target = address(str(token.attrs["href"]))
            leads = target is not None
            token.attrs["href"] = target or ""
        if leads or token.type not in ("link_open", "link_close"):
            yield token


def _text(renderer: object, tokens: list[Token], place: int, *args: object) -> str:
    """Return a text as HTML in which `<br>` breaks a line, as tables need it, and no line begins
    with a separating dot."""
    text = str(escape(tokens[place].content)).replace("&lt;br&gt;", "<br>")
    return text.replace(" · ", "&nbsp;· ")


SOURCE: Final = Path(engine.__file__).with_name("rules.md")


@blueprint.get("/rules")
def rules() -> str:
    """Show the rulings, by number."""
    words = reader_words()
    language, rulings = _rulings(words.language)
    return render_template(
        "rules.html",
        language=language,
        rulings=rulings,
        sources=_sources(),
        examples=worked_examples(words),
    )


@cache
def _rulings(language: str) -> tuple[str, Markup]:
    """Return the rulings and the language they are in."""
    rules = for_players(SOURCE, language)
    text = to_html(rules.text, lambda link: link, rules.original)
    # The page has a title and an introduction of its own.
    return rules.language, Markup(text.partition("</h1>")[2])


@cache
def _sources() -> Markup:
    """Return what is for those who check the rulings, in English."""
    text = SOURCE.read_text(encoding="utf-8")
    others = text.removeprefix(for_players(SOURCE, ENGLISH_CODE).text)
    return Markup(to_html(others, lambda link: link).partition("</h2>")[2])

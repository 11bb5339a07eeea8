"""The rules of play, with an anchor for each ruling: refusals link here."""

from functools import cache
from pathlib import Path
from typing import Final

from flask import render_template
from markupsafe import Markup

import engine
from service.web.blueprint import blueprint
from service.web.reference.judge import worked_examples
from service.web.reference.markdown import to_html

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
        examples=worked_examples(),
    )


@cache
def _rendered() -> Markup:
    return to_html(_SOURCE.read_text(encoding="utf-8"), lambda link: link)

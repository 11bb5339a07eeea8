"""The rules of play, with an anchor for each ruling: refusals link here."""

from functools import cache
from pathlib import Path
from typing import Final

from flask import render_template
from markupsafe import Markup

import engine
from service.core.words import ENGLISH_CODE
from service.web.blueprint import blueprint
from service.web.documents import for_players, to_html
from service.web.language import reader_words
from service.web.reference.judge import worked_examples

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

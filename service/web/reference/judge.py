"""The judge: the engine's verdict on any two sides of a Stone."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from flask import render_template, request
from werkzeug.datastructures import MultiDict

from engine.cards import ALL_CLAN, bits, read_card
from engine.judge_io import InvalidSituation, verdict_on
from service.text.claim_words import ClaimState, because, claim_state
from service.web.blueprint import blueprint

MODES: Final = ("BMB", "MUD")
FIRST: Final = {"": "nobody yet, or it does not matter", "mine": "you", "theirs": "your opponent"}
MOST: Final = 60
"""The most cards read from a field: more than a game has."""
EXAMPLES: Final = (
    ("A colour run that one card could still beat", "mine=R4+R5+R6&theirs=G8+G9"),
    ("The same, when that card lies elsewhere", "mine=R4+R5+R6&theirs=G8+G9&seen=G7"),
    ("Equal formations: who was complete first", "mine=R4+R5+R6&theirs=G4+G5+G6&first=mine"),
    ("A Joker takes the value that serves best", "mine=JOK+B8+B9&theirs=Y9+Y8"),
    ("In Mud Fight a side has four cards", "mine=P1+P2+P3+P4&theirs=O5+R5+G5&modes=MUD"),
)


class WorkedExample(NamedTuple):
    """An example, with the engine's verdict. `query` opens it on the judge's page."""

    title: str
    query: str
    mine: list[str]
    theirs: list[str]
    answer: ClaimState


@cache
def worked_examples() -> list[WorkedExample]:
    """Return the examples with their verdicts."""
    examples = []
    for title, query in EXAMPLES:
        asked = MultiDict(parse_qsl(query))
        mine, theirs = _codes(asked["mine"]), _codes(asked["theirs"])
        answer = _judged(_fields(asked), asked.getlist("modes"))
        examples.append(WorkedExample(title, query, mine, theirs, answer))
    return examples


@blueprint.get("/judge")
def judge_claim() -> tuple[str, int]:
    """Show the claim in the URL, and the engine's verdict."""
    asked = _fields(request.args)
    modes = [mode for mode in MODES if mode in request.args.getlist("modes")]
    judged, error = None, ""
    if asked["mine"] or asked["theirs"]:
        try:
            judged = _judged(asked, modes)
        except InvalidSituation as invalid:
            error = invalid.detail
    page = render_template(
        "judge.html",
        asked=asked,
        modes=modes,
        judged=judged,
        error=error,
        first=FIRST,
        examples=EXAMPLES,
    )
    return page, 422 if error else 200


def _fields(given: MultiDict[str, str]) -> dict[str, str]:
    return {field: given.get(field, "") for field in ("mine", "theirs", "seen", "first")}


def _judged(asked: dict[str, str], modes: Sequence[str]) -> ClaimState:
    sides = {field: _codes(asked[field]) for field in ("mine", "theirs", "seen")}
    verdict = verdict_on({**sides, "first": asked["first"] or None, "modes": list(modes)})
    mine, theirs, seen = ([read_card(card) or "" for card in cards] for cards in sides.values())
    unseen = ALL_CLAN & ~bits([*mine, *theirs, *seen])
    places = dict.fromkeys(mine, "on your side")
    return claim_state(verdict, because(verdict, tuple(theirs), unseen, tuple(modes), places))


def _codes(text: str) -> list[str]:
    """Return the cards in a field, in any spelling: `R7 R8, jok`."""
    return re.split(r"[\s,;]+", text.strip())[:MOST] if text.strip() else []

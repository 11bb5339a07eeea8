"""The judge: the engine's verdict on any two sides of a Stone.

Boards of puzzles and lessons, which are set up instead of played. The reader is south, below.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from flask import render_template, request
from werkzeug.datastructures import MultiDict

import engine
from engine import Game, Seat, View
from engine.cards import ALL_CLAN, CLAN_CARDS, DECK_OF, TACTIC_CARDS, Deck, bits, read_card
from engine.game import EMPTY_STONE, STONES, both
from engine.judge_io import InvalidSituation, verdict_on
from engine.options import RULES_VERSION, options_for
from service.core.words import N_, Words
from service.text.claim_words import AFTER_PLAY, ClaimState, Place, because, claim_state
from service.web.blueprint import blueprint
from service.web.game.board import NO_CHOICES, Column, columns
from service.web.game.page import Turn
from service.web.game.since import Since
from service.web.language import in_english, reader_words

YOU: Final[Seat] = "south"
OPPONENT: Final[Seat] = "north"
_DECKS: Final[tuple[Deck, ...]] = ("clan", "tactic")


class SetStone(NamedTuple):
    """The cards at a Stone, as codes: the reader's side, the opponent's, and the Combat Modes."""

    yours: str
    theirs: str = ""
    modes: str = ""


def set_up(stones: Mapping[int, SetStone], hand: str = "", *, tactics: bool = False) -> Game:
    """Return a game in its first round, at the reader's turn, with these cards on the Stones and in
    the reader's hand.

    All other cards are in the decks.
    """
    laid = {number: _stone(stone) for number, stone in stones.items()}
    shown = [card for stone in laid.values() for side in stone.sides.values() for card in side]
    cards = tuple(hand.split())
    left = Counter(CLAN_CARDS + (TACTIC_CARDS if tactics else ()))
    left -= Counter([*shown, *cards, *(mode for stone in laid.values() for mode in stone.modes)])
    return Game(
        creator=YOU,
        edition="iello",
        tactics=tactics,
        expert=False,
        rounds=1,
        first_player="creator",
        options=options_for("iello", tactics, expert=False),
        rules_version=RULES_VERSION,
        commitment="",
        secret="",
        terms={},
        players={YOU: "south", OPPONENT: "north"},
        salts=both(""),
        visited=both(None),
        version=_VERSION,
        status="active",
        round=1,
        first=YOU,
        turn=YOU,
        phase="play",
        stones=tuple(laid.get(number, EMPTY_STONE) for number in STONES),
        hands={YOU: cards, OPPONENT: ()},
        decks={
            deck: tuple(card for card in left.elements() if DECK_OF[card] == deck)
            for deck in _DECKS
        },
        unseen=ALL_CLAN & ~bits(shown),
    )


_VERSION: Final = 100
"""The version of the game. It is more than the number of cards, because each card counts as laid at
a different version."""


def _stone(stone: SetStone) -> engine.Stone:
    built, version = EMPTY_STONE, 0
    for mode in stone.modes.split():
        built = built.with_mode(mode)
    for seat, cards in ((YOU, stone.yours), (OPPONENT, stone.theirs)):
        for card in cards.split():
            version += 1
            built = built.with_card(seat, card, version)
    return built


@dataclass(frozen=True)
class SetBoard:
    """The attributes of a page with which `game/board.html` shows a game that is set up."""

    columns: list[Column]
    turn: Turn | None = None
    above: Seat = OPPONENT
    below: Seat = YOU
    timing: str = ""
    is_plan: bool = False


def board_of(
    words: Words,
    game: Game,
    turn: Turn | None = None,
    claim_states: Mapping[int, ClaimState] | None = None,
    marked: Iterable[tuple[int, str]] = (),
    asked: int | None = None,
) -> dict[str, object]:
    """Return the values that `game/board.html` takes. It highlights the Stone that is `asked`
    about, and the `marked` cards at their Stones."""
    view: View = engine.view(game, YOU)
    actions = turn.draft.actions if turn else ()
    buttons = turn.choices if turn else NO_CHOICES
    names: dict[str, str] = {YOU: words.say("You"), OPPONENT: words.say("Your opponent")}
    shown = columns(words, view, names, actions, buttons, claim_states)
    return {
        "page": SetBoard(shown, turn, timing=words.say(AFTER_PLAY)),
        "view": view,
        "names": names,
        "over": False,
        "is_step": True,
        "marks": Since([], list(marked), [], {asked: YOU} if asked else {}),
    }


MODES: Final = ("BMB", "MUD")
FIRST: Final = {
    # Note: answers "Whose side was complete first?"; as the next two
    "": N_("nobody yet, or it does not matter"),
    "mine": N_("you"),
    "theirs": N_("your opponent"),
}
MOST: Final = 60
"""The most cards read from a field: more than a game has."""
EXAMPLES: Final = (
    (N_("A colour run that one card could still beat"), "mine=R4+R5+R6&theirs=G8+G9"),
    (N_("The same, when that card lies elsewhere"), "mine=R4+R5+R6&theirs=G8+G9&seen=G7"),
    (N_("Equal formations: who was complete first"), "mine=R4+R5+R6&theirs=G4+G5+G6&first=mine"),
    (N_("A Joker takes the value that serves best"), "mine=JOK+B8+B9&theirs=Y9+Y8"),
    (N_("In Mud Fight a side has four cards"), "mine=P1+P2+P3+P4&theirs=O5+R5+G5&modes=MUD"),
)


class WorkedExample(NamedTuple):
    """An example, with the engine's verdict. `query` opens it on the judge's page."""

    title: str
    query: str
    mine: list[str]
    theirs: list[str]
    answer: ClaimState


@lru_cache(maxsize=64)
def worked_examples(words: Words) -> list[WorkedExample]:
    """Return the examples with their verdicts."""
    examples = []
    for title, query in EXAMPLES:
        asked = MultiDict(parse_qsl(query))
        mine, theirs = _codes(asked["mine"]), _codes(asked["theirs"])
        answer = _judged(words, _fields(asked), asked.getlist("modes"))
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
            judged = _judged(reader_words(), asked, modes)
        except InvalidSituation as invalid:
            error = in_english(invalid.detail)
    page = render_template(
        "judge.html",
        asked=asked,
        modes=modes,
        judged=judged,
        error=error,
        mine=_cards(asked["mine"]) if judged else [],
        theirs=_cards(asked["theirs"]) if judged else [],
        first=FIRST,
        examples=EXAMPLES,
    )
    return page, 422 if error else 200


def _fields(given: MultiDict[str, str]) -> dict[str, str]:
    return {field: given.get(field, "") for field in ("mine", "theirs", "seen", "first")}


def _judged(words: Words, asked: dict[str, str], modes: Sequence[str]) -> ClaimState:
    sides = {field: _codes(asked[field]) for field in ("mine", "theirs", "seen")}
    verdict = verdict_on({**sides, "first": asked["first"] or None, "modes": list(modes)})
    mine, theirs, seen = (_cards(asked[field]) for field in sides)
    unseen = ALL_CLAN & ~bits([*mine, *theirs, *seen])
    places: dict[str, Place] = dict.fromkeys(mine, "yours")
    reasons = because(words, verdict, tuple(theirs), unseen, tuple(modes), places)
    return claim_state(words, verdict, reasons)


def _cards(text: str) -> list[str]:
    """Return the cards in a field whose cards are known to be ones."""
    return [read_card(code) or "" for code in _codes(text)]


def _codes(text: str) -> list[str]:
    """Return the cards in a field, in any spelling: `R7 R8, jok`."""
    return re.split(r"[\s,;]+", text.strip())[:MOST] if text.strip() else []

"""The page of a plan: the board as if it were the player's turn now.

It is separate from the turn, so that a plan can never become a turn by mistake: its buttons have
other names and paths, and its content is stored separately.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from engine import View
from engine.cards import CLAN_CARDS, COMBAT_MODES, ELITE_TROOPS, TACTIC_CARDS
from service.games.drafts import OrderOutcome
from service.games.reading.snapshot import GameSnapshot
from service.games.turn_draft import plan_turn
from service.text.board import sides
from service.web.card_filters import shown_cards
from service.web.game import words
from service.web.game.page import GamePage, Turn, turn_of
from service.web.game.turn_choices import Button, Choices
from service.web.game.turn_messages import TurnMessage, UnsentTurn, unsent_messages, unusable

_AHEAD: Final = {"Play on": "Plan on", "To": "Plan to", "Claim": "Plan to claim"}
"""The beginnings of buttons' names in a turn, and what replaces them in a plan."""


class Foreseen(NamedTuple):
    """The possible turns of the other player: `cards` that the reader has not seen, and `stones`
    that nobody has claimed."""

    cards: list[str]
    stones: list[int]


def plan_page(
    snapshot: GameSnapshot, unsent: UnsentTurn, messages: Sequence[TurnMessage] = ()
) -> GamePage:
    """Return the page for as much of the planned turn as would be legal on the present board."""
    stored, seat = snapshot.latest, snapshot.seat
    assert seat is not None, "the caller has checked it"
    goes_on = stored.game.status == "active"
    draft = plan_turn(stored.game, seat, unsent.actions) if goes_on else None
    shown = draft.game if draft else stored.game
    view = snapshot.view(stored._replace(game=shown), snapshot.reader)
    view = replace(view, turn=stored.game.turn, version=stored.version)
    names = view.seat_names
    other = names[sides(view)[0]]
    turn = _planned(turn_of(draft, view, unsent, other)) if draft else None
    said = [*messages]
    if turn is not None:
        said += unsent_messages(stored, unsent, draft, snapshot.last_turn)
        said += unusable(shown, seat, turn.choices)
    judged = stored.game if goes_on else None
    plans = "Here you plan the one after it" if view.turn == seat else "You plan ahead"
    state = f"{words.state_words(view, names)}. {plans}"
    return GamePage(
        snapshot, view, names, *sides(view), judged, turn, state, said, "", is_plan=True
    )


def foreseen(view: View) -> Foreseen:
    """Return the cards and Stones that a condition on the other player's turn can name."""
    lying = [mode for stone in view.stones for mode in stone.modes]
    seen = Counter([*shown_cards(view), *lying])
    used = ELITE_TROOPS + COMBAT_MODES if view.tactics else ()
    all_cards = Counter((*CLAN_CARDS, *(card for card in TACTIC_CARDS if card in used)))
    cards = [card for card, copies in all_cards.items() if seen[card] < copies]
    return Foreseen(cards, [each.number for each in view.stones if each.owner is None])


def outcome_words(outcome: OrderOutcome, other: str) -> str:
    """Return the result of the last planned turn, in words."""
    what = words.draft_words(outcome.actions)
    if outcome.outcome == "played":
        return f"Your planned turn was played: {what}."
    why = outcome.detail
    if outcome.code == "not-as-foreseen":
        why = f"{other} played something else."
    return f"Your planned turn was not played: {what}. {why}"


def _planned(turn: Turn) -> Turn:
    """Return the turn, with buttons and prompt in the words of a plan."""
    prompt = turn.prompt
    if turn.draft.whole is not None:
        prompt = "When should this be played?"
    elif prompt == words.CHOOSE_CARD:
        prompt = "Choose a card to plan."
    return replace(turn, choices=_renamed(turn.choices), prompt=prompt)


def _renamed(choices: Choices) -> Choices:
    return choices._replace(
        places={stone: _named(button) for stone, button in choices.places.items()},
        claims={stone: _named(button) for stone, button in choices.claims.items()},
        others=[_named(button) for button in choices.others],
    )


def _named(button: Button) -> Button:
    for begins, ahead in _AHEAD.items():
        if button.name.startswith(f"{begins} "):
            return button._replace(name=ahead + button.name.removeprefix(begins))
    return button._replace(name=f"Plan to {button.name[0].lower()}{button.name[1:]}")

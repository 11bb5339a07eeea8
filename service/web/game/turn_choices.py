"""The possible next steps of a turn, as buttons: each has a name, and a value to add to the draft.

The player chooses a card first, then its place, or the card that it takes and that card's place.
`chosen` is the beginning of an action: `R7`, `TRA`, `TRA:G4@2`; or `-R1` for the first of two cards
to return.

The messages on the page about parts of an unsent turn that are not possible.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

import engine
from engine import Seat
from engine.cards import BIT, full_name
from engine.notation import Action, Banish, Claim, Draw, Move, Pass, Play, Recruit, Return
from engine.rules import tactic_refusal
from service.core.errors import RequestRejected
from service.games import StoredGame
from service.games.turn_draft import TurnDraft
from service.text.history import DECK_TITLES, count_cards
from service.web.game.words import action_words

Field = Literal["turn", "chosen"]


class Button(NamedTuple):
    """A button: its name, and the `value` that pressing it adds to the draft's `field`."""

    name: str
    field: Field
    value: str


class HandCard(NamedTuple):
    """A card in hand. `button` chooses it or undoes that; None if it cannot be chosen now.

    `is_usable`: whether it can be played; choosing a card that cannot shows the reason.
    """

    card: str
    button: Button | None
    is_chosen: bool
    is_usable: bool = True


class Choices(NamedTuple):
    """The present buttons: on the hand, at the Stones, on cards at the Stones, and others.

    `chosen` is the present choice, `""` without one. `room`: the Stones that take a Clan card,
    whichever it is.
    """

    chosen: str
    hand: list[HandCard]
    places: dict[int, Button]
    claims: dict[int, Button]
    targets: dict[tuple[int, str], Button]
    others: list[Button]
    room: tuple[int, ...] = ()


def choices(hand: Sequence[str], legal: Iterable[str], chosen: str = "") -> Choices:
    """Return the buttons for these legal actions, after the choice `chosen`."""
    actions = [engine.parse(text) for text in legal]
    returns = [action for action in actions if isinstance(action, Return)]
    draws = sum(isinstance(action, Draw) for action in actions)
    chosen = _possible(hand, chosen, actions)
    fitting = [action for action in actions if _begins(action, chosen)]
    return Choices(
        chosen,
        _returning(hand, returns, chosen) if returns else _hand(hand, actions, chosen),
        _places(fitting, chosen),
        {action.stone: _claim(action) for action in actions if isinstance(action, Claim)},
        _targets(fitting, chosen),
        [button for action in actions if (button := _elsewhere(action, chosen, draws > 1))],
        _room(actions),
    )


def _possible(hand: Sequence[str], chosen: str, actions: Sequence[Action]) -> str:
    """Return the choice if it is possible now, else `""`: a URL may be out of date.

    It is a card to play, the first of two cards to return, or the beginning of an action.
    """
    chosen = chosen.upper()
    if chosen.startswith("-"):
        pairs = [action.cards for action in actions if isinstance(action, Return)]
        is_able = any(len(pair) == 2 and chosen[1:] in pair for pair in pairs)
    elif ":" in chosen:
        is_able = any(str(action).startswith(f"{chosen}>") for action in actions)
    else:
        is_able = chosen in hand and _is_to_play(actions)
    return chosen if is_able else ""


def _is_to_play(actions: Iterable[Action]) -> bool:
    """Whether the next action is to play a card or to pass."""
    return any(isinstance(action, Play | Move | Banish | Recruit | Pass) for action in actions)


def _begins(action: Action, chosen: str) -> bool:
    """Whether the choice is the beginning of this action."""
    return bool(chosen) and str(action).startswith((f"{chosen}@", f"{chosen}:", f"{chosen}>"))


# The hand


def _hand(hand: Sequence[str], actions: Sequence[Action], chosen: str) -> list[HandCard]:
    is_open = _is_to_play(actions)
    begun = chosen.partition(":")[0]
    cards = []
    for card in hand:
        is_chosen = card == begun
        button = Button(full_name(card), "chosen", "" if is_chosen else card) if is_open else None
        is_usable = any(_begins(action, card) for action in actions)
        cards.append(HandCard(card, button, is_chosen, is_usable))
        begun = "" if is_chosen else begun  # of two Jokers one is chosen
    return cards


def _returning(hand: Sequence[str], returns: Iterable[Return], chosen: str) -> list[HandCard]:
    """Return the hand while the player returns cards under the decks, one after the other."""
    ways = {tuple(sorted(way.cards)) for way in returns}
    begun = chosen.removeprefix("-") if chosen.startswith("-") else ""
    first, cards = begun, []
    for card in hand:
        is_chosen = card == first
        first = "" if is_chosen else first
        button = Button(full_name(card), "chosen", "") if is_chosen else _return(card, begun, ways)
        cards.append(HandCard(card, button, is_chosen))
    return cards


def _return(card: str, begun: str, ways: set[tuple[str, ...]]) -> Button | None:
    if (card,) in ways:
        return Button(full_name(card), "turn", f"-{card}")
    if not begun:
        able = any(card in way for way in ways)
        return Button(full_name(card), "chosen", f"-{card}") if able else None
    able = tuple(sorted((begun, card))) in ways
    return Button(full_name(card), "turn", f"-{begun},{card}") if able else None


# The board


def _places(actions: Iterable[Action], chosen: str) -> dict[int, Button]:
    """Return the buttons at Stones to which the chosen card, or the card that it takes, may go."""
    places = {}
    for action in actions:
        if isinstance(action, Play):
            places[action.stone] = Button(f"Play on Stone {action.stone}", "turn", str(action))
        elif isinstance(action, Move) and action.to is not None and ":" in chosen:
            places[action.to] = Button(f"To Stone {action.to}", "turn", str(action))
    return places


def _room(actions: Iterable[Action]) -> tuple[int, ...]:
    plays = (action for action in actions if isinstance(action, Play) and action.card in BIT)
    return tuple(sorted({play.stone for play in plays}))


def _claim(action: Claim) -> Button:
    return Button(f"Claim Stone {action.stone}", "turn", str(action))


def _targets(actions: Iterable[Action], chosen: str) -> dict[tuple[int, str], Button]:
    """Return the buttons on cards of the board that the chosen card may take or move."""
    targets = {}
    for action in actions:
        if isinstance(action, Banish):
            targets[action.stone, action.card] = _target(action, "turn", str(action))
        elif isinstance(action, Move) and ":" not in chosen:
            begun = f"{action.ruse}:{action.card}@{action.stone}"
            targets[action.stone, action.card] = _target(action, "chosen", begun)
    return targets


def _target(action: Banish | Move, field: Field, value: str) -> Button:
    return Button(f"{full_name(action.card)} on Stone {action.stone}", field, value)


# What has no place on the board


def _elsewhere(action: Action, chosen: str, choice_of_decks: bool) -> Button | None:
    match action:
        case Move(to=None) if ":" in chosen and _begins(action, chosen):
            return Button("To the discard", "turn", str(action))
        case Recruit(clan, tactic) if _begins(action, chosen):
            return Button(f"Draw {count_cards(clan, tactic)}", "turn", str(action))
        case Draw(deck) if choice_of_decks:
            return Button(f"Draw a {DECK_TITLES[deck]} card", "turn", str(action))
        case Pass():
            return Button("Pass", "turn", str(action))
        case _:
            return None


class UnsentTurn(NamedTuple):
    """The unsent turn in the browser: its actions, the choice (`turn_choices`), and the version of
    the game for which it was made, None if unknown.

    `leaves`: the Stones that the turn could claim but does not; the player was asked about them.
    """

    actions: Sequence[str] = ()
    chosen: str = ""
    version: int | None = None
    leaves: Sequence[int] = ()


class TurnMessage(NamedTuple):
    """A message about a failed action, and the number of the ruling that explains it, if any."""

    words: str
    ruling: int | None = None


NOTHING: Final = UnsentTurn()


def refusal_message(refusal: RequestRejected | engine.RuleBroken) -> TurnMessage:
    """Return the message that a sent turn was refused."""
    if isinstance(refusal, engine.RuleBroken):
        return TurnMessage(f"Not sent: {refusal.detail}", refusal.ruling)
    if refusal.code == "stale-version":
        return TurnMessage("Not sent: the game has moved on. This is how it stands now.")
    return TurnMessage(f"Not sent: {refusal.detail}")


def unsent_messages(
    stored: StoredGame, unsent: UnsentTurn, draft: TurnDraft | None, last_turn: int | None
) -> list[TurnMessage]:
    """Return the reasons why parts of an unsent turn were dropped.

    `draft` is the rest of the turn; None if it is not the player's turn. `last_turn`: the number of
    the last event of the player's own last turn.
    """
    if not unsent.actions or stored.game.over:
        return []
    if draft is None:
        # The answer to a turn that was sent may have been lost.
        has_moved = unsent.version is not None and (last_turn or 0) > unsent.version
        why = "you have played already" if has_moved else "it is not your turn"
        return [TurnMessage(f"Nothing is left to send: {why}.")]
    said = []
    if unsent.version is not None and not stored.stands_as_at(unsent.version):
        rest = " What is still possible of it is kept." if draft.actions else ""
        said.append(TurnMessage(f"The game has moved on since you put this turn together.{rest}"))
    if draft.refusal is not None:
        said.append(_refused(draft, draft.refusal))
    return said


def _refused(draft: TurnDraft, refusal: engine.RuleBroken) -> TurnMessage:
    try:
        what = action_words(draft.refused[0])
    except engine.RuleBroken:
        what = "this"
    return TurnMessage(f"Not possible: {what}. {refusal.detail}", refusal.ruling)


def unusable(game: engine.Game, seat: Seat, choices: Choices) -> list[TurnMessage]:
    """Return the reason why the chosen card cannot be used; an empty list if it can be."""
    card = choices.chosen
    has_use = (
        choices.places or choices.targets or any(card in button.value for button in choices.others)
    )
    if not card or card.startswith("-") or has_use:
        return []
    refusal = None if card in BIT else tactic_refusal(game, seat, card)
    words = f"{full_name(card)} cannot be played now"
    if refusal is not None:
        return [TurnMessage(f"{words}. {refusal.detail}", refusal.ruling)]
    if card in BIT:
        return [TurnMessage(f"{words}: your side is full at every Stone.", 4)]
    return [TurnMessage(f"{words}: there is nothing for it to act on.", 27)]

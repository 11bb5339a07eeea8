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
from engine.cards import BIT
from engine.notation import Action, Banish, Claim, Draw, Move, Pass, Play, Recruit, Return
from engine.rules import tactic_refusal
from service.core.errors import RequestRejected, refusal_words
from service.core.words import N_, Words
from service.games import StoredGame
from service.games.turn_draft import TurnDraft
from service.text.card_names import card_name, count_cards
from service.web.game.sentences import action_words, card_on_stone

Field = Literal["turn", "chosen"]


class Button(NamedTuple):
    """A button: its name, and the `value` that pressing it adds to the draft's `field`.

    `short` is shown in its place where there is no room for the name.
    """

    name: str
    field: Field
    value: str
    short: str = ""


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


def choices(
    words: Words,
    hand: Sequence[str],
    legal: Iterable[str],
    chosen: str = "",
    *,
    is_plan: bool = False,
) -> Choices:
    """Return the buttons for these legal actions, after the choice `chosen`; in a plan they have
    other names."""
    actions = [engine.parse(text) for text in legal]
    returns = [action for action in actions if isinstance(action, Return)]
    draws = sum(isinstance(action, Draw) for action in actions)
    chosen = _possible(hand, chosen, actions)
    fitting = [action for action in actions if _begins(action, chosen)]
    return Choices(
        chosen,
        _returning(words, hand, returns, chosen)
        if returns
        else _hand(words, hand, actions, chosen),
        _places(words, fitting, chosen, is_plan),
        {
            action.stone: _claim(words, action, is_plan)
            for action in actions
            if isinstance(action, Claim)
        },
        _targets(words, fitting, chosen),
        [
            button
            for action in actions
            if (button := _elsewhere(words, action, chosen, draws > 1, is_plan))
        ],
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


def _hand(
    words: Words, hand: Sequence[str], actions: Sequence[Action], chosen: str
) -> list[HandCard]:
    is_open = _is_to_play(actions)
    begun = chosen.partition(":")[0]
    cards = []
    for card in hand:
        is_chosen = card == begun
        name, value = card_name(words, card), "" if is_chosen else card
        button = Button(name, "chosen", value) if is_open else None
        is_usable = any(_begins(action, card) for action in actions)
        cards.append(HandCard(card, button, is_chosen, is_usable))
        begun = "" if is_chosen else begun  # of two Jokers one is chosen
    return cards


def _returning(
    words: Words, hand: Sequence[str], returns: Iterable[Return], chosen: str
) -> list[HandCard]:
    """Return the hand while the player returns cards under the decks, one after the other."""
    ways = {tuple(sorted(way.cards)) for way in returns}
    begun = chosen.removeprefix("-") if chosen.startswith("-") else ""
    first, cards = begun, []
    for card in hand:
        is_chosen = card == first
        first = "" if is_chosen else first
        name = card_name(words, card)
        button = Button(name, "chosen", "") if is_chosen else _return(name, card, begun, ways)
        cards.append(HandCard(card, button, is_chosen))
    return cards


def _return(name: str, card: str, begun: str, ways: set[tuple[str, ...]]) -> Button | None:
    if (card,) in ways:
        return Button(name, "turn", f"-{card}")
    if not begun:
        able = any(card in way for way in ways)
        return Button(name, "chosen", f"-{card}") if able else None
    able = tuple(sorted((begun, card))) in ways
    return Button(name, "turn", f"-{begun},{card}") if able else None


# The board


def _places(
    words: Words, actions: Iterable[Action], chosen: str, is_plan: bool
) -> dict[int, Button]:
    """Return the buttons at Stones to which the chosen card, or the card that it takes, may go."""
    places = {}
    for action in actions:
        if isinstance(action, Play):
            places[action.stone] = _play(words, action, is_plan)
        elif isinstance(action, Move) and action.to is not None and ":" in chosen:
            places[action.to] = _move(words, action.to, str(action), is_plan)
    return places


def _play(words: Words, play: Play, is_plan: bool) -> Button:
    if is_plan:
        name = words.say("Plan on Stone %(stone)s", stone=play.stone)
        # Note: a button on a Stone, where there is room for one short word: to plan a card there
        return Button(name, "turn", str(play), words.say("Plan"))
    name = words.say("Play on Stone %(stone)s", stone=play.stone)
    # Note: a button on a Stone, where there is room for one short word: to play a card there
    return Button(name, "turn", str(play), words.say("Play"))


def _move(words: Words, stone: int, value: str, is_plan: bool) -> Button:
    if is_plan:
        # Note: a button that plans to move a card there
        name = words.say("Plan on Stone %(stone)s", stone=stone)
        return Button(name, "turn", value, words.say("Plan"))
    # Note: a button that moves a card there
    name = words.say("To Stone %(stone)s", stone=stone)
    # Note: a button on a Stone, where there is room for one short word: to move a card there
    return Button(name, "turn", value, words.say("Here"))


def _room(actions: Iterable[Action]) -> tuple[int, ...]:
    plays = (action for action in actions if isinstance(action, Play) and action.card in BIT)
    return tuple(sorted({play.stone for play in plays}))


def _claim(words: Words, action: Claim, is_plan: bool) -> Button:
    message = N_("Plan to claim Stone %(stone)s") if is_plan else N_("Claim Stone %(stone)s")
    return Button(words.say(message, stone=action.stone), "turn", str(action))


def _targets(words: Words, actions: Iterable[Action], chosen: str) -> dict[tuple[int, str], Button]:
    """Return the buttons on cards of the board that the chosen card may take or move."""
    targets = {}
    for action in actions:
        if isinstance(action, Banish):
            targets[action.stone, action.card] = _target(words, action, "turn", str(action))
        elif isinstance(action, Move) and ":" not in chosen:
            begun = f"{action.ruse}:{action.card}@{action.stone}"
            targets[action.stone, action.card] = _target(words, action, "chosen", begun)
    return targets


def _target(words: Words, action: Banish | Move, field: Field, value: str) -> Button:
    return Button(card_on_stone(words, action.card, action.stone), field, value)


# What has no place on the board


def _elsewhere(
    words: Words, action: Action, chosen: str, choice_of_decks: bool, is_plan: bool
) -> Button | None:
    match action:
        case Move(to=None) if ":" in chosen and _begins(action, chosen):
            # Note: a button that moves a card there
            message = N_("Plan to the discard") if is_plan else N_("To the discard")
            return Button(words.say(message), "turn", str(action))
        case Recruit() if _begins(action, chosen):
            return _recruit(words, action, is_plan)
        case Draw(deck) if choice_of_decks:
            message = (_PLAN_DRAW if is_plan else _DRAW)[deck]
            return Button(words.say(message), "turn", str(action))
        case Pass():
            message = N_("Plan to pass") if is_plan else N_("Pass")
            return Button(words.say(message), "turn", str(action))
        case _:
            return None


def _recruit(words: Words, action: Recruit, is_plan: bool) -> Button:
    message = N_("Plan to draw %(cards)s") if is_plan else N_("Draw %(cards)s")
    clan, tactic = action.clan, action.tactic
    # Note: on a button, where there is little room: what is drawn from which deck
    short = words.say("%(clan)s Clan + %(tactic)s Tactic", clan=clan, tactic=tactic)
    if not tactic:
        # Note: on a button, where there is little room: so many Clan cards are drawn
        short = words.say("%(clan)s Clan", clan=clan)
    if not clan:
        # Note: on a button, where there is little room: so many Tactic cards are drawn
        short = words.say("%(tactic)s Tactic", tactic=tactic)
    name = words.say(message, cards=count_cards(words, clan, tactic))
    return Button(name, "turn", str(action), short)


_DRAW: Final = {"clan": N_("Draw a Clan card"), "tactic": N_("Draw a Tactic card")}
_PLAN_DRAW: Final = {
    "clan": N_("Plan to draw a Clan card"),
    "tactic": N_("Plan to draw a Tactic card"),
}


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


def refusal_message(words: Words, refusal: RequestRejected | engine.RuleBroken) -> TurnMessage:
    """Return the message that a sent turn was refused."""
    if isinstance(refusal, RequestRejected) and refusal.code == "stale-version":
        moved_on = N_("Not sent: the game has moved on. This is how it stands now.")
        return TurnMessage(words.say(moved_on))
    # Note: %(reason)s is a sentence
    message = N_("Not sent: %(reason)s")
    if isinstance(refusal, RequestRejected):
        return TurnMessage(words.say(message, reason=refusal_words(words, refusal)))
    said = words.say(message, reason=refusal_words(words, refusal))
    return TurnMessage(said, refusal.ruling)


MOVED_ON: Final = N_("The game has moved on since you put this turn together.")


def unsent_messages(
    words: Words,
    stored: StoredGame,
    unsent: UnsentTurn,
    draft: TurnDraft | None,
    last_turn: int | None,
) -> list[TurnMessage]:
    """Return the reasons why parts of an unsent turn were dropped.

    `draft` is the rest of the turn; None if it is not the player's turn. `last_turn`: the number of
    the last event of the player's own last turn.
    """
    if not unsent.actions or stored.game.over:
        return []
    if draft is None:
        # The answer to a turn that was sent may have been lost.
        if unsent.version is not None and (last_turn or 0) > unsent.version:
            return [TurnMessage(words.say("Nothing is left to send: you have played already."))]
        return [TurnMessage(words.say("Nothing is left to send: it is not your turn."))]
    said = []
    if unsent.version is not None and not stored.stands_as_at(unsent.version):
        moved_on = words.say(MOVED_ON)
        rest = words.say("What is still possible of it is kept.") if draft.actions else ""
        said.append(TurnMessage(" ".join(filter(None, (moved_on, rest)))))
    if draft.refusal is not None:
        said.append(_refused(words, draft, draft.refusal))
    return said


def _refused(words: Words, draft: TurnDraft, refusal: engine.RuleBroken) -> TurnMessage:
    reason = refusal_words(words, refusal)
    try:
        action = action_words(words, draft.refused[0])
    except engine.RuleBroken:
        # Note: %(reason)s is a sentence
        said = words.say("Not possible: this. %(reason)s", reason=reason)
    else:
        # Note: %(action)s is such as "Red 7 on Stone 3"; %(reason)s is a sentence
        message = N_("Not possible: %(action)s. %(reason)s")
        said = words.say(message, action=action, reason=reason)
    return TurnMessage(said, refusal.ruling)


def unusable(words: Words, game: engine.Game, seat: Seat, choices: Choices) -> list[TurnMessage]:
    """Return the reason why the chosen card cannot be used; an empty list if it can be."""
    card = choices.chosen
    has_use = (
        choices.places or choices.targets or any(card in button.value for button in choices.others)
    )
    return [] if not card or card.startswith("-") or has_use else [_idle(words, game, seat, card)]


def idle_words(words: Words, game: engine.Game, seat: Seat, choices: Choices) -> str:
    """Return why cards of the hand cannot be played, each reason once; `""` if all can be."""
    idle = [held.card for held in choices.hand if held.button and not held.is_usable]
    return " ".join(dict.fromkeys(_idle(words, game, seat, card).words for card in idle))


def _idle(words: Words, game: engine.Game, seat: Seat, card: str) -> TurnMessage:
    refusal = None if card in BIT else tactic_refusal(game, seat, card)
    if refusal is not None:
        return TurnMessage(refusal_words(words, refusal), refusal.ruling)
    if card in BIT:
        return TurnMessage(words.say("Your side is full at every Stone still open."), 4)
    message = N_("%(card)s cannot be played now: there is nothing for it to act on.")
    return TurnMessage(words.say(message, card=card_name(words, card)), 27)

"""The sentences of a game's page: whose turn it is, how the game ended, the unsent turn."""

from collections.abc import Iterable, Mapping
from typing import Final

import engine
from engine.cards import BANSHEE, RECRUITER, STRATEGIST, TRAITOR, full_name
from engine.chain import StoredEvent
from engine.notation import Action, Banish, Claim, Draw, End, Move, Pass, Play, Recruit, Return
from service.games.drafts import TurnOrder
from service.games.reading.views import GameShown
from service.games.turn_draft import TurnDraft
from service.text.game_terms import join_words
from service.text.history import DECK_TITLES, REASONS, count_cards, outcome, turn_of
from service.web.moments import spoken_moment

Names = Mapping[str, str]

CHOOSE_CARD: Final = "Choose a card to play."


_USES: Final = {
    RECRUITER: "choose what to draw",
    STRATEGIST: "choose one of your cards on the board",
    BANSHEE: "pick one of {}\N{RIGHT SINGLE QUOTATION MARK}s cards",
    TRAITOR: "pick one of {}\N{RIGHT SINGLE QUOTATION MARK}s Clan cards",
}
"""The first choice that a Ruse asks for."""


def state_words(view: GameShown, names: Names) -> str:
    """Return the state of the game for this reader: `Your turn`, `Waiting for Bob`, `You won`."""
    if view.status == "open":
        if view.seat is None:
            return "The game has not begun"
        invited = view.invited["name"] if isinstance(view.invited, Mapping) else None
        return f"Waiting for {invited or 'a second player'}"
    if view.status == "aborted":
        return "The game was cancelled"
    if view.status == "finished":
        return _result(view, names)
    if view.turn == view.seat:
        return "Your turn"
    return f"Waiting for {names[view.turn or '']}{_unnotified(view)}"


def _unnotified(view: GameShown) -> str:
    """Return the reason why the game goes on although the other player's time is up; `""` without
    one."""
    until = view.untold_until
    if until is None:
        return ""
    at = spoken_moment(until)
    return f", who was not told of the turn: the time is up, but nothing ends before {at}"


def _result(view: GameShown, names: Names) -> str:
    if view.winner is None:
        return f"Drawn {REASONS[view.reason]}" if view.reason else "Drawn"
    shown = {**names, view.seat: "You"} if view.seat else names
    return outcome(view.winner, view.reason, shown, rounds=view.rounds).removesuffix(".")


def step_words(lines: Iterable[StoredEvent], at: int) -> str:
    """Return the position of event `at` in its round: `After turn 3 of 42`."""
    turn, turns = turn_of(lines, at)
    return f"After turn {turn} of {turns}" if turn else "Before the first turn"


def prompt(draft: TurnDraft, chosen: str, phase: str | None, other: str) -> str:
    """Return the next step of the turn, in one sentence. `other`: the other player's name."""
    claimable = _stones(draft.claimable)
    if draft.whole is not None:
        when = " before you send" if len(draft.claimable) == 1 else ""
        return f"You can claim {claimable}{when}." if claimable else _end_words(draft)
    if phase == "return":
        return f"Choose {_to_put_back(draft, chosen)} to put back under the decks."
    if phase == "finish":
        way = "choose the deck to draw from."
        return f"Claim {claimable}, or {way}" if claimable else f"C{way[1:]}"
    if not chosen:
        return CHOOSE_CARD
    if not any(text.startswith(chosen) for text in draft.legal):
        return "Choose another card."
    ruse, _, taken = chosen.partition(":")
    if taken:
        return f"Where do you move {_the(taken.partition('@')[0])}?"
    if ruse in _USES:
        return f"{full_name(ruse)}: {_USES[ruse].format(other)}."
    return f"Where do you play {_the(ruse)}?"


def _the(card: str) -> str:
    """Return a card's name in a sentence: `Red 7`, `the Joker`."""
    return full_name(card) if card[1:].isdigit() else f"the {full_name(card)}"


def _to_put_back(draft: TurnDraft, chosen: str) -> str:
    if chosen:
        return "one more card"
    return "two cards" if any("," in text for text in draft.legal) else "a card"


def _end_words(draft: TurnDraft) -> str:
    last = engine.parse(draft.actions[-1]) if draft.actions else None
    if isinstance(last, Recruit):
        return "After sending you see the cards, and choose two to put back."
    if draft.drawn_from is not None and not isinstance(last, Draw):
        deck = f": a {DECK_TITLES[draft.drawn_from]} card" if draft.game.tactics else ""
        return f"You draw after sending{deck}."
    return "Your turn ends after sending."


def action_words(text: str) -> str:
    """Return an action of the unsent turn in words: `Red 7 on Stone 3`."""
    match engine.parse(text):
        case Play(card, stone):
            return f"{full_name(card)} on Stone {stone}"
        case Move(ruse, card, stone, to):
            place = f"Stone {to}" if to else "the discard"
            return f"{full_name(ruse)}: {full_name(card)} from Stone {stone} to {place}"
        case Banish(card, stone):
            return f"Banshee: {full_name(card)} of Stone {stone} to the discard"
        case Recruit(clan, tactic):
            return f"Recruiter: draw {count_cards(clan, tactic)}"
        case Return(cards):
            return f"{join_words(map(full_name, cards))} back under the decks"
        case Claim(stone):
            return f"Claim Stone {stone}"
        case Draw(deck):
            return f"Draw a {DECK_TITLES[deck]} card"
        case Pass():
            return "Pass"
        case End():
            return "End the turn"


def send_words(draft: TurnDraft) -> str:
    """Return the effect of sending this turn: `Red 7 to Stone 3, claim Stone 3`; of several claims
    only the numbers: `Red 7 to Stone 3, claim 3 and 5`."""
    actions = [engine.parse(text) for text in draft.actions or draft.whole or ()]
    claimed = [str(action.stone) for action in actions if isinstance(action, Claim)]
    if len(claimed) < 2:
        return ", ".join(map(_sent, actions))
    sent = [_sent(action) for action in actions if not isinstance(action, Claim)]
    return ", ".join([*sent[:1], f"claim {join_words(claimed)}", *sent[1:]])


def _sent(action: Action) -> str:
    if isinstance(action, Play):
        return f"{full_name(action.card)} to Stone {action.stone}"
    words = action_words(str(action))
    return words if isinstance(action, Move | Banish | Recruit | Return) else _lowered(words)


def _lowered(words: str) -> str:
    return words[:1].lower() + words[1:]


def claim_offer(stones: Iterable[int]) -> str:
    """Return the possible claims: `You can claim Stone 9.`; `""` without any."""
    named = _stones(stones)
    return f"You can claim {named}." if named else ""


def _stones(stones: Iterable[int]) -> str:
    """Return Stones in a sentence: `Stone 9`, `Stones 1 and 2`; `""` without any."""
    numbers = [str(stone) for stone in stones]
    return f"Stone{'s' if numbers[1:] else ''} {join_words(numbers)}" if numbers else ""


def draft_words(actions: tuple[str, ...]) -> str:
    """Return the unsent turn in one line: `Red 7 on Stone 3, Claim Stone 3`."""
    return ", ".join(map(action_words, actions))


def order_words(order: TurnOrder, other: str) -> str:
    """Return a planned turn in words: `When Bob plays Green 4 on Stone 2: Red 7 on Stone 3`."""
    when = join_words(map(action_words, order.when))
    condition = f"When {other} plays {when}" if when else f"Whatever {other} plays"
    return f"{condition}: {draft_words(order.actions)}"

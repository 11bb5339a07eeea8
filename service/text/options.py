"""A player's options in words: the Stones for each card, the provable claims, the draws; and why a
held Tactic card has to wait.

Words instead of action texts, and no imperatives, so that no line of a mail can be read as a move.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine import OTHER, Game, Seat, parse
from engine.cards import (
    BANSHEE,
    BIT,
    ELITE_TROOPS,
    RECRUITER,
    STRATEGIST,
    TRAITOR,
    full_name,
    in_order,
)
from engine.claims import Verdict
from engine.notation import Action, Banish, Claim, Draw, End, Move, Pass, Play, Recruit, Return
from engine.rules import tactic_refusal
from service.text.claim_words import claim_state
from service.text.game_terms import join_words
from service.text.history import DECK_TITLES, count_cards

_WITHOUT_CHOICE: dict[type[Action], str] = {
    Return: "You put two cards from your hand back under their decks.",
    Pass: "You cannot place any Clan card: you may pass.",
    End: "There is nothing to draw: you may end the turn.",
}


def play_lines(legal: Iterable[str]) -> list[str]:
    """The legal plays, returns, draws or end of turn. `claim_lines` has the claims."""
    actions = [parse(text) for text in legal]
    kinds = {type(action) for action in actions}
    targets = [
        f"{full_name(action.card)} on Stone {action.stone}"
        for action in actions
        if isinstance(action, Banish)
    ]
    draws = [count_cards(each.clan, each.tactic) for each in actions if isinstance(each, Recruit)]
    decks = [DECK_TITLES[action.deck] for action in actions if isinstance(action, Draw)]
    return [
        *_plays(action for action in actions if isinstance(action, Play)),
        *_moves(action for action in actions if isinstance(action, Move)),
        *([f"{full_name(BANSHEE)}: discard {join_words(targets, 'or')}"] if targets else []),
        *([f"Recruiter: draw {join_words(draws, 'or')}"] if draws else []),
        *(f"You may draw from the {deck} deck." for deck in decks),
        *(text for kind, text in _WITHOUT_CHOICE.items() if kind in kinds),
    ]


def claim_lines(verdicts: Mapping[int, Verdict]) -> list[str]:
    """For each Stone where the player's side is complete: whether a claim would succeed, or which
    cards beat it.

    `verdicts` come from `engine.verdicts`.
    """
    return [f"Stone {stone}. {claim_state(verdict).words}" for stone, verdict in verdicts.items()]


def order_words(actions: Iterable[str]) -> str:
    """The content of an order: `Red 7 on Stone 3, a claim to Stone 3`."""
    return ", ".join(map(_ordered, actions))


def _ordered(text: str) -> str:
    match parse(text):
        case Claim(stone):
            return f"a claim to Stone {stone}"
        case Draw(deck):
            return f"a {DECK_TITLES[deck]} card"
        case Return(cards):
            return f"{join_words(map(full_name, cards))} back under the decks"
        case Pass():
            return "no card"
        case End():
            return "no further claim"
        case _:
            return " ".join(play_lines([text]))


def _plays(plays: Iterable[Play]) -> list[str]:
    stones: dict[str, list[str]] = defaultdict(list)
    for play in plays:
        stones[play.card].append(str(play.stone))
    cards: dict[str, list[str]] = defaultdict(list)
    for card, on in stones.items():
        cards[f"Stone{'s' if len(on) > 1 else ''} {join_words(on)}"].append(full_name(card))
    return [f"{join_words(alike)} on {on}" for on, alike in cards.items()]


def _moves(moves: Iterable[Move]) -> list[str]:
    places: dict[tuple[str, str, int], list[int | None]] = defaultdict(list)
    for move in moves:
        places[move.ruse, move.card, move.stone].append(move.to)
    return [
        f"{full_name(ruse)}: {full_name(card)} from Stone {stone} to {_places(to)}"
        for (ruse, card, stone), to in places.items()
    ]


def _places(to: Sequence[int | None]) -> str:
    stones = [str(stone) for stone in to if stone]
    named = f"Stone {join_words(stones, 'or')}" if stones else ""
    if None not in to:
        return named
    return f"{named}{',' if len(stones) > 1 else ''} or the discard" if stones else "the discard"


_WITHOUT_TARGET: Final = {
    STRATEGIST: "there is no card of yours to move",
    BANSHEE: "{other} has no card that it could discard",
    TRAITOR: "there is no Clan card to take, or no room for it on your side",
    RECRUITER: "the decks are empty",
}
"""The reason why a Ruse has no target: it then stays in the hand (ruling 27)."""


def played(game: Game, seat: Seat, other: str) -> str:
    """The number of Tactic cards each side has played (ruling 21)."""
    mine, theirs = game.tactics_played[seat], game.tactics_played[OTHER[seat]]
    return f"Tactic cards played: you {mine}, {other} {theirs}."


def held_back(game: Game, seat: Seat, legal: Sequence[str], other: str) -> list[str]:
    """Sentences on why the player to move cannot play some of their Tactic cards; `legal` are their
    legal actions."""
    begun = {action[:3] for action in legal}
    held = [card for card in in_order(set(game.hands[seat])) if card not in BIT]
    reasons: dict[str, list[str]] = {}
    for card in held:
        if card not in begun:
            refusal = tactic_refusal(game, seat, card)
            if refusal is not None and refusal.refusal == "tactic-limit":
                reason = f"you are one ahead of {other}"
            elif refusal is not None:
                reason = _OF_JOKER[game.options.joker_limit]
            elif card in ELITE_TROOPS:
                reason = "your sides of the free Stones are full"
            else:
                reason = _WITHOUT_TARGET[card].format(other=other)
            reasons.setdefault(reason, []).append(card)
    named = {
        why: "your Tactic cards"
        if cards == held and len(cards) > 1
        else join_words(f"the {full_name(card)}" for card in cards)
        for why, cards in reasons.items()
    }
    return [f"You cannot play {cards} now: {why}." for why, cards in named.items()]


_OF_JOKER: Final = {
    "one_per_game": "you have played one, and the other stays in your hand",
    "one_on_table": "the other Joker has to leave your side first",
}
"""The reason why a Joker has to wait (ruling 22), by the option `joker_limit`."""

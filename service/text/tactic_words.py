"""Tactic cards in words: the number each side has played, and why a held card has to wait."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine import OTHER, Game, Seat
from engine.cards import BANSHEE, BIT, ELITE_TROOPS, RECRUITER, STRATEGIST, TRAITOR, in_order
from engine.rules import tactic_refusal
from service.text.card_names import full_name
from service.text.history import join_words

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
            for reason in _reasons(game, seat, card, other):
                reasons.setdefault(reason, []).append(card)
    return [f"You cannot play {_named(cards, held)} now: {why}." for why, cards in reasons.items()]


def _reasons(game: Game, seat: Seat, card: str, other: str) -> Iterator[str]:
    refusal = tactic_refusal(game, seat, card)
    if refusal is not None and refusal.refusal == "tactic-limit":
        yield f"you are one ahead of {other}"
    elif refusal is not None:
        yield _OF_JOKER[game.options.joker_limit]
    elif card in ELITE_TROOPS:
        yield "your sides of the free Stones are full"
    else:
        yield _WITHOUT_TARGET[card].format(other=other)


_OF_JOKER: Final = {
    "one_per_game": "you have played one, and the other stays in your hand",
    "one_on_table": "the other Joker has to leave your side first",
}
"""The reason why a Joker has to wait (ruling 22), by the option `joker_limit`."""


def _named(cards: list[str], held: list[str]) -> str:
    if cards == held and len(cards) > 1:
        return "your Tactic cards"
    return join_words(f"the {full_name(card)}" for card in cards)

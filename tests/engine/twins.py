"""Twins: two games that one player cannot tell apart.

A twin has the same public facts and the same cards in one seat's hand. What is hidden from that
seat is dealt anew: the decks, and the opponent's hand.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from engine import OTHER, Event, Game, Seat, replay
from engine.cards import CLAN_CARDS, DECK_OF, JOKER, ORDER
from engine.events import CardDrawn, CardsRecruited, CardsReturned, RoundStarted
from engine.game import STONES


def twin_of(events: Sequence[Event], seat: Seat, rng: random.Random) -> list[Event]:
    """The same game with other cards where `seat` cannot see them now.

    Cards only change places with others of their deck, in the round being played; those that the
    seat has ever held stay as they are. So do the Jokers, of which there may be two.
    """
    begun = max(n for n, event in enumerate(events) if isinstance(event, RoundStarted))
    game = replay(events)
    known = {
        card
        for event in events[begun:]
        if event.by == seat and isinstance(event, CardDrawn | CardsRecruited | CardsReturned)
        for card in event.cards or ()
    }
    dealt_again: dict[str, str] = {}
    for deck in ("clan", "tactic"):
        hidden = [
            card
            for card in {*game.hands[OTHER[seat]], *game.decks["clan"], *game.decks["tactic"]}
            if DECK_OF[card] == deck and card not in known and card != JOKER
        ]
        hidden.sort(key=ORDER.__getitem__)
        dealt_again |= zip(hidden, rng.sample(hidden, len(hidden)), strict=True)
    return [*events[:begun], *(_dealt_again(event, dealt_again) for event in events[begun:])]


def _dealt_again(event: Event, cards: dict[str, str]) -> Event:
    def dealt(held: tuple[str, ...] | None) -> tuple[str, ...]:
        return tuple(cards.get(card, card) for card in held or ())

    match event:
        case RoundStarted():
            return replace(event, clan=dealt(event.clan), tactic=dealt(event.tactic))
        case CardDrawn() | CardsRecruited() | CardsReturned():
            return replace(event, cards=dealt(event.cards))
    return event


def any_action(game: Game, rng: random.Random) -> str:
    """An action that somebody might try, sensible or not, of any card there is."""
    cards = [*ORDER]
    if rng.random() < 0.7:  # what is near at hand
        near = [*game.hands.values(), *(deck[:3] for deck in game.decks.values())]
        cards = [card for some in near for card in some] or cards
    here = rng.choice(STONES)
    on_table = [c for side in game.stone(here).sides.values() for c in side] or cards
    card, target = rng.choice(cards), rng.choice(on_table)
    to = rng.choice([*STONES, "x"])
    pair = rng.choice(list(combinations(rng.sample(cards, min(4, len(cards))), 2)) or [cards])
    return rng.choice(
        [
            "pass",
            "end",
            "+C",
            "+T",
            f"!{here}",
            f"{card}@{here}",
            f"{rng.choice(CLAN_CARDS)}@{here}",
            f"-{','.join(pair[:2])}",
            f"-{card}",
            f"BAN:{target}@{here}",
            f"STR:{target}@{here}>{to}",
            f"TRA:{target}@{here}>{to}",
            f"REC:{''.join(rng.choices('CT', k=rng.randint(1, 4)))}",
        ]
    )

"""What the rules say when they refuse an action, in the reader's language.

The engine says it in English, as programs read it. Here are its sentences that players meet; those
that name a card or a Stone are said in English still.
"""

from typing import Final

from engine import RuleBroken
from service.core.words import N_, Words

SENTENCES: Final = frozenset(
    {
        N_("You are one Tactic card ahead: your opponent must play one before your next."),
        N_("You have already played a Joker; the other one stays in your hand."),
        N_("A Joker lies on your side. You may play the other one once it has left."),
        N_("You have played this turn. Claim Stones where you may, then draw."),
        N_("First play a card, or pass if you cannot place one."),
        N_("First choose the cards that go back under their decks, for example -R1,R2."),
        N_("Cards go back under their decks only after a Recruiter."),
        N_("There are no Tactic cards in this game."),
        N_("The Traitor takes Clan cards, not Elite Troops."),
        N_("Both decks are empty: there is no card to recruit."),
        N_("You can place a Clan card, so you may not pass."),
        N_("In this game Stones are claimed after playing a card."),
        N_("In this game Stones are claimed at the start of a turn, before playing."),
        N_("Your hand is full."),
        N_("Your hand is not full: draw a card to end the turn."),
        N_("The turn has ended: nothing can follow it."),
        N_("It is the opponent’s turn."),
    }
)


def refusal_words(words: Words, refusal: RuleBroken) -> str:
    """The reason why the rules refuse an action."""
    return words.say(refusal.detail) if refusal.detail in SENTENCES else refusal.detail

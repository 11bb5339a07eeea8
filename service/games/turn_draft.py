"""A turn that is being put together: what it has led to so far, and what may follow.

Nothing is written, and nothing is shown that its player does not know yet: the look ends before
the first card is drawn and before the turn passes on.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

import engine
from engine.cards import OTHER, Deck
from engine.events import (
    CardDrawn,
    CardsRecruited,
    GameEnded,
    RoundEnded,
    RoundStarted,
    TurnEnded,
)
from engine.notation import Action, Claim, Draw, End

MOST_ACTIONS: Final = 20
"""No turn has as many: nine claims, a card, what a Recruiter returns, and a draw."""
_BEYOND: Final = (CardsRecruited, CardDrawn, TurnEnded, RoundEnded, RoundStarted, GameEnded)
"""What follows from sending the turn, and is not looked at before."""


class TurnDraft(NamedTuple):
    """A turn so far.

    `actions` are those that the rules allow, in action text; `refused` those that came after them,
    and `refusal` tells why the first of these is not allowed. `game` is the game after `actions`.
    `legal` is what may follow; nothing where `ends`. `draws` names the deck from which a card is
    drawn at the end, where that is settled already.
    """

    actions: tuple[str, ...]
    refused: tuple[str, ...]
    refusal: engine.RuleBroken | None
    game: engine.Game
    ends: bool
    legal: list[str]
    draws: Deck | None

    @property
    def claimable(self) -> tuple[int, ...]:
        """The Stones that can be claimed next."""
        actions = map(engine.parse, self.legal)
        return tuple(action.stone for action in actions if isinstance(action, Claim))

    @property
    def rest(self) -> str | None:
        """The one thing left to do, where only claims could come before it: a draw, or `end`."""
        left = [action for action in map(engine.parse, self.legal) if not isinstance(action, Claim)]
        alone = len(left) == 1 and isinstance(left[0], Draw | End)
        return str(left[0]) if alone else None

    @property
    def whole(self) -> tuple[str, ...] | None:
        """The turn as it can be sent; None while something has to be chosen."""
        if self.ends:
            return self.actions
        return (*self.actions, self.rest) if self.rest else None

    @property
    def drawn_from(self) -> Deck | None:
        """The deck from which sending the turn draws."""
        last = engine.parse(self.rest) if self.rest else None
        return last.deck if isinstance(last, Draw) else self.draws


def draft_turn(game: engine.Game, seat: engine.Seat, texts: Sequence[str]) -> TurnDraft:
    """What the first legal ones of `texts`, actions of the player in `seat`, lead to."""
    draft = _begun(game, seat)
    for text in texts[:MOST_ACTIONS]:
        try:
            draft = _drafted(game, seat, (*draft.actions, _canonical(text)))
        except engine.RuleBroken as refusal:
            refused = tuple(texts[len(draft.actions) :])
            return draft._replace(refused=refused, refusal=refusal)
    return draft


def plan_turn(game: engine.Game, seat: engine.Seat, texts: Sequence[str]) -> TurnDraft:
    """The same for the player's next turn, as if it came with the board as it lies now."""
    return draft_turn(engine.evolve(game, TurnEnded(OTHER[seat], seat)), seat, texts)


def _begun(game: engine.Game, seat: engine.Seat) -> TurnDraft:
    on_turn = game.turn == seat
    return TurnDraft((), (), None, game, not on_turn, engine.legal(game) if on_turn else [], None)


def _drafted(game: engine.Game, seat: engine.Seat, actions: tuple[str, ...]) -> TurnDraft:
    """The game after all of `actions`. Raises `engine.RuleBroken`."""
    events = engine.decide(game, engine.TakeTurn(seat, list(actions)))
    known = list(takewhile(lambda event: not isinstance(event, _BEYOND), events))
    after = game
    for event in known:
        after = engine.evolve(after, event)
    beyond = events[len(known) :]
    legal = [] if beyond else engine.legal(after)
    first = beyond[0] if beyond else None
    draws = first.deck if isinstance(first, CardDrawn) else None
    return TurnDraft(actions, (), None, after, bool(beyond), legal, draws)


def _canonical(text: str) -> str:
    action: Action = engine.parse(text)
    return str(action)

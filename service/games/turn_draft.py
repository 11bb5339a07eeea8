"""A turn being put together: its state so far, and the possible next actions.

Nothing is written or revealed: the preview ends before the first card is drawn and before the turn
passes.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

import engine
from engine.cards import OTHER, Deck
from engine.events import CardDrawn, CardsRecruited, GameEnded, RoundEnded, RoundStarted, TurnEnded
from engine.notation import Action, Claim, Draw, End

MOST_ACTIONS: Final = 20
"""The most actions in a preview. No turn has as many: nine claims, a card, a Recruiter's returns, a
draw."""
_BEYOND: Final = (CardsRecruited, CardDrawn, TurnEnded, RoundEnded, RoundStarted, GameEnded)
"""The events that sending the turn causes and a preview never reaches."""


class TurnDraft(NamedTuple):
    """A turn so far.

    `actions` are those that the rules allow, in action text; `refused` those after them, and
    `refusal` tells why the first of these is not allowed. `game` is the game after `actions`.
    `legal` are the possible next actions, none if the turn `ends`. `draws` is the deck of the final
    draw, if that is settled already.
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
        """The only remaining action besides claims: a draw, or `end`; None otherwise."""
        left = [action for action in map(engine.parse, self.legal) if not isinstance(action, Claim)]
        alone = len(left) == 1 and isinstance(left[0], Draw | End)
        return str(left[0]) if alone else None

    @property
    def whole(self) -> tuple[str, ...] | None:
        """The complete turn, ready to send; None while a choice remains."""
        if self.ends:
            return self.actions
        return (*self.actions, self.rest) if self.rest else None

    @property
    def drawn_from(self) -> Deck | None:
        """The deck from which sending this turn draws, None without a draw."""
        last = engine.parse(self.rest) if self.rest else None
        return last.deck if isinstance(last, Draw) else self.draws


def draft_turn(game: engine.Game, seat: engine.Seat, texts: Sequence[str]) -> TurnDraft:
    """The draft of the legal beginning of `texts`, actions of the player in `seat`."""
    draft = _begun(game, seat)
    for text in texts[:MOST_ACTIONS]:
        try:
            action: Action = engine.parse(text)
            draft = _drafted(game, seat, (*draft.actions, str(action)))
        except engine.RuleBroken as refusal:
            refused = tuple(texts[len(draft.actions) :])
            return draft._replace(refused=refused, refusal=refusal)
    return draft


def plan_turn(game: engine.Game, seat: engine.Seat, texts: Sequence[str]) -> TurnDraft:
    """The draft of the player's next turn, as if it came on the present board."""
    return draft_turn(engine.evolve(game, TurnEnded(OTHER[seat], seat)), seat, texts)


def _begun(game: engine.Game, seat: engine.Seat) -> TurnDraft:
    on_turn = game.turn == seat
    return TurnDraft((), (), None, game, not on_turn, engine.legal(game) if on_turn else [], None)


def _drafted(game: engine.Game, seat: engine.Seat, actions: tuple[str, ...]) -> TurnDraft:
    """The draft with all of `actions`. Raises `engine.RuleBroken`."""
    events = engine.decide(game, engine.TakeTurn(seat, list(actions)))
    visible = list(takewhile(lambda event: not isinstance(event, _BEYOND), events))
    after = game
    for event in visible:
        after = engine.evolve(after, event)
    beyond = events[len(visible) :]
    legal = [] if beyond else engine.legal(after)
    first = beyond[0] if beyond else None
    draws = first.deck if isinstance(first, CardDrawn) else None
    return TurnDraft(actions, (), None, after, bool(beyond), legal, draws)

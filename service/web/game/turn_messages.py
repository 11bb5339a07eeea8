"""The messages on the page about parts of an unsent turn that are not possible."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import engine
from engine import Seat
from engine.cards import BIT, full_name
from engine.rules import tactic_refusal
from service.core.errors import RequestRejected
from service.games import StoredGame
from service.games.turn_draft import TurnDraft
from service.web.game.turn_choices import Choices
from service.web.game.words import action_words


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

"""A game's page for one reader: the board, the hand and the possible actions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine import Game, Seat, View
from service.games import StoredGame
from service.games.reading.snapshot import GameSnapshot
from service.games.reading.views import GameShown
from service.games.turn_draft import TurnDraft, draft_turn
from service.text import claim_words
from service.text.board import sides
from service.text.history import DECK_TITLES
from service.web.game import words as game_words
from service.web.game.board import NO_CHOICES, Column, columns
from service.web.game.turn_choices import (
    NOTHING,
    Choices,
    TurnMessage,
    UnsentTurn,
    choices,
    unsent_messages,
    unusable,
)

LAST: Final = ("+", "e")
"""The beginnings of a draw and of the end of a turn in action text."""


@dataclass(frozen=True)
class Turn:
    """The player's unsent turn so far."""

    draft: TurnDraft
    choices: Choices
    prompt: str
    undone: tuple[str, ...]
    """The actions that are left after taking back the last one, or the choice."""
    leaves: Sequence[int] = ()
    """Stones that the turn could claim but does not: the player was asked about them."""

    @property
    def claims(self) -> str:
        """Return the possible claims as a sentence; `""` without any."""
        return game_words.claim_offer(self.draft.claimable)

    @property
    def sends(self) -> str:
        """Return the effect of sending the turn, in words."""
        words = game_words.send_words(self.draft)
        return f"{words}, no claim" if self.leaves else words

    @property
    def is_begun(self) -> bool:
        """Whether the turn has any part that can be taken back."""
        return bool(self.draft.actions or self.choices.chosen)


@dataclass(frozen=True)
class GamePage:
    """A game as one reader sees it now. `judged` is the game in which a player's claims are judged;
    None where none can be made."""

    snapshot: GameSnapshot
    view: GameShown
    names: Mapping[str, str]
    above: Seat
    below: Seat
    judged: Game | None
    turn: Turn | None
    state: str
    messages: list[TurnMessage]
    timing: str
    is_plan: bool = False
    """Whether this is the page of a plan: its turn is for an order, and can never be sent."""

    @cached_property
    def columns(self) -> list[Column]:
        """The nine Stones. Most pages do not need them: their board was drawn before."""
        snapshot, names, turn = self.snapshot, self.names, self.turn
        game, seat = snapshot.shown.game, snapshot.seat
        claim_states = claim_words.claims_so_far(game, snapshot.lines, names, seat)
        if seat and self.judged:
            claim_states |= claim_words.claim_states(self.judged, seat, names[self.above])
        actions, buttons = (turn.draft.actions, turn.choices) if turn else ((), NO_CHOICES)
        return columns(self.view, names, actions, buttons, claim_states)

    @property
    def stored(self) -> StoredGame:
        """The game at the version that is shown."""
        return self.snapshot.shown

    @property
    def seat(self) -> Seat | None:
        """The reader's own seat; None for a spectator."""
        return self.view.seat

    @property
    def is_cut_short(self) -> bool:
        """Whether a player, both, or the clock ended the game: no Stone decided it."""
        return self.view.reason in ("resignation", "time-out", "agreement")

    @property
    def status(self) -> str:
        """Return the page's first sentences; a screen reader reads them whenever they change."""
        said = [self.state, *(message.words for message in self.messages)]
        if self.turn is not None:
            not_yet = "Not added yet" if self.is_plan else "Not sent yet"
            said += [f"{not_yet}: {words}" for words in [self._draft_words()] if words]
            said.append(self.turn.prompt)
        return " ".join(words if words.endswith((".", "!", "?")) else f"{words}." for words in said)

    def _draft_words(self) -> str:
        return game_words.draft_words(self.turn.draft.actions) if self.turn else ""


def game_page(
    snapshot: GameSnapshot, unsent: UnsentTurn = NOTHING, messages: Sequence[TurnMessage] = ()
) -> GamePage:
    """Return the page of the game as it is now, with as much of the unsent turn as is legal."""
    stored, seat = snapshot.latest, snapshot.seat
    on_turn = seat is not None and stored.game.turn == seat
    draft = _draft(stored.game, seat, unsent.actions) if seat and on_turn else None
    game = draft.game if draft else stored.game
    view = snapshot.view(stored._replace(game=game), snapshot.reader)
    names = view.seat_names
    above, below = sides(view)
    turn = turn_of(draft, view, unsent, names[above]) if draft else None
    return GamePage(
        snapshot,
        view,
        names,
        above,
        below,
        game if game.status == "active" else None,
        turn,
        game_words.state_words(view, names),
        [
            *messages,
            *unsent_messages(stored, unsent, draft, snapshot.last_turn),
            *(unusable(turn.draft.game, seat, turn.choices) if turn and seat else ()),
        ],
        claim_words.timing(game),
    )


def _draft(game: Game, seat: Seat, texts: Sequence[str]) -> TurnDraft:
    """Return the unsent turn. Whoever has chosen a deck may still claim: a claim goes before it."""
    draft = draft_turn(game, seat, sorted(texts, key=lambda text: text[:1] in LAST))
    if not draft.ends or draft.actions[-1][:1] not in LAST:
        return draft
    before = draft_turn(game, seat, draft.actions[:-1]).legal
    return draft._replace(legal=[text for text in before if text.startswith("!")])


def step_page(snapshot: GameSnapshot, view: GameShown, state: str) -> GamePage:
    """Return the page of a game at an earlier step, in this view; it has no actions. `state`
    describes the step."""
    return GamePage(snapshot, view, view.seat_names, *sides(view), None, None, state, [], "")


def turn_of(
    draft: TurnDraft, view: View, unsent: UnsentTurn, other: str = "the other player"
) -> Turn:
    """Return the unsent turn so far, with the choices that may follow. `other`: the name of the
    other player."""
    following = choices(view.own_cards, draft.legal, unsent.chosen)
    undone = draft.actions if following.chosen else draft.actions[:-1]
    phase = draft.game.phase
    prompt = game_words.prompt(draft, following.chosen, phase, other)
    return Turn(draft, following, prompt, undone, unsent.leaves)


def deck_words(view: View) -> str:
    """Return the numbers of cards left in the decks: `40 Clan and 9 Tactic cards to draw`."""
    decks = [
        f"{view.decks[deck]} {title}"
        for deck, title in DECK_TITLES.items()
        if deck == "clan" or view.tactics
    ]
    return f"{' and '.join(decks)} cards to draw"

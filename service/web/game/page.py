"""A game's page for one reader: the board, the hand and the possible actions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine import Game, Seat, View
from service.core.words import N_, Words
from service.games import StoredGame
from service.games.reading.snapshot import GameSnapshot
from service.games.reading.views import GameShown
from service.games.turn_draft import TurnDraft, draft_turn
from service.text import claim_words
from service.text.board import sides
from service.text.event_words import as_sentence
from service.web.game import sentences
from service.web.game.board import NO_CHOICES, Column, columns
from service.web.game.turn_choices import (
    NOTHING,
    Choices,
    TurnMessage,
    UnsentTurn,
    choices,
    idle_words,
    unsent_messages,
    unusable,
)

LAST: Final = ("+", "e")
"""The beginnings of a draw and of the end of a turn in action text."""
_UNBROKEN: Final = re.compile(r" (?=\d)")
"""The space that would part a card or a Stone from its number at the end of a line."""


@dataclass(frozen=True)
class Turn:
    """The player's unsent turn so far."""

    words: Words
    draft: TurnDraft
    choices: Choices
    prompt: str
    undone: tuple[str, ...]
    """The actions that are left after taking back the last one, or the choice."""
    idle: str = ""
    """Why cards of the hand cannot be played."""
    leaves: Sequence[int] = ()
    """Stones that the turn could claim but does not: the player was asked about them."""

    @property
    def claims(self) -> str:
        """Return the possible claims as a sentence; `""` without any."""
        return sentences.claim_offer(self.words, self.draft.claimable)

    @property
    def sends(self) -> str:
        """Return the effect of sending the turn, in words."""
        turn = _UNBROKEN.sub("\u00a0", sentences.send_words(self.words, self.draft))
        # Note: after "Send:"; %(turn)s is such as "Red 7 to Stone 3"
        return self.words.say("%(turn)s, no claim", turn=turn) if self.leaves else turn

    @property
    def is_begun(self) -> bool:
        """Whether the turn has any part that can be taken back."""
        return bool(self.draft.actions or self.choices.chosen)


@dataclass(frozen=True)
class GamePage:
    """A game as one reader sees it now. `judged` is the game in which a player's claims are judged;
    None where none can be made."""

    words: Words
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
        claim_states = claim_words.claims_so_far(self.words, game, snapshot.lines, names, seat)
        if seat and self.judged:
            claim_states |= claim_words.claim_states(
                self.words, self.judged, seat, names[self.above]
            )
        actions, buttons = (turn.draft.actions, turn.choices) if turn else ((), NO_CHOICES)
        return columns(self.words, self.view, names, actions, buttons, claim_states)

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
            if actions := self.turn.draft.actions:
                # Note: %(turn)s is such as "Red 7 on Stone 3, Claim Stone 3"
                plan, turn = N_("Not added yet: %(turn)s"), N_("Not sent yet: %(turn)s")
                drafted = sentences.draft_words(self.words, actions)
                said.append(self.words.say(plan if self.is_plan else turn, turn=drafted))
            said.append(self.turn.prompt)
        return " ".join(
            text if text.endswith((".", "!", "?")) else as_sentence(self.words, text)
            for text in said
        )


def game_page(
    words: Words,
    snapshot: GameSnapshot,
    unsent: UnsentTurn = NOTHING,
    messages: Sequence[TurnMessage] = (),
) -> GamePage:
    """Return the page of the game as it is now, with as much of the unsent turn as is legal."""
    stored, seat = snapshot.latest, snapshot.seat
    on_turn = seat is not None and stored.game.turn == seat
    draft = _draft(stored.game, seat, unsent.actions) if seat and on_turn else None
    game = draft.game if draft else stored.game
    view = snapshot.view(stored._replace(game=game), snapshot.reader)
    names = view.seat_names
    above, below = sides(view)
    turn = turn_of(words, draft, view, unsent, names[above]) if draft else None
    return GamePage(
        words,
        snapshot,
        view,
        names,
        above,
        below,
        game if game.status == "active" else None,
        turn,
        sentences.state_words(words, view, names),
        [
            *messages,
            *unsent_messages(words, stored, unsent, draft, snapshot.last_turn),
            *(unusable(words, turn.draft.game, seat, turn.choices) if turn and seat else ()),
            *(_missed(words, stored.game, seat, draft) if draft and seat else ()),
        ],
        claim_words.timing(words, game),
    )


def _missed(words: Words, game: Game, seat: Seat, draft: TurnDraft) -> list[TurnMessage]:
    """Return what to say of Stones that can no longer be claimed, since a card lies already: in
    some editions a claim comes before it."""
    if game.options.claim_timing != "before_play" or draft.claimable or not draft.actions:
        return []
    stones = draft_turn(game, seat, ()).claimable
    left = [str(stone) for stone in stones if f"!{stone}" not in draft.actions]
    if not left or all(action.startswith("!") for action in draft.actions):
        return []
    said = words.plural(
        "You leave Stone %(stones)s unclaimed: Undo to claim it first.",
        "You leave Stones %(stones)s unclaimed: Undo to claim them first.",
        len(left),
        stones=words.joined(left),
    )
    return [TurnMessage(said)]


def _draft(game: Game, seat: Seat, texts: Sequence[str]) -> TurnDraft:
    """Return the unsent turn. Whoever has chosen a deck may still claim: a claim goes before it."""
    draft = draft_turn(game, seat, sorted(texts, key=lambda text: text[:1] in LAST))
    if not draft.ends or draft.actions[-1][:1] not in LAST:
        return draft
    before = draft_turn(game, seat, draft.actions[:-1]).legal
    return draft._replace(legal=[text for text in before if text.startswith("!")])


def step_page(words: Words, snapshot: GameSnapshot, view: GameShown, state: str) -> GamePage:
    """Return the page of a game at an earlier step, in this view; it has no actions. `state`
    describes the step."""
    return GamePage(words, snapshot, view, view.seat_names, *sides(view), None, None, state, [], "")


def turn_of(
    words: Words,
    draft: TurnDraft,
    view: View,
    unsent: UnsentTurn,
    other: str = "",
    *,
    is_plan: bool = False,
) -> Turn:
    """Return the unsent turn so far, or a plan, with the choices that may follow. `other`: the name
    of the other player, whom only Ruses ask about."""
    following = choices(words, view.own_cards, draft.legal, unsent.chosen, is_plan=is_plan)
    undone = draft.actions if following.chosen else draft.actions[:-1]
    phase = draft.game.phase
    prompt = sentences.prompt(words, draft, following.chosen, phase, other, is_plan=is_plan)
    idle = idle_words(words, draft.game, view.seat, following) if view.seat else ""
    return Turn(words, draft, following, prompt, undone, idle, unsent.leaves)

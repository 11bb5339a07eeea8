"""The beginning of a round's clock: both players' calendars, and any pause in progress. Each round
repeats them in the log, so that its clock can be read from the round's start."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import engine
from service.games.change.draft import CLOCK, Draft
from service.games.clock.calendar import Calendar
from service.games.clock.state import change_calendar, restated
from service.games.clock.terms import allowed, read_terms
from service.games.orders.executor import CompletedDraft

CalendarsOf = Callable[[Sequence[str]], Mapping[str, Calendar]]
"""A function that returns the calendars of these players, by id."""


def with_round_clock(completed: CompletedDraft, calendars_of: CalendarsOf) -> CompletedDraft:
    """The draft, with the initial clock events of a round that it begins."""
    draft = completed.draft
    before, after = draft.before, draft.after.game
    is_same = after.round == (0 if before is None else before.game.round)
    if is_same or after.over or after.terms.get("clock") is None:
        return completed
    for command in _commands(draft, calendars_of):
        draft = draft.then(command, CLOCK)
    return replace(completed, draft=draft)


def _commands(draft: Draft, calendars_of: CalendarsOf) -> list[engine.Command]:
    before, game = draft.before, draft.after.game
    if before is not None and before.game.status == "active":
        return [] if before.timing is None else [*restated(before.timing, int(draft.at))]
    terms = read_terms(game.terms["clock"])
    if not terms.has_calendar:
        return []
    calendars = calendars_of(draft.after.players)
    commands: list[engine.Command] = []
    for seat in engine.SEATS:
        calendar = allowed(terms, calendars.get(game.players[seat] or "", Calendar()))
        if calendar != Calendar():
            commands.append(change_calendar(seat, calendar))
    return commands

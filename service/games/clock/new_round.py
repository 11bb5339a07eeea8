"""The beginning of a round's clock: both players' calendars, and any pause in progress. Each round
repeats them in the log, so that its clock can be read from the round's start."""

from dataclasses import replace

import engine
from service.games.calendars.store import CalendarStore
from service.games.change.draft import CLOCK, Draft
from service.games.clock.calendar import Calendar
from service.games.clock.state import change_calendar, restated
from service.games.clock.terms import allowed, read_terms
from service.games.orders.executor import CompletedDraft


def with_round_clock(completed: CompletedDraft, calendars: CalendarStore) -> CompletedDraft:
    """The draft, with the initial clock events of a round that it begins."""
    draft = completed.draft
    before, after = draft.before, draft.after.game
    is_same = after.round == (0 if before is None else before.game.round)
    if is_same or after.over or after.terms.get("clock") is None:
        return completed
    for command in _commands(draft, calendars):
        draft = draft.then(command, CLOCK)
    return replace(completed, draft=draft)


def _commands(draft: Draft, calendars: CalendarStore) -> list[engine.Command]:
    before, game = draft.before, draft.after.game
    if before is not None and before.game.status == "active":
        return [] if before.timing is None else [*restated(before.timing, int(draft.at))]
    terms = read_terms(game.terms["clock"])
    if not terms.has_calendar:
        return []
    by_player = calendars.of_players(draft.after.players)
    commands: list[engine.Command] = []
    for seat in engine.SEATS:
        calendar = allowed(terms, by_player.get(game.players[seat] or "", Calendar()))
        if calendar != Calendar():
            commands.append(change_calendar(seat, calendar))
    return commands

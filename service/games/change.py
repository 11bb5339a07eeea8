"""Writing to a game's log: from a command to its events, notices and deadline, all at once."""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final, NamedTuple

import engine
from service.core.errors import RequestRejected, key_reused, stale
from service.core.redis.batch import Query
from service.eventlog import (
    Appended,
    AppendResult,
    EventLog,
    FieldChange,
    IdempotencyKey,
    KeyReused,
    Repeated,
    SideStateConflict,
    VersionConflict,
)
from service.games.caps import check_room
from service.games.draft import Draft
from service.games.notifications import Change, notices_of
from service.games.orders import executor
from service.games.orders.executor import LONGEST_TURN, Outcome
from service.games.projections.player_games import PlayerIndex, same_place
from service.games.repository import GameRepository, StoredGame, changed

CLOCK: Final = "clock"
"""The channel of what a deadline brings about."""


class Late(RequestRejected):
    """The deadline passed before the request came, and something else has happened by it."""

    def __init__(self, version: int) -> None:
        detail = "The time for this turn was up before your request came: the round is over."
        super().__init__("time-out", detail, version=version)


class Origin(NamedTuple):
    """Where a change comes from.

    `via` is the channel, as the record has it; `expected` the versions that will do for the caller,
    None: whichever it is; `key` the caller's idempotency key, if there is one; `noted` the notes
    beside the game, where they were read a moment ago.
    """

    via: str = "api"
    expected: Container[int] | None = None
    key: IdempotencyKey | None = None
    noted: Mapping[str, str] | None = None


class Writer:
    """Carries changes out. `notice_delay` is in seconds, `now` gives unix seconds."""

    def __init__(
        self,
        log: EventLog,
        repository: GameRepository,
        index: PlayerIndex,
        notice_delay: float,
        now: Callable[[], float],
    ) -> None:
        self._log = log
        self._repository = repository
        self._index = index
        self._notice_delay = notice_delay
        self._now = now

    def draft(
        self, game_id: str, before: StoredGame | None, command: engine.Command, via: str
    ) -> Draft:
        """What `command` would change. Raises `engine.RuleBroken`, and `Late` where the deadline
        has passed: then only the clock changes anything."""
        now = self._now()
        if before is not None and via != CLOCK and before.is_late(now):
            raise Late(before.version)
        after, lines = changed(game_id, before, command, now, via)
        return Draft(before, after, lines)

    def then(self, draft: Draft, command: engine.Command, via: str) -> Draft:
        """The draft with another command after it: both are written, or neither."""
        more = self.draft(draft.after.id, draft.after, command, via)
        return Draft(draft.before, more.after, draft.lines + more.lines)

    def write(
        self, draft: Draft, actor: str | None, origin: Origin, notes: Sequence[FieldChange] = ()
    ) -> StoredGame:
        """Append the draft, and give the game after it, or after the first request of this key.

        What the standing orders of who gets the turn lead to is written with it. `actor` is the id
        of the player who did it, None for the server; `notes` are changed in the same write.
        Raises `RequestRejected`: `stale-version` where another write or another note came first,
        `idempotency-key-reused`, `too-many-games`.
        """
        if actor is not None:
            try:
                check_room(self._index, actor, draft)
            except RequestRejected:
                # The last one that there was room for may be asked for again.
                if (repeated := self.recall(draft.after.id, origin.key)) is None:
                    raise
                return repeated
        outcome = self._foreseen(draft, origin)
        answer = self._append(outcome, actor, origin, notes)
        while isinstance(answer, SideStateConflict):
            # What was to be noted is noted otherwise by now, or orders have just changed.
            noted, recent = self._beside(draft, None)
            if any(noted.get(note.field, "") != note.before for note in notes):
                raise stale(self._log.events.version(draft.after.id))
            outcome = executor.carried_out(draft, noted, self._ordered, recent)
            answer = self._append(outcome, actor, origin, notes)
        return self._written(outcome.draft, answer)

    def recall(self, game_id: str, key: IdempotencyKey | None) -> StoredGame | None:
        """The game after the first request under this key, None where there was none.

        Raises `RequestRejected`: `idempotency-key-reused` where that was another request.
        """
        answer = self._log.events.recall(game_id, key) if key else None
        return None if answer is None else self._answered(game_id, answer)

    def _append(
        self, outcome: Outcome, actor: str | None, origin: Origin, notes: Sequence[FieldChange]
    ) -> AppendResult:
        before, after, lines = outcome.draft
        change = Change(outcome.draft, actor, outcome.ended_a_turn, outcome.cancelled)
        given = {note.field for note in notes}
        implied = [note for note in outcome.notes if note.field not in given]
        return self._log.events.append(
            after.id,
            0 if before is None else before.version,
            lines,
            head=None if before is None else before.head,
            notices=notices_of(change, self._now(), self._notice_delay),
            deadline=after.deadline,
            key=origin.key,
            side_state=[*implied, *notes],
        )

    def _written(self, draft: Draft, answer: AppendResult) -> StoredGame:
        before, after, _ = draft
        match answer:
            case Appended():
                self._repository.keep(after)
                if not same_place(before, after):
                    self._index.apply(after)
                return after
            case VersionConflict(_, version):
                raise stale(version)
            case Repeated() | KeyReused():
                return self._answered(after.id, answer)
            case SideStateConflict():
                raise AssertionError("a note that differs is looked up")

    def _ordered(self, draft: Draft, command: engine.Command) -> Draft:
        return self.then(draft, command, "order")

    def _foreseen(self, draft: Draft, origin: Origin) -> Outcome:
        """The draft with what follows from orders.

        They are read wherever there could be some, so that the time tells nobody whether there are.
        """
        if not executor.is_for_orders(draft):
            return executor.without(draft)
        noted, recent = self._beside(draft, origin.noted)
        return executor.carried_out(draft, noted, self._ordered, recent)

    def _beside(
        self, draft: Draft, noted: Mapping[str, str] | None
    ) -> tuple[Mapping[str, str], list[str]]:
        """The notes, and the lines of the turn so far; in one round trip at most."""
        game_id, before = draft.after.id, draft.before
        lines = None
        if before is not None and executor.may_have_begun_earlier(before.game):
            after = max(0, before.version - LONGEST_TURN)
            lines = self._log.events.events_query(game_id, after=after, upto=before.version)
        if noted is not None and lines is None:
            return noted, []
        notes = self._log.side_state.query(game_id)
        queries: list[Query[Any]] = [notes] if lines is None else [notes, lines]
        of_notes, *of_lines = self._log.events.execute_many(queries)
        return notes.parse(of_notes), lines.parse(*of_lines) if lines else []

    def _answered(self, game_id: str, answer: Repeated | KeyReused) -> StoredGame:
        if isinstance(answer, KeyReused):
            raise key_reused()
        # The first request may have ended between the log and the index.
        self._index.apply(self._repository.get(game_id))
        return self._repository.get(game_id, answer.version)

"""Writing to a game's log: from a command to its events, notices and deadline, all at once."""

from collections.abc import Callable
from typing import NamedTuple

import engine
from service.games.index import PlayerIndex, same_place
from service.games.notices import notices_of
from service.games.stored import Shelf, StoredGame, fold, sealed
from service.log import Appended, Conflict, GameLog, IdempotencyKey, KeyReused, Repeated
from service.refusal import key_reused, stale


class Origin(NamedTuple):
    """Where a change comes from.

    `via` is the channel, as the record has it; `expected` the version that the caller saw, None:
    whichever it is; `key` the caller's idempotency key, if there is one.
    """

    via: str = "api"
    expected: int | None = None
    key: IdempotencyKey | None = None


class Draft(NamedTuple):
    """A change that the rules allow, not yet written: the games on both sides of it, its lines."""

    before: StoredGame | None
    after: StoredGame
    lines: list[str]


class Writer:
    """Carries changes out. `notice_delay` is in seconds, `now` gives unix seconds."""

    def __init__(
        self,
        log: GameLog,
        shelf: Shelf,
        index: PlayerIndex,
        notice_delay: float,
        now: Callable[[], float],
    ) -> None:
        self._log = log
        self._shelf = shelf
        self._index = index
        self._notice_delay = notice_delay
        self._now = now

    def draft(
        self, game_id: str, before: StoredGame | None, command: engine.Command, via: str
    ) -> Draft:
        """What `command` would change. Raises `engine.RuleBroken`."""
        lines = sealed(before, command, at=self._now(), via=via)
        after = fold(game_id, before, lines)
        assert after is not None, "a decision holds at least one event"
        return Draft(before, after, lines)

    def write(self, draft: Draft, actor: str | None, origin: Origin) -> StoredGame:
        """Append the draft, and give the game after it, or after the first request of this key.

        `actor` is the id of the player who did it, None for the server. Raises `Refused`:
        `stale-version` where another write came first, `idempotency-key-reused`.
        """
        before, after, lines = draft
        answer = self._log.append(
            after.id,
            0 if before is None else before.version,
            lines,
            notices=notices_of(before, after, actor, self._now() + self._notice_delay),
            deadline=after.deadline,
            key=origin.key,
        )
        match answer:
            case Appended():
                self._shelf.keep(after)
                if not same_place(before, after):
                    self._index.apply(after)
                return after
            case Conflict(version):
                raise stale(version)
            case _:
                return self._answered(after.id, answer)

    def recall(self, game_id: str, key: IdempotencyKey | None) -> StoredGame | None:
        """The game after the first request under this key, None where there was none.

        Raises `Refused`: `idempotency-key-reused` where that was another request.
        """
        answer = self._log.recall(game_id, key) if key else None
        return None if answer is None else self._answered(game_id, answer)

    def _answered(self, game_id: str, answer: Repeated | KeyReused) -> StoredGame:
        if isinstance(answer, KeyReused):
            raise key_reused()
        # The first request may have ended between the log and the index.
        self._index.apply(self._shelf.known(game_id))
        return self._shelf.known(game_id, answer.version)

"""Players' changes to games, retried when another write comes first.

This is the only loop around a move.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import engine
from service.core.errors import Overtaken, RequestRejected
from service.games.change.draft import DeadlinePassed
from service.games.change.writer import ChangeContext, ChangeWriter
from service.games.deadlines.service import Deadlines
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame

_ATTEMPTS: Final = 5
"""Attempts at a change: others may write to the game at the same time."""

T = TypeVar("T")
CommandOf = Callable[[StoredGame], engine.Command]


@dataclass(eq=False, repr=False)
class PlayerChanges:
    """Applies players' changes to the current game. Raises what `change` and the rules raise."""

    _repository: GameRepository
    _writer: ChangeWriter
    _deadlines: Deadlines

    def make(
        self, game_id: str, player: str, command_of: CommandOf, context: ChangeContext
    ) -> StoredGame:
        """Write the command that `command_of` makes for the current game; returns the game after
        it.

        Repeating a request under its key returns the first result.
        """

        def change(before: StoredGame) -> StoredGame:
            command = command_of(before)  # first: a stranger must not even learn the version
            context.check(before)
            draft = self._writer.draft(game_id, before, command, context.via)
            return self._writer.write(draft, player, context)

        return self.attempt(game_id, context, change, lambda repeated: repeated)

    def attempt(
        self,
        game_id: str,
        context: ChangeContext,
        change: Callable[[StoredGame], T],
        answer_again: Callable[[StoredGame], T],
    ) -> T:
        """The result of `change` for the current game.

        The game cached in this process is tried first, which saves reading the log: a write to an
        outdated game is refused. If an earlier request under this key succeeded, `answer_again`
        makes the answer from the game as that request left it.
        """
        cached, attempts = self._repository.cached(game_id), 0
        while True:
            before = cached or self._repository.get(game_id)
            try:
                return change(before)
            except (RequestRejected, engine.RuleBroken) as rejection:
                if cached is not None:
                    cached = None  # only the latest game decides
                    continue
                # The first of two equal requests may have succeeded; this one then fails.
                if repeated := self._writer.recall(game_id, context.key):
                    return answer_again(repeated)
                attempts += 1
                if attempts == _ATTEMPTS:
                    raise
                if isinstance(rejection, DeadlinePassed):
                    if (why := self._deadlines.refusal(before)) is not None:
                        raise why from None
                elif not isinstance(rejection, Overtaken):
                    raise

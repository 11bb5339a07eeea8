"""Changes that players make: tried again where another write comes first.

This is the only loop around a move.
"""

from collections.abc import Callable
from typing import Final, TypeVar

import engine
from service.core.errors import Overtaken, RequestRejected
from service.games.change.draft import DeadlinePassed
from service.games.change.writer import ChangeContext, ChangeWriter
from service.games.deadlines.service import Deadlines
from service.games.repository import GameRepository, StoredGame

_ATTEMPTS: Final = 5
"""Others may write to a game just then."""

T = TypeVar("T")
CommandOf = Callable[[StoredGame], engine.Command]


class PlayerChanges:
    """Makes changes to games as they stand. They raise what `change` and the rules raise."""

    def __init__(
        self, repository: GameRepository, writer: ChangeWriter, deadlines: Deadlines
    ) -> None:
        self._repository = repository
        self._writer = writer
        self._deadlines = deadlines

    def make(
        self, game_id: str, player: str, command_of: CommandOf, context: ChangeContext
    ) -> StoredGame:
        """Write the command that `command_of` finds for the game as it stands; the game after it.

        What a request led to before, it leads to again under its key.
        """

        def change(before: StoredGame) -> StoredGame:
            command = command_of(before)  # first: a stranger is not even told the version
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
        """What `change` gives for the game as it stands.

        First for the game as this process saw it last, which saves reading the log: a write to any
        other state of the game is refused. A request that was granted before under its key is
        answered by `answer_again`, with the game as it was after that.
        """
        cached, attempts = self._repository.cached(game_id), 0
        while True:
            before = cached or self._repository.get(game_id)
            try:
                return change(before)
            except (RequestRejected, engine.RuleBroken) as rejection:
                if cached is not None:
                    cached = None  # only the game as it stands decides
                    continue
                # What is rejected now may have been granted to the first of two equal requests.
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

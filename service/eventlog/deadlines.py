"""The games whose clock is running, by deadline."""

from collections.abc import Callable, Iterator

from service.core.redis.client import Client
from service.eventlog import keys
from service.eventlog.due_set import DueSet


class DeadlineSet(DueSet):
    """Ids of games by the deadline of the player to move; `now` gives unix seconds.

    An append to a game sets or clears its deadline, and so ends a claim to it.
    """

    def __init__(self, redis: Client, now: Callable[[], float]) -> None:
        super().__init__(redis, keys.deadlines_key, keys.bucket_of, now)

    def games(self) -> Iterator[str]:
        """The ids of all games with a deadline."""
        return (due.id for due in self.pending())

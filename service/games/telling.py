"""Whether a player was told of the turn: by a notice that arrived, or by coming to see."""

from service.accounts.failing_addresses import FailingAddresses
from service.accounts.players import Players
from service.bots import bot_at
from service.core.redis.batch import execute_many
from service.core.redis.client import Client
from service.core.timestamps import unix
from service.eventlog import EventLog, notice_id
from service.eventlog.dead_letters import DeadLetters
from service.games.repository import StoredGame

MOST_VERSIONS = 50
"""Versions after the beginning of a turn at which its notice may stand: few have more than one."""


class Telling:
    """Asks what became of the notices of turns."""

    def __init__(
        self,
        redis: Client,
        log: EventLog,
        players: Players,
        dead_letters: DeadLetters,
        failing: FailingAddresses,
    ) -> None:
        self._redis = redis
        self._log = log
        self._players = players
        self._dead_letters = dead_letters
        self._failing = failing

    def is_told(self, stored: StoredGame, by: float) -> bool:
        """Whether the player to move knows of it, as far as it is for us to tell.

        So it is if the notice has arrived, if they have been here since, up to the moment `by`,
        with a browser or a program, and if they have chosen not to be told. It is not while the
        notice waits, was given up, or went to an address that fails.
        """
        player = stored.player_to_move()
        if player is None or bot_at(player) is not None:
            return True
        return self._has_come(stored, player, by) or self._has_arrived(stored, player)

    def _has_come(self, stored: StoredGame, player: str, by: float) -> bool:
        used = self._players.last_use(player)
        if used is None or stored.turn_since is None:
            return False
        return unix(stored.turn_since) < used <= by

    def _has_arrived(self, stored: StoredGame, player: str) -> bool:
        notices = _notices(stored, player)
        queries = [self._log.outbox.pending_query(notice) for notice in notices]
        replies = execute_many(self._redis, queries)
        if any(query.parse(reply) for query, reply in zip(queries, replies, strict=True)):
            return False
        found = self._players.find(player)
        is_failing = found is not None and self._failing.find(found.email) is not None
        return not is_failing and not self._dead_letters.any_of(notices)


def _notices(stored: StoredGame, player: str) -> list[str]:
    """The ids that the notice of the turn may have: what came with the turn is in one write."""
    first = stored.turn_version
    versions = range(first, min(stored.version, first + MOST_VERSIONS) + 1)
    return [notice_id(stored.id, version, player, "mail", "turn") for version in versions]

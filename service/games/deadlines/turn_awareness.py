"""Whether a player is aware of the turn: by a notice that arrived, or by a visit."""

from dataclasses import dataclass

from service.accounts.channels.deliveries import DeliveryLedger
from service.accounts.players import Players
from service.bots import bot_at
from service.core.redis.batch import execute_all
from service.core.redis.client import Client
from service.core.timestamps import unix
from service.eventlog import EventLog, notice_id
from service.games.stored_game import StoredGame

MOST_VERSIONS = 50
"""The most versions after a turn's beginning to check for its notice: few turns have more than
one."""
_MAIL = "mail"


@dataclass(eq=False, repr=False)
class TurnAwareness:
    """Checks whether notices of turns have reached their players."""

    _redis: Client
    _log: EventLog
    _players: Players
    _ledger: DeliveryLedger

    def is_aware(self, stored: StoredGame, by: float) -> bool:
        """Whether the player to move counts as notified.

        They do if a notice has arrived on any channel; if they have visited, with a browser or
        program, between the turn's beginning and the moment `by`; or if they want no notices or
        have given no address or channel. They do not count while the notice waits, after every
        channel gave up, or if the address fails.
        """
        player = stored.player_to_move()
        if player is None or bot_at(player) is not None:
            return True
        return self._has_come(stored, player, by) or self._has_arrived(stored, player)

    def _has_come(self, stored: StoredGame, player: str, by: float) -> bool:
        used = self._players.last_use(player)
        if used is None or stored.turn_since is None:
            return False
        has_come = unix(stored.turn_since) < used <= by
        if has_come and stored.must_be_claimed:
            # They may visit again until the win is claimed, and only the last visit is stored.
            self._ledger.record_visit(player, stored.id, stored.turn_version)
        return has_come

    def _has_arrived(self, stored: StoredGame, player: str) -> bool:
        turn = self._ledger.of_turn(player, stored.id, stored.turn_version, turn_begun(stored))
        if turn.reached.keys() == {_MAIL} and self._address_fails(player):
            return False
        return turn.is_notified or not (turn.channels or self._waits(stored, player))

    def _address_fails(self, player: str) -> bool:
        account = self._players.find(player)
        return account is not None and self._players.mail_fails(account)

    def _waits(self, stored: StoredGame, player: str) -> bool:
        """Whether the notice, which the turn's append added, is still in the outbox."""
        first = stored.turn_version
        versions = range(first, min(stored.version, first + MOST_VERSIONS) + 1)
        notices = [notice_id(stored.id, one, player, _MAIL, "turn") for one in versions]
        queries = [self._log.outbox.pending_query(notice) for notice in notices]
        waiting = execute_all(self._redis, queries)
        return any(waiting)


def turn_begun(stored: StoredGame) -> int:
    """The moment when the player to move got the turn, in unix seconds; 0 while nobody has it."""
    return 0 if stored.turn_since is None else unix(stored.turn_since)

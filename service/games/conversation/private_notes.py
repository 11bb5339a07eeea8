"""A player's private notes about games.

st:{PLAYER}:notes         hash: game → text
"""

from dataclasses import dataclass
from typing import Final

from marshmallow import fields

from service.core.errors import RequestRejected
from service.core.ids import GAME_ID
from service.core.redis.batch import Query, execute, raising
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import PlayerData, text
from service.games.conversation.store import plain_text

LONGEST: Final = 4000
"""The most characters of a note."""
MOST: Final = 1000
"""The most notes of a player."""
NOTES: Final = PlayerData(
    "notes",
    "hash",
    fields.Dict(text(GAME_ID), text(rf"(?s:[^\ud800-\udfff]{{1,{LONGEST}}})")),
    exported="games",
)


@dataclass(frozen=True, slots=True)
class PrivateNotes:
    """The notes of all players. Every call may be repeated."""

    _redis: Client

    def read(self, player: str, game_id: str) -> str:
        """The player's note about a game; empty without one."""
        return execute(self._redis, self.query(player, game_id))

    def query(self, player: str, game_id: str) -> Query[str]:
        """The query that `read` executes."""
        return Query(("HGET", NOTES.key(player), game_id), raising(lambda reply: reply or ""))

    def write(self, player: str, game_id: str, note: str) -> str:
        """Replace the note and return the stored text; an empty note is deleted.

        Raises `RequestRejected`: `bad-note`, `too-many-notes`.
        """
        text = plain_text(note)
        if len(text) > LONGEST:
            raise RequestRejected("bad-note", f"A note has at most {LONGEST} characters.")
        key = NOTES.key(player)
        if not text:
            self._redis.hdel(key, game_id)
        elif self._redis.hexists(key, game_id) or self._redis.hlen(key) < MOST:
            self._redis.hset(key, game_id, text)
        else:
            raise RequestRejected(
                "too-many-notes", f"You have notes about {MOST} games: delete some first."
            )
        return text

    def forget_game(self, player: str, game_id: str) -> None:
        """Delete the player's note about a removed game."""
        self._redis.hdel(NOTES.key(player), game_id)

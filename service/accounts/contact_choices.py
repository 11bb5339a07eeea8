"""The players whom a player has blocked, and whether a player accepts challenges.

Blocking a player blocks the player's own bots as well. Blocked players do not learn of it: they see
the same refusals as if the other accepted no challenges or messages from anybody, or if the game
were not in the lobby.

st:{PLAYER}:blocked           hash: player → since when (RFC 3339)
st:{PLAYER}:challenges:off    "1" while the player accepts none
"""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Final, cast

from marshmallow import fields

from service.accounts.player import player_key
from service.core.cache import ThreadSafeCache, recently_used
from service.core.errors import RequestRejected
from service.core.ids import PLAYER_ID, is_owned_bot
from service.core.redis.batch import Batch, Query, raising
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import SnapshotKey, text, timestamp_text
from service.core.timestamps import timestamp

MOST_BLOCKED: Final = 1000
"""The most players that one player can block."""
LASTING_KEYS: Final = (
    SnapshotKey(
        scan="st:{*}:blocked",
        name=rf"st:\{{{PLAYER_ID}\}}:blocked",
        type="hash",
        content=fields.Dict(text(PLAYER_ID), timestamp_text()),
    ),
    SnapshotKey(
        scan="st:{*}:challenges:off",
        name=rf"st:\{{{PLAYER_ID}\}}:challenges:off",
        type="string",
        content=text("1"),
    ),
)
"""The keys that a backup includes."""


class ContactChoices:
    """The choices of all players. `now` returns unix seconds; every call may be repeated."""

    def __init__(self, redis: Client, now: Callable[[], float]) -> None:
        self._redis = redis
        self._now = now
        self._owners: ThreadSafeCache[str, str] = recently_used(10_000)

    def block(self, player: str, other: str) -> None:
        """Block `other`: these two can send each other no challenges, messages or rematches, nor
        meet in the lobby.

        Raises `RequestRejected`: `too-many-blocked`, `own-account`.
        """
        if player == other:
            raise RequestRejected("own-account", "Nobody can block themselves.")
        blocked = self.blocked(player)
        if len(blocked) >= MOST_BLOCKED and other not in blocked:
            detail = f"You have blocked {MOST_BLOCKED} players: unblock one first."
            raise RequestRejected("too-many-blocked", detail)
        self._redis.hsetnx(_blocked_key(player), other, timestamp(self._now()))

    def unblock(self, player: str, other: str) -> None:
        """Unblock `other`. The two can meet again, unless the other has blocked this player."""
        self._redis.hdel(_blocked_key(player), other)

    def blocked(self, player: str) -> dict[str, str]:
        """Return the players whom this one has blocked, the latest first, each with the moment (RFC
        3339)."""
        moments = cast(dict[str, str], self._redis.hgetall(_blocked_key(player)))
        return dict(sorted(moments.items(), key=lambda pair: (pair[1], pair[0]), reverse=True))

    def has_blocked(self, player: str, other: str) -> bool:
        """Whether the first has blocked the second."""
        return bool(self._redis.hexists(_blocked_key(player), other))

    def set_challenges_off(self, player: str, *, off: bool) -> None:
        """Stop accepting challenges, or accept them again."""
        if off:
            self._redis.set(_off_key(player), "1")
        else:
            self._redis.unlink(_off_key(player))

    def takes_challenges(self, player: str) -> bool:
        """Whether this player accepts challenges."""
        return not self._redis.exists(_off_key(player))

    def check_may_ask(self, player: str, other: str) -> None:
        """Raise `challenges-off` if the other player accepts no challenge from this one."""
        batch = Batch(self._redis)
        are_apart = self.ask_apart(batch, player, other)
        takes_none = batch.ask(Query(("EXISTS", _off_key(other)), raising(bool)))
        batch.send()
        if are_apart() or takes_none.get():
            raise RequestRejected("challenges-off", "This player takes no challenges.")

    def apart(self, player: str, others: Iterable[str]) -> set[str]:
        """Return those of the `others` who have blocked this player, or whom this player has
        blocked."""
        batch, asked = Batch(self._redis), set(others) - {player}
        answers = {other: self.ask_apart(batch, player, other) for other in asked}
        batch.send()
        return {other for other, is_apart in answers.items() if is_apart()}

    def ask_apart(self, batch: Batch, player: str, other: str) -> Callable[[], bool]:
        """Add to the batch the queries for whether one of the two has blocked the other.

        The returned function returns that; call it once the batch was sent.
        """
        answers = [
            batch.ask(Query(("HEXISTS", _blocked_key(one), two), raising(bool)))
            for side, facing in product(self._with_owner(player), self._with_owner(other))
            for one, two in ((side, facing), (facing, side))
            if one != two
        ]
        return lambda: any(answer.get() for answer in answers)

    def forget(self, player: str) -> None:
        """Delete this player's choices."""
        self._redis.unlink(_blocked_key(player), _off_key(player))

    def _with_owner(self, player: str) -> list[str]:
        """Return the player; for a player's own bot also its owner, who never changes."""
        if not is_owned_bot(player):
            return [player]
        owner = self._owners.get(player)
        if owner is None:
            owner = cast(str | None, self._redis.hget(player_key(player), "owner")) or player
            self._owners.put(player, owner)
        return [player, owner]


def _blocked_key(player: str) -> str:
    return f"st:{{{player}}}:blocked"


def _off_key(player: str) -> str:
    return f"st:{{{player}}}:challenges:off"

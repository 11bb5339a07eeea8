"""The open challenges by and to a player, the newest first.

st:{PLAYER}:challenges    sorted set, all scores 0, members CREATED.ID in byte order
st:{PLAYER}:declined      the same for the player's declined ones, until they acknowledge it

The lists may hold closed challenges: readers check each one, and remove those.
"""

from typing import Final, cast

from service.core.ids import PLAYER_ID
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import derived_key
from service.games.challenges.model import Challenge
from service.games.projections.player_games import Page

LASTING_KEYS: Final = (
    derived_key("st:{*}:challenges", rf"st:\{{{PLAYER_ID}\}}:challenges", "zset"),
    derived_key("st:{*}:declined", rf"st:\{{{PLAYER_ID}\}}:declined", "zset"),
)
"""Keys that a backup may hold."""


class ChallengeList:
    """The open and declined challenges that concern a player."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def add(self, challenge: Challenge) -> None:
        """Add the challenge to both players' lists."""
        for player in (challenge.by, challenge.to):
            self._redis.zadd(_key(player), {_member(challenge): 0})

    def drop(self, challenge: Challenge) -> None:
        """Remove the challenge from both players' lists."""
        for player in (challenge.by, challenge.to):
            self._redis.zrem(_key(player), _member(challenge))

    def decline(self, challenge: Challenge, life: int) -> None:
        """Move the challenge to its maker's list of declined ones, for `life` seconds."""
        self.drop(challenge)
        self._redis.zadd(_declined_key(challenge.by), {_member(challenge): 0})
        self._redis.expire(_declined_key(challenge.by), life)

    def declined(self, player: str, limit: int) -> list[str]:
        """The ids of this player's challenges that were declined, the newest first."""
        members = self._redis.zrange(_declined_key(player), 0, limit - 1, desc=True)
        return [member.partition(".")[2] for member in cast(list[str], members)]

    def forget(self, player: str, challenge_id: str) -> None:
        """Remove a challenge that may no longer exist from this player's lists."""
        for key in (_key(player), _declined_key(player)):
            for member, _ in self._redis.zscan_iter(key, f"*.{challenge_id}"):
                self._redis.zrem(key, member)

    def forget_declined(self, player: str) -> None:
        """Clear this player's list of declined challenges."""
        self._redis.unlink(_declined_key(player))

    def page(self, player: str, after: str | None, limit: int) -> Page:
        """Up to `limit` ids of open challenges, the newest first, after the cursor `after`."""
        start = "+" if after is None else f"({after}"
        members = self._redis.zrevrangebylex(_key(player), start, "-", 0, limit + 1)
        entries = cast(list[str], members)
        shown = entries[:limit]
        following = shown[-1] if len(entries) > limit else None
        return Page([member.partition(".")[2] for member in shown], following)


def _member(challenge: Challenge) -> str:
    return f"{challenge.created:010d}.{challenge.id}"


def _key(player: str) -> str:
    return f"st:{{{player}}}:challenges"


def _declined_key(player: str) -> str:
    return f"st:{{{player}}}:declined"

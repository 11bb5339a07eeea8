"""A challenge: one player asks another, by name or id, for a game with certain options; and
the lists of those by and to a player, the newest first.

It has the id of the game to come, and is stored in the side state of that game. So the write that
makes the game also accepts the challenge. The lists may hold closed challenges: readers check each
one, and remove those.

st:{PLAYER}:challenges    sorted set, all scores 0, members CREATED.ID in byte order
st:{PLAYER}:declined      the same for the player's declined ones, until they acknowledge it
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, NamedTuple, cast

from engine.shuffle import commitment
from service.core.ids import PLAYER_ID
from service.core.redis.batch import Query
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import derived_key
from service.core.times import DAY
from service.games.clock.state import reserved_until
from service.games.projections.player_games import Page
from service.games.stored_game import INVITATION_DAYS
from service.games.terms import NewGame

Status = Literal["open", "accepted", "declined", "withdrawn", "countered", "expired"]
STATUSES: Final = ("open", "accepted", "declined", "withdrawn", "countered", "expired")


class Challenge(NamedTuple):
    """A challenge by the player `by` to the player `to`; `wanted` has all but the opponent.

    `created` and `expires` are in unix seconds. A counter-offer names in `counters` the challenge
    that it answers, whose `counter_offer` names it in turn. `asked` is the fingerprint of the
    request, if it came under an idempotency key. `secret` (hex) is the game's, hidden until the
    game is over; None in challenges of versions that drew it on acceptance.
    """

    id: str
    by: str
    to: str
    wanted: NewGame
    created: int
    expires: int
    status: Status = "open"
    counters: str | None = None
    counter_offer: str | None = None
    asked: str | None = None
    secret: str | None = None

    @property
    def commitment(self) -> str | None:
        """SHA-256 of the secret: it binds the server from the start. None without a secret."""
        return self.secret and commitment(self.secret)

    @property
    def salt(self) -> str | None:
        """The challenger's share of the shuffle, fixed before the other share is public."""
        return self.wanted.salt or self.commitment

    @property
    def life(self) -> int:
        """The seconds for which the challenge can be answered, and its answer read."""
        return self.expires - self.created

    def at(self, now: float) -> "Challenge":
        """The challenge with its status at this moment."""
        over = self.status == "open" and self.expires <= now
        return self._replace(status="expired") if over else self


def new_challenge(
    challenge_id: str, by: str, to: str, wanted: NewGame, now: float, **more: str | None
) -> Challenge:
    days = wanted.invitation_days or INVITATION_DAYS
    expires = reserved_until(wanted.clock, int(now) + days * DAY)
    return Challenge(challenge_id, by, to, wanted, int(now), expires, **more)  # type: ignore[arg-type]


def challenge_text(challenge: Challenge) -> str:
    fields = {**challenge._asdict(), "wanted": asdict(challenge.wanted)}
    return json.dumps(fields, ensure_ascii=False)


def read_challenge(text: str) -> Challenge:
    fields: dict[str, Any] = json.loads(text)
    wanted = fields["wanted"]
    if "days_per_move" in wanted:  # written when there was one kind of clock
        days = wanted.pop("days_per_move")
        wanted["clock"] = None if days is None else {"days_per_move": days}
    return Challenge(**{**fields, "wanted": NewGame(**wanted)})


LASTING_KEYS: Final = (
    derived_key("st:{*}:challenges", "zset", PLAYER_ID),
    derived_key("st:{*}:declined", "zset", PLAYER_ID),
)
"""Keys that a backup may hold."""


@dataclass(frozen=True, slots=True)
class ChallengeList:
    """The open and declined challenges that concern a player."""

    _redis: Client

    def add(self, challenge: Challenge) -> None:
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
        return _ids(cast(list[str], members))

    def forget(self, player: str, challenge_id: str) -> None:
        """Remove a challenge that may no longer exist from this player's lists."""
        for key in (_key(player), _declined_key(player)):
            for member, _ in self._redis.zscan_iter(key, f"*.{challenge_id}"):
                self._redis.zrem(key, member)

    def forget_declined(self, player: str) -> None:
        self._redis.unlink(_declined_key(player))

    def page(self, player: str, after: str | None, limit: int) -> Page:
        """Up to `limit` ids of open challenges, the newest first, after the cursor `after`."""
        start = "+" if after is None else f"({after}"
        members = self._redis.zrevrangebylex(_key(player), start, "-", 0, limit + 1)
        entries = cast(list[str], members)
        shown = entries[:limit]
        following = shown[-1] if len(entries) > limit else None
        return Page(_ids(shown), following)

    def newest_query(self, player: str, limit: int) -> Query[list[str]]:
        """The query for the ids of the newest open challenges that concern this player."""
        command = ("ZREVRANGEBYLEX", _key(player), "+", "-", "LIMIT", 0, limit)
        return Query(command, _ids)


def _member(challenge: Challenge) -> str:
    return f"{challenge.created:010d}.{challenge.id}"


def _ids(members: Sequence[str]) -> list[str]:
    return [member.partition(".")[2] for member in members]


def _key(player: str) -> str:
    return f"st:{{{player}}}:challenges"


def _declined_key(player: str) -> str:
    return f"st:{{{player}}}:declined"

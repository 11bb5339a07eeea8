"""A player's privacy: whom they have blocked, whether they accept challenges, and whether, and how
exactly, opponents see when they were last here.

Blocking a player blocks the player's own bots as well. Blocked players do not learn of it: they see
the same refusals as if the other accepted no challenges or messages from anybody, or if the game
were not in the lobby.

st:{PLAYER}:blocked           hash: player → since when (RFC 3339)
st:{PLAYER}:challenges:off    "1" while the player accepts none

How a player shows their presence is a field of `st:{PLAYER}:player`. When they were
here is the last use of their tokens, or a later answer by mail.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final, Literal, NamedTuple, cast

from marshmallow import fields

from service.accounts.player import PLAYER
from service.accounts.tokens import Tokens
from service.core.cache import ThreadSafeCache, recently_used
from service.core.errors import RequestRejected
from service.core.ids import PLAYER_ID, is_owned_bot
from service.core.redis.batch import Batch, Query, execute
from service.core.redis.client import Client, Lua
from service.core.redis.snapshot_keys import PlayerData, text, timestamp_text
from service.core.times import DAY, MINUTE, timestamp
from service.core.words import N_

MOST_BLOCKED: Final = 1000
"""The most players that one player can block."""
BLOCKED: Final = PlayerData(
    "blocked", "hash", fields.Dict(text(PLAYER_ID), timestamp_text()), exported="contact"
)
CHALLENGES_OFF: Final = PlayerData("challenges:off", "string", text("1"), exported="contact")


@dataclass(eq=False, repr=False)
class ContactChoices:
    """The choices of all players. `now` returns unix seconds; every call may be repeated."""

    _redis: Client
    _now: Callable[[], float]
    _owners: ThreadSafeCache[str, str] = field(
        init=False, default_factory=lambda: recently_used(10_000)
    )

    def block(self, player: str, other: str) -> None:
        """Block `other`: these two can send each other no challenges, messages or rematches, nor
        meet in the lobby.

        Raises `RequestRejected`: `too-many-blocked`, `own-account`.
        """
        if player == other:
            raise RequestRejected("own-account", "Nobody can block themselves.")
        blocked = self.blocked(player)
        if len(blocked) >= MOST_BLOCKED and other not in blocked:
            raise RequestRejected(
                "too-many-blocked",
                "You have blocked %(most)s players: unblock one first.",
                {"most": MOST_BLOCKED},
            )
        self._redis.hsetnx(BLOCKED.key(player), other, timestamp(self._now()))

    def unblock(self, player: str, other: str) -> None:
        """Unblock `other`. The two can meet again, unless the other has blocked this player."""
        self._redis.hdel(BLOCKED.key(player), other)

    def blocked(self, player: str) -> dict[str, str]:
        """Return the players whom this one has blocked, the latest first, each with the moment (RFC
        3339)."""
        moments = cast(dict[str, str], self._redis.hgetall(BLOCKED.key(player)))
        return dict(sorted(moments.items(), key=lambda pair: (pair[1], pair[0]), reverse=True))

    def has_blocked(self, player: str, other: str) -> bool:
        """Whether the first has blocked the second."""
        return bool(self._redis.hexists(BLOCKED.key(player), other))

    def set_challenges_off(self, player: str, *, off: bool) -> None:
        """Stop accepting challenges, or accept them again."""
        if off:
            self._redis.set(CHALLENGES_OFF.key(player), "1")
        else:
            self._redis.unlink(CHALLENGES_OFF.key(player))

    def takes_challenges(self, player: str) -> bool:
        return not self._redis.exists(CHALLENGES_OFF.key(player))

    def check_may_ask(self, player: str, other: str) -> None:
        """Raise `challenges-off` if the other player accepts no challenge from this one."""
        batch = Batch(self._redis)
        are_apart = self.ask_apart(batch, player, other)
        takes_none = batch.ask(Query(("EXISTS", CHALLENGES_OFF.key(other)), bool))
        if are_apart() or takes_none.get():
            raise RequestRejected("challenges-off", "This player takes no challenges.")

    def apart(self, player: str, others: Iterable[str]) -> set[str]:
        """Return those of the `others` who have blocked this player, or whom this player has
        blocked."""
        batch, asked = Batch(self._redis), set(others) - {player}
        answers = {other: self.ask_apart(batch, player, other) for other in asked}
        return {other for other, is_apart in answers.items() if is_apart()}

    def ask_apart(self, batch: Batch, player: str, other: str) -> Callable[[], bool]:
        """Add to the batch the queries for whether one of the two has blocked the other. The
        returned function returns that."""
        answers = [
            batch.ask(Query(("HEXISTS", BLOCKED.key(one), two), bool))
            for side, facing in product(self._with_owner(player), self._with_owner(other))
            for one, two in ((side, facing), (facing, side))
            if one != two
        ]
        return lambda: any(answer.get() for answer in answers)

    def _with_owner(self, player: str) -> list[str]:
        """Return the player; for a player's own bot also its owner, who never changes."""
        if not is_owned_bot(player):
            return [player]
        owner = self._owners.get(player)
        if owner is None:
            owner = cast(str | None, self._redis.hget(PLAYER.key(player), "owner")) or player
            self._owners.put(player, owner)
        return [player, owner]


PresenceChoice = Literal["never", "days", "live"]
Recency = Literal["now", "day", "week"]
"""`now`: within `HERE`; `day`: within the last 24 hours; `week`: within the last seven days."""

PRESENCE_CHOICES: Final[Mapping[PresenceChoice, str]] = {
    # Note: what the people you are playing see of you; as the next two
    "never": N_("nothing"),
    "days": N_("the day: “here today” or “here this week”"),
    "live": N_("“here now” at the board, “online” elsewhere, then how many hours ago"),
}
"""The choices, in a player's words, which are messages."""
HERE: Final = 5 * MINUTE // 2
"""Seconds after the last use for which a player counts as here. An open page that is visible
reports every minute, and a use is recorded at most once a minute: two minutes may lie between."""


class Presence(NamedTuple):
    """When a player was last here, as exactly as the player lets opponents see it.

    `ago` is in seconds; None for a player who shows only the day. With `by_mail` they were not
    here, but have answered a mail.
    """

    recency: Recency
    ago: float | None
    by_mail: bool = False


@dataclass(eq=False, repr=False)
class Presences:
    """The presence of all players. `now` returns unix seconds."""

    _change = Lua(__file__, "change_player")

    _redis: Client
    _tokens: Tokens
    _now: Callable[[], float]

    def choose(self, player: str, choice: PresenceChoice) -> None:
        """Set how opponents see this player's presence."""
        self._change(keys=[PLAYER.key(player)], args=["presence", choice])

    def choice(self, player: str) -> PresenceChoice:
        """Return how exactly opponents see this player's presence."""
        return execute(self._redis, self.choice_query(player))

    def choice_query(self, player: str) -> Query[PresenceChoice]:
        """Return the query that `choice` executes. Without a choice it is `live`."""

        def parse(reply: object) -> PresenceChoice:
            return cast(PresenceChoice, reply) if reply in PRESENCE_CHOICES else "live"

        return Query(("HGET", PLAYER.key(player), "presence"), parse)

    def of(self, players: Iterable[str]) -> dict[str, Presence | None]:
        """Return how recently each of these players was here (see `ask`), in one round trip."""
        batch = Batch(self._redis)
        asked = {player: self.ask(batch, player) for player in players}
        return {player: presence() for player, presence in asked.items()}

    def ask(self, batch: Batch, player: str) -> Callable[[], Presence | None]:
        """Add to the batch the queries for how recently this player was here.

        The returned function returns None if the player shows
        nothing, or was not here for a week.
        """
        choice = batch.ask(self.choice_query(player))
        last_use = batch.ask(self._tokens.last_use_query(player))
        last_mail = batch.ask(self._tokens.last_mail_query(player))

        def presence() -> Presence | None:
            used, mailed = last_use.get(), last_mail.get()
            latest = max(filter(None, (used, mailed)), default=None)
            if choice.get() == "never" or latest is None:
                return None
            ago, is_live = self._now() - latest, choice.get() == "live"
            by_mail = latest - (used or 0) >= MINUTE  # else they may have been here since
            if ago >= 7 * DAY:
                return None
            is_here = is_live and not by_mail and ago < HERE
            recency: Recency = "now" if is_here else "day" if ago < DAY else "week"
            return Presence(recency, ago if is_live else None, by_mail)

        return presence

"""The choice whether, and how exactly, opponents see when a player was last here.

The choice is a field of `st:{PLAYER}:player`. The last use is that of the player's tokens.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, NamedTuple, cast

from service.accounts.player import player_key
from service.accounts.scripts import load
from service.accounts.tokens import Tokens
from service.core.durations import DAY, MINUTE
from service.core.redis.batch import Batch, Query, execute, raising
from service.core.redis.client import Client

PresenceChoice = Literal["never", "days", "live"]
Recency = Literal["now", "day", "week"]
"""`now`: within `HERE`; `day`: within the last 24 hours; `week`: within the last seven days."""

PRESENCE_CHOICES: Final[Mapping[PresenceChoice, str]] = {
    "never": "nothing",
    "days": "the day: “here today” or “here this week”",
    "live": "“here now” while I am here, then how many hours ago that was",
}
"""The choices, in a player's words."""
HERE: Final = 3 * MINUTE
"""Seconds after the last use for which a player counts as here. An open page that is visible
reports every minute, and a use is recorded at most once a minute."""


class Presence(NamedTuple):
    """When a player was last here, as exactly as the player lets opponents see it.

    `ago` is in seconds; None for a player who shows only the day.
    """

    recency: Recency
    ago: float | None


class Presences:
    """The presence of all players. `now` returns unix seconds."""

    def __init__(self, redis: Client, tokens: Tokens, now: Callable[[], float]) -> None:
        self._redis = redis
        self._tokens = tokens
        self._now = now
        self._change = redis.register_script(load("change_player"))

    def choose(self, player: str, choice: PresenceChoice) -> None:
        """Set how opponents see this player's presence."""
        self._change(keys=[player_key(player)], args=["presence", choice])

    def choice(self, player: str) -> PresenceChoice:
        """Return how exactly opponents see this player's presence."""
        return execute(self._redis, self.choice_query(player))

    def choice_query(self, player: str) -> Query[PresenceChoice]:
        """Return the query that `choice` executes. Without a choice it is `live`."""

        def parse(reply: object) -> PresenceChoice:
            return cast(PresenceChoice, reply) if reply in PRESENCE_CHOICES else "live"

        return Query(("HGET", player_key(player), "presence"), raising(parse))

    def of(self, players: Iterable[str]) -> dict[str, Presence | None]:
        """Return how recently each of these players was here (see `ask`), in one round trip."""
        batch = Batch(self._redis)
        asked = {player: self.ask(batch, player) for player in players}
        batch.send()
        return {player: presence() for player, presence in asked.items()}

    def ask(self, batch: Batch, player: str) -> Callable[[], Presence | None]:
        """Add to the batch the queries for how recently this player was here.

        Call the returned function once the batch was sent. It returns None if the player shows
        nothing, or was not here for a week.
        """
        choice = batch.ask(self.choice_query(player))
        last_use = batch.ask(self._tokens.last_use_query(player))

        def presence() -> Presence | None:
            used = last_use.get()
            if choice.get() == "never" or used is None:
                return None
            ago, is_live = self._now() - used, choice.get() == "live"
            if ago >= 7 * DAY:
                return None
            recency: Recency = "now" if is_live and ago < HERE else "day" if ago < DAY else "week"
            return Presence(recency, ago if is_live else None)

        return presence

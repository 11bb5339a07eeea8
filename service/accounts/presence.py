"""Whether opponents see when a player was last here, and what they see.

The choice is a field of `st:{PLAYER}:player`. The last use is the one that tokens record.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, cast

from service.accounts.player import player_key
from service.accounts.scripts import load
from service.accounts.tokens import Tokens
from service.core.durations import DAY, MINUTE
from service.core.redis.batch import Batch, Query, execute, raising
from service.core.redis.client import Client

PresenceChoice = Literal["never", "days", "live"]
Presence = Literal["now", "day", "week"]
"""How recently a player was here: within `HERE`, the last 24 hours, or the last seven days."""

PRESENCE_CHOICES: Final[Mapping[PresenceChoice, str]] = {
    "never": "nothing",
    "days": "the day: “here today” or “here this week”",
    "live": "the day, and “here now” while I am here",
}
"""The choices, in a player's words."""
PRESENCE_WORDS: Final[Mapping[Presence, str]] = {
    "now": "here now",
    "day": "here today",
    "week": "here this week",
}
"""What other people read."""
HERE: Final = 3 * MINUTE
"""Seconds after the last use for which a player counts as here. An open page that is in sight
reports every minute, and a use is recorded once a minute at most."""


class Presences:
    """The presence of all players. `now` gives unix seconds."""

    def __init__(self, redis: Client, tokens: Tokens, now: Callable[[], float]) -> None:
        self._redis = redis
        self._tokens = tokens
        self._now = now
        self._change = redis.register_script(load("change_player"))

    def choose(self, player: str, choice: PresenceChoice) -> None:
        """Set what opponents see of this player."""
        self._change(keys=[player_key(player)], args=["presence", choice])

    def choice(self, player: str) -> PresenceChoice:
        """What opponents see of this player."""
        return execute(self._redis, self.choice_query(player))

    def choice_query(self, player: str) -> Query[PresenceChoice]:
        """The query that `choice` executes. Without a choice it is `live`."""

        def parse(reply: Any) -> PresenceChoice:
            return cast(PresenceChoice, reply) if reply in PRESENCE_CHOICES else "live"

        return Query(("HGET", player_key(player), "presence"), raising(parse))

    def of(self, players: Iterable[str]) -> dict[str, Presence | None]:
        """How recently each of these players was here, in one round trip."""
        batch = Batch(self._redis)
        asked = {player: self.ask(batch, player) for player in players}
        batch.send()
        return {player: presence() for player, presence in asked.items()}

    def ask(self, batch: Batch, player: str) -> Callable[[], Presence | None]:
        """Add to the batch the queries for how recently this player was here.

        Call the returned function once the batch was sent. It gives None where the player shows
        nothing, or was not here for a week.
        """
        choice = batch.ask(self.choice_query(player))
        last_use = batch.ask(self._tokens.last_use_query(player))

        def presence() -> Presence | None:
            used = last_use.get()
            if choice.get() == "never" or used is None:
                return None
            ago = self._now() - used
            if choice.get() == "live" and ago < HERE:
                return "now"
            return "day" if ago < DAY else "week" if ago < 7 * DAY else None

        return presence

"""Whether opponents see when a player was last here, and what they see.

The choice is a field of `st:{PLAYER}:player`. The last use is the one that tokens record.
"""

from collections.abc import Callable, Mapping
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
    "never": "never",
    "days": "by the day: “here today” or “here this week”",
    "live": "by the day, and while I am here: “here now”",
}
"""The choices, in a player's words."""
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
        """The query that `choice` executes.

        Without a choice it is `days` for players with a confirmed address, `never` for guests.
        """

        def parse(reply: Any) -> PresenceChoice:
            chosen, email, verified = reply
            if chosen in PRESENCE_CHOICES:
                return cast(PresenceChoice, chosen)
            return "days" if email is not None and email == verified else "never"

        command = ("HMGET", player_key(player), "presence", "email", "verified")
        return Query(command, raising(parse))

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

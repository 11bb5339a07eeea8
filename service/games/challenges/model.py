"""A challenge: one player asks another, by name or id, for a game with certain options.

It has the id of the game to come, and is stored in the side state of that game. So the write that
makes the game also accepts the challenge.
"""

import json
from dataclasses import asdict
from typing import Any, Final, Literal, NamedTuple

from engine.shuffle import commitment
from service.core.durations import DAY
from service.games.clock.wanted import reserved_until
from service.games.opening.new_game import NewGame
from service.games.stored_game import INVITATION_DAYS

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
    """A new open challenge."""
    days = wanted.invitation_days or INVITATION_DAYS
    expires = reserved_until(wanted.clock, int(now) + days * DAY)
    return Challenge(challenge_id, by, to, wanted, int(now), expires, **more)  # type: ignore[arg-type]


def challenge_text(challenge: Challenge) -> str:
    """The challenge as text for the side state."""
    fields = {**challenge._asdict(), "wanted": asdict(challenge.wanted)}
    return json.dumps(fields, ensure_ascii=False)


def read_challenge(text: str) -> Challenge:
    """The challenge read from its text in the side state."""
    fields: dict[str, Any] = json.loads(text)
    wanted = fields["wanted"]
    if "days_per_move" in wanted:  # written when there was one kind of clock
        days = wanted.pop("days_per_move")
        wanted["clock"] = None if days is None else {"days_per_move": days}
    return Challenge(**{**fields, "wanted": NewGame(**wanted)})

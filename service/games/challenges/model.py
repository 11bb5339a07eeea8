"""A challenge: one player asks another, by name or id, for a game with certain options.

It is a note where the log of its game will be, for its id is that of the game it leads to. So it
is accepted in the write that makes the game, or not at all.
"""

import json
from dataclasses import asdict
from typing import Any, Final, Literal, NamedTuple

from engine.shuffle import commitment
from service.core.durations import DAY
from service.games.clock.wanted import kept_until
from service.games.opening.new_game import NewGame
from service.games.repository import INVITATION_DAYS

Status = Literal["open", "accepted", "declined", "withdrawn", "countered", "expired"]
STATUSES: Final = ("open", "accepted", "declined", "withdrawn", "countered", "expired")


class Challenge(NamedTuple):
    """What `by` asks of `to`, both players' ids; `wanted` has everything but the opponent.

    `created` and `expires` are in unix seconds. A counter-offer names the challenge that it
    `counters`; one that was met with a counter-offer names that. `asked` is the fingerprint of the
    request, where it came under an idempotency key. `secret` (hex) is that of its game, never
    shown before the game is over; None in challenges of versions that drew it on acceptance.
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
        """SHA-256 of the secret, to which the server is bound from the start."""
        return self.secret and commitment(self.secret)

    @property
    def salt(self) -> str | None:
        """The challenger's share of the shuffle, fixed before the other one is known."""
        return self.wanted.salt or self.commitment

    @property
    def life(self) -> int:
        """For how many seconds it can be answered, and its answer be read after that."""
        return self.expires - self.created

    def at(self, now: float) -> "Challenge":
        """The challenge as it stands at this moment."""
        over = self.status == "open" and self.expires <= now
        return self._replace(status="expired") if over else self


def new_challenge(
    challenge_id: str, by: str, to: str, wanted: NewGame, now: float, **more: str | None
) -> Challenge:
    """An open challenge, made now."""
    days = wanted.invitation_days or INVITATION_DAYS
    expires = kept_until(wanted.clock, int(now) + days * DAY)
    return Challenge(challenge_id, by, to, wanted, int(now), expires, **more)  # type: ignore[arg-type]


def challenge_text(challenge: Challenge) -> str:
    """The challenge as a note."""
    told = {**challenge._asdict(), "wanted": asdict(challenge.wanted)}
    return json.dumps(told, ensure_ascii=False)


def read_challenge(text: str) -> Challenge:
    """The challenge that a note holds."""
    told: dict[str, Any] = json.loads(text)
    wanted = told["wanted"]
    if "days_per_move" in wanted:  # as it was written when there was one kind of clock
        days = wanted.pop("days_per_move")
        wanted["clock"] = None if days is None else {"days_per_move": days}
    return Challenge(**{**told, "wanted": NewGame(**wanted)})

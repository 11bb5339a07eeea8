"""Who writes to nobody: players who have turned messages off in all games, and those muted by the
operator. Also messages reported to the operator.

st:{PLAYER}:messages:off      "1" while the player wants none
st:{messages}:reports         hash: GAME.NUMBER → JSON of the moment, the reporting player, the
                              reason, the writer and the text; for 90 days
st:{messages}:silenced        hash: player → since when (RFC 3339)
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

from marshmallow import fields, validate

from service.core.errors import RequestRejected
from service.core.ids import GAME_ID, PLAYER_ID
from service.core.redis.batch import Query, execute
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import JsonText, PlayerData, kept_key, text, timestamp_text
from service.core.times import DAY, timestamp, unix
from service.games.conversation_store import LONGEST, GameMessage, plain_text


def muted_refusal() -> RequestRejected:
    """Return the refusal of a message by a player whom the host has muted."""
    return RequestRejected("muted", "The host of this server has muted you.")


@dataclass(frozen=True, slots=True)
class MessageWishes:
    """Players' choices about messages for all their games."""

    _redis: Client

    def set_off(self, player: str, *, off: bool) -> None:
        """Turn messages off or on for this player."""
        if off:
            self._redis.set(MESSAGES_OFF.key(player), "1")
        else:
            self._redis.unlink(MESSAGES_OFF.key(player))

    def is_off(self, player: str) -> bool:
        return execute(self._redis, self.is_off_query(player))

    def is_off_query(self, player: str) -> Query[bool]:
        """The query that `is_off` executes."""

        return Query(("EXISTS", MESSAGES_OFF.key(player)), bool)


MESSAGES_OFF: Final = PlayerData("messages:off", "string", text("1"), exported="messages_wanted")
REPORT_LIFE: Final = 90 * DAY
"""Seconds for which the operator can see a report."""
MOST: Final = 500
"""The most reports stored; the oldest are deleted first."""
LONGEST_REASON: Final = 300
_REPORTS: Final = "st:{messages}:reports"
_MUTED: Final = "st:{messages}:silenced"

_REPORT: Final = fields.Dict(
    text("at|by|about|text|reason"), fields.String(validate=validate.Length(max=LONGEST))
)
LASTING_KEYS: Final = (
    kept_key(
        _REPORTS, "hash", fields.Dict(text(rf"{GAME_ID}\.[1-9][0-9]{{0,8}}"), JsonText(_REPORT))
    ),
    kept_key(_MUTED, "hash", fields.Dict(text(PLAYER_ID), timestamp_text())),
)
"""Keys that a backup holds."""


class MessageReport(NamedTuple):
    """A message of the player `about`, with its text, that the player `by` has reported."""

    game: str
    number: int
    at: str
    by: str
    about: str
    text: str
    reason: str

    @property
    def id(self) -> str:
        """The report's id: GAME.NUMBER."""
        return f"{self.game}.{self.number}"


@dataclass(frozen=True, slots=True)
class Moderation:
    """Reports and muted players. `now` gives unix seconds; every call may be repeated."""

    _redis: Client
    _now: Callable[[], float]

    def report(self, game_id: str, message: GameMessage, by: str, about: str, reason: str) -> None:
        """Report a message to the operator. A second report of it changes nothing."""
        fields = {
            "at": timestamp(self._now()),
            "by": by,
            "about": about,
            "text": message.text,
            "reason": plain_text(reason)[:LONGEST_REASON],
        }
        self._redis.hsetnx(_REPORTS, f"{game_id}.{message.number}", json.dumps(fields))
        reports = self.reports()
        if oldest := self._stored().keys() - {report.id for report in reports[:MOST]}:
            self._redis.hdel(_REPORTS, *oldest)

    def reports(self) -> list[MessageReport]:
        """The reports still to be handled, the latest first."""
        read = (_read(name, stored) for name, stored in self._stored().items())
        since = self._now() - REPORT_LIFE
        recent = [report for report in read if report is not None and unix(report.at) > since]
        return sorted(recent, key=lambda report: (report.at, report.id), reverse=True)

    def dismiss(self, report_id: str) -> None:
        self._redis.hdel(_REPORTS, report_id)

    def forget_game(self, game_id: str) -> None:
        """Delete the reports of messages in a removed game."""
        of_game = f"{game_id}."
        if gone := [name for name in self._stored() if name.startswith(of_game)]:
            self._redis.hdel(_REPORTS, *gone)

    def mute(self, player: str) -> None:
        """Forbid this player to write messages."""
        self._redis.hsetnx(_MUTED, player, timestamp(self._now()))

    def unmute(self, player: str) -> None:
        """Allow this player to write messages again."""
        self._redis.hdel(_MUTED, player)

    def muted(self) -> dict[str, str]:
        """The players who may not write messages, each with the moment of the ban (RFC 3339)."""
        stored = cast(dict[str, str], self._redis.hgetall(_MUTED))
        return dict(sorted(stored.items(), key=lambda pair: pair[1]))

    def is_muted_query(self, player: str) -> Query[bool]:
        """The query for whether this player may not write messages."""
        return Query(("HEXISTS", _MUTED, player), lambda reply: reply == 1)

    def _stored(self) -> dict[str, str]:
        return cast(dict[str, str], self._redis.hgetall(_REPORTS))


def _read(name: str, stored: str) -> MessageReport | None:
    game, _, number = name.partition(".")
    try:
        fields: Any = json.loads(stored)
        report = MessageReport(game, int(number), **fields)
        unix(report.at)
    except (ValueError, TypeError):
        return None
    return report

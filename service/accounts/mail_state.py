"""What is remembered for a player's mail: deferred notices, which wait for the next visit or for
the daily digest, and confirmed signature lines, which are never read as commands.

st:{PLAYER}:mail:told     the notice mailed since the last visit, for players who want one mail
                          until the next
st:{PLAYER}:digest:MINUTE JSON of a digest's entries, for channels that deliver it later
st:{PLAYER}:mail:kept     set: notices waiting for the digest; the outbox has them too, and
                          decides if the two differ
st:{PLAYER}:mail-signature  JSON: the lines, in plain form and lower case, the newest last
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, cast

from marshmallow import fields, validate

from service.core.redis.batch import Query, execute_all
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import JsonText, PlayerData, plain_text
from service.core.times import DAY

RESERVATION: Final = PlayerData("mail:told", "string")
WAITING: Final = PlayerData("mail:kept", "set")
DIGEST_LIFE: Final = 2 * DAY
"""Seconds for which channels can still deliver a digest."""


@dataclass(eq=False, repr=False)
class DeferredNotices:
    """The deferred notices of all players, named by their ids.

    A player may want only one mail between two visits. The first notice after a visit reserves that
    mail; the next visit ends the reservation.
    """

    _redis: Client

    def reserve(self, player: str, notice: str) -> bool:
        """Reserve the player's only mail before the next visit for this notice.

        Return whether the notice has the reservation now.
        """
        _, holder = execute_all(self._redis, self.reserve_queries(player, notice))
        return holder == notice

    def reserve_queries(self, player: str, notice: str) -> list[Query[str | None]]:
        """Return the queries that `reserve` executes: the last one reads the notice that has the
        reservation."""
        # If the client sends this again after a lost answer, the notice is already the holder.
        claim = Query(("SET", RESERVATION.key(player), notice, "NX"), _text_or_none)
        return [claim, self.reservation_query(player)]

    def reservation_query(self, player: str) -> Query[str | None]:
        return Query(("GET", RESERVATION.key(player)), _text_or_none)

    def mark_obsolete(self, player: str, notice: str) -> None:
        """End the reservation of the one mail, if this notice has it: the notice is obsolete."""
        if self._redis.get(RESERVATION.key(player)) == notice:
            self.visited(player)

    def awaits_visit_query(self, player: str) -> Query[bool]:
        """Return the query for whether a reservation exists, so that the next visit must call
        `visited`."""
        return Query(("EXISTS", RESERVATION.key(player)), lambda reply: reply == 1)

    def visited(self, player: str) -> None:
        """End the reservation: the player has visited."""
        self._redis.unlink(RESERVATION.key(player))

    def add(self, player: str, notice: str) -> None:
        """Add a notice to those waiting for the digest."""
        self._redis.sadd(WAITING.key(player), notice)

    def waiting(self, player: str) -> list[str]:
        return sorted(cast(set[str], self._redis.smembers(WAITING.key(player))))

    def drop(self, player: str, notices: Iterable[str]) -> None:
        """Remove notices from those waiting for the digest."""
        self._redis.srem(WAITING.key(player), *notices)

    def store_digest(self, player: str, minute: int, entries: list[dict[str, object]]) -> None:
        """Store the entries of the digest of this minute for `DIGEST_LIFE` seconds."""
        self._redis.set(_digest_key(player, minute), json.dumps(entries), ex=DIGEST_LIFE)

    def digest(self, player: str, minute: int) -> list[dict[str, Any]]:
        """Return the entries of the digest due in this minute (minutes since 1970); an empty list
        once they have expired."""
        stored = cast(str | None, self._redis.get(_digest_key(player, minute)))
        return cast(list[dict[str, object]], json.loads(stored)) if stored else []

    def forget_game(self, player: str, game: str) -> None:
        """Delete the waiting notices about a removed game, and a reservation for one of them."""
        if gone := [notice for notice in self.waiting(player) if _is_about(notice, game)]:
            self.drop(player, gone)
        holder = cast(str | None, self._redis.get(RESERVATION.key(player)))
        if holder is not None and _is_about(holder, game):
            self.visited(player)


def _is_about(notice: str, game: str) -> bool:
    return notice.partition(".")[0] == game


def _text_or_none(reply: object) -> str | None:
    return None if reply is None else str(reply)


def _digest_key(player: str, minute: int) -> str:
    return f"st:{{{player}}}:digest:{minute}"


MOST: Final = 60
"""The most lines stored for one player; the oldest are deleted first."""
LONGEST: Final = 2100
"""The most characters of a line; a disclaimer is often one long line."""
SIGNATURE: Final = PlayerData(
    "mail-signature",
    "string",
    JsonText(fields.List(plain_text(LONGEST), validate=validate.Length(1, MOST))),
    exported="mail_signature",
)


@dataclass(eq=False, repr=False)
class MailSignatures:
    """The signature lines of all players. Every call may be repeated."""

    _redis: Client

    def of(self, player: str) -> list[str]:
        """Return the player's lines; an empty list without any."""
        stored = cast(str | None, self._redis.get(SIGNATURE.key(player)))
        return [] if stored is None else cast(list[str], json.loads(stored))

    def add(self, player: str, lines: Iterable[str]) -> None:
        """Add these lines to the player's."""
        together = dict.fromkeys(self.of(player))
        for line in lines:
            together.pop(line, None)
            together[line] = None
        if together:
            self._redis.set(SIGNATURE.key(player), json.dumps([*together][-MOST:]))

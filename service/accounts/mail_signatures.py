"""Signature lines that players have confirmed: they are never read as commands.

st:{PLAYER}:mail-signature  JSON: the lines, in plain form and lower case, the newest last
"""

import json
from collections.abc import Iterable
from typing import Final, cast

from marshmallow import fields, validate

from service.core.ids import PLAYER_ID
from service.core.redis.client import Client
from service.core.redis.snapshot_keys import JsonText, SnapshotKey, plain_text

MOST: Final = 60
"""The most lines stored for one player; the oldest are deleted first."""
LONGEST: Final = 2100
"""The most characters of a line; a disclaimer is often one long line."""
LASTING_KEYS: Final = (
    SnapshotKey(
        scan="st:{*}:mail-signature",
        name=rf"st:\{{{PLAYER_ID}\}}:mail-signature",
        type="string",
        content=JsonText(fields.List(plain_text(LONGEST), validate=validate.Length(1, MOST))),
    ),
)
"""The keys that a backup includes."""


class MailSignatures:
    """The signature lines of all players. Every call may be repeated."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

    def of(self, player: str) -> list[str]:
        """Return the player's lines; an empty list without any."""
        stored = cast(str | None, self._redis.get(_key(player)))
        return [] if stored is None else cast(list[str], json.loads(stored))

    def add(self, player: str, lines: Iterable[str]) -> None:
        """Add these lines to the player's."""
        together = dict.fromkeys(self.of(player))
        for line in lines:
            together.pop(line, None)
            together[line] = None
        if together:
            self._redis.set(_key(player), json.dumps([*together][-MOST:]))

    def forget(self, player: str) -> None:
        """Delete the player's lines."""
        self._redis.unlink(_key(player))


def _key(player: str) -> str:
    return f"st:{{{player}}}:mail-signature"

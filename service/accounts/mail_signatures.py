"""Signature lines that players have confirmed: they are never read as commands.

st:{PLAYER}:mail-signature  JSON: the lines, in plain form and lower case, the newest last
"""

import json
from collections.abc import Iterable
from typing import Final, cast

from marshmallow import fields, validate

from service.core.redis.client import Client
from service.core.redis.snapshot_keys import JsonText, PlayerData, plain_text

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


class MailSignatures:
    """The signature lines of all players. Every call may be repeated."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis

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

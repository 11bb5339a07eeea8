"""A stored player.

st:{PLAYER}:player        hash: name; created; email, if the player gave one; verified: the address
                          that the player has proved to own; pending: the address that replaces it
                          once it is verified; presence: what opponents see of when they are here
"""

from typing import Final, NamedTuple

from marshmallow import fields

from service.accounts import email_addresses, name_index, tokens
from service.core.ids import PLAYER_ID
from service.core.redis.snapshot_keys import ADDRESS, SnapshotKey, plain_text, text, timestamp_text

LASTING_KEYS: Final = (
    SnapshotKey(
        scan="st:{*}:player",
        name=rf"st:\{{{PLAYER_ID}\}}:player",
        type="hash",
        content=fields.Nested(
            {
                "name": plain_text(200, required=True),
                "created": timestamp_text(required=True),
                "email": text(ADDRESS),
                "verified": text(ADDRESS),
                "pending": text(ADDRESS),
                "presence": text("never|days|live"),
            }
        ),
    ),
    *tokens.LASTING_KEYS,
    *email_addresses.LASTING_KEYS,
    *name_index.LASTING_KEYS,
)
"""Keys that a backup holds."""


class Player(NamedTuple):
    """A registered player; `created` is an RFC 3339 moment.

    Mail goes to a `verified` address only: the reader of a mail sent there has confirmed it. A
    `pending` address takes its place once it is confirmed.
    """

    id: str
    name: str
    email: str | None
    created: str
    verified: bool = False
    pending: str | None = None


def read_player(player_id: str, record: dict[str, str]) -> Player:
    """The player read from the stored fields."""
    email = record.get("email")
    verified = email is not None and record.get("verified") == email
    pending = record.get("pending")
    return Player(player_id, record["name"], email, record["created"], verified, pending)


def player_key(player_id: str) -> str:
    """The key of a player's stored fields."""
    return f"st:{{{player_id}}}:player"

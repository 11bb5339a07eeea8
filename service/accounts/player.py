"""A stored player.

st:{PLAYER}:player        hash: name; created; email, if the player gave one; verified: the address
                          that the player has proved to own; pending: the address that replaces it
                          once it is verified; presence: how exactly opponents see when they were
                          last here; archive: how finished games may be studied, if at all;
                          suspended: since when nobody may sign in; owner: the player who registered
                          this bot
st:{PLAYER}:bots          set: the bots that the player has registered
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, cast

from marshmallow import fields

from service.bots import bot_at
from service.core.errors import RequestRejected
from service.core.ids import PLAYER_ID, is_owned_bot
from service.core.redis.snapshot_keys import ADDRESS, PlayerData, plain_text, text, timestamp_text

PLAYER: Final = PlayerData(
    name="player",
    type="hash",
    content=fields.Nested(
        {
            "name": plain_text(200, required=True),
            "created": timestamp_text(required=True),
            "email": text(ADDRESS),
            "verified": text(ADDRESS),
            "pending": text(ADDRESS),
            "presence": text("never|days|live"),
            "archive": text("no|nameless|named"),
            "suspended": timestamp_text(),
            "owner": text(PLAYER_ID),
        }
    ),
    exported="player",
)
OWN_BOTS: Final = PlayerData("bots", "set", fields.List(text(PLAYER_ID)), exported="bots")


ArchiveChoice = Literal["no", "nameless", "named"]

ARCHIVE_CHOICES: Final[Mapping[ArchiveChoice, str]] = {
    "no": "no",
    "nameless": "yes, without my name",
    "named": "yes, and with both names if the other player agrees to that too",
}
"""The choices whether the archive may include a player's finished games, in the player's words."""


class Player(NamedTuple):
    """A registered player; `created` is an RFC 3339 moment.

    Mail goes to a `verified` address only: the reader of a mail sent there has confirmed it. A
    `pending` address replaces it once it is confirmed. After the moment `suspended`, if any, nobody
    can sign in to the account. `owner` is the player who registered this bot.
    """

    id: str
    name: str
    email: str | None
    created: str
    verified: bool = False
    pending: str | None = None
    archive: ArchiveChoice = "no"
    suspended: str | None = None
    owner: str | None = None

    @property
    def person(self) -> str:
        """The id of the person who plays: of a bot, its owner's."""
        return self.owner or self.id


def is_bot(player_id: str | None) -> bool:
    """Whether a program plays under this id: a bot of this server, or one of a player's own."""
    return bot_at(player_id) is not None or is_owned_bot(player_id or "")


def check_person(player_id: str, detail: str) -> None:
    """Raise `RequestRejected`, `not-for-bots`, for a player's own bot."""
    if is_owned_bot(player_id):
        raise RequestRejected("not-for-bots", detail)


def read_player(player_id: str, record: dict[str, str]) -> Player:
    """Return the player with this id and these stored fields."""
    email = record.get("email")
    return Player(
        player_id,
        record["name"],
        email,
        record["created"],
        verified=email is not None and record.get("verified") == email,
        pending=record.get("pending"),
        archive=cast(ArchiveChoice, record.get("archive", "no")),
        suspended=record.get("suspended"),
        owner=record.get("owner"),
    )

"""The names of the log's keys, and the Lua scripts that write them, one file each.

Games are spread over a fixed number of buckets. All keys that one write touches carry the hash tag
of the game's bucket, so that Redis Cluster keeps them in one slot and one script can write them
all. On a single server the tag is just a part of the name.
"""

from functools import lru_cache
from zlib import crc32

from service.core.ids import GAME_ID
from service.core.redis.client import Lua, script_beside

BUCKETS = 64  # part of the stored format: with another number, no game would be found
LOG_PATTERN = "st:{*}:g:*:log"
GAME_PATTERN = "st:{*}:g:*"
LOG_OR_SIDE_STATE = (":log", ":notes")
"""The endings of keys that prove a game exists: it can have side state before it has events."""
OUTBOX_PATTERN = "st:{*}:due"
DEADLINES_PATTERN = "st:{*}:deadlines"
MESSAGES_PATTERN = f"{GAME_PATTERN}:messages"
REMOVED_PATTERN = f"{GAME_PATTERN}:removed"
SEASON_PATTERN = "st:{*}:season:*"
PARTS = ("[0-9]{2}", GAME_ID)
"""Regular expressions for a bucket and a game's id, in each of these patterns."""
SIDE_STATE_NAME = r"st:\{[0-9]{2}\}:g:([a-z2-7]{20}):notes"
"""A regular expression for the keys of side state; its group is the game's id."""


def load(name: str) -> Lua:
    """The script with this name, after the function that it may ask for a version."""
    asks = "version_of(" in script_beside(__file__, name)
    return Lua(__file__, name, script_beside(__file__, "version") if asks else "")


@lru_cache(1000)
def bucket_of(game_id: str) -> int:
    """The bucket of a game, 0 to `BUCKETS` - 1."""
    return crc32(game_id.encode()) % BUCKETS


def log_key(game_id: str) -> str:
    """The stream of a game's events."""
    return f"{_game(game_id)}:log"


def answers_key(game_id: str) -> str:
    """The hash of a game's idempotency keys and the results under them; its field '' lists the keys
    of changes to its side state."""
    return f"{_game(game_id)}:answers"


def side_state_key(game_id: str) -> str:
    """The hash of the side state of a game."""
    return f"{_game(game_id)}:notes"


def messages_key(game_id: str) -> str:
    """The hash of the messages between a game's players."""
    return f"{_game(game_id)}:messages"


def analysis_key(game_id: str) -> str:
    """The hash of the analysis of a game."""
    return f"{_game(game_id)}:analysis"


def removed_key(game_id: str) -> str:
    """The hash that marks a game as removed."""
    return f"{_game(game_id)}:removed"


def season_key(season_id: str) -> str:
    """The stream of a season's events, beside the outbox of its notices."""
    return f"{_bucket(bucket_of(season_id))}:season:{season_id}"


def outbox_key(bucket: int) -> str:
    """The sorted set of a bucket's notices by due moment."""
    return f"{_bucket(bucket)}:due"


def claimed_key(bucket: int) -> str:
    """The hash of a bucket's claimed notices with their original due moments."""
    return f"{_bucket(bucket)}:claimed"


def deadlines_key(bucket: int) -> str:
    """The sorted set of a bucket's running games by the deadline of the player to move."""
    return f"{_bucket(bucket)}:deadlines"


def mark_key(game_id: str) -> str:
    """A key in the game's bucket that exists only to be written for `WAIT`."""
    return f"{_bucket(bucket_of(game_id))}:mark"


def game_of(log_key: str) -> str:
    """The id of the game whose log the key names."""
    return log_key.split(":")[3]


def _bucket(bucket: int) -> str:
    return f"st:{{{bucket:02d}}}"


@lru_cache(1000)
def _game(game_id: str) -> str:
    return f"{_bucket(bucket_of(game_id))}:g:{game_id}"

"""The form of a backup: JSON Lines, with a seal at the end.

{"format": 2, "scottenbury": "backup"}
    {"game": ID, "record": [EVENT, …], "notices": [[ID, DUE], …], "notes": {FIELD: TEXT, …}}
    {"beside": ID, "notes": …, "notices": …, "expires": …}             a challenge, no game yet
    {"expires": …, "key": NAME, "type": …, "value": …}     see `core.redis.snapshot_keys`
    {"lines": NUMBER, "mac": MAC, "sha256": DIGEST}                    of all lines before this

`expires` is in unix seconds, null for ever. A game or challenge may come again, in its later state.
The MAC is an HMAC-SHA256 under a key derived from the server's secret key: it proves that the file
was written here. It is null if the command had no secret key. Format 1 had no MAC, kept the notes
as keys that were read apart from the logs, and held lists that are rebuilt today.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from typing import IO, Any, Final

from engine.chain import canonical
from service.core import ids

HEADER: Final = {"scottenbury": "backup", "format": 2}
READABLE_HEADERS: Final = (HEADER, {"scottenbury": "backup", "format": 1})
_LONGEST_HEADER: Final = 1000
_LONGEST_LINE: Final = 256 * 1024 * 1024
"""Longest line, in bytes: far longer than any game, yet small enough for memory."""
_EVENT_END: Final = re.compile(rb'"via":"[^"]*"\}')


class NotABackup(Exception):
    """The file is not a backup; the text says why."""


class BackupSeal:
    """The last line of a backup, which proves that the other lines are complete and shows their
    origin."""

    def __init__(self, secret_key: str) -> None:
        self._key = ids.derive(secret_key, "backup") if secret_key else None
        self._lines = 0
        self._sha256 = hashlib.sha256()

    def add(self, line: bytes) -> bytes:
        """Include this line in the seal, and return it."""
        self._lines += 1
        self._sha256.update(line)
        return line

    def line(self) -> bytes:
        """Return the last line of the backup: the seal over all lines added."""
        return f"{canonical({**self._facts(), 'mac': self._mac()})}\n".encode()

    def is_whole(self, last: object) -> bool:
        """Whether this last line, as parsed JSON, matches the lines added."""
        return isinstance(last, dict) and {**last, **self._facts()} == last

    def is_ours(self, last: object) -> bool:
        """Whether this last line, as parsed JSON, was written with this server's secret key."""
        mac, right = (last.get("mac") if isinstance(last, dict) else None), self._mac()
        if not isinstance(mac, str) or right is None:
            return False
        return hmac.compare_digest(mac.encode("ascii", "replace"), right.encode())

    def _facts(self) -> dict[str, object]:
        return {"lines": self._lines, "sha256": self._sha256.hexdigest()}

    def _mac(self) -> str | None:
        if self._key is None:
            return None
        return hmac.new(self._key, canonical(self._facts()).encode(), "sha256").hexdigest()


def read_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a backup, the header first.

    Raises `NotABackup` after reading at most a header's length of another file.
    """
    header = file.readline(_LONGEST_HEADER)
    try:
        is_header = json.loads(header) in READABLE_HEADERS
    except (ValueError, RecursionError):
        is_header = False
    if not is_header:
        raise NotABackup("It does not begin like a backup of a form known here.")
    yield header
    while line := file.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            raise NotABackup("It has a line that is longer than any of a backup.")
        yield line


def parsed(line: bytes) -> Any:
    """Parse a line as JSON. Raises ValueError, which names the first unreadable event of a game's
    line."""
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except ValueError as error:
        where = f"event {_event_at(line, error)}: " if line.startswith(b'{"game"') else ""
        raise ValueError(f"{where}it is not JSON: {error}") from None


def _event_at(line: bytes, error: ValueError) -> int:
    """The number of the unreadable event, from 1: each event before it ends in its `via`."""
    if isinstance(error, UnicodeDecodeError):
        place = error.start
    elif isinstance(error, json.JSONDecodeError):
        place = len(error.doc[: error.pos].encode("utf-8", "surrogatepass"))
    else:
        place = 0
    return len(_EVENT_END.findall(line, 0, place)) + 1

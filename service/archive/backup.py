"""A whole store as JSON Lines: games as records, players with their tokens, what is to be sent.

    {"scottenbury": "backup", "format": 1}
    {"game": ID, "record": [EVENT, …], "notices": [[ID, DUE], …]}      once for each game
    {"key": NAME, "type": …, "value": …, "expires": …}                 see `keepsakes`
    {"lines": NUMBER, "sha256": DIGEST}                                of all lines before this

What follows from the games, deadlines and lists, is not in it; nor are idempotency keys, the local
mailbox and jobs on their way.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, TextIO

from engine.chain import canonical
from service.archive.keepsakes import keepsakes
from service.connections import Client
from service.log import GameLog, Notice, parse_notice_id

HEADER: Final = {"scottenbury": "backup", "format": 1}
_AT_ONCE: Final = 500


def write_backup(
    redis: Client, log: GameLog, game_ids: Iterable[str], out: TextIO, now: float
) -> tuple[int, int]:
    """Write these games and everything beside the logs to `out`; how many games and keys.

    `now` is in unix seconds.

    Each game is as it stands when it is read, with its own notices; players come last, so that
    nobody who plays in one of the games is missing.
    """
    games = keys = 0
    digest = Digest()
    out.write(digest.add(canonical(HEADER) + "\n"))
    for line in _games(log, game_ids):
        out.write(digest.add(line))
        games += 1
    for keepsake in keepsakes(redis, now):
        out.write(digest.add(canonical(keepsake) + "\n"))
        keys += 1
    out.write(digest.end())
    return games, keys


class Digest:
    """Of the lines of a backup, for its last one."""

    def __init__(self) -> None:
        self._lines = 0
        self._sha256 = hashlib.sha256()

    def add(self, line: str) -> str:
        """The same line, which has been taken into account."""
        self._lines += 1
        self._sha256.update(line.encode())
        return line

    def end(self) -> str:
        """The last line of a backup that begins with the lines added."""
        return canonical({"lines": self._lines, "sha256": self._sha256.hexdigest()}) + "\n"


def _games(log: GameLog, game_ids: Iterable[str]) -> Iterator[str]:
    waiting = iter(game_ids)
    while batch := list(islice(waiting, _AT_ONCE)):
        records = {game_id: log.read(game_id) for game_id in batch}
        # After the records: a notice about an event that no record holds says nothing.
        notices = _notices_by_game(log.pending())
        for game_id, texts in records.items():
            # The texts are JSON already, and are kept to the byte.
            yield (
                f'{{"game":"{game_id}","record":[{",".join(texts)}],'
                f'"notices":{json.dumps(notices[game_id])}}}\n'
            )


def _notices_by_game(pending: Iterable[Notice]) -> dict[str, list[Notice]]:
    found: dict[str, list[Notice]] = defaultdict(list)
    for notice in pending:
        found[parse_notice_id(notice.id).game].append(notice)
    return found

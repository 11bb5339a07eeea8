"""The mails of a run, and whether each one that was due has come."""

import re
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Final

from bench.faults.players import Pair
from tests.support.sick_mail_server import SickMailServer

LATEST: Final = 300.0
"""Seconds after all is quiet again until a notice must have come, however often its mail was
refused: the pause before another try is as long as the failure has lasted, a minute at least."""
_ID: Final = re.compile(rb"^Message-ID:\s*<([^@>]+)@", re.IGNORECASE | re.MULTILINE)


class Mailbox:
    """What has come to a mail server, by Message-ID: `GAME.VERSION.PLAYER.KIND`."""

    def __init__(self, server: SickMailServer) -> None:
        self.server = server
        self._read, self._came = 0, set[str]()
        self._lock = threading.Lock()

    def came(self) -> set[str]:
        """The ids of all mails so far."""
        with self._lock:
            new = self.server.mails[self._read :]
            self._read += len(new)
            for mail in new:
                if found := _ID.search(mail):
                    self._came.add(found[1].decode())
            return self._came

    def check(self, pairs: Iterable[Pair]) -> Iterator[str]:
        """The ends of games of which a player was not notified by mail. Waits for them."""
        due = {
            f"{game}.{version}.{player.id}.over"
            for pair in pairs
            for game, version in pair.ends.items()
            for player in pair.seats.values()
        }
        end = time.monotonic() + LATEST
        while due - self.came() and time.monotonic() < end:
            time.sleep(0.2)
        for missing in sorted(due - self.came()):
            yield f"{missing}: this notice was not delivered"
        for each in sorted({each for each in self.came() if each.count(".") == 3}):
            game, _, player, _ = each.split(".")
            seated = {p.id for pair in pairs if game in pair.games for p in pair.seats.values()}
            if seated and player not in seated:
                yield f"{each}: this notice went to somebody else"

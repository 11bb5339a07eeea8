"""Prevents a restore from bringing back deleted accounts, and tokens or settings that were revoked.

Marks of the store count, and marks of the file, which are added first.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from engine.chain import StoredEvent
from service.accounts.revocations import Revocations
from service.container import Container
from service.core.ids import PLAYER_ID
from service.games.challenges.model import read_challenge
from service.ops.integrity import Damaged, reporting_damage
from service.ops.key_snapshots import KeySnapshot

_OF_PLAYER: Final = re.compile(rf"st:\{{(?P<player>{PLAYER_ID})\}}:(?P<part>[a-z-]+)(:.*)?")


class Revoked:
    """The marks for one restore. `now` gives unix seconds."""

    def __init__(self, container: Container, now: Callable[[], float]) -> None:
        self._container = container
        self._marks = Revocations(container.redis, now)
        self._deleted = self._marks.deleted()
        self._left: list[tuple[str, str]] = []
        """Restored games, each with a deleted player who has a seat in it."""

    def add(self, marks: KeySnapshot) -> None:
        """Add marks of the file to those of the store."""
        self._marks.add(marks["key"], marks["value"])
        self._deleted = self._marks.deleted()

    def without(self, snapshot: KeySnapshot) -> KeySnapshot | None:
        """The key without deleted or revoked parts; None if nothing is left of it."""
        value, gone, match = snapshot["value"], self._deleted, _OF_PLAYER.fullmatch(snapshot["key"])
        if match and match["player"] in gone:
            return None
        if match:
            gone = self._marks.revoked(match["player"], match["part"])
        value = _without(value, gone) if gone else value
        return KeySnapshot(**{**snapshot, "value": value}) if value else None

    def concerns(self, challenge: str) -> bool:
        """Whether a challenge is by a deleted player, or to one."""
        made = read_challenge(challenge)
        return not self._deleted.isdisjoint((made.by, made.to))

    def note_game(self, game_id: str, record: Sequence[StoredEvent]) -> None:
        """Record a restored game, to remove deleted players from it at the end."""
        if self._deleted:
            seated = {event["data"].get("player") for event in record}
            self._left += ((game_id, player) for player in self._deleted & seated)

    def apply(self) -> Iterator[tuple[str, str]]:
        """Delete everything marked from the store: an older backup may have restored it.

        Yields each item that cannot be deleted, and why.
        """
        self._marks.enforce()
        steps = [
            (f"game {game_id}", partial(self._leave, game_id, one)) for game_id, one in self._left
        ]
        steps += [(f"player {one}", partial(self._close, one)) for one in sorted(self._deleted)]
        for what, step in steps:
            try:
                with reporting_damage():
                    step()
            except Damaged as damaged:
                yield what, str(damaged)

    def _leave(self, game_id: str, player: str) -> None:
        self._container.accounts.leave(self._container.games.load(game_id), player)

    def _close(self, player: str) -> None:
        if (account := self._container.players.find(player)) is not None:
            self._container.accounts.close(account)


def _without(value: object, gone: Collection[str]) -> object:
    """Return the fields or members that are not in `gone`; a text as it is, None if it is in
    `gone`."""
    if isinstance(value, Mapping):
        return {name: held for name, held in value.items() if name.partition(":")[0] not in gone}
    if isinstance(value, list):
        return [member for member in value if member not in gone]
    return None if value in gone else value

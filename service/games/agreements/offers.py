"""Offers of one player to which the other has to agree, each kind in its field of the side state.

The field's text is the seat that offers and the terms, if there are any. An offer stands until it
is taken back, declined, agreed to, or replaced by another. Once it was taken back or declined, the
text is `told VERSION SEAT`: the other player gets one mail about an offer for each version of the
game, however often it is made and taken back there.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import engine
from service.bots import bot_at
from service.core.errors import overtaken
from service.eventlog import (
    Changed,
    EventLog,
    FieldChange,
    IdempotencyKey,
    Notice,
    Repeated,
    notice_id,
)
from service.games import permissions
from service.games.change.draft import Draft
from service.games.change.writer import ChangeWriter, Origin
from service.games.deadlines.service import Deadlines
from service.games.notices.reachability import Reachability
from service.games.repository import StoredGame


class Offer(NamedTuple):
    """Who offers something, and on which terms: a word of the kind's own, or none."""

    by: engine.Seat
    terms: str = ""

    def __str__(self) -> str:
        return f"{self.by} {self.terms}".rstrip()


def read_offer(field: str, side_state: Mapping[str, str]) -> Offer | None:
    """The offer in a field of a game's side state."""
    return _read(side_state.get(field, ""))


class Offers:
    """The offers of one kind, in all games. `now` gives unix seconds.

    Mails about them are named like the field.
    """

    def __init__(
        self,
        field: str,
        log: EventLog,
        writer: ChangeWriter,
        deadlines: Deadlines,
        reachability: Reachability,
        now: Callable[[], float],
    ) -> None:
        self._field = field
        self._log = log
        self._writer = writer
        self._deadlines = deadlines
        self._reachability = reachability
        self._now = now

    def game(self, game_id: str, player: str) -> StoredGame:
        """The game, for its players. Raises `RequestRejected` for anyone else."""
        stored = self._deadlines.current(game_id)
        permissions.own_seat(stored, player)
        return stored

    def side_state(self, game_id: str) -> dict[str, str]:
        """What stands beside the game's log."""
        return self._log.side_state.read(game_id)

    def agree(
        self, stored: StoredGame, offer: Offer, command: engine.Command, origin: Origin
    ) -> StoredGame | None:
        """Make this offer; or, if the other player offers the same, write the command.

        The game after that; None where the offer is made only. A bot agrees at once. Raises
        `Overtaken` where another write comes first, or this request came before under its key.
        """
        draft = self._writer.draft(stored.id, stored, command, origin.via)
        current = self.side_state(stored.id).get(self._field, "")
        other = engine.OTHER[offer.by]
        if _read(current) == offer._replace(by=other) or bot_at(stored.game.players[other]):
            return self._write(draft, offer.by, current, origin)
        answer = self._log.side_state.change(
            stored.id,
            [FieldChange(self._field, current, str(offer))],
            version=stored.version,
            notices=[] if _is_known(stored, offer, current) else self._notices(stored, other),
            key=origin.key,
        )
        if not isinstance(answer, Changed):
            # The other player has just offered it too, or moved.
            raise overtaken(self._log.events.version(stored.id))
        return None

    def accept(
        self,
        stored: StoredGame,
        seat: engine.Seat,
        command_of: Callable[[Offer | None], engine.Command],
        origin: Origin,
    ) -> StoredGame:
        """Write the command to which the other player's offer, if there is one, leads."""
        current = self.side_state(stored.id).get(self._field, "")
        offer = _read(current)
        command = command_of(None if offer is None or offer.by == seat else offer)
        draft = self._writer.draft(stored.id, stored, command, origin.via)
        return self._write(draft, seat, current, origin)

    def withdraw(self, game_id: str, player: str, key: IdempotencyKey | None = None) -> StoredGame:
        """Take the offer back, or decline it. May be repeated: under its `key` no later offer goes
        with it."""
        stored = self.game(game_id, player)
        current = self.side_state(game_id).get(self._field, "")
        offer = _read(current)
        if offer is not None:
            change = FieldChange(self._field, current, _told(stored, offer))
            self._log.side_state.change(game_id, [change], key=key)
        return stored

    def was_withdrawn(self, game_id: str, key: IdempotencyKey) -> bool:
        """Whether a request under this key took an offer back, or declined it."""
        return isinstance(self._log.events.recall(game_id, key), Repeated)

    def _write(self, draft: Draft, seat: engine.Seat, current: str, origin: Origin) -> StoredGame:
        """Write what was agreed by the player in this seat, while the field holds `current`."""
        agreed = FieldChange(self._field, current, "")
        return self._writer.write(draft, draft.after.game.players[seat], origin, [agreed])

    def _notices(self, stored: StoredGame, to: engine.Seat) -> list[Notice]:
        recipient = stored.game.players[to]
        assert recipient is not None, "a running game has two players"
        notice = notice_id(stored.id, stored.version, recipient, "mail", self._field)
        return self._reachability.reachable([Notice(notice, self._now())])


def _read(text: str) -> Offer | None:
    by, _, terms = text.partition(" ")
    return next((Offer(seat, terms) for seat in engine.SEATS if seat == by), None)


def _is_known(stored: StoredGame, offer: Offer, current: str) -> bool:
    """Whether the other player has been told that this player offers something."""
    standing = _read(current)
    by_the_same = standing is not None and standing.by == offer.by
    return by_the_same or current == _told(stored, offer)


def _told(stored: StoredGame, offer: Offer) -> str:
    """The text in place of an offer that was taken back, or declined."""
    return f"told {stored.version} {offer.by}"

"""Whether a game's log is sound: chain, commitment, shuffle and every decision."""

import json
from collections.abc import Sequence
from typing import Any

from engine import UnknownEvent
from engine.record import BadRecord, stored_event
from engine.verify import verify
from service.log import GameLog, UnreadableLog


def fault_in(record: Sequence[Any]) -> str | None:
    """What is wrong with a full record, as read from JSON, naming the event; or None."""
    try:
        finding = verify([stored_event(number, line) for number, line in enumerate(record, 1)])
    except (BadRecord, UnknownEvent) as refusal:
        return str(refusal)
    return None if finding is None else str(finding)


def fault_in_stored(log: GameLog, game_id: str) -> str | None:
    """What is wrong with a stored game, or None."""
    try:
        return fault_in([json.loads(text) for text in log.read(game_id)])
    except UnreadableLog as unreadable:
        return str(unreadable)
    except ValueError as error:
        return f"an event is not JSON: {error}"

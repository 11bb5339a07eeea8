"""A game with three days for each turn, and what is to be read of its clock."""

from service.container import Container
from service.core.times import DAY, HOUR, timestamp
from tests.support.clock import NOON
from tests.support.people import Person, Started

DAYS = {"days_per_move": 3}


def after(hours: float) -> str:
    return timestamp(NOON + hours * HOUR)


def deadline_entry(container: Container, game: Started) -> list[str]:
    return container.log.deadlines.claim(10, 60, at=NOON + 10 * DAY)


def types(ada: Person, game: Started) -> list[str]:
    return [event["type"] for event in ada.get(f"{game.path}/events").json["events"]]

"""A game whose players give orders."""

from typing import Any

from service.eventlog import parse_notice_id
from tests.support.games import arranged, played
from tests.support.people import Person

NO_ORDERS = {"claim_proved": False, "pass_when_stuck": False, "turn": None, "last": None}
RUN = ["R7@1", "G1@9", "R8@1", "G3@9"]
"""Ada lacks one card of the strongest run on Stone 1, and has it."""


class GameWithOrders:
    """Ada is north, Bob south."""

    def __init__(self, container: Any, ada: Person, bob: Person, **options: Any) -> None:
        self.container = container
        self.players = {"north": ada.id, "south": bob.id}
        self.id = arranged(container, self.players, **options)
        self.path = f"/games/{self.id}"
        self.orders = f"{self.path}/orders"

    def play(self, *turns: str) -> None:
        played(self.container, self.id, self.players, *turns)

    def game(self) -> Any:
        return self.container.games.load(self.id).game

    def lines(self, after: int = 0) -> Any:
        return self.container.games.history.lines(self.container.games.load(self.id), None, after)

    def mails(self) -> list[tuple[str, str, int]]:
        """Who is to be sent what, and since which version."""
        notices = [parse_notice_id(notice.id) for notice in self.container.log.outbox.pending()]
        return [(n.recipient, n.kind, n.version) for n in notices if n.transport == "mail"]

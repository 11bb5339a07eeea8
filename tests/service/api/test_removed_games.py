"""A game that the operator has removed, as the API answers for it."""

from service.container import Container
from service.ops.operating import remove_game
from tests.support.people import Person, Started

READ = (
    "",
    "/events",
    "/record",
    "/board",
    "/messages",
    "/settings",
    "/orders",
    "/offers",
    "/proofs",
    "/analysis",
)
DONE = ("/rematch", "/time-out", "/resignation")


def test_it_is_gone_at_every_address(container: Container, game: Started) -> None:
    remove_game(container, "Morag", game.id, "a ruling", "A court has asked for it.")
    ada = game.players["north"]
    answers = [ada.get(game.path + part) for part in READ]
    answers += [ada.post(game.path + part) for part in DONE]
    answers += [ada.post(f"{game.path}/turns", {"actions": ["R4@3"]})]
    for answer in answers:
        assert (answer.request.path, answer.status_code) == (answer.request.path, 410)
        assert answer.json["code"] == "game-removed"
        assert answer.json["detail"].endswith("A court has asked for it.")


def test_what_made_it_does_not_make_it_again(container: Container, ada: Person) -> None:
    key = {"headers": {"Idempotency-Key": "0f1d6a0e-9a1a-4f2b-8f1e-2f8a6c1f9e77"}}
    made = ada.post("/games", **key)
    assert made.status_code == 201
    remove_game(container, "Morag", made.json["id"], "a ruling")
    again = ada.post("/games", **key)
    assert (again.status_code, again.json["code"]) == (410, "game-removed")

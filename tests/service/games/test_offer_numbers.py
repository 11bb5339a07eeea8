"""Each offer has a number of its own, whatever comes between, and whoever wrote the last one."""

import pytest

from service.container import Container
from service.core.redis.client import Client
from service.eventlog.keys import side_state_key
from service.games import ChangeContext
from service.games.side_state_check import side_state_problem
from tests.support.people import Person, Started, code

MOMENT = "2026-11-30T12:00:00Z"


@pytest.fixture
def game(ada: Person, bob: Person) -> Started:
    return Started(ada, bob, clock={"days_per_move": 3})


def number(person: Person, game: Started, kind: str, **terms: str) -> int:
    made = person.post(f"{game.path}/offers", {"kind": kind, **terms}).json["offers"]
    return next(int(offer["number"]) for offer in made if offer["kind"] == kind)


def test_both_kinds_and_both_players_count_on(ada: Person, bob: Person, game: Started) -> None:
    numbers = [
        number(ada, game, "pause"),
        number(ada, game, "abandonment"),
        number(ada, game, "pause", until=MOMENT),
    ]
    ada.delete(f"{game.path}/offers/abandonment")
    numbers += [number(bob, game, "abandonment"), number(bob, game, "pause")]
    assert numbers == sorted(set(numbers))


def test_an_offer_that_is_made_while_it_stands_keeps_its_number(ada: Person, game: Started) -> None:
    assert number(ada, game, "pause") == number(ada, game, "pause")


def test_not_even_a_backup_that_is_put_back_takes_a_number_back(ada: Person, game: Started) -> None:
    for _ in range(2):
        number(ada, game, "pause")
        ada.delete(f"{game.path}/offers/pause")
    backup = ada.container.redis.hgetall(side_state_key(game.id))
    lost = number(ada, game, "pause")
    ada.clock.time += 300
    ada.container.redis.hset(side_state_key(game.id), mapping=backup)
    assert number(ada, game, "pause") > lost


@pytest.mark.parametrize("kind", ["pause", "abandonment"])
def test_what_is_written_can_be_restored(ada: Person, game: Started, kind: str) -> None:
    for _ in range(2):
        number(ada, game, kind)
        assert side_state_problem(game.id, ada.container.log.side_state.read(game.id)) is None
        ada.delete(f"{game.path}/offers/{kind}")
        assert side_state_problem(game.id, ada.container.log.side_state.read(game.id)) is None
    wrong = {kind: "offered 12 3 north"}
    assert side_state_problem(game.id, wrong) is not None


@pytest.mark.parametrize(
    ("kind", "text"),
    [("abandonment", "north"), ("pause", "north open"), ("pause", f"north {MOMENT}")],
)
def test_an_offer_of_an_earlier_program_stands_and_can_be_agreed_to(
    ada: Person, bob: Person, game: Started, redis: Client, kind: str, text: str
) -> None:
    path = f"{game.path}/offers"
    redis.hset(side_state_key(game.id), kind, text)
    (seen,) = bob.get(path).json["offers"]
    assert (seen["kind"], seen["by"]) == (kind, "north")
    assert code(bob.post(path, {"kind": kind, "number": seen["number"] + 1})) == "no-offer"
    assert bob.post(path, {"kind": kind, "number": seen["number"]}).status_code == 200
    assert game.view()["version"] > 3


def test_one_that_an_earlier_program_ended_is_not_announced_again(
    ada: Person, game: Started, redis: Client, container: Container
) -> None:
    redis.hset(side_state_key(game.id), "abandonment", "told 3 north")
    container.games.abandonments.agree(game.id, ada.id, ChangeContext())
    assert not [n for n in container.log.outbox.pending() if n.id.endswith(".abandonment")]

"""A web process killed between any two steps of a request: what it accepted is kept and told.

Whoever repeats the request afterwards, under its idempotency key, gets the answer of the first.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from service.core.redis.client import Client
from tests.faults.mortal import deaths
from tests.faults.world import World

KEY = "the one and only"


class Request(NamedTuple):
    """A request, and who is to be told of it by a mail of which kind."""

    who: str
    path: str
    body: dict[str, Any]
    told: dict[str, str]


def make(world: World) -> Request:
    return Request("Ann", "/games", {}, {})


def make_for_a_player(world: World) -> Request:
    body = {"opponent": {"player": world.ids["Bob"]}}
    return Request("Ann", "/games", body, {"Bob": "invitation"})


def make_for_an_address(world: World) -> Request:
    body = {"opponent": {"email": "guest@example.org"}}
    return Request("Ann", "/games", body, {"guest": "invitation"})


def join(world: World) -> Request:
    made = world.game()
    return Request("Bob", f"/games/{made['id']}/join", {"invite": made["invite"]}, {"Ann": "turn"})


def play(world: World) -> Request:
    game = world.begun(clock={"days_per_move": 1})
    return Request(
        "Ann", f"/games/{game['id']}/turns", {"actions": game["legal"][:1]}, {"Bob": "turn"}
    )


def resign(world: World) -> Request:
    game = world.begun()
    return Request("Ann", f"/games/{game['id']}/resignation", {}, {"Bob": "over"})


@pytest.mark.parametrize("relay_first", [True, False], ids=["relay first", "repeat first"])
@pytest.mark.parametrize(
    "prepare", [make, make_for_a_player, make_for_an_address, join, play, resign]
)
def test_nothing_is_lost_or_done_twice(
    redis: Client, prepare: Callable[[World], Request], relay_first: bool
) -> None:
    world = World(redis)
    request: Request
    before: dict[str, int]

    def ask() -> TestedRequest:
        nonlocal request, before
        world.begin_anew()
        request = prepare(world)
        before = versions(world)
        return lambda: world.send(request.who, request.path, request.body, KEY)

    died = 0
    for _ in deaths(ask):
        died += 1
        if relay_first:
            world.relay_all()
            world.check()
        answer = world.send(request.who, request.path, request.body, KEY)
        assert answer.status_code in (200, 201)
        assert_done_once(world, request, before, answer.json)
    assert died >= 4, "the request has steps between which to die"
    assert_done_once(world, request, before, None)


TestedRequest = Callable[[], object]


def versions(world: World) -> dict[str, int]:
    log = world.store.log
    return {game_id: log.events.version(game_id) for game_id in log.events.game_ids()}


def assert_done_once(
    world: World, request: Request, before: dict[str, int], answer: dict[str, Any] | None
) -> None:
    """One request has changed one game, and everybody has been told."""
    world.relay_all()
    world.check()
    after = versions(world)
    (game_id,) = (game_id for game_id in after if after[game_id] != before.get(game_id))
    if answer is not None:
        assert (answer["id"], answer["version"]) == (game_id, after[game_id])
    for name, kind in request.told.items():
        assert world.mailed(game_id, after[game_id], name, kind)
    pending = [notice.id for notice in world.store.log.outbox.pending() if ".mail." in notice.id]
    assert [notice for notice in pending if not notice.endswith("reminder")] == []

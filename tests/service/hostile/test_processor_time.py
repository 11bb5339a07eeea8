"""What requests may cost: every route, as often as the limits allow one caller in a minute, and
whatever many accounts at one address ask for."""

import re
from collections.abc import Iterator
from itertools import islice
from math import inf
from time import thread_time
from typing import Any, Final, NamedTuple

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import EnvironBuilder

from service.api import rate_limits
from service.api.request_counts import Limit
from service.container import Container
from service.core.cache import ThreadSafeCache
from service.core.redis.client import Client
from service.core.times import DAY, HOUR
from service.ops.integrity import reindex
from service.server.app import create_app
from tests.service.api.world import BODIES, World
from tests.support.clock import Clock
from tests.support.matches import lines_of_match
from tests.support.people import Started
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.support.shares import IS_WHOLE
from tests.support.weighing import weigh_turns
from tests.web.people import form_of
from tests.web.shown import signed_in

ALLOWED: Final = 24.0
"""Seconds of processor time that an allowed minute of any route may cost."""
CONNECTIONS: Final = 24
"""Requests that one caller has running before the first of them is charged."""
PROCESSES: Final = 4
"""The most web processes there are by default: each counts files and documents by itself."""
CALLS: Final = 3
LONG, SHORT, RUNNING = "a" * 20, "b" * 20, "c" * 20
"""A match of 99 rounds and a game, both analysed; and a match that goes on."""
GAMES: Final = (LONG, SHORT, RUNNING) if IS_WHOLE else (LONG, RUNNING)
LAST: Final = {"account.delete", "tokens.revoke", "tokens.revoke_others", "web.delete_account"}
ENDS: Final = {"play.resign", "web.resign"}
LAST |= {"web.revoke_token", "web.revoke_others", "web.end_device", "web.sign_out"}
"""What takes the caller's token or session away."""
NAMES: Final = {"/icons/<": "icon-512", "/docs/<": "problems", "/docs/api/<": "games"}
QUERIES: Final = {
    "web.game": ("", "?at=100"),
    "history.events": ("?limit=1000",),
    "history.show_board": ("", "?at=200", "?format=svg", "?format=png"),
    "history.show_record": ("", "?format=text"),
    "history.list_records": ("?limit=100",),
    "web.judge_claim": ("?mine=R7+R8+R9&theirs=G4+G5",),
    "web.puzzle": ("", "?answer=no"),
}
"""The queries with which a route is dearest."""

OF_ALL: Final = {"web.game", "web.picture_end", "web.record_link", "web.judge_claim", "web.rules"}
OF_ALL |= {"history.show_board", "history.show_record", "history.list_records", "history.events"}
OF_PLAYERS: Final = {"play.move", "play.turn", "play.resign", "games.create", "games.make_seal"}
OF_PLAYERS |= {"games.practise", "account.export", "history.analyse", "web.replay_record"}
OF_PLAYERS |= {"web.send_turn", "web.write_note"}
CARRIED_OUT: Final = {"anonymous": OF_ALL, "player": OF_ALL | OF_PLAYERS}
"""Endpoints whose requests here are carried out, not only refused."""


class Cost(NamedTuple):
    """What a request takes: seconds of processor time, and how many requests it counts as; and
    whether it was carried out."""

    seconds: float
    units: float
    is_done: bool


class Caller:
    """Somebody with a browser, and a token or none."""

    def __init__(self, client: FlaskClient, redis: Client, token: str | None) -> None:
        self._client, self._redis = client, redis
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._form = form_of(client.get("/sign-in"))

    def cost(self, endpoint: str, method: str, path: str, **body: Any) -> tuple[float, Cost]:
        """The seconds of the worst minute of requests like this, and the cost of one: of the first
        that is cheap enough, else of the cheapest that is carried out, else of the cheapest."""
        best: tuple[bool, float, Cost] | None = None
        for cost in islice(self.costs(method, path, **body), CALLS):
            found = (not cost.is_done, worst_minute(endpoint, cost), cost)
            best = found if best is None else min(best, found)
            if best[1] <= ALLOWED:
                break
        assert best is not None
        return best[1:]

    def costs(self, method: str, path: str, **body: Any) -> Iterator[Cost]:
        """The costs of requests like this, without end."""
        if path.startswith("/v1"):
            given: dict[str, Any] = {"headers": self._headers}
            given |= {"json": body} if method != "GET" else {}
        else:
            given = {"data": {"form": self._form, **body}} if method != "GET" else {}
        nowhere = {"headers": given.get("headers")}
        # What a request takes is counted with the next one, here one that leads nowhere.
        self._send("GET", f"{path}/nowhere", nowhere)
        while True:
            for key in self._redis.scan_iter(match="st:limits:*"):
                self._redis.delete(key)
            seconds, is_done = self._send(method, path, given)
            self._send("GET", f"{path}/nowhere", nowhere)
            counted = sum(
                int(self._redis.get(key) or 0)  # type: ignore[arg-type]
                for key in self._redis.scan_iter(match="st:limits:requests:*")
            )
            yield Cost(seconds, counted - 1, is_done)

    def _send(self, method: str, path: str, given: dict[str, Any]) -> tuple[float, bool]:
        sent = EnvironBuilder(path, method=method, **given).get_request()
        began = thread_time()
        answer = self._client.open(sent)
        assert answer.data is not None
        took = thread_time() - began
        assert answer.status_code < 500, (method, path, answer.text)
        assert answer.status_code != 413
        return took, answer.status_code < 400


def worst_minute(endpoint: str, cost: Cost) -> float:
    """The seconds that a minute of these requests costs at most, before the limits stop them."""
    if here := rate_limits.counted_here(endpoint):
        allowed = float(here[1].most * PROCESSES)
    else:
        allowed = CONNECTIONS + (rate_limits.REQUESTS.most / cost.units if cost.units else inf)
    counted_as = rate_limits.COUNTED_AS.get(endpoint, endpoint)
    further = (limit.most for limit in rate_limits.OF_ENDPOINT.get(counted_as, ()))
    return min(allowed, *further, inf) * cost.seconds


@pytest.fixture
def app(
    redis: Client, redis_server: SocketServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Flask:
    # A minute has six of these spans: the limit of a minute alone is to suffice.
    for name in ("BUSY", "BUSY_ADDRESS"):
        monkeypatch.setattr(rate_limits, name, Limit(1_000_000, 10))
    return create_app(settings(rate_limits=True, redis_url=redis_server.url), redis, clock)


@pytest.fixture
def dearest(client: FlaskClient, container: Container, clock: Clock) -> World:
    """A player with much of everything: a long match, games, messages, and links."""
    with pytest.MonkeyPatch.context() as patched:
        for name in ("REQUESTS", "OF_ADDRESS"):
            patched.setattr(rate_limits, name, Limit(100_000, 60))
        world = World(client, "theirs")
        ada, bob, eve = world.owner, world.opponent, world.spectator
        for person in (ada, bob):
            person.patch("/me", {"archive": "nameless"})
        for game_id, rounds in ((LONG, 99), (SHORT, 1), (RUNNING, 3)):
            lines = lines_of_match(rounds, ada.id, bob.id, game_id)
            container.log.events.append(game_id, 0, lines[: 300 if game_id == RUNNING else None])
        clock.time += 60 * DAY
        assert not any(each.fault for each in reindex(container, (LONG, SHORT, RUNNING)))
        for game_id in (LONG, SHORT):
            weigh_turns(container, game_id)
        for number in range(60):
            Started(ada, eve)
            if number < 10:
                bob.post("/games", {"listed": True})
            text = {"text": f"{number} " + "word " * 90}
            written = (ada, bob)[number % 2].post(f"/games/{RUNNING}/messages", text)
            assert written.status_code < 300
            clock.time += HOUR
    link = container.private_links.renew(ada.id).calendar.rpartition("/")[2]
    world.ids |= {"secret": link.partition(".")[0], "seed": "3", "number": "1"}
    world.ids |= {"filename": "cards.svg"}
    return world


def let_owner_move(world: World) -> None:
    """Let the opponent play, if it is their turn."""
    path = f"/games/{RUNNING}"
    while legal := world.opponent.get(path).json["legal"]:
        assert world.opponent.post(f"{path}/turns", {"actions": legal[:1]}).status_code == 200


def form_for(endpoint: str, world: World) -> dict[str, Any]:
    """What the forms of the running game's page send, beside the sign of the session."""
    if endpoint == "web.send_turn":
        let_owner_move(world)
        game = world.owner.get(f"/games/{RUNNING}").json
        return {"turn": game["legal"][:1], "version": game["version"], "unclaimed": "yes"}
    return {"note": "She keeps the blue nine."} if endpoint == "web.write_note" else {}


def requests(app: Flask, world: World) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Endpoint, method, path and body of requests to each route, reading ones first."""
    record, ids = "\n".join(lines_of_match(6)), world.ids

    def order(asked: tuple[Rule, str]) -> tuple[bool, bool, bool]:
        endpoint = asked[0].endpoint
        return endpoint in LAST, endpoint in ENDS, asked[1] != "GET"

    routes = [(rule, method) for rule in app.url_map.iter_rules() for method in rule.methods or ()]
    for rule, method in sorted(routes, key=order):
        if method in ("HEAD", "OPTIONS") or rule.endpoint in rate_limits.HEALTH:
            continue
        name = NAMES.get(rule.rule.partition("name>")[0], "mail")
        for game_id in GAMES if "game_id" in rule.arguments else ("",):
            given = {**ids, "name": name, "game_id": game_id}
            path = re.sub(
                r"<(?:\w+:)?(\w+)>",
                lambda found, given=given: given.get(found[1], "x" * 20),
                rule.rule,
            )
            template = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            operation = f"{method} {template}"
            world.ids["game_id"] = RUNNING
            body: dict[str, Any] = {}
            if operation in BODIES and game_id in ("", RUNNING):
                let_owner_move(world)
                body = dict(BODIES[operation](world))
            if game_id == RUNNING:
                body |= form_for(rule.endpoint, world)
            body |= {"step": 100} if rule.endpoint.endswith("practise") else {}
            body |= {"record": record} if rule.endpoint == "web.replay_record" else {}
            for query in QUERIES.get(rule.endpoint, ("",)):
                yield rule.endpoint, method, path + query, body


@pytest.fixture
def callers(app: Flask, redis: Client, dearest: World) -> dict[str, Caller]:
    ada = dearest.owner
    return {
        "anonymous": Caller(app.test_client(), redis, None),
        "player": Caller(signed_in(app, ada.id), redis, ada.token),
    }


@pytest.mark.parametrize("who", ["anonymous", "player"])
def test_no_allowed_minute_of_any_route_costs_more_than_is_allowed(
    app: Flask,
    dearest: World,
    callers: dict[str, Caller],
    who: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Whatever is made once: somebody may ask for another of it each time.
    monkeypatch.setattr(ThreadSafeCache, "get_or_make", lambda cache, key, make: make())
    costs: dict[tuple[str, str], tuple[float, Cost]] = {}
    done: set[str] = set()
    for endpoint, method, path, body in requests(app, dearest):
        costs[method, path] = found = callers[who].cost(endpoint, method, path, **body)
        done |= {endpoint} if found[1].is_done else set()
    assert {asked: found for asked, found in costs.items() if found[0] > ALLOWED} == {}
    assert CARRIED_OUT[who] <= done


@pytest.mark.parametrize(
    ("takes", "changes", "is_bounded"),
    [
        (0.05, {}, True),
        (0.7, {}, False),  # too long for so many at once
        (0.05, {"UNIT": inf}, False),
        (0.001, {"HEALTH": ("web.rules",)}, False),
    ],
    ids=["charged", "too dear", "not charged", "not counted"],
)
def test_a_route_made_dear_is_noticed(
    app: Flask,
    redis: Client,
    monkeypatch: pytest.MonkeyPatch,
    takes: float,
    changes: dict[str, Any],
    is_bounded: bool,
) -> None:
    def view() -> str:
        end = thread_time() + takes
        while thread_time() < end:
            pass
        return "dear"

    monkeypatch.setitem(app.view_functions, "web.rules", view)
    for name, value in changes.items():
        monkeypatch.setattr(rate_limits, name, value)
    caller = Caller(app.test_client(), redis, None)
    assert (caller.cost("web.rules", "GET", "/rules")[0] <= ALLOWED) == is_bounded


@pytest.fixture
def taken(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Processor time, of which only the view `web.rules` takes any: `units` of its query."""
    time = [0.0]

    def view() -> str:
        time[0] += float(request.args["units"]) * rate_limits.UNIT
        return "dear"

    monkeypatch.setattr(rate_limits, "thread_time", lambda: time[0])
    monkeypatch.setitem(app.view_functions, "web.rules", view)
    return time


def at_one_address(app: Flask, container: Container, accounts: int) -> list[FlaskClient]:
    """A visitor, and browsers with an account each."""
    guests = container.registrations
    people = [guests.register_guest(f"Person {number}").player.id for number in range(accounts)]
    return [app.test_client(), *(signed_in(app, person) for person in people)]


@pytest.mark.parametrize("units", [2.5, 31])
@pytest.mark.parametrize("accounts", [7, 40])
def test_many_accounts_at_one_address_take_no_more_of_a_minute_than_is_allowed(
    app: Flask, container: Container, taken: list[float], accounts: int, units: float
) -> None:
    asking = at_one_address(app, container, accounts)
    while asking:
        asking = [each for each in asking if each.get(f"/rules?units={units}").status_code == 200]
    assert taken[0] <= ALLOWED + CONNECTIONS * units * rate_limits.UNIT
    # Nor do more accounts get anything.
    before = taken[0]
    for newcomer in at_one_address(app, container, 5)[1:]:
        newcomer.get(f"/rules?units={units}")
    assert accounts < 8 or taken[0] == before


def test_a_family_at_one_address_reads_a_hundred_pages_a_minute_each(
    app: Flask, container: Container, taken: list[float]
) -> None:
    for each in at_one_address(app, container, 4)[1:]:
        assert {each.get("/rules?units=2.5").status_code for _ in range(100)} == {200}


def test_to_refuse_takes_less_than_a_unit(
    app: Flask, redis: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = Caller(app.test_client(), redis, None)
    for name in ("REQUESTS", "DOCUMENTS"):
        monkeypatch.setattr(rate_limits, name, Limit(0, 60))
    for path in ("/", "/games/list", "/v1/games", "/docs/problems", "/nothing"):
        assert min(islice(caller.costs("GET", path), CALLS)).seconds < rate_limits.UNIT
        assert app.test_client().get(path).status_code == 429

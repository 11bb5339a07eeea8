"""How much one caller may ask of the server."""

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient
from jinja2 import Environment

from service.accounts.tokens import SCOPES, Tokens
from service.api import application, rate_limits
from service.api.request_counts import Limit
from service.container import EXTENSION
from service.core.redis.client import Client, connect
from service.realtime.deferred import RERUN
from service.server.app import create_app
from tests.support.people import Person, code
from tests.support.servers import SocketServer
from tests.support.settings import settings
from tests.web.shown import signed_in

LIMITED = set(rate_limits.OF_ENDPOINT)


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test comes to soon, and requests that take no time."""
    monkeypatch.setattr(rate_limits, "REQUESTS", Limit(5, 60))
    monkeypatch.setattr(rate_limits, "OF_ADDRESS", Limit(12, 60))
    monkeypatch.setattr(rate_limits, "SPARED", 2)
    for module in (rate_limits, application):
        monkeypatch.setattr(module, "thread_time", lambda: 0.0)
    monkeypatch.setattr(rate_limits, "OF_ENDPOINT", {"players.register": [Limit(3, 60)]})


@pytest.fixture
def app(redis: Client, redis_server: SocketServer) -> Flask:
    return create_app(settings(rate_limits=True, redis_url=redis_server.url), redis)


def from_address(address: str) -> dict[str, str]:
    return {"REMOTE_ADDR": address}


def test_what_has_a_limit_of_its_own_is_there(app: Flask) -> None:
    assert set(app.view_functions) >= LIMITED


def test_answers_tell_how_much_is_left(client: FlaskClient) -> None:
    for left in (4, 3, 2):
        answer = client.get("/v1/games")
        assert answer.status_code == 401
        assert answer.headers["RateLimit-Limit"] == "5"
        assert answer.headers["RateLimit-Remaining"] == str(left)
        assert 0 < int(answer.headers["RateLimit-Reset"]) <= 60
        assert "Retry-After" not in answer.headers


def test_a_caller_over_the_limit_is_told_when_to_come_again(client: FlaskClient) -> None:
    for _ in range(5):
        client.get("/v1/games")
    answer = client.get("/v1/games")
    assert (answer.status_code, code(answer)) == (429, "too-many-requests")
    assert answer.headers["RateLimit-Remaining"] == "0"
    assert 0 < int(answer.headers["Retry-After"]) <= 60


def test_each_address_has_a_limit_of_its_own_and_preflights_count_apart(
    client: FlaskClient,
) -> None:
    for _ in range(6):
        client.get("/v1/games")
    elsewhere = client.get("/v1/games", environ_base=from_address("192.0.2.7"))
    assert elsewhere.status_code == 401

    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    for _ in range(5):
        assert client.options("/v1/players", headers=asked).status_code == 200
    answer = client.options("/v1/players", headers=asked)
    assert answer.status_code == 429
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
    ],
)
def test_a_subscribers_addresses_count_as_one(
    client: FlaskClient, one: str, other: str, same: bool
) -> None:
    client.get("/v1/games", environ_base=from_address(one))
    answer = client.get("/v1/games", environ_base=from_address(other))
    assert answer.headers["RateLimit-Remaining"] == ("3" if same else "4")


def test_each_player_has_a_limit_of_their_own_and_uses_up_nothing_of_the_address(
    client: FlaskClient,
) -> None:
    ada, bob = Person(client, "Ada"), Person(client, "Bob")
    for number in range(5):
        address = from_address(f"192.0.2.{number}")
        assert ada.get("/games", environ_base=address).status_code == 200
    assert ada.get("/games").status_code == 429
    assert bob.get("/games").status_code == 200

    at_home = {"environ_base": from_address("192.0.2.1")}
    for _ in range(20):
        ada.get("/games", **at_home)
    assert bob.get("/games", **at_home).status_code == 200


def test_the_tokens_of_a_player_count_together(client: FlaskClient, app: Flask) -> None:
    ada = Person(client, "Ada")
    tokens: Tokens = app.extensions[EXTENSION].tokens
    texts = [ada.token, *(tokens.create(ada.id, "more", SCOPES).text for _ in range(3))]
    statuses = [
        client.get("/v1/games", headers={"Authorization": f"Bearer {text}"}).status_code
        for text in [*texts, *texts]
    ]
    assert statuses == [200] * 5 + [429] * 3


def test_the_players_of_an_address_count_together(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "OF_ENDPOINT", {})
    at_home = {"environ_base": from_address("192.0.2.1")}
    people = [Person(client, name) for name in ("Ada", "Bob", "Eve")]
    newcomer = Person(client, "Fay")
    for person in people:
        for _ in range(4):
            assert person.get("/games", **at_home).status_code == 200
    answer = people[0].get("/games", **at_home)
    assert (answer.status_code, code(answer)) == (429, "too-many-requests")
    assert answer.headers["RateLimit-Limit"] == "12"
    # Whoever has asked for little is not kept out by the others.
    assert [newcomer.get("/games", **at_home).status_code for _ in range(3)] == [200, 200, 429]
    assert people[1].get("/games", environ_base=from_address("192.0.2.2")).status_code == 200


def test_what_is_left_is_told_of_the_limit_that_is_met_first(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = Person(client, "Ada"), Person(client, "Bob")
    at_home = {"environ_base": from_address("192.0.2.1")}
    lefts = [
        person.get("/games", **at_home).headers["RateLimit-Remaining"]
        for person in (ada, ada, ada, ada, bob, bob, bob, bob)
    ]
    assert lefts == ["4", "3", "2", "1", "4", "3", "2", "1"]
    eve = Person(client, "Eve")
    assert [eve.get("/games", **at_home).headers["RateLimit-Remaining"] for _ in range(4)] == [
        "3",
        "2",
        "1",
        "0",
    ]


def test_guests_count_as_registrations(client: FlaskClient) -> None:
    ada = Person(client, "Ada")
    made = [ada.post("/games").json for _ in range(3)]
    answers = [
        client.post(f"/v1/games/{game['id']}/join", json={"invite": game["invite"], "name": "Bob"})
        for game in made
    ]
    assert [answer.status_code for answer in answers] == [201, 201, 429]


@pytest.fixture
def takes(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, float], None]:
    """Lets a view take so many units of processor time."""
    taken = [0.0]
    monkeypatch.setattr(rate_limits, "thread_time", lambda: taken[0])

    def let(endpoint: str, units: float) -> None:
        plain = app.view_functions[endpoint]

        def view(**given: object) -> object:
            taken[0] += units * rate_limits.UNIT
            return plain(**given)

        monkeypatch.setitem(app.view_functions, endpoint, view)

    return let


@pytest.mark.parametrize(("units", "left"), [(0.9, "4"), (1.1, "3"), (3.5, "1"), (9, "0")])
def test_a_request_counts_once_for_each_unit_of_processor_time_it_takes(
    client: FlaskClient, takes: Callable[[str, float], None], units: float, left: str
) -> None:
    takes("web.rules", units)
    answer = client.get("/rules")
    assert (answer.status_code, answer.headers["RateLimit-Remaining"]) == (200, left)
    assert client.get("/v1/games").status_code == (429 if left == "0" else 401)


@pytest.mark.parametrize(
    ("endpoint", "path"),
    [
        ("guides.programs", "/docs/limits"),
        ("docs.console", "/docs/console"),
        ("docs.openapi", "/openapi.json"),
        ("web.static", "/assets/of-before/scottenbury.css"),
    ],
)
def test_what_needs_no_store_is_counted_in_the_process(
    client: FlaskClient,
    takes: Callable[[str, float], None],
    monkeypatch: pytest.MonkeyPatch,
    endpoint: str,
    path: str,
) -> None:
    for name in ("FILES", "DOCUMENTS"):
        monkeypatch.setattr(rate_limits, name, Limit(7, 60))
    takes(endpoint, 2.5)
    assert [client.get(path).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert 0 < int(client.get(path).headers["Retry-After"]) <= 60
    assert client.get(path, environ_base=from_address("192.0.2.7")).status_code == 200
    assert client.get("/").headers["RateLimit-Remaining"] == "4"


def test_players_who_ask_for_much_leave_the_others_at_their_address_something(
    app: Flask, client: FlaskClient, takes: Callable[[str, float], None]
) -> None:
    takes("web.rules", 3.5)
    register = app.extensions[EXTENSION].registrations.register
    ann, bob, eve, fay = (signed_in(app, register(f"Ann {each}").player.id) for each in "1234")
    for reader in (ann, bob, eve):
        assert reader.get("/rules").status_code == 200
    # Together they are over the limit of the players there, so each of them waits.
    assert [reader.get("/account").status_code for reader in (ann, bob, eve)] == [429] * 3
    # Whoever has asked for little does not, nor do visitors.
    for answer in (fay.get("/account"), client.get("/")):
        assert (answer.status_code, answer.headers["RateLimit-Remaining"]) == (200, "1")


def test_one_players_analyses_leave_the_others_at_their_address_theirs(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "OF_ENDPOINT", {rate_limits.ANALYSE: [Limit(2, 60)]})
    ada, bob = Person(client, "Ada"), Person(client, "Bob")
    path = f"/games/{'a' * 20}/analysis"
    assert [ada.post(path).status_code for _ in range(3)] == [404, 404, 429]
    assert bob.post(path).status_code == 404
    assert client.post(f"/v1{path}").status_code == 401


@pytest.mark.parametrize("endpoint", rate_limits.SHARED)
def test_guesses_and_accounts_do_not_multiply_with_accounts(
    app: Flask, monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    monkeypatch.setattr(rate_limits, "OF_ENDPOINT", {endpoint: [Limit(2, 60)]})
    (rule,) = (each for each in app.url_map.iter_rules() if each.endpoint == endpoint)
    path = rule.rule.replace("<code>", "aaaa-aaaa-aaaa")
    method = "POST" if "POST" in (rule.methods or ()) else "GET"
    register = app.extensions[EXTENSION].registrations.register
    tokens: Tokens = app.extensions[EXTENSION].tokens
    statuses = []
    for name in ("Ada", "Bob", "Eve"):
        player = register(name).player.id
        if endpoint.startswith("web."):
            sent = signed_in(app, player).open(path, method=method)
        else:
            bearer = {"Authorization": f"Bearer {tokens.create(player, 'one', SCOPES).text}"}
            sent = app.test_client().open(path, method=method, headers=bearer, json={})
        statuses.append(sent.status_code == 429)
    assert statuses == [False, False, True]


def test_whoever_keeps_a_process_busy_waits_while_others_go_on(
    app: Flask,
    client: FlaskClient,
    takes: Callable[[str, float], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "REQUESTS", Limit(100, 60))
    monkeypatch.setattr(rate_limits, "OF_ADDRESS", Limit(100, 60))
    monkeypatch.setattr(rate_limits, "BUSY", Limit(6, 10))
    monkeypatch.setattr(rate_limits, "DEAR", 2)
    takes("web.home", 2.5)
    takes("web.rules", 6.5)
    assert {client.get("/").status_code for _ in range(9)} == {200}
    ann = signed_in(app, app.extensions[EXTENSION].registrations.register("Ann").player.id)
    assert [client.get("/rules").status_code for _ in range(3)] == [200, 200, 429]
    answer = client.get("/v1")
    assert (answer.status_code, answer.headers["RateLimit-Limit"]) == (429, "6")
    assert 0 < int(answer.headers["Retry-After"]) <= 10
    assert ann.get("/rules").status_code == 200


def test_whoever_comes_first_after_a_start_does_not_wait_for_the_templates_that_were_compiled(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_template, taken = Environment.compile, [0.0]

    def compile_slowly(*given: Any, **options: Any) -> Any:
        taken[0] += 70 * rate_limits.UNIT
        return compile_template(*given, **options)

    monkeypatch.setattr(Environment, "compile", compile_slowly)
    for module in (rate_limits, application):
        monkeypatch.setattr(module, "thread_time", lambda: taken[0])
    monkeypatch.setitem(
        app.view_functions, "web.rules", lambda: app.jinja_env.from_string("A new page").render()
    )
    assert client.get("/rules").headers["RateLimit-Remaining"] == "4"
    assert taken[0]
    assert client.get("/rules").status_code == 200


def test_an_address_keeps_a_process_no_busier_with_many_accounts(
    app: Flask, takes: Callable[[str, float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, most in (("REQUESTS", 100), ("OF_ADDRESS", 100)):
        monkeypatch.setattr(rate_limits, name, Limit(most, 60))
    monkeypatch.setattr(rate_limits, "BUSY", Limit(6, 10))
    monkeypatch.setattr(rate_limits, "BUSY_ADDRESS", Limit(12, 10))
    monkeypatch.setattr(rate_limits, "PLACES", Limit(1, 60))
    monkeypatch.setattr(rate_limits, "DEAR", 2)
    takes("web.rules", 6.5)
    register = app.extensions[EXTENSION].registrations.register
    first, *others = [signed_in(app, register(f"Ann {each}").player.id) for each in "1234567"]
    assert first.get("/account").status_code == 200
    statuses = [each.get("/rules").status_code for each in others]
    assert statuses == [200] * 4 + [429] * 2
    answer = others[-1].get("/account")
    assert (answer.status_code, answer.headers["RateLimit-Limit"]) == (429, "12")
    assert 0 < int(answer.headers["Retry-After"]) <= 10
    # Neither who was there first has to wait, nor a visitor, nor anybody elsewhere.
    elsewhere = others[-1].get("/rules", environ_base=from_address("192.0.2.7"))
    visit = app.test_client().get("/rules")
    assert [each.status_code for each in (first.get("/rules"), visit, elsewhere)] == [200] * 3


@pytest.mark.parametrize("is_stored", [True, False])
def test_many_accounts_lock_nobody_out_who_came_before_them(
    redis: Client, redis_server: SocketServer, monkeypatch: pytest.MonkeyPatch, is_stored: bool
) -> None:
    monkeypatch.setattr(rate_limits, "PLACES", Limit(2, 60))
    url = redis_server.url if is_stored else "redis-cluster://a:1"
    app = create_app(settings(rate_limits=True, redis_url=url), redis)
    register = app.extensions[EXTENSION].registrations.register
    ann, bob, *many = (signed_in(app, register(f"Ann {each}").player.id) for each in range(9))
    assert [each.get("/account").status_code for each in (ann, bob)] == [200] * 2
    statuses = [each.get("/account").status_code for _ in range(2) for each in many]
    assert statuses == [200] * 10 + [429] * 4
    # They have a place each, and none of the others takes it: two requests in any case.
    for each in (ann, bob):
        assert [each.get("/account").status_code for _ in range(2)] == [200, 429]
    assert many[0].get("/account", environ_base=from_address("192.0.2.2")).status_code == 200


def test_what_is_made_while_it_is_sent_counts_too(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part may be made by another thread, whose time begins elsewhere."""
    threads, now = [0.0, 100.0], [0]
    monkeypatch.setattr(rate_limits, "thread_time", lambda: threads[now[0]])

    def parts() -> Iterator[str]:
        for number in range(3):
            threads[now[0]] += 1.1 * rate_limits.UNIT
            yield str(number)

    monkeypatch.setitem(app.view_functions, "web.rules", lambda: Response(parts()))
    answer = client.get("/rules", buffered=False)
    for _ in answer.response:
        now[0] = 1 - now[0]
    assert client.get("/").headers["RateLimit-Remaining"] == "0"  # 1 + 3, and this one


def test_asking_whether_the_server_lives_reads_no_token(redis: Client) -> None:
    away = settings(rate_limits=True, redis_url="unix:///nowhere/redis.sock")
    client = create_app(away, connect("unix:///nowhere/redis.sock")).test_client()
    token = {"Authorization": f"Bearer scot_{'a' * 16}{'b' * 43}"}
    assert client.get("/healthz", headers=token).status_code == 200


def test_tokens_that_are_none_count_for_the_address(client: FlaskClient) -> None:
    for number in range(5):
        guess = {"Authorization": f"Bearer scot_{'a' * 16}{number:043d}"}
        assert client.get("/v1/games", headers=guess).status_code == 401
    assert client.get("/v1/games").status_code == 429


def test_whoever_writes_tokens_that_name_a_player_uses_up_nothing_of_theirs(
    client: FlaskClient,
) -> None:
    ada = Person(client, "Ada")
    assert ada.get("/games").headers["RateLimit-Remaining"] == "4"
    guess = {"Authorization": f"Bearer {ada.token[:-43]}{'b' * 43}"}
    for _ in range(7):
        client.get("/v1/games", headers=guess, environ_base=from_address("192.0.2.9"))
    assert ada.get("/games").headers["RateLimit-Remaining"] == "3"


def test_a_revoked_token_uses_up_nothing_of_its_former_owner(
    client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.accounts.tokens.ACCESS_CACHE_SECONDS", 0.0)
    ada, tokens = Person(client, "Ada"), cast(Tokens, app.extensions[EXTENSION].tokens)
    spare = tokens.create(ada.id, "more", SCOPES)
    bearer = {"Authorization": f"Bearer {spare.text}"}
    assert client.get("/v1/games", headers=bearer).headers["RateLimit-Remaining"] == "4"
    tokens.revoke(ada.id, spare.token.id)
    for _ in range(7):
        client.get("/v1/games", headers=bearer, environ_base=from_address("192.0.2.9"))
    # Its holder was counted for her once, before anybody had noticed the revocation.
    assert ada.get("/games").headers["RateLimit-Remaining"] == "2"


def test_registrations_have_a_limit_of_their_own(client: FlaskClient) -> None:
    for left in (2, 1, 0):
        answer = client.post("/v1/players", json={"name": f"Ada the {left}"})
        assert (answer.status_code, answer.headers["RateLimit-Remaining"]) == (201, str(left))
    answer = client.post("/v1/players", json={"name": "Ada"})
    assert (answer.status_code, code(answer)) == (429, "too-many-requests")
    assert client.get("/v1/games").status_code == 401


def test_tests_and_messages_once_more_count_together(
    redis: Client, redis_server: SocketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(rate_limits.COUNTED_AS.values()) <= LIMITED
    monkeypatch.setattr(rate_limits, "REQUESTS", Limit(50, 60))
    monkeypatch.setattr(rate_limits, "OF_ADDRESS", Limit(50, 60))
    monkeypatch.setattr(rate_limits, "OF_ENDPOINT", {rate_limits.ASKED_SEND: [Limit(4, 60)]})
    app = create_app(settings(rate_limits=True, redis_url=redis_server.url), redis)
    assert set(app.view_functions) >= set(rate_limits.COUNTED_AS)
    client = app.test_client()
    browser = signed_in(app, Person(client, "Ada").id)
    statuses = [
        browser.post(f"/account/channels/abcdefgh/{asked}").status_code
        for asked in ("test", "deliveries/a/again") * 3
    ]
    assert statuses == [403] * 4 + [429] * 2
    for asked in ("test", "deliveries/a/again"):
        assert client.post(f"/account/channels/abcdefgh/{asked}").status_code == 403


def test_pages_tell_it_as_a_page(client: FlaskClient) -> None:
    for _ in range(5):
        assert client.get("/").status_code == 200
    answer = client.get("/")
    assert (answer.status_code, answer.mimetype) == (429, "text/html")
    assert "Retry-After" in answer.headers


def test_health_checks_have_no_limit(client: FlaskClient) -> None:
    for _ in range(7):
        assert client.get("/healthz").status_code == 200


def test_waiting_is_asked_for_once(client: FlaskClient) -> None:
    for _ in range(7):
        assert client.get("/v1/games", environ_overrides={RERUN: True}).status_code == 401


def test_counts_are_shared_by_all_processes(
    client: FlaskClient, redis: Client, redis_server: SocketServer
) -> None:
    other = create_app(settings(rate_limits=True, redis_url=redis_server.url), redis).test_client()
    client.get("/v1/games")
    assert other.get("/v1/games").headers["RateLimit-Remaining"] == "3"


@pytest.mark.parametrize("queue", ["unix:///nowhere/redis.sock", None])
def test_without_a_place_for_the_counts_each_process_counts_for_itself(
    redis: Client, queue: str | None
) -> None:
    """The place is away, or there is only a cluster."""
    apart = settings(rate_limits=True, redis_url="redis-cluster://a:1", queue_redis_url=queue)
    client = create_app(apart, redis).test_client()
    for _ in range(5):
        assert client.get("/v1/games").status_code == 401
    assert client.get("/v1/games").status_code == 429


def test_they_can_be_turned_off(redis: Client) -> None:
    client = create_app(settings(), redis).test_client()
    for _ in range(7):
        assert "RateLimit-Limit" not in client.get("/").headers


def test_the_address_is_the_one_that_a_trusted_proxy_saw(redis: Client) -> None:
    client = create_app(settings(rate_limits=True, trusted_proxies=1), redis).test_client()
    for number in range(7):
        # What the caller claims comes first, what the proxy saw last.
        forged = {"X-Forwarded-For": f"192.0.2.{number}, 198.51.100.1"}
        status = client.get("/v1/games", headers=forged).status_code
    assert status == 429


@pytest.mark.parametrize("addresses", [("9.9.9.9:{}",), ("[2001:db8::{}]:443", "2001:db8::{}:1")])
def test_the_port_that_a_proxy_saw_makes_no_second_caller(
    redis: Client, addresses: tuple[str, ...]
) -> None:
    client = create_app(settings(rate_limits=True, trusted_proxies=1), redis).test_client()
    for number in range(7):
        seen = addresses[number % len(addresses)].format(1000 + number)
        status = client.get("/v1/games", headers={"X-Forwarded-For": seen}).status_code
    assert status == 429


def test_without_a_proxy_nobody_chooses_their_address(client: FlaskClient) -> None:
    for number in range(7):
        status = client.get("/", headers={"X-Forwarded-For": f"192.0.2.{number}"}).status_code
    assert status == 429


def test_what_leads_nowhere_or_is_refused_counts_too(client: FlaskClient) -> None:
    wild = [
        client.get("/a-wild-guess"),
        client.put("/"),
        client.get("/v1/nothing"),
        client.get("/", headers={"Host": "elsewhere.example"}),
        client.get("/", headers={"Accept": "a/b;q=0.1," * 6000}),
    ]
    assert [answer.status_code for answer in wild] == [404, 405, 404, 421, 431]
    for path in ("/a-wild-guess", "/v1/nothing", "/"):
        assert client.get(path).status_code == 429


def test_pages_count_for_who_is_signed_in(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """One address may be shared: visitors, and players who ask too much, lock nobody else out."""
    register = app.extensions[EXTENSION].registrations.register
    ann, bob = (signed_in(app, register(name).player.id) for name in ("Ann", "Bob"))
    monkeypatch.setattr(rate_limits, "OF_ADDRESS", Limit(15, 60))
    for _ in range(6):
        app.test_client().get("/rules")
    assert app.test_client().get("/rules").status_code == 429
    statuses = [ann.get("/rules").status_code for _ in range(20)]
    assert statuses == [200] * 5 + [429] * 15
    assert [bob.get("/rules").status_code for _ in range(6)] == [200] * 5 + [429]


def test_the_api_counts_no_session(app: Flask, client: FlaskClient) -> None:
    ann = signed_in(app, Person(client, "Ann").id)
    ann.get("/rules")
    assert ann.get("/v1/games").headers["RateLimit-Remaining"] == "3"  # of the address


def test_guests_who_are_made_at_an_address_leave_its_players_room(
    redis: Client, redis_server: SocketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(rate_limits.MAKE_GUESTS) <= LIMITED
    monkeypatch.setattr(rate_limits, "OF_ENDPOINT", {"web.play_the_steward": [Limit(2, 60)]})
    app = create_app(settings(rate_limits=True, redis_url=redis_server.url), redis)
    ann = signed_in(app, Person(app.test_client(), "Ann").id)
    (path,) = [
        rule.rule for rule in app.url_map.iter_rules() if rule.endpoint == "web.play_the_steward"
    ]
    assert [app.test_client().post(path).status_code for _ in range(3)] == [403, 403, 429]
    assert [ann.post(path).status_code for _ in range(3)] == [403, 403, 429]


def test_a_visitor_gets_so_many_seals(
    redis: Client, redis_server: SocketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "web.make_seal" in LIMITED
    monkeypatch.setattr(rate_limits, "OF_ENDPOINT", {"web.make_seal": [Limit(2, 60)]})
    visitor = create_app(settings(rate_limits=True, redis_url=redis_server.url), redis)
    assert [visitor.test_client().post("/seals").status_code for _ in range(3)][2] == 429

"""Whatever is sent: what the document does not allow is refused, and nothing has changed."""

import json
from collections.abc import Iterator
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from jsonschema_rs import Draft202012Validator
from marshmallow import validate
from werkzeug.test import TestResponse

from service.api.problems import PROBLEMS
from service.core.redis.client import Client, connect
from service.server.app import MAX_BODY, create_app
from tests.engine.games import THOROUGHNESS
from tests.service.api.declared import DOCUMENT, METHODS, resolved, validator
from tests.service.api.world import World
from tests.support.clock import Clock
from tests.support.servers import bundled_binary, running
from tests.support.settings import settings as site_settings

ID = "a" * 20
JSON = "application/json"

JSON_VALUES: SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs",)))
    | st.text(st.sampled_from("xR7@ß漢\u202e\u0000"), min_size=41, max_size=300),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=4,
)


class Case:
    """An operation, and the world in which it is asked."""

    def __init__(self, path: str, method: str, operation: dict[str, Any]) -> None:
        self.path = path
        self.method = method
        self.operation = operation

    def __repr__(self) -> str:
        return str(self.operation["operationId"])

    @property
    def content(self) -> dict[str, Any] | None:
        """What the document says of the body, None where it takes none."""
        body = self.operation.get("requestBody")
        return None if body is None else body["content"][JSON]

    @property
    def example(self) -> Any:
        """A body that it takes."""
        assert self.content is not None
        given = self.content.get("example")
        return given or resolved(self.content["schema"])["examples"][0]

    @property
    def queries(self) -> dict[str, Any]:
        """The schemas of its query parameters, by name."""
        known = self.operation.get("parameters", [])
        return {each["name"]: each["schema"] for each in known if each.get("in") == "query"}

    def takes(self, header: str) -> bool:
        """Whether it reads this header, one of the document's parameters."""
        reference = {"$ref": f"#/components/parameters/{header}"}
        return reference in self.operation.get("parameters", [])

    @cached_property
    def _validator(self) -> Draft202012Validator:
        assert self.content is not None
        return validator(self.content["schema"])

    def allows(self, body: Any) -> bool:
        return self._validator.is_valid(body)


def cases() -> Iterator[Case]:
    for path, methods in DOCUMENT["paths"].items():
        yield from (Case(path, method, methods[method]) for method in METHODS if method in methods)


ALL = list(cases())
WITH_BODY = [case for case in ALL if case.content is not None]
WITH_QUERY = [case for case in ALL if case.queries]
WITH_ID = [case for case in ALL if "{" in case.path]
WITH_IF_MATCH = [case for case in ALL if case.takes("IfMatch")]
WITH_TOKEN = [case for case in ALL if case.operation["security"]]


class AskedServer:
    """A server with players and a game, which no bad request changes."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis
        self.client = create_app(site_settings(), redis, Clock()).test_client()
        self.world = World(self.client, "public")
        self.legal = set(self.world.legal())

    def dump(self) -> dict[str, Any]:
        return {key: self._redis.dump(key) for key in self._redis.scan_iter()}

    def ask(self, case: Case, query: str = "", **options: Any) -> TestResponse:
        parts = {"challenge_id": ID, **self.world.ids}
        path = case.path.format(**parts) + query
        token = {"Authorization": f"Bearer {self.world.owner.token}"}
        headers = {**token, **options.pop("headers", {})}
        return self.client.open(path, method=case.method.upper(), headers=headers, **options)

    def refuses(self, answer: TestResponse) -> None:
        """It does, and with a stable code."""
        assert 400 <= answer.status_code < 500, answer.text
        assert answer.mimetype == "application/problem+json"
        problem = answer.json
        assert problem["status"] == answer.status_code == PROBLEMS[problem["code"]].status


@pytest.fixture
def app(redis: Client) -> Flask:
    return create_app(site_settings(), redis, Clock())


@pytest.fixture(scope="module")
def one_site() -> Iterator[AskedServer]:
    # Its server is its own: other tests begin with an empty one.
    with running(bundled_binary()) as server, connect(server.url) as redis:
        yield AskedServer(redis)


@pytest.fixture
def site(one_site: AskedServer) -> Iterator[AskedServer]:
    """The site, which is as it was when the test is over."""
    before = one_site.dump()
    yield one_site
    assert one_site.dump() == before


def thoroughly(examples: int) -> Any:
    return settings(
        max_examples=examples * THOROUGHNESS,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def bad_bodies(case: Case) -> SearchStrategy[Any]:
    """Bodies that the document does not allow: anything at all, or one member made wrong."""
    assert case.content is not None
    good = dict(case.example)
    names = st.sampled_from(sorted(good)) if good else st.nothing()
    names |= st.text(max_size=12)
    one_wrong = st.tuples(names, JSON_VALUES).map(lambda member: {**good, member[0]: member[1]})
    one_missing = names.map(lambda name: {key: good[key] for key in good if key != name})
    return (JSON_VALUES | one_wrong | one_missing).filter(lambda body: not case.allows(body))


@pytest.mark.parametrize("case", WITH_BODY, ids=repr)
def test_a_body_that_the_document_does_not_allow(site: AskedServer, case: Case) -> None:
    @thoroughly(10)
    @given(bad_bodies(case))
    def check(body: Any) -> None:
        site.refuses(site.ask(case, data=json.dumps(body), content_type=JSON))

    check()


@pytest.mark.parametrize("case", WITH_BODY, ids=repr)
def test_a_body_that_is_no_json(site: AskedServer, case: Case) -> None:
    @thoroughly(5)
    @given(st.binary(min_size=1).filter(is_no_json))
    def check(body: bytes) -> None:
        site.refuses(site.ask(case, data=body, content_type=JSON))

    check()


def is_no_json(body: bytes) -> bool:
    try:
        json.loads(body)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("case", WITH_QUERY, ids=repr)
def test_a_query_that_the_document_does_not_allow(site: AskedServer, case: Case) -> None:
    unknown = st.text(min_size=1, max_size=12).filter(lambda name: name not in case.queries)
    pairs = st.tuples(unknown, st.text(max_size=20))
    for name, schema in case.queries.items():
        if schema["type"] == "integer":
            pairs |= st.tuples(st.just(name), no_number_of(schema))

    @thoroughly(6)
    @given(pairs)
    def check(pair: tuple[str, str]) -> None:
        site.refuses(site.ask(case, f"?{urlencode([pair])}"))

    check()


def no_number_of(schema: dict[str, Any]) -> SearchStrategy[str]:
    """Texts that are no number which this schema allows."""

    def allowed(text: str) -> bool:
        try:
            return validator(schema).is_valid(int(text))
        except ValueError:
            return False

    huge = st.integers(min_value=2**31).map(str)
    texts = st.text() | st.integers().map(str) | huge
    return texts.filter(lambda text: not allowed(text))


@pytest.mark.parametrize("case", WITH_ID, ids=repr)
def test_an_address_of_nothing(site: AskedServer, case: Case) -> None:
    @thoroughly(4)
    @given(st.text("abz27-_%.~", min_size=1, max_size=24))
    def check(unknown: str) -> None:
        token = {"Authorization": f"Bearer {site.world.owner.token}"}
        path = case.path.partition("{")[0] + unknown + case.path.partition("}")[2]
        options = {} if case.content is None else {"json": case.example}
        site.refuses(site.client.open(path, method=case.method.upper(), headers=token, **options))

    check()


@pytest.mark.parametrize("case", WITH_TOKEN, ids=repr)
def test_a_token_that_is_none(site: AskedServer, case: Case) -> None:
    @thoroughly(4)
    @given(st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=90))
    def check(text: str) -> None:
        headers = {"Authorization": text}
        site.refuses(site.ask(case, headers=headers, json={} if case.content else None))

    check()


@pytest.mark.parametrize("case", WITH_BODY, ids=repr)
@pytest.mark.parametrize(
    ("body", "content_type", "refusal"),
    [
        (b"{", JSON, "malformed-json"),
        (b"{}", "text/plain", "unsupported-media-type"),
        (b" " * (MAX_BODY + 1), JSON, "body-too-large"),
    ],
    ids=["no JSON", "text", "large"],
)
def test_a_body_that_is_not_read(
    site: AskedServer, case: Case, body: bytes, content_type: Any, refusal: str
) -> None:
    answer = site.ask(case, data=body, content_type=content_type)
    site.refuses(answer)
    assert answer.json["code"] == refusal


@pytest.mark.parametrize("case", WITH_IF_MATCH, ids=repr)
def test_an_if_match_that_is_no_entity_tag(site: AskedServer, case: Case) -> None:
    options = {} if case.content is None else {"json": case.example}
    answer = site.ask(case, headers={"If-Match": "3"}, **options)
    site.refuses(answer)
    assert answer.json["code"] == "malformed-if-match"


@thoroughly(100)
@given(st.lists(st.text(st.sampled_from("ROYGBP123789@!+-:>CTx ,JKMUD"), max_size=14), max_size=4))
def test_actions_that_are_not_legal(site: AskedServer, actions: list[str]) -> None:
    assume(not (actions and actions[0].strip().upper() in site.legal))
    path = f"/v1/games/{site.world.ids['game_id']}/turns"
    token = {"Authorization": f"Bearer {site.world.owner.token}"}
    site.refuses(site.client.post(path, json={"actions": actions}, headers=token))


@thoroughly(100)
@given(st.text(max_size=60), st.text(max_size=60))
def test_a_name_is_kept_in_one_form_or_refused(
    client: FlaskClient, redis: Client, name: str, other: str
) -> None:
    before = redis.dbsize()
    answer = client.post("/v1/players", json={"name": name + other})
    if answer.status_code == 201:
        kept = answer.json["name"]
        assert kept.isprintable()
        assert kept == kept.strip()
        assert 1 <= len(kept) <= 40
        assert client.post("/v1/players", json={"name": kept}).json["code"] == "name-taken"
    else:
        refusals = ("validation-failed", "malformed-json", "name-reserved", "name-taken")
        assert answer.json["code"] in refusals
        assert redis.dbsize() == before


def test_a_long_address_is_refused_before_any_pattern_reads_it(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    pattern = validate.Email.__call__

    def read(self: validate.Email, value: str) -> str:
        asked.append(value)
        return pattern(self, value)

    monkeypatch.setattr(validate.Email, "__call__", read)
    for address, status in (("a@example.org", 201), (f"a@{'a.' * 30_000}", 422)):
        answer = client.post("/v1/players", json={"name": "Ada", "email": address})
        assert answer.status_code == status
    assert answer.json["code"] == "validation-failed"
    assert set(asked) == {"a@example.org"}

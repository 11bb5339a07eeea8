"""The OpenAPI document, the pages that show it, and that answers are as it says."""

import gzip
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient

import engine
from engine import EDITIONS
from engine.chain import EVENT_TYPES, encode
from engine.claims import Reason
from engine.formations import RANKS
from service.api.openapi import document
from service.api.openapi.details import DESCRIPTIONS, members
from service.container import Container
from tests.engine.games import KINDS, Kind, whole_game
from tests.service.api.declared import (
    CHECKED_IN,
    METHODS,
    check_answer,
    misfits,
    read_document,
    resolved,
)
from tests.support.people import Person, Started
from tests.support.weighing import weigh_turns


@pytest.fixture(scope="module")
def openapi() -> dict[str, Any]:
    return read_document()


def test_the_document_checked_in_is_the_one_generated() -> None:
    assert CHECKED_IN.read_text() == document.text(), "python -m service.api > openapi.yaml"


READERS = [("yaml", partial(yaml.load, Loader=yaml.CSafeLoader)), ("json", json.loads)]


@pytest.mark.parametrize(("kind", "read"), READERS)
def test_the_server_serves_the_document_compressed(
    client: FlaskClient, kind: str, read: Callable[[bytes], Any]
) -> None:
    packed = client.get(f"/openapi.{kind}", headers={"Accept-Encoding": "gzip"})
    plain = client.get(f"/openapi.{kind}")
    assert packed.mimetype == plain.mimetype == f"application/{kind}"
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.data) == plain.data
    assert read(plain.data) == read_document()
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("coding", ["gzip", "identity"])
def test_whoever_has_the_document_is_not_sent_it_again(client: FlaskClient, coding: str) -> None:
    accepting = {"Accept-Encoding": coding}
    tag = client.get("/openapi.yaml", headers=accepting).headers["ETag"]
    assert not tag.startswith("W/")
    again = client.get("/openapi.yaml", headers={**accepting, "If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    other = {"gzip": "identity", "identity": "gzip"}[coding]
    assert client.get("/openapi.yaml", headers={"Accept-Encoding": other}).headers["ETag"] != tag


def test_the_document_is_short_and_opens_with_what_it_is() -> None:
    text = CHECKED_IN.read_text()
    assert len(text.encode()) <= 310 * 1024
    order = ["title:", "version:", "contact:", "curl "]
    assert sorted(order, key=text[:600].index) == order


def test_each_moment_has_one_name(openapi: dict[str, Any]) -> None:
    """What happens at a moment is called `SOMETHING_at`; spans and ends of spans are not."""
    spans = {"deadline", "until", "untold_until", "from", "to"}
    standard = {"GameEventBasics.at", "OtherGameEvent.at"}  # the record's, and Standard Webhooks'
    odd = set()

    def look(name: str, schema: Any) -> None:
        for member, each in schema.get("properties", {}).items():
            if each.get("format") == "date-time" and not member.endswith("_at"):
                if member not in spans and not name.endswith("Webhook"):
                    odd.add(f"{name}.{member}")
            elif member in ("created", "expires", "since", "at"):
                odd.add(f"{name}.{member}")
            look(name, each)
        for each in schema.get("allOf", []):
            look(name, each)

    for name, schema in openapi["components"]["schemas"].items():
        look(name, schema)
    assert odd - standard == set()


def test_every_schema_and_every_member_is_described(openapi: dict[str, Any]) -> None:
    parts = dict(openapi["components"]["schemas"])
    for name, schema in openapi["components"]["schemas"].items():
        parts |= {f"{name}.{member}": field for member, field in members(schema)}
    parts = {name: resolved(part) | part for name, part in parts.items()}
    assert [name for name, part in parts.items() if not part.get("description")] == []
    assert DESCRIPTIONS.keys() - parts.keys() - {name.partition(".")[2] for name in parts} == set()


class TestOpenSets:
    """What the document lets grow: a client that follows it survives a later server."""

    LATER = "of a later version"

    def test_an_event_of_an_unknown_type_fits(self, game: Started, ada: Person) -> None:
        event = ada.get(f"{game.path}/events").json["events"][0]
        schema = {"$ref": "#/components/schemas/GameEvent"}
        later = {**event, "type": "wind_changed", "via": "pigeon", "data": {"to": "west"}}
        assert misfits(schema, event) == misfits(schema, later) == []

    def test_an_edition_and_members_fit(self, game: Started, ada: Person) -> None:
        view, listed = ada.get(game.path).json, ada.get("/games").json
        view |= {"edition": self.LATER, "weather": self.LATER}
        view["players"]["north"]["rank"] = self.LATER
        listed["games"][0] |= {"edition": self.LATER, "weather": self.LATER}
        assert misfits({"$ref": "#/components/schemas/Game"}, view) == []
        assert misfits({"$ref": "#/components/schemas/GameList"}, listed) == []

    def test_a_problem_with_another_code_and_member_fits(self, ada: Person) -> None:
        problem = {**ada.get("/games/x").json, "code": "too-windy", "wind": 9}
        assert misfits({"$ref": "#/components/schemas/Problem"}, problem) == []

    def test_a_webhook_of_an_unknown_type_fits(self, openapi: dict[str, Any]) -> None:
        posted = openapi["webhooks"]["channelMessage"]["post"]["requestBody"]
        message = posted["content"]["application/json"]["example"]
        later = {**message, "type": "game.wind", "data": {**message["data"], "wind": 9}}
        schema = {"$ref": "#/components/schemas/WebhookMessage"}
        assert misfits(schema, message) == misfits(schema, later) == []


def test_no_header_is_filled_in_for_whoever_tries_an_operation(openapi: dict[str, Any]) -> None:
    """The console sends examples and defaults as they are: a key of all readers, a version."""
    operations = [each for path in openapi["paths"].values() for each in path.values()]
    given = [*openapi["components"]["parameters"].values()]
    given += [one for each in operations if "parameters" in each for one in each["parameters"]]
    headers = [one for one in given if one.get("in") == "header"]
    assert headers
    for header in headers:
        assert not {"example", "examples"} & header.keys()
        assert not {"default", "example", "examples", "enum"} & header["schema"].keys()


def operations(openapi: dict[str, Any]) -> list[dict[str, Any]]:
    methods = [path.get(method) for path in openapi["paths"].values() for method in METHODS]
    return [operation for operation in methods if operation]


def test_every_operation_has_a_name_and_a_summary(openapi: dict[str, Any]) -> None:
    names = [operation["operationId"] for operation in operations(openapi)]
    assert len(names) == len(set(names))
    assert all(operation["summary"] for operation in operations(openapi))
    # A verb and its object: a client calls it as a function, beside names of its own.
    assert [name for name in names if not re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", name)] == []


def referred(openapi: dict[str, Any], part: Any, seen: set[str]) -> set[str]:
    """The schemas that a part of the document is made of."""
    for each in part.values() if isinstance(part, dict) else part:
        if isinstance(each, dict | list):
            referred(openapi, each, seen)
    name = str(part.get("$ref", "")).rpartition("/")[2] if isinstance(part, dict) else ""
    if name in openapi["components"]["schemas"] and name not in seen:
        seen.add(name)
        referred(openapi, openapi["components"]["schemas"][name], seen)
    return seen


def test_schemas_of_requests_are_called_input_and_no_others(openapi: dict[str, Any]) -> None:
    asked = referred(openapi, [one.get("requestBody", {}) for one in operations(openapi)], set())
    answered = referred(openapi, [one["responses"] for one in operations(openapi)], set())
    assert {name for name in asked if not name.endswith("Input")} == {"Seat"}
    assert {name for name in answered if re.search("(Input|Schema|View)$", name)} == set()


def test_every_route_of_the_api_is_documented(app: Flask, openapi: dict[str, Any]) -> None:
    routes = {
        re.sub(r"<(?:[^:>]*:)?(\w+)>", r"{\1}", rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/v1")
    }
    assert routes == set(openapi["paths"])


class TestGuide:
    """What the document says of playing is what the engine does."""

    @pytest.fixture
    def guide(self, openapi: dict[str, Any]) -> str:
        return str(openapi["info"]["description"])

    def test_the_guide_lists_every_event_type_with_its_members(self, guide: str) -> None:
        table = guide.partition("| type |")[2]
        rows = dict(re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (.*) \|$", table, re.MULTILINE))
        told = {name: row for names, row in rows.items() for name in re.findall(r"\w+", names)}
        assert set(told) == {type_ for type_, _ in EVENT_TYPES}
        kinds = [kind for kind in KINDS if kind.tactics] + [Kind("iello", rounds=2)]
        for kind in kinds:
            for event in map(encode, whole_game(kind, seed=7)[1]):
                for member in (*event.data, *(event.private or ())):
                    assert f"`{member}`" in told[event.type], (event.type, member)

    def test_the_guide_lists_every_edition_with_its_options(self, guide: str) -> None:
        when = {
            "after_play": "after playing",
            "before_play": "before playing",
            "any_time": "before and after playing",
        }
        jokers = {"one_per_game": "never", "one_on_table": "when the first has left your side"}
        stones = {"any": "any Stone", "another": "another Stone"}
        table = guide.partition("| edition |")[2].partition("\n\n")[0]
        rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.split("\n")[2:]]
        told = {name: row for row in rows for name in re.findall(r"`([\w-]+)`", row[0])}
        assert set(told) == set(EDITIONS)
        for name, (_, claims, second_joker, traitor, tactics) in told.items():
            edition = EDITIONS[name]
            assert claims.partition(",")[0] == when[edition.claim_timing]
            assert ("expert" in claims) == edition.has_expert
            assert tactics == ("optional" if edition.has_tactics else "none")
            assert second_joker == (jokers[edition.joker_limit] if edition.has_tactics else "")
            assert traitor == (stones[edition.traitor_to] if edition.has_tactics else "")

    def test_the_guide_has_every_word_of_a_verdict(self, guide: str) -> None:
        for word in (*get_args(Reason), *RANKS):
            assert f"`{word}`" in guide or word == "tied"  # which needs a side first by nobody

    def test_the_guides_examples_of_actions_are_actions(self, guide: str) -> None:
        table = guide.partition("| action |")[2].partition("\n\n")[0]
        texts = re.findall(
            r"`([^`]+)`", " ".join(row.split("|")[3] for row in table.split("\n")[2:])
        )
        assert len(texts) == 11
        assert [str(engine.parse(text)) for text in texts] == texts


class TestConsole:
    def test_it_loads_nothing_from_other_servers(self, client: FlaskClient) -> None:
        answer = client.get("/docs/console")
        assert answer.status_code == 200
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
        assert not re.search(r"(src|href)=\"(https?:)?//", answer.text)

    def test_what_it_loads_exists(self, client: FlaskClient) -> None:
        loaded = re.findall(r"(?:src|href)=\"(/[^\"]+)\"", client.get("/docs/console").text)
        assert len(loaded) == 6
        for path in loaded:
            with client.get(path) as answer:
                assert answer.status_code == 200


class TestAnswers:
    """Answers are as the document says in each state of a game; `test_authorization.py` asks every
    operation."""

    @pytest.mark.parametrize("options", [{}, {"clock": {"days_per_move": 2}}, {"tactics": True}])
    def test_a_game_conforms_from_start_to_end(
        self,
        ada: Person,
        bob: Person,
        client: FlaskClient,
        container: Container,
        options: dict[str, Any] | dict[str, bool] | dict[str, dict[str, int]],
    ) -> None:
        game, path = Started(ada, bob, **options), "/v1/games/{game_id}"
        for _ in range(12):  # fewer than any game can end in
            check_answer(game.play_any(), f"{path}/turns", "post")
            check_answer(client.get(f"/v1{game.path}"), path)
        check_answer(ada.get(f"{game.path}/proofs"), f"{path}/proofs")
        check_answer(ada.get(f"{game.path}/events"), f"{path}/events")
        check_answer(bob.post(f"{game.path}/resignation"), f"{path}/resignation", "post")
        check_answer(ada.get(f"{game.path}/events"), f"{path}/events")
        check_answer(ada.post(f"{game.path}/analysis"), f"{path}/analysis", "post")
        weigh_turns(container, game.id, upto=2)
        check_answer(ada.get(f"{game.path}/analysis"), f"{path}/analysis")

    def test_the_lobby_and_guests_conform(self, ada: Person, client: FlaskClient) -> None:
        made = ada.post("/games", {"listed": True, "clock": {"days_per_move": 2}}).json
        check_answer(client.get("/v1/lobby"), "/v1/lobby")
        join = f"/v1/games/{made['id']}/join"
        check_answer(client.post(join, json={"name": "Guest"}), "/v1/games/{game_id}/join", "post")

    def test_challenges_conform(self, ada: Person, bob: Person) -> None:
        path = "/v1/challenges/{challenge_id}"
        made = check_answer(ada.post("/challenges", {"name": "Bob"}), "/v1/challenges", "post").json
        check_answer(bob.get("/challenges"), "/v1/challenges")
        own = f"/challenges/{made['id']}"
        counter = bob.post(f"{own}/counter-offer", {"clock": {"days_per_move": 2}})
        check_answer(counter, f"{path}/counter-offer", "post")
        check_answer(bob.post(f"{own}/decline"), f"{path}/decline", "post")
        check_answer(ada.get(own), path)
        other = f"/challenges/{counter.json['id']}"
        check_answer(ada.delete(other), path, "delete")
        check_answer(ada.post(f"{other}/acceptance"), f"{path}/acceptance", "post")

    def test_ways_out_of_a_game_conform(self, ada: Person, bob: Person, game: Started) -> None:
        path = "/v1/games/{game_id}"
        check_answer(ada.delete(game.path), path, "delete")
        wanted, one = {"kind": "abandonment"}, f"{path}/offers/{{offer_kind}}"
        check_answer(ada.post(f"{game.path}/offers", wanted), f"{path}/offers", "post")
        check_answer(bob.get(f"{game.path}/offers"), f"{path}/offers")
        check_answer(bob.delete(f"{game.path}/offers/abandonment"), one, "delete")
        check_answer(ada.post(f"{game.path}/rematch"), f"{path}/rematch", "post")
        bob.post(f"{game.path}/resignation")
        again = check_answer(ada.post(f"{game.path}/rematch"), f"{path}/rematch", "post").json
        check_answer(ada.delete(f"/games/{again['id']}"), path, "delete")

    def test_orders_conform(self, ada: Person, bob: Person, game: Started) -> None:
        path = "/v1/games/{game_id}/orders"
        order = {"claim_proved": True, "turn": {"actions": ["R7@3"], "when": ["G4@3"]}}
        check_answer(bob.put(f"{game.path}/orders", order), path, "put")
        game.play_any()
        check_answer(bob.get(f"{game.path}/orders"), path)
        check_answer(bob.put(f"{game.path}/orders", {"turn": {"actions": ["?"]}}), path, "put")

    def test_problems_conform(self, ada: Person, bob: Person, eve: Person, game: Started) -> None:
        path = "/v1/games/{game_id}"
        stale = {"headers": {"If-Match": '"1"'}}
        pass_ = {"actions": ["pass"]}
        check_answer(ada.post(f"{game.path}/turns", pass_), f"{path}/turns", "post")
        check_answer(ada.post(f"{game.path}/turns", pass_, **stale), f"{path}/turns", "post")
        check_answer(eve.post(f"{game.path}/claims", {"stone": 1}), f"{path}/claims", "post")
        check_answer(bob.post(f"{game.path}/join"), f"{path}/join", "post")
        check_answer(ada.post(f"{game.path}/moves", {"card": "R7"}), f"{path}/moves", "post")
        check_answer(ada.get(f"/games/{'a' * 20}"), path)

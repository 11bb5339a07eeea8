"""Standing orders: giving them, and what the opponent sees of it."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import EXTENSION, Container
from service.core.redis.client import Client
from tests.service.api.orders_table import NO_ORDERS, GameWithOrders
from tests.support.clock import Clock
from tests.support.people import Person, code, headers_of


@pytest.fixture
def table(container: Container, ada: Person, bob: Person) -> Any:
    """A game in which Ada holds R7 R8 R9 O1 O2 O3 and begins, Bob G1 G3 G5 B2 B4 B6."""
    return GameWithOrders(container, ada, bob)


class TestGiving:
    def test_at_first_there_are_none(self, ada: Person, table: GameWithOrders) -> None:
        assert ada.get(table.orders).json == {"version": 3, **NO_ORDERS}

    def test_orders_are_seen_by_their_owner_and_kept_replaced_and_withdrawn(
        self, ada: Person, bob: Person, eve: Person, client: FlaskClient, table: GameWithOrders
    ) -> None:
        ada.put(table.orders, {"claim_proved": True})
        assert bob.get(table.orders).json == {"version": 3, **NO_ORDERS}
        assert code(eve.get(table.orders)) == "not-a-player"
        assert code(client.get(f"/v1{table.orders}")) == "unauthenticated"

        answer = ada.put(table.orders, None)
        assert (answer.status_code, code(answer)) == (400, "malformed-json")
        assert ada.get(table.orders).json["claim_proved"] is True

        given = ada.put(table.orders, {"turn": {"actions": ["7r@3"], "when": ["G4@3"]}})
        assert given.status_code == 200
        turn = {"actions": ["R7@3"], "when": ["G4@3"]}
        assert ada.get(table.orders).json == {"version": 3, **NO_ORDERS, "turn": turn}
        for _ in range(2):
            assert ada.put(table.orders, {}).status_code == 200
        assert ada.get(table.orders).json == {"version": 3, **NO_ORDERS}

    def test_giving_orders_leaves_the_game_as_it_is(
        self, ada: Person, bob: Person, table: GameWithOrders
    ) -> None:
        before = bob.get(table.path)
        ada.put(table.orders, {"claim_proved": True, "turn": {"actions": ["R7@1"]}})
        after = bob.get(table.path)
        assert (after.data, after.headers["ETag"]) == (before.data, before.headers["ETag"])
        assert table.mails() == []

    @pytest.mark.parametrize(
        ("body", "refusal"),
        [
            ({"turn": {"actions": ["hello"]}}, "unreadable-action"),
            ({"turn": {"actions": ["R7@1"], "when": ["hello"]}}, "unreadable-action"),
            ({"turn": {"actions": []}}, "validation-failed"),
            ({"turn": {}}, "validation-failed"),
            ({"claim_proved": "yes"}, "validation-failed"),
            ({"resign": True}, "validation-failed"),
        ],
    )
    def test_what_cannot_be_an_order_is_refused(
        self, ada: Person, table: GameWithOrders, body: Any, refusal: str
    ) -> None:
        answer = ada.put(table.orders, body)
        assert (answer.status_code, code(answer)) == (422, refusal)

    def test_only_for_a_game_that_is_being_played(self, ada: Person, table: GameWithOrders) -> None:
        made = ada.post("/games").json
        assert code(ada.put(f"/games/{made['id']}/orders", {})) == "game-not-started"
        ada.post(f"{table.path}/resignation")
        assert code(ada.put(table.orders, {})) == "game-over"


class TestIfMatch:
    """Orders may be given for the game as the caller saw it, and for no other."""

    def give(self, person: Person, table: GameWithOrders, versions: str) -> Any:
        return person.put(table.orders, {"claim_proved": True}, headers={"If-Match": versions})

    @pytest.mark.parametrize("versions", ['"3"', '"2", "3"', "*"])
    def test_at_a_version_that_was_seen_they_are_given(
        self, ada: Person, table: GameWithOrders, versions: str
    ) -> None:
        assert self.give(ada, table, versions).status_code == 200
        assert ada.get(table.orders).json["claim_proved"] is True

    @pytest.mark.parametrize("versions", ['"2"', '"4"', 'W/"3"', '"three"'])
    def test_at_another_version_nothing_is_done(
        self, ada: Person, table: GameWithOrders, versions: str
    ) -> None:
        answer = self.give(ada, table, versions)
        assert (answer.status_code, code(answer)) == (412, "stale-version")
        assert answer.json["version"] == 3
        assert ada.get(table.orders).json == {"version": 3, **NO_ORDERS}

    def test_the_opponent_has_moved_in_the_meantime(
        self, ada: Person, bob: Person, table: GameWithOrders
    ) -> None:
        seen = bob.get(table.orders).json["version"]
        ada.post(f"{table.path}/turns", {"actions": ["R7@1"]})
        answer = self.give(bob, table, f'"{seen}"')
        assert (code(answer), answer.json["version"]) == ("stale-version", 6)

    def test_one_that_is_no_entity_tag(self, ada: Person, table: GameWithOrders) -> None:
        answer = self.give(ada, table, "3")
        assert (answer.status_code, code(answer)) == (400, "malformed-if-match")
        assert ada.get(table.orders).json == {"version": 3, **NO_ORDERS}

    def test_a_stranger_is_not_told_the_version(self, eve: Person, table: GameWithOrders) -> None:
        assert code(self.give(eve, table, '"1"')) == "not-a-player"

    @pytest.mark.parametrize("before", [{}, {"turn": {"actions": ["R7@2"]}}])
    def test_the_opponent_moves_while_they_are_given(
        self,
        ada: Person,
        table: GameWithOrders,
        monkeypatch: pytest.MonkeyPatch,
        before: dict[str, Any] | dict[str, dict[str, list[str]]],
    ) -> None:
        table.play("R7@1")
        ada.put(table.orders, before)
        log = table.container.log
        note = log.side_state.change

        def overtaken(*args: Any, **options: Any) -> Any:
            monkeypatch.setattr(log.side_state, "change", note)
            table.play("G1@9")
            return note(*args, **options)

        monkeypatch.setattr(log.side_state, "change", overtaken)
        assert code(self.give(ada, table, '"6"')) == "stale-version"
        assert ada.get(table.orders).json["claim_proved"] is False


class TestWhatTheOpponentSees:
    """An order that adds nothing to the game is as if there were none."""

    @pytest.fixture
    def told(
        self,
        redis: Client,
        app: Flask,
        container: Container,
        clock: Clock,
        client: FlaskClient,
        ada: Person,
        bob: Person,
    ) -> Any:
        """All that Bob is told of a game in which Ada gave these orders."""

        def ask(orders: Any) -> list[tuple[int, list[tuple[str, str]], bytes]]:
            # One after the other under the same id, so that nothing else can differ.
            for key in redis.scan_iter("st:*:g*"):
                redis.unlink(key)
            app.extensions[EXTENSION] = Container(container.settings, redis, clock)
            table = GameWithOrders(app.extensions[EXTENSION], ada, bob)
            table.play("R7@1 +C")
            if orders is not None:
                assert ada.put(table.orders, orders).status_code == 200
            answers = [
                bob.post(f"{table.path}/turns", {"actions": ["G1@9", "+C"]}),
                *(bob.get(table.path + part) for part in ("", "/events", "/record", "/orders")),
                bob.get("/games"),
                client.get(f"/v1{table.path}"),
            ]
            return [(a.status_code, headers_of(a), a.data) for a in answers]

        return ask

    @pytest.mark.parametrize(
        "orders",
        [
            {"claim_proved": True, "pass_when_stuck": True},
            {"turn": {"actions": ["R7@2"]}},
            {"turn": {"actions": ["R8@1"], "when": ["G9@9"]}},
        ],
        ids=["nothing to do", "not legal", "not as foreseen"],
    )
    def test_it_is_not_seen_by_anyone_else(
        self, told: Any, orders: dict[str, bool] | dict[str, dict[str, list[str]]]
    ) -> None:
        assert told(orders) == told(None)

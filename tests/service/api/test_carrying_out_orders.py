"""Standing orders as they are carried out: the turn foreseen, claims, passing."""

from collections.abc import Callable
from typing import Any

import pytest

from engine import legal
from engine.verify import verify
from service.container import Container
from service.core.redis.client import Client
from service.games.drafts import Draft
from service.games.writer import ChangeWriter
from tests.service.api.orders_table import RUN, GameWithOrders
from tests.support.people import Person, record_of


def asked_by(redis: Client, act: Callable[[], object]) -> dict[str, int]:
    """How often the store is asked for side state, lines and scripts meanwhile."""
    redis.config_resetstat()
    act()
    counts = redis.info("commandstats")
    asked = ("hgetall", "xrange", "evalsha")
    return {name: counts.get(f"cmdstat_{name}", {}).get("calls", 0) for name in asked}


@pytest.fixture
def table(container: Container, ada: Person, bob: Person) -> Any:
    """A game in which Ada holds R7 R8 R9 O1 O2 O3 and begins, Bob G1 G3 G5 B2 B4 B6."""
    return GameWithOrders(container, ada, bob)


class TestTheConditionalTurn:
    def test_it_is_played_when_the_turn_comes(
        self, ada: Person, bob: Person, table: GameWithOrders
    ) -> None:
        table.play("R7@1 +C")
        ada.put(table.orders, {"turn": {"actions": ["R8@1"]}})
        answer = bob.post(f"{table.path}/turns", {"actions": ["G1@9"]})
        assert answer.json["turn"] == "south"
        assert answer.json["stones"][0]["north"] == ["R7", "R8"]
        vias = [(line["type"], line["by"], line["via"]) for line in table.lines(after=6)]
        assert vias == [
            ("card_played", "south", "api"),
            ("card_drawn", "south", "api"),
            ("turn_ended", "south", "api"),
            ("card_played", "north", "order"),
            ("card_drawn", "north", "order"),
            ("turn_ended", "north", "order"),
        ]

    def test_it_is_for_once(self, ada: Person, table: GameWithOrders) -> None:
        table.play("R7@1")
        ada.put(table.orders, {"turn": {"actions": ["R8@1"]}})
        table.play("G1@9", "G3@9")
        assert table.game().turn == "north"
        shown = ada.get(table.orders).json
        assert shown["turn"] is None
        assert shown["last"] == {
            "outcome": "played",
            "actions": ["R8@1"],
            "version": 12,
            "code": None,
            "detail": None,
        }

    def test_the_opponent_s_notice_waits_for_it(
        self, ada: Person, bob: Person, table: GameWithOrders
    ) -> None:
        table.play("R7@1")
        ada.put(table.orders, {"turn": {"actions": ["R8@1"]}})
        table.play("G1@9")
        assert (bob.id, "turn", 12) in table.mails()
        assert [kind for who, kind, _ in table.mails() if who == ada.id] == []

    def test_one_that_is_not_legal_any_more_is_cancelled_and_its_owner_told(
        self, ada: Person, table: GameWithOrders
    ) -> None:
        table.play("R7@1")
        ada.put(table.orders, {"turn": {"actions": ["R7@2"]}})
        table.play("G1@9")
        assert table.game().turn == "north"
        last = ada.get(table.orders).json["last"]
        assert (last["outcome"], last["code"], last["version"]) == (
            "cancelled",
            "illegal-action",
            9,
        )
        assert last["detail"]
        assert (ada.id, "turn", 9) in table.mails()
        assert {line["via"] for line in table.lines()} == {"api"}

    def test_all_of_it_is_played_or_nothing(self, ada: Person, table: GameWithOrders) -> None:
        table.play("R7@1")
        ada.put(table.orders, {"turn": {"actions": ["R8@1", "!1"]}})
        table.play("G1@9")
        assert table.game().stone(1).sides["north"] == ("R7",)

    def test_it_may_depend_on_what_the_opponent_does(
        self, ada: Person, table: GameWithOrders
    ) -> None:
        order = {"turn": {"actions": ["R8@1"], "when": ["G1@9"]}}
        table.play("R7@1")
        ada.put(table.orders, order)
        table.play("G1@9")
        assert ada.get(table.orders).json["last"]["outcome"] == "played"

    def test_what_was_not_foreseen_cancels_it(self, ada: Person, table: GameWithOrders) -> None:
        table.play("R7@1")
        ada.put(table.orders, {"turn": {"actions": ["R8@1"], "when": ["G1@9"]}})
        table.play("G3@9")
        last = ada.get(table.orders).json["last"]
        assert (last["outcome"], last["code"]) == ("cancelled", "not-as-foreseen")

    def test_both_may_have_given_orders(
        self, ada: Person, bob: Person, table: GameWithOrders
    ) -> None:
        bob.put(table.orders, {"turn": {"actions": ["G1@9"]}})
        ada.put(table.orders, {"turn": {"actions": ["R8@1"]}})
        table.play("R7@1")
        assert table.game().turn == "south"
        assert [line["via"] for line in table.lines(after=3)] == ["api"] * 3 + ["order"] * 6

    def test_a_repeated_request_does_not_play_it_twice(
        self, ada: Person, bob: Person, table: GameWithOrders
    ) -> None:
        table.play("R7@1")
        ada.put(table.orders, {"turn": {"actions": ["R8@1"]}})
        body, headers = {"actions": ["G1@9"]}, {"Idempotency-Key": "mine"}
        first, again = (bob.post(f"{table.path}/turns", body, headers=headers) for _ in range(2))
        assert first.data == again.data
        assert first.json["version"] == 12

    def test_orders_withdrawn_while_the_opponent_moves_are_not_carried_out(
        self, ada: Person, table: GameWithOrders, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table.play("R7@1")
        ada.put(table.orders, {"turn": {"actions": ["R8@1"]}})
        read = ChangeWriter._facts

        def overtaken(writer: ChangeWriter, draft: Draft, known: Any) -> Any:
            monkeypatch.setattr(ChangeWriter, "_facts", read)
            before = read(writer, draft, known)
            ada.put(table.orders, {})
            return before

        monkeypatch.setattr(ChangeWriter, "_facts", overtaken)
        table.play("G1@9")
        assert table.game().turn == "north"

    @pytest.mark.parametrize(
        "orders",
        [
            {"claim_proved": True},
            {"pass_when_stuck": True},
            {"turn": {"actions": ["R8@1"], "when": ["G5@9"]}},
            {"turn": {"actions": ["P9@1"]}},
        ],
    )
    def test_a_hand_over_asks_the_store_the_same_whether_there_are_orders_or_not(
        self,
        ada: Person,
        table: GameWithOrders,
        redis: Client,
        orders: dict[str, bool] | dict[str, dict[str, list[str]]],
    ) -> None:
        table.play("R7@1")
        without = asked_by(redis, lambda: table.play("G1@9"))
        table.play("R8@1")
        ada.put(table.orders, orders)
        assert asked_by(redis, lambda: table.play("G3@9")) == without

    def test_a_record_with_orders_is_sound(
        self, ada: Person, bob: Person, table: GameWithOrders
    ) -> None:
        made = ada.post("/games", {"first_player": "creator"}).json
        bob.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
        for stone in (9, 9, 9, 8):
            mine = ada.get(f"/games/{made['id']}").json["legal"]
            theirs = bob.get(f"/games/{made['id']}").json["hands"]["south"]["cards"]
            order = {"turn": {"actions": [f"{theirs[0]}@{stone}"]}}
            bob.put(f"/games/{made['id']}/orders", order)
            ada.post(f"/games/{made['id']}/turns", {"actions": mine[:1]})
        ada.post(f"/games/{made['id']}/resignation")
        lines = record_of(ada.get(f"/games/{made['id']}/record"))
        assert "order" in {line["via"] for line in lines}
        assert verify(lines) is None


class TestClaimingWhatIsProved:
    def test_after_my_own_play(self, ada: Person, table: GameWithOrders) -> None:
        table.play(*RUN)
        ada.put(table.orders, {"claim_proved": True})
        answer = ada.post(f"{table.path}/turns", {"actions": ["R9@1"]})
        assert answer.json["stones"][0]["owner"] == "north"
        assert answer.json["turn"] == "south"
        vias = [(line["type"], line["via"]) for line in table.lines(after=15)]
        assert vias[:2] == [("card_played", "api"), ("stone_claimed", "order")]

    def test_after_the_play_of_a_conditional_turn_and_before_its_draw(
        self, ada: Person, table: GameWithOrders
    ) -> None:
        table.play(*RUN[:3])
        ada.put(table.orders, {"claim_proved": True, "turn": {"actions": ["R9@1", "+C"]}})
        table.play("G3@9")
        assert table.game().stone(1).owner == "north"
        assert ada.get(table.orders).json["last"]["outcome"] == "played"

    @pytest.mark.parametrize("edition", ["scottentots", "community"])
    def test_at_the_start_of_my_turn_where_the_edition_lets_me(
        self, container: Container, ada: Person, bob: Person, edition: str
    ) -> None:
        table = GameWithOrders(container, ada, bob, edition=edition)
        table.play(*RUN[:2], "R8@1", "G3@9", "R9@1")
        if edition == "community":
            table.play("+C")
        ada.put(table.orders, {"claim_proved": True})
        table.play("G5@9")
        assert table.game().stone(1).owner == "north"
        assert table.game().turn == "north"
        last = table.lines()[-1]
        assert (last["type"], last["via"]) == ("stone_claimed", "order")
        assert (ada.id, "turn", last["seq"]) in table.mails()

    def test_without_the_order_nothing_is_claimed(self, ada: Person, table: GameWithOrders) -> None:
        table.play(*RUN)
        answer = ada.post(f"{table.path}/turns", {"actions": ["R9@1"]})
        assert (answer.json["stones"][0]["owner"], answer.json["phase"]) == (None, "finish")

    def test_it_stands_for_the_whole_game_and_ends_with_it(
        self, ada: Person, table: GameWithOrders
    ) -> None:
        ada.put(table.orders, {"claim_proved": True})
        table.play(*RUN, "R9@1")
        assert ada.get(table.orders).json["claim_proved"] is True
        ada.post(f"{table.path}/resignation")
        assert ada.get(table.orders).json["claim_proved"] is False


class TestPassing:
    @pytest.fixture
    def full(self, table: GameWithOrders) -> GameWithOrders:
        """Nobody has claimed a Stone, and Bob is about to play the last card of all."""
        while (game := table.game()).phase != "play" or any(game.hands["north"]):
            table.play(next(action for action in legal(game) if not action.startswith("!")))
        assert len(table.game().hands["south"]) == 1
        return table

    def play_the_last_card(self, table: GameWithOrders) -> None:
        table.play(legal(table.game())[0])
        if table.game().turn == "south":
            table.play("end")

    def test_nobody_passes_who_can_play(self, ada: Person, table: GameWithOrders) -> None:
        ada.put(table.orders, {"pass_when_stuck": True})
        table.play("R7@1", "G1@9")
        assert (table.game().turn, table.game().stone(1).sides["north"]) == ("north", ("R7",))

    def test_a_player_who_cannot_play_passes_and_may_still_claim(
        self, ada: Person, full: GameWithOrders
    ) -> None:
        ada.put(full.orders, {"pass_when_stuck": True})
        self.play_the_last_card(full)
        last = full.lines()[-1]
        assert (last["type"], last["by"], last["via"]) == ("passed", "north", "order")
        assert (full.game().turn, full.game().phase) == ("north", "finish")
        assert (ada.id, "turn", last["seq"]) in full.mails()

    def test_two_who_leave_it_to_their_orders_come_to_the_end(
        self, ada: Person, bob: Person, full: GameWithOrders
    ) -> None:
        for person in (ada, bob):
            person.put(full.orders, {"pass_when_stuck": True, "claim_proved": True})
        full.play(legal(full.game())[0])
        assert full.game().status == "finished"
        assert full.lines()[-1]["via"] == "order"

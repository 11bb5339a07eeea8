"""Playing the deal of a finished game again."""

from typing import Any

import pytest

from service.bots import BOTS
from service.container import Container
from service.games import limits
from tests.service.api.mails import mails
from tests.support.people import Person, Started, code

STEWARD = BOTS["steward"].player


@pytest.fixture
def over(ada: Person, bob: Person, game: Started) -> Started:
    """Ada began; after four turns she gave up."""
    for _ in range(4):
        game.play_any()
    ada.post(f"{game.path}/resignation")
    return game


def practise(person: Person, game: Started, **choices: Any) -> dict[str, Any]:
    made = person.post(f"{game.path}/practice", choices)
    assert made.status_code == 201
    assert made.headers["Location"] == f"/v1/games/{made.json['id']}"
    return dict(made.json)


class TestMaking:
    def test_it_starts_at_once_with_the_deal_and_says_where_it_came_from(
        self, ada: Person, over: Started
    ) -> None:
        new = practise(ada, over)
        dealt = ada.get(f"{over.path}?at=3").json
        assert new["practice"] == {"game": over.id, "step": 0, "turn": 1}
        assert (new["status"], new["turn"], new["seat"]) == ("active", "north", "north")
        assert new["hands"]["north"] == dealt["hands"]["north"]
        assert new["commitment"] == dealt["commitment"]

    def test_it_goes_on_from_a_step(self, ada: Person, bob: Person, over: Started) -> None:
        at = ada.get(f"{over.path}?at=9").json
        new = practise(bob, over, step=9)
        assert (new["version"], new["stones"], new["seat"]) == (9, at["stones"], "south")

    def test_anybody_may_who_may_see_the_game_and_plays_whose_turn_it_is(
        self, eve: Person, over: Started
    ) -> None:
        assert practise(eve, over, step=3)["seat"] == "north"
        assert practise(eve, over, step=6)["seat"] == "south"

    def test_the_seat_and_the_bot_can_be_chosen(self, ada: Person, over: Started) -> None:
        new = practise(ada, over, seat="south", bot="random")
        assert new["seat"] == "south"
        assert new["players"]["north"]["id"] == BOTS["random"].player

    def test_what_follows_is_a_game_like_any_other(self, ada: Person, over: Started) -> None:
        new = practise(ada, over)
        moved = ada.post(f"/games/{new['id']}/turns", {"actions": new["legal"][:1]})
        assert (moved.status_code, moved.json["turn"]) == (200, "south")

    def test_a_practice_game_can_be_practised_too(self, ada: Person, over: Started) -> None:
        new = practise(ada, over)
        ada.post(f"/games/{new['id']}/resignation")
        again = ada.post(f"/games/{new['id']}/practice").json
        assert again["practice"]["game"] == new["id"]
        assert again["hands"]["north"] == new["hands"]["north"]

    def test_practising_it_ends_no_idempotency_key_of_it(
        self, ada: Person, eve: Person, over: Started
    ) -> None:
        path = f"/games/{practise(ada, over)['id']}"
        headers = {"Idempotency-Key": "I resign"}
        first = ada.post(f"{path}/resignation", headers=headers)
        assert eve.post(f"{path}/practice").status_code == 201
        again = ada.post(f"{path}/resignation", headers=headers)
        assert (again.status_code, again.json) == (200, first.json)

    def test_a_repeated_request_makes_one_game(self, ada: Person, over: Started) -> None:
        path, headers = f"{over.path}/practice", {"Idempotency-Key": "again"}
        first, again = (ada.post(path, {"step": 6}, headers=headers) for _ in range(2))
        assert first.json == again.json
        other = ada.post(path, {"step": 7}, headers=headers)
        assert (other.status_code, code(other)) == (422, "idempotency-key-reused")

    def test_a_repeated_request_makes_up_for_a_death_after_the_first(
        self, ada: Person, over: Started, container: Container
    ) -> None:
        path, headers = f"{over.path}/practice", {"Idempotency-Key": "again"}
        made = ada.post(path, headers=headers).json["id"]
        container.games.index.forget(ada.id, made)
        ada.post(path, headers=headers)
        assert made in [game["id"] for game in ada.get("/games").json["games"]]


class TestRefusals:
    def test_a_private_game_of_others(self, ada: Person, bob: Person, eve: Person) -> None:
        game = Started(ada, bob, private=True)
        ada.post(f"{game.path}/resignation")
        assert code(eve.post(f"{game.path}/practice")) == "game-not-found"
        assert practise(bob, game)["private"] is True

    def test_a_step_that_is_none_or_after_which_nothing_is_left(
        self, ada: Person, over: Started
    ) -> None:
        last = over.view()["version"]
        unknown = ada.post(f"{over.path}/practice", {"step": last + 1})
        assert (unknown.status_code, code(unknown)) == (404, "version-not-found")
        ended = ada.post(f"{over.path}/practice", {"step": last})
        assert (ended.status_code, code(ended)) == (409, "game-over")

    def test_more_than_are_kept_finished_or_not(
        self, ada: Person, over: Started, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_PRACTICE", 3)
        begun = [practise(ada, over)["id"] for _ in range(3)]
        ada.post(f"/games/{begun[0]}/resignation")
        refused = ada.post(f"{over.path}/practice")
        assert (refused.status_code, code(refused)) == (409, "too-many-games")
        assert "3 practice games" in refused.json["detail"]
        assert ada.post("/games", {"opponent": {"bot": "random"}}).status_code == 201

    def test_more_than_are_played_at_a_time(
        self, ada: Person, over: Started, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_PRACTISING", 1)
        begun = practise(ada, over)["id"]
        refused = ada.post(f"{over.path}/practice")
        assert (refused.status_code, code(refused)) == (409, "too-many-games")
        assert "1 unfinished practice games" in refused.json["detail"]
        ada.post(f"/games/{begun}/resignation")
        assert ada.post(f"{over.path}/practice").status_code == 201

    def test_the_last_one_can_be_asked_for_again(
        self, ada: Person, over: Started, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_PRACTICE", 1)
        headers = {"Idempotency-Key": "the last"}
        first, again = (ada.post(f"{over.path}/practice", headers=headers) for _ in range(2))
        assert (again.status_code, again.json) == (201, first.json)


class TestPrivacy:
    def test_the_player_sees_the_own_seat_alone_though_the_deal_is_public(
        self, ada: Person, over: Started
    ) -> None:
        path = f"/games/{practise(ada, over, step=9)['id']}"
        assert ada.get(path).json["hands"]["south"]["cards"] is None
        assert all(
            ada.get(f"{path}?at={at}").json["hands"]["south"]["cards"] is None for at in (3, 6)
        )
        for line in ada.get(f"{path}/events").json["events"]:
            hidden = line["private"] is None
            assert hidden or (line["type"], line["by"]) == ("card_drawn", "north")

    def test_others_see_neither_hand(self, ada: Person, eve: Person, over: Started) -> None:
        view = eve.get(f"/games/{practise(ada, over)['id']}").json
        assert [view["hands"][seat]["cards"] for seat in ("north", "south")] == [None, None]


class TestNoRealGame:
    @pytest.fixture
    def ended(self, ada: Person, over: Started) -> str:
        """A practice game that Ada has won or lost by playing, after more than five turns."""
        new = practise(ada, over, step=12)
        ada.post(f"/games/{new['id']}/resignation")
        return str(new["id"])

    def test_it_is_neither_rated_nor_counted(self, ada: Person, over: Started, ended: str) -> None:
        view = ada.get(f"/games/{ended}").json
        assert (view["status"], view["rated"], view["ratings"]) == ("finished", False, None)
        assert ada.container.games.ratings.rated(ended) is None
        assert ada.container.games.index.public_counts(ada.id) == {"active": 0, "finished": 1}
        assert ada.container.games.index.public_counts(STEWARD) == {"active": 0, "finished": 0}

    def test_it_is_in_no_archive_and_not_in_the_lobby(
        self, ada: Person, over: Started, ended: str, container: Container
    ) -> None:
        found = container.games.index.candidates("2000-01-01", "2199-01-01", 10)
        assert [each.game_id for each in found] == [over.id]
        assert ada.get("/lobby").json["games"] == []

    def test_nobody_is_mailed_about_it(self, ada: Person, over: Started) -> None:
        for notice in [*ada.container.log.outbox.pending()]:
            ada.container.log.outbox.finish(notice.id)
        new = practise(ada, over, step=6)
        ada.post(f"/games/{new['id']}/resignation")
        assert [mails(ada.container, kind) for kind in ("turn", "started", "over")] == [[], [], []]

    def test_only_the_stream_of_its_player_has_it(
        self, ada: Person, bob: Person, over: Started
    ) -> None:
        headers = {"Accept": "application/json"}
        begun = {who: who.get("/me/stream", headers=headers).json["next"] for who in (ada, bob)}
        new = practise(ada, over, step=6)
        games = {
            who: [
                each["game"]
                for each in who.get(f"/me/stream?after={place}", headers=headers).json["events"]
            ]
            for who, place in begun.items()
        }
        assert games == {ada: [new["id"]] * 6, bob: []}

    def test_its_player_finds_it_in_the_own_list_as_practice(
        self, ada: Person, over: Started
    ) -> None:
        new = practise(ada, over)
        listed = {game["id"]: game.get("practice") for game in ada.get("/games").json["games"]}
        assert listed == {over.id: None, new["id"]: new["practice"]}

"""POST moves, claims, turns and resignation."""

from typing import Any

import pytest

from engine import record, verify
from service.container import Container
from service.eventlog import parse_notice_id
from tests.support.clock import NOON
from tests.support.games import arranged, played
from tests.support.people import Person, Started, code
from tests.support.telling import tell_all

KEY = {"Idempotency-Key": "k1"}

DAY = 24 * 60 * 60


class TestMoves:
    def test_a_card_is_played_drawn_for_and_the_turn_passes(self, game: Started) -> None:
        card = game.view()["hands"]["north"]["cards"][0]
        view = game.ada.post(f"{game.path}/moves", {"card": card, "stone": 5}).json
        assert view["stones"][4]["north"] == [card]
        assert (view["turn"], view["decks"]["clan"]) == ("south", 41)
        assert len(view["hands"]["north"]["cards"]) == 6

    def test_cards_are_read_in_any_case_and_order(self, ada: Person, game: Started) -> None:
        card = game.view()["hands"]["north"]["cards"][0]
        written = (card[1] + card[0]).lower()
        view = ada.post(f"{game.path}/moves", {"card": written, "stone": 1}).json
        assert view["stones"][0]["north"] == [card]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "body"),
            ({"card": "R7"}, "body"),
            ({"pass": False}, "body"),
            ({"pass": True, "card": "R7"}, "body"),
            ({"stone": 3}, "body"),
            ({"card": "R7", "stone": 10}, "stone"),
            ({"card": "R7", "stone": "3"}, "stone"),
            ({"card": "R7@3 !3", "stone": 3}, "card"),
            ({"card": "R7", "stone": 3, "draws": ["clan"]}, "body"),
            ({"card": "R7", "stone": 3, "to": 4}, "body"),
            ({"card": "STR", "target": {"card": "R7", "stone": 3}, "to": "hand"}, "to"),
            ({"card": "STR", "target": {"card": "R7"}, "to": 4}, "target.stone"),
            ({"card": "REC", "draws": ["clan"] * 4}, "draws"),
            ({"card": "R7", "stone": 3, "draw": "north"}, "draw"),
            ({"card": "R7", "stone": 3, "claims": [0]}, "claims.0"),
        ],
    )
    def test_what_is_no_move_is_refused(self, game: Started, body: Any, field: str) -> None:
        answer = game.ada.post(f"{game.path}/moves", body)
        assert (answer.status_code, code(answer)) == (422, "validation-failed")
        assert list(answer.json["errors"]) == [field]
        assert game.view()["version"] == 3

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            (
                {"card": "STR", "target": {"card": "R7", "stone": 3}},
                'Strategist needs `to`, where the card goes: the number of a Stone, or "discard".',
            ),
            (
                {"card": "TRA", "target": {"card": "R7", "stone": 3}},
                "Traitor needs `to`, where the card goes: a Stone's number.",
            ),
            (
                {"card": "TRA", "target": {"card": "R7", "stone": 3}, "to": "discard"},
                "Traitor needs `to`, where the card goes: a Stone's number.",
            ),
            (
                {"card": "BAN", "target": {"card": "R7", "stone": 3}, "to": 4},
                "Banshee takes no `to`: the card is always discarded.",
            ),
            (
                {"card": "BAN", "target": {"card": "R0", "stone": 3}},
                "'R0' is not the code of a card.",
            ),
            ({"card": "R7", "draws": ["clan"]}, "R7 is played with `stone`."),
            ({"card": "REC", "stone": 3}, "Recruiter is played with `draws`."),
            ({"card": "STR", "stone": 3}, "Strategist is played with `target`."),
            (
                {"card": "JOK", "target": {"card": "R7", "stone": 3}},
                "Joker is played with `stone`.",
            ),
            ({"card": "XX", "stone": 3}, "'XX' is not the code of a card, such as R7 or JOK."),
        ],
    )
    def test_a_move_that_cannot_be_is_refused_in_the_words_of_its_fields(
        self, ada: Person, game: Started, body: dict[str, Any], words: str
    ) -> None:
        answer = ada.post(f"{game.path}/moves", body)
        assert (answer.status_code, code(answer)) == (422, "unreadable-action")
        assert (answer.json["refusal"], answer.json["detail"]) == ("unreadable-move", words)

    def test_a_pass_with_playable_cards_is_illegal(self, ada: Person, game: Started) -> None:
        answer = ada.post(f"{game.path}/moves", {"pass": True})
        assert (answer.status_code, code(answer), answer.json["rule"]) == (409, "illegal-action", 6)

    def test_a_card_that_is_elsewhere_cannot_be_played(self, ada: Person, game: Started) -> None:
        card = game.view("south")["hands"]["south"]["cards"][0]
        answer = ada.post(f"{game.path}/moves", {"card": card, "stone": 1})
        assert (code(answer), answer.json["refusal"]) == ("illegal-action", "card-not-in-hand")


@pytest.fixture
def red_run(ada: Person, bob: Person, container: Container) -> str:
    """The path of a game where Ada lies one card short of the best formation, and is to move."""
    players = {"north": ada.id, "south": bob.id}
    game = arranged(container, players)
    played(container, game, players, "R7@1 +C", "G1@9 +C", "R8@1 +C", "G3@9 +C")
    return f"/games/{game}"


class TestClaims:
    def test_a_claim_that_is_proven_takes_the_stone(self, ada: Person, red_run: str) -> None:
        ada.post(f"{red_run}/moves", {"card": "R9", "stone": 1})
        view = ada.post(f"{red_run}/claims", {"stone": 1}).json
        assert view["stones"][0]["owner"] == "north"
        assert view["turn"] == "south"  # nothing was left but to draw

    def test_a_claim_may_come_with_the_move(self, ada: Person, red_run: str) -> None:
        body = {"card": "R9", "stone": 1, "claims": [1], "draw": "clan"}
        view = ada.post(f"{red_run}/moves", body).json
        assert (view["stones"][0]["owner"], view["turn"]) == ("north", "south")

    def test_a_refused_claim_shows_what_would_beat_it(self, ada: Person, red_run: str) -> None:
        before = ada.get(red_run).data
        answer = ada.post(f"{red_run}/moves", {"card": "O1", "stone": 1, "claims": [1]})
        assert (answer.status_code, code(answer)) == (409, "claim-not-proven")
        assert (answer.json["rule"], answer.json["refusal"]) == (14, "beatable")
        assert len(answer.json["counterexample"]) == 3
        assert ada.get(red_run).data == before

    @pytest.mark.parametrize("body", [{}, {"stone": 1, "stones": [1]}, {"stones": []}])
    def test_what_names_no_stones_is_refused(
        self, ada: Person, game: Started, body: dict[str, Any] | dict[str, list[Any]]
    ) -> None:
        assert code(ada.post(f"{game.path}/claims", body)) == "validation-failed"


class TestTurns:
    def test_all_actions_are_taken_or_none(self, ada: Person, game: Started) -> None:
        card = game.view()["hands"]["north"]["cards"][0]
        answer = ada.post(f"{game.path}/turns", {"actions": [f"{card}@1", "!1"]})
        assert answer.status_code == 409
        assert game.view()["version"] == 3
        assert game.view()["stones"][0]["north"] == []

    def test_a_legal_action_is_taken(self, ada: Person, game: Started) -> None:
        action = game.legal()[0]
        assert ada.post(f"{game.path}/turns", {"actions": [action]}).json["turn"] == "south"

    @pytest.mark.parametrize("actions", [["castle"], ["R7@3 !3"], ["R7@3", ""], ["R0@1"]])
    def test_what_is_no_action_is_refused(self, game: Started, actions: list[str]) -> None:
        answer = game.ada.post(f"{game.path}/turns", {"actions": actions})
        assert answer.status_code == 422
        assert code(answer) in ("unreadable-action", "validation-failed")


class TestVersions:
    def test_a_write_for_the_current_version_is_taken(self, ada: Person, game: Started) -> None:
        body, headers = {"actions": game.legal()[:1]}, {"If-Match": '"3"'}
        answer = ada.post(f"{game.path}/turns", body, headers=headers)
        assert answer.status_code == 200
        assert answer.headers["ETag"] == f'"{answer.json["version"]}"'

    @pytest.mark.parametrize(
        "seen", ['"2"', '"4"', '"03"', '"nonsense"', 'W/"3"', '""', '"2", "4"']
    )
    def test_a_write_for_another_version_is_stale(self, game: Started, seen: str) -> None:
        body, headers = {"actions": game.legal()[:1]}, {"If-Match": seen}
        answer = game.ada.post(f"{game.path}/turns", body, headers=headers)
        assert (answer.status_code, code(answer)) == (412, "stale-version")
        assert answer.json["version"] == 3

    @pytest.mark.parametrize("seen", ['"3", "4"', '"2","3"', ', "3"', '"a,b", "3"'])
    def test_one_of_several_versions_will_do(self, ada: Person, game: Started, seen: str) -> None:
        body, headers = {"actions": game.legal()[:1]}, {"If-Match": seen}
        assert ada.post(f"{game.path}/turns", body, headers=headers).status_code == 200

    @pytest.mark.parametrize("seen", ["3", "", " ", '"3', '"3" "4"', "*, *", "'3'", 'w/"3"'])
    def test_what_names_no_version_is_refused(self, ada: Person, game: Started, seen: str) -> None:
        body, headers = {"actions": game.legal()[:1]}, {"If-Match": seen}
        answer = ada.post(f"{game.path}/turns", body, headers=headers)
        assert (answer.status_code, code(answer)) == (400, "malformed-if-match")
        assert game.view()["version"] == 3

    def test_any_version_may_be_asked_for(self, ada: Person, game: Started) -> None:
        body, headers = {"actions": game.legal()[:1]}, {"If-Match": "*"}
        assert ada.post(f"{game.path}/turns", body, headers=headers).status_code == 200

    def test_a_race_that_is_lost_in_the_log_is_stale(
        self, ada: Person, game: Started, container: Container, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen = container.games.load(game.id)
        body = {"actions": game.legal()[:1]}
        assert ada.post(f"{game.path}/turns", body).status_code == 200
        # As in another process that had read the log just before that write.
        monkeypatch.setattr(container.games.repository, "get", lambda game_id: seen)
        answer = ada.post(f"{game.path}/turns", body)
        assert (answer.status_code, code(answer)) == (412, "stale-version")
        assert answer.json["version"] > seen.version

    def test_a_stranger_is_not_told_the_version_of_a_private_game(
        self, ada: Person, bob: Person, eve: Person
    ) -> None:
        game = Started(ada, bob, private=True)
        headers = {"If-Match": '"1"'}
        answer = eve.post(f"{game.path}/turns", {"actions": ["pass"]}, headers=headers)
        assert (answer.status_code, code(answer)) == (404, "game-not-found")


class TestIdempotencyKey:
    def test_a_repeated_move_is_made_once_and_answered_even_when_the_game_has_gone_on(
        self, ada: Person, game: Started
    ) -> None:
        body = {"actions": game.legal()[:1]}
        first = ada.post(f"{game.path}/turns", body, headers=KEY)
        again = ada.post(f"{game.path}/turns", body, headers=KEY)
        assert (again.status_code, again.data) == (200, first.data)
        assert game.view()["version"] == first.json["version"]

        headers = {**KEY, "If-Match": '"3"'}
        first = ada.post(f"{game.path}/turns", body, headers=headers)
        game.play_any()
        again = ada.post(f"{game.path}/turns", body, headers=headers)
        assert (again.status_code, again.data) == (200, first.data)

    def test_the_key_with_another_body_is_refused(self, ada: Person, game: Started) -> None:
        legal = game.legal()
        ada.post(f"{game.path}/turns", {"actions": legal[:1]}, headers=KEY)
        answer = ada.post(f"{game.path}/turns", {"actions": legal[1:2]}, headers=KEY)
        assert (answer.status_code, code(answer)) == (422, "idempotency-key-reused")

    def test_the_key_at_another_address_is_refused(self, ada: Person, game: Started) -> None:
        ada.post(f"{game.path}/turns", {"actions": game.legal()[:1]}, headers=KEY)
        answer = ada.post(f"{game.path}/resignation", headers=KEY)
        assert (answer.status_code, code(answer)) == (422, "idempotency-key-reused")


class TestResignation:
    def test_it_ends_the_game_for_the_other_and_both_are_noticed(
        self, bob: Person, game: Started, ada: Person, container: Container
    ) -> None:
        view = bob.post(f"{game.path}/resignation").json
        assert (view["status"], view["winner"]) == ("finished", "north")
        assert view["reason"] == "resignation"
        assert (view["turn"], view["phase"], view["legal"]) == (None, None, [])

        over = [parse_notice_id(notice.id) for notice in container.log.outbox.pending()]
        told = {(n.recipient, n.version) for n in over if n.kind == "over"}
        assert told == {(ada.id, view["version"]), (bob.id, view["version"])}


class TestNotices:
    def test_the_player_whose_turn_it_is_now_is_noticed(self, bob: Person, game: Started) -> None:
        version = game.play_any().json["version"]
        ids = [notice.id for notice in bob.container.log.outbox.pending()]
        assert f"{game.id}.{version}.{bob.id}.mail.turn" in ids

    def test_nobody_is_noticed_in_the_middle_of_a_turn(self, ada: Person, red_run: str) -> None:
        before = set(ada.container.log.outbox.pending())
        view = ada.post(f"{red_run}/moves", {"card": "R9", "stone": 1}).json
        assert (view["turn"], view["phase"]) == ("north", "finish")
        assert set(ada.container.log.outbox.pending()) == before


class TestClock:
    def test_the_deadline_counts_from_the_turn(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock={"days_per_move": 3})
        assert game.view()["deadline"] == "2026-11-24T12:00:00Z"
        ada.clock.time += DAY
        assert game.play_any().json["deadline"] == "2026-11-25T12:00:00Z"

    def test_there_is_none_without_a_clock_or_after_the_end(self, ada: Person, bob: Person) -> None:
        assert Started(ada, bob).view()["deadline"] is None
        game = Started(ada, bob, clock={"days_per_move": 3})
        assert bob.post(f"{game.path}/resignation").json["deadline"] is None

    def test_a_player_who_runs_out_of_time_loses(self, ada: Person, bob: Person) -> None:
        game = Started(ada, bob, clock={"days_per_move": 1})
        tell_all(ada.container)
        assert ada.container.games.time_out(game.id) is None
        ada.clock.time = NOON + DAY
        assert ada.container.games.time_out(game.id).game.reason == "time-out"
        assert ada.container.games.time_out(game.id) is None
        assert game.view()["winner"] == "south"


@pytest.mark.parametrize("edition", ["iello", "scottentots", "community"])
def test_a_whole_game_is_played_and_its_record_verifies(
    ada: Person, bob: Person, edition: str
) -> None:
    game = Started(ada, bob, edition=edition)
    while game.view()["status"] == "active":
        legal = game.legal()
        claims = [action for action in legal if action.startswith("!")]
        action = (claims or legal)[0]
        assert game.mover().post(f"{game.path}/turns", {"actions": [action]}).status_code == 200
    lines = record.from_jsonl(ada.get(f"{game.path}/record").text)
    assert verify.verify(lines) is None
    assert lines[-1]["hash"] == game.view()["head"]
    assert lines[-1]["type"] == "game_ended"

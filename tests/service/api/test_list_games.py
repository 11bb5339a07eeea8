"""GET /v1/games."""

import pytest
from flask.testing import FlaskClient

from service.ops.integrity import reindex
from tests.support.clock import Clock
from tests.support.people import Person, Started, code


def ids(person: Person, query: str = "") -> list[str]:
    return [game["id"] for game in person.get(f"/games{query}").json["games"]]


def test_a_new_player_has_no_games_and_no_cache_keeps_that(ada: Person) -> None:
    assert ada.get("/games").json == {"games": [], "next": None}

    assert ada.get("/games").headers["Cache-Control"] == "no-store"


def test_the_newest_game_comes_first(ada: Person, bob: Person, clock: Clock) -> None:
    games = []
    for _ in range(3):
        games.append(Started(ada, bob).id)
        clock.time += 60
    assert ids(ada) == ids(bob) == games[::-1]


def test_a_game_is_listed_as_it_stands_after_ones_own_write(ada: Person, game: Started) -> None:
    assert ids(ada, "?turn=me") == [game.id]
    game.play_any()
    assert ids(ada, "?turn=me") == []
    (listed,) = ada.get("/games").json["games"]
    assert (listed["turn"], listed["seat"]) == ("south", "north")
    assert listed["version"] == game.view()["version"]


def test_games_are_found_by_status(ada: Person, bob: Person) -> None:
    active, finished = Started(ada, bob), Started(ada, bob)
    opened = ada.post("/games").json["id"]
    bob.post(f"{finished.path}/resignation")
    assert ids(ada, "?status=active") == [active.id]
    assert ids(ada, "?status=finished") == [finished.id]
    assert ids(ada, "?status=open") == [opened]
    assert ids(ada, "?status=aborted") == []
    assert ids(ada, "?status=active&turn=me") == [active.id]
    assert ids(ada, "?status=finished&turn=me") == []


def test_an_invitation_is_listed_until_the_seat_is_taken(
    ada: Person, bob: Person, eve: Person
) -> None:
    made = ada.post("/games", {"opponent": {"player": bob.id}}).json
    assert ids(bob, "?status=open") == [made["id"]]
    eve.post(f"/games/{made['id']}/join", {"invite": made["invite"]})
    assert ids(bob) == []
    assert ids(eve) == [made["id"]]


def test_pages_follow_each_other_without_gap_or_double(ada: Person, clock: Clock) -> None:
    made = []
    for number in range(7):
        made.append(ada.post("/games").json["id"])
        clock.time += number % 2  # some are made in the same second
    found, query = [], "?limit=3"
    while query:
        page = ada.get(f"/games{query}").json
        found += [game["id"] for game in page["games"]]
        query = page["next"] and f"?limit=3&cursor={page['next']}"
    assert sorted(found) == sorted(made)
    assert len(found) == 7


@pytest.mark.parametrize("query", ["status=lost", "turn=you", "limit=0", "limit=101", "cursor=x"])
def test_a_bad_query_is_refused(ada: Person, query: str) -> None:
    assert code(ada.get(f"/games?{query}")) == "validation-failed"


def test_only_ones_own_games_are_listed(client: FlaskClient, eve: Person, game: Started) -> None:
    assert ids(eve) == []
    assert code(client.get("/v1/games")) == "unauthenticated"


def test_the_index_is_rebuilt_from_the_logs(ada: Person, bob: Person, game: Started) -> None:
    listed = ada.get("/games").json
    ada.container.redis.delete(*ada.container.redis.scan_iter(match="st:*:games:*"))
    assert ids(ada) == []
    assert [done.game for done in reindex(ada.container, ada.container.log.events.game_ids())] == [
        game.id
    ]
    assert ada.get("/games").json == listed
    assert ids(bob) == [game.id]


def test_an_older_state_never_replaces_a_newer_one(ada: Person, game: Started) -> None:
    older = ada.container.games.read(game.id, None, at=3)
    game.play_any()
    ada.container.games.index.apply(older)
    assert ids(ada, "?turn=me") == []


class TestFilters:
    def test_by_opponent(self, ada: Person, bob: Person, eve: Person) -> None:
        with_bob, with_eve = Started(ada, bob), Started(ada, eve)
        assert ids(ada, f"?opponent={bob.id}") == [with_bob.id]
        assert ids(ada, f"?opponent={eve.id}&turn=me") == [with_eve.id]
        assert ids(bob, f"?opponent={eve.id}") == []

    def test_an_invited_player_is_an_opponent_whose_turn_it_is_not(
        self, ada: Person, bob: Person
    ) -> None:
        made = ada.post("/games", {"opponent": {"player": bob.id}}).json["id"]
        assert ids(ada, f"?opponent={bob.id}") == ids(bob, f"?opponent={ada.id}") == [made]

        assert ids(bob, "?mine=true") == []
        bob.post(f"/games/{made}/join")
        assert ids(bob, "?mine=true") == [made]

    def test_by_edition(self, ada: Person, bob: Person) -> None:
        one = Started(ada, bob, edition="iello").id
        other = Started(ada, bob, edition="scottentots").id
        assert ids(ada, "?edition=iello") == [one]
        assert ids(ada, "?edition=scottentots") == [other]

    def test_they_fit_all_at_once(self, ada: Person, bob: Person, eve: Person) -> None:
        found = Started(ada, bob)
        Started(ada, eve)
        over = Started(ada, bob)
        bob.post(f"{over.path}/resignation")
        query = f"?opponent={bob.id}&edition=iello&status=active&mine=true"
        assert ids(ada, query) == [found.id]

    def test_pages_of_what_is_filtered_are_whole(
        self, ada: Person, bob: Person, eve: Person
    ) -> None:
        wanted = [Started(ada, person).id for person in (bob, eve, bob, eve, bob)][::2]
        found, query = [], f"?opponent={bob.id}&limit=2"
        while query:
            page = ada.get(f"/games{query}").json
            found.append([game["id"] for game in page["games"]])
            query = page["next"] and f"?opponent={bob.id}&limit=2&cursor={page['next']}"
        assert [len(ids) for ids in found] == [2, 1]
        assert sorted(game for page in found for game in page) == sorted(wanted)

    def test_pages_of_my_turns_follow_each_other(
        self, ada: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("service.games.reading.lists.MOST_EXAMINED", 3)
        games = [Started(ada, bob) for _ in range(8)]
        games[0].play_any()
        games[5].play_any()
        found, query = [], "?turn=me&limit=2"
        while query:
            page = ada.get(f"/games{query}").json
            found += [game["id"] for game in page["games"]]
            query = page["next"] and f"?turn=me&limit=2&cursor={page['next']}"
        assert len(found) == 6
        assert set(found) == {game.id for game in games} - {games[0].id, games[5].id}

    @pytest.mark.parametrize("query", ["opponent=Bob", "edition=chess", "mine=perhaps"])
    def test_what_nothing_can_be_is_refused(self, ada: Person, query: str) -> None:
        assert code(ada.get(f"/games?{query}")) == "validation-failed"

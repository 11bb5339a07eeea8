"""GET /v1/me/stream: the events of all games of a player, and other news beside them."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.core.redis.client import Client
from service.games.projections import feed_log
from service.games.projections.feed_log import Announcement, PlayerNews
from service.ops.integrity import reindex
from service.realtime.deferred import MOVED, Moved
from tests.service.api.declared import misfits
from tests.support.people import Person, Started, code

JSON = {"Accept": "application/json"}
EVENTS = {"Accept": "text/event-stream"}


def read(person: Person, after: str | None = None, **query: Any) -> dict[str, Any]:
    """A piece of the player's feed."""
    given = query if after is None else {"after": after, **query}
    asked = "&".join(f"{name}={value}" for name, value in given.items())
    answer = person.get(f"/me/stream?{asked}", headers=JSON)
    assert answer.status_code == 200, answer.text
    piece: dict[str, Any] = answer.json
    return piece


def told(piece: dict[str, Any]) -> list[tuple[str, int]]:
    return [(news["game"], news["event"]["seq"]) for news in piece["events"]]


def test_it_begins_now(ada: Person, game: Started) -> None:
    piece = read(ada)
    assert (piece["events"], piece["reset"]) == ([], False)
    assert read(ada, piece["next"]) == piece


def test_the_news_of_a_game_come_in_order_to_its_end(
    ada: Person, bob: Person, game: Started
) -> None:
    begin = read(ada)["next"]
    other = Started(ada, bob)
    game.play_any()
    piece = read(ada, begin)
    assert told(piece) == [
        *((other.id, seq) for seq in (1, 2, 3)),
        *((game.id, s) for s in (4, 5, 6)),
    ]
    assert read(ada, piece["next"])["events"] == []

    game = Started(ada, bob)
    bob.post(f"{game.path}/resignation")
    last = read(ada, begin)["events"][-1]
    assert (last["game"], last["event"]["type"]) == (game.id, "game_ended")


def test_the_events_are_those_that_the_game_shows_to_this_player(game: Started) -> None:
    begins = {player: read(player)["next"] for player in (game.ada, game.bob)}
    game.play_any()
    game.play_any()
    for player, begin in begins.items():
        shown = player.get(f"{game.path}/events?after=3").json["events"]
        assert [news["event"] for news in read(player, begin)["events"]] == shown


def test_pieces_follow_each_other_without_gap_or_double(ada: Person, game: Started) -> None:
    place = read(ada)["next"]
    for _ in range(3):
        game.play_any()
    found: list[tuple[str, int]] = []
    while piece := read(ada, place, limit=4):
        if not piece["events"]:
            break
        assert len(piece["events"]) <= 4
        found += told(piece)
        place = piece["next"]
    assert found == [(game.id, seq) for seq in range(4, 13)]


def test_events_in_the_middle_of_a_turn_come_at_once(ada: Person, bob: Person) -> None:
    game = Started(ada, bob, tactics=True, edition="bga")
    begin = read(bob)["next"]
    events = read(bob, begin)["events"]
    version = game.view()["version"]
    while game.view()["version"] == version:
        game.play_any()
    assert game.view()["turn"] == "north", "a draw is still to be chosen"
    assert len(told(read(bob, begin))) == game.view()["version"] - version
    assert events == []


def test_an_invitation_comes_with_all_of_its_game(ada: Person, bob: Person) -> None:
    begin = read(bob)["next"]
    made = ada.post("/games", {"opponent": {"player": bob.id}}).json
    piece = read(bob, begin)
    assert told(piece) == [(made["id"], 1)]
    bob.post(f"/games/{made['id']}/join")
    assert told(read(bob, piece["next"])) == [(made["id"], 2), (made["id"], 3)]


def test_an_invited_player_is_told_when_the_seat_is_taken(
    ada: Person, bob: Person, eve: Person
) -> None:
    begin = read(bob)["next"]
    called_off = ada.post("/games", {"opponent": {"player": bob.id}}).json
    ada.delete(f"/games/{called_off['id']}")
    taken = ada.post("/games", {"opponent": {"player": bob.id}}).json
    eve.post(f"/games/{taken['id']}/join", {"invite": taken["invite"]})
    news = [(one["game"], one["event"]["type"]) for one in read(bob, begin)["events"]]
    assert sorted(news) == sorted(
        [
            (called_off["id"], "game_created"),
            (called_off["id"], "game_aborted"),
            (taken["id"], "game_created"),
            (taken["id"], "player_joined"),
        ]
    )


def test_others_games_are_not_in_it(ada: Person, bob: Person, eve: Person) -> None:
    begin = read(eve)["next"]
    Started(ada, bob).play_any()
    assert read(eve, begin)["events"] == []


def test_it_survives_the_loss_of_the_lists(ada: Person, game: Started, redis: Client) -> None:
    place = read(ada)["next"]
    game.play_any()
    for key in redis.scan_iter("st:*:games:*"):
        redis.unlink(key)
    list(reindex(ada.container, ada.container.log.events.game_ids()))
    game.play_any()
    assert told(read(ada, place)) == [(game.id, seq) for seq in range(4, 10)]


def test_a_place_in_a_feed_that_was_lost_is_told(ada: Person, game: Started, redis: Client) -> None:
    place = read(ada)["next"]
    redis.unlink(*feed_log.feed_keys(ada.id))
    game.play_any()
    piece = read(ada, place)
    assert (piece["events"], piece["reset"]) == ([], True)
    game.play_any()
    assert len(read(ada, piece["next"])["events"]) == 3


def test_a_place_too_long_ago_is_told(ada: Person, game: Started, redis: Client) -> None:
    place = read(ada)["next"]
    for _ in range(3):
        game.play_any()
    read(ada)
    redis.xtrim(feed_log.feed_keys(ada.id)[2], maxlen=4, approximate=False)
    assert read(ada, place)["reset"]
    recent = place.partition(".")[0] + ".5"
    assert told(read(ada, recent)) == [(game.id, seq) for seq in range(9, 13)]


@pytest.mark.parametrize("place", ["", "7", "abcdefgh", "abcdefgh.x", "abcdefgh.-1"])
def test_what_is_no_place_is_refused(ada: Person, place: str) -> None:
    assert code(ada.get(f"/me/stream?after={place}", headers=JSON)) == "validation-failed"


def test_it_takes_a_token(client: FlaskClient) -> None:
    assert code(client.get("/v1/me/stream", headers=JSON)) == "unauthenticated"


def test_as_a_stream_each_message_leads_back_to_its_place(ada: Person, game: Started) -> None:
    begin = ada.get("/me/stream", headers=EVENTS)
    assert begin.mimetype == "text/event-stream"
    place = read(ada)["next"]
    assert begin.text == f"retry: 2000\nid: {place}\n\n"
    game.play_any()
    _, *messages, rest = ada.get(f"/me/stream?after={place}", headers=EVENTS).text.split("\n\n")
    first = messages[0].partition("\n")[0].removeprefix("id: ")
    assert (len(messages), rest) == (3, "")
    assert "\nevent: card_played\n" in messages[0]
    assert told(read(ada, first)) == [(game.id, 5), (game.id, 6)]
    resumed = ada.get(f"/me/stream?after={place}", headers=EVENTS | {"Last-Event-ID": first}).text
    assert messages[1:] == resumed.split("\n\n")[1:-1]


def test_a_stream_begins_with_the_place_where_its_client_stands(ada: Person, game: Started) -> None:
    """A client whose connection breaks before the first message comes again from there."""
    place = read(ada)["next"]
    game.play_any()
    for asked in (f"?after={place}", f"?after={place}&limit=1"):
        assert ada.get(f"/me/stream{asked}", headers=EVENTS).text.startswith(
            f"retry: 2000\nid: {place}\n\n"
        )


def test_a_stream_that_lost_its_place_says_so(ada: Person) -> None:
    answer = ada.get("/me/stream", headers=EVENTS | {"Last-Event-ID": "abcdefgh.12"})
    assert "event: reset\n" in answer.text


def test_a_deleted_account_leaves_no_feed(ada: Person, game: Started, redis: Client) -> None:
    read(ada)
    game.play_any()
    read(ada)
    ada.delete("/me")
    assert redis.exists(*feed_log.feed_keys(ada.id)) == 0


class TestGoingOn:
    """A stream that runs again where only some games have moved looks at no others."""

    def go_on(self, person: Person, after: str, topics: set[str], news: set[str]) -> dict[str, Any]:
        known = {MOVED: Moved(frozenset(topics | {person.id}), frozenset(news))}
        answer = person.get(f"/me/stream?after={after}", headers=JSON, environ_overrides=known)
        piece: dict[str, Any] = answer.json
        return piece

    def test_only_what_moved_is_looked_at(self, ada: Person, bob: Person, game: Started) -> None:
        other = Started(ada, bob)
        begin = read(ada)["next"]
        for each in (game, other):
            each.play_any()
        games = {game.id, other.id}
        piece = self.go_on(ada, begin, games, {game.id})
        assert told(piece) == [(game.id, seq) for seq in (4, 5, 6)]
        piece = self.go_on(ada, piece["next"], games, {other.id})
        assert told(piece) == [(other.id, seq) for seq in (4, 5, 6)]
        assert read(ada, piece["next"])["events"] == []

    def test_news_of_the_player_is_of_any_game(self, bob: Person, game: Started) -> None:
        begin = read(game.ada)["next"]
        other = Started(game.ada, bob)
        piece = self.go_on(game.ada, begin, {game.id}, {game.ada.id})
        assert told(piece) == [(other.id, seq) for seq in (1, 2, 3)]

    def test_a_feed_that_was_lost_begins_with_all_games(self, game: Started, redis: Client) -> None:
        other = Started(game.ada, game.bob)
        begin, games = read(game.ada)["next"], {game.id, other.id}
        redis.delete(*feed_log.feed_keys(game.ada.id))
        piece = self.go_on(game.ada, begin, games, {game.id})
        assert piece["reset"]
        other.play_any()
        after = self.go_on(game.ada, piece["next"], games, {other.id})
        assert told(after) == [(other.id, seq) for seq in (4, 5, 6)]


def read_news(person: Person, after: str | None = None, **query: Any) -> dict[str, Any]:
    given = {"news": "all", **query} | ({} if after is None else {"after": after})
    asked = "&".join(f"{name}={value}" for name, value in given.items() if value is not None)
    answer = person.get(f"/me/stream?{asked}", headers=JSON)
    assert answer.status_code == 200, answer.text
    piece: dict[str, Any] = answer.json
    assert misfits({"$ref": "#/components/schemas/NewsList"}, piece) == []
    return piece


def test_a_message_comes_to_both_players(ada: Person, bob: Person, game: Started) -> None:
    begins = {person: read_news(person)["next"] for person in (ada, bob)}
    written = ada.post(f"{game.path}/messages", {"text": "Well played!"}).json
    for person, begin in begins.items():
        assert read_news(person, begin)["events"] == [{"game": game.id, "message": written}]


def test_a_challenge_comes_as_it_is_now(ada: Person, bob: Person) -> None:
    begins = {person: read_news(person)["next"] for person in (ada, bob)}
    made = ada.post("/challenges", {"player": bob.id}).json
    assert read_news(bob, begins[bob])["events"] == [{"challenge": made}]
    bob.post(f"/challenges/{made['id']}/decline")
    declined = {"challenge": {**made, "status": "declined"}}
    assert read_news(ada, begins[ada])["events"] == [declined, declined]


def test_a_challenge_that_is_accepted_comes_with_its_game(ada: Person, bob: Person) -> None:
    begin = read_news(ada)["next"]
    made = ada.post("/challenges", {"player": bob.id}).json
    bob.post(f"/challenges/{made['id']}/acceptance")
    news = read_news(ada, begin)["events"]
    assert [one["event"]["type"] for one in news if "event" in one] == [
        "game_created",
        "player_joined",
        "round_started",
    ]
    assert [one["challenge"]["game"] for one in news if "challenge" in one] == [made["id"]] * 2


def test_an_answer_of_another_kind_comes_too(ada: Person, bob: Person) -> None:
    begin = read_news(ada)["next"]
    first = ada.post("/challenges", {"player": bob.id}).json
    counter = bob.post(f"/challenges/{first['id']}/counter-offer", {"rounds": 2}).json
    bob.delete(f"/challenges/{counter['id']}")
    news = [one["challenge"] for one in read_news(ada, begin)["events"]]
    assert [(one["id"], one["status"]) for one in news] == [
        (first["id"], "countered"),
        (first["id"], "countered"),
        (counter["id"], "withdrawn"),
        (counter["id"], "withdrawn"),
    ]


def test_an_offer_comes_with_what_becomes_of_it(ada: Person, bob: Person) -> None:
    game = Started(ada, bob, clock={"days_per_move": 3})
    begin = read_news(bob)["next"]
    until = "2026-12-31T12:00:00Z"
    ada.post(f"{game.path}/offers", {"kind": "pause", "until": until})
    bob.delete(f"{game.path}/offers/pause")
    ada.post(f"{game.path}/offers", {"kind": "abandonment"})
    ada.delete(f"{game.path}/offers/abandonment")
    news = [(one["game"], one["offer"]) for one in read_news(bob, begin)["events"]]
    assert {of for of, _ in news} == {game.id}
    assert [(offer["kind"], offer["state"], offer["until"]) for _, offer in news] == [
        ("pause", "offered", until),
        ("pause", "declined", until),
        ("abandonment", "offered", None),
        ("abandonment", "withdrawn", None),
    ]
    assert {offer["by"] for _, offer in news} == {"north"}
    assert ada.get(f"{game.path}/offers").json["offers"] == []


def test_whoever_does_not_ask_gets_events_alone(ada: Person, bob: Person, game: Started) -> None:
    begin = read_news(ada)["next"]
    for _ in range(3):
        bob.post(f"{game.path}/messages", {"text": "Are you there?"})
    game.play_any()
    answered = read_news(ada, begin, news=None, limit=2)
    assert [set(one) for one in answered["events"]] == [{"game", "event"}] * 2
    stream = ada.get(f"/me/stream?after={begin}", headers=EVENTS).text
    assert "event: message" not in stream
    assert stream.count("event: ") == 3


def test_some_kinds_can_be_chosen(ada: Person, bob: Person, game: Started) -> None:
    begin = read_news(ada)["next"]
    bob.post(f"{game.path}/messages", {"text": "Hello"})
    bob.post(f"{game.path}/offers", {"kind": "abandonment"})
    (only,) = read_news(ada, begin, news="challenges,offers")["events"]
    assert "offer" in only
    assert len(read_news(ada, begin, news="offers,messages")["events"]) == 2


@pytest.mark.parametrize("wrong", ["events", "messages,", "all,offers"])
def test_a_kind_that_is_none_is_refused(ada: Person, wrong: str) -> None:
    assert code(ada.get(f"/me/stream?news={wrong}")) == "validation-failed"


def test_a_stream_goes_on_where_it_was(ada: Person, bob: Person, game: Started) -> None:
    begin = read_news(ada)["next"]
    bob.post(f"{game.path}/messages", {"text": "One"})
    bob.post(f"{game.path}/messages", {"text": "Two"})
    text = ada.get(f"/me/stream?news=messages&after={begin}&limit=1", headers=EVENTS).text
    message = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    assert message["event"] == "message"
    resumed = ada.get(
        "/me/stream?news=messages", headers={**EVENTS, "Last-Event-ID": message["id"]}
    ).text
    assert "Two" in resumed
    assert "One" not in resumed


def test_a_message_that_is_gone_is_left_out(ada: Person, bob: Person, game: Started) -> None:
    begin = read_news(ada)["next"]
    bob.post(f"{game.path}/messages", {"text": "Forget this"})
    bob.delete("/me")
    assert not any("message" in one for one in read_news(ada, begin)["events"])


def test_news_that_is_announced_again_comes_once(ada: Person, bob: Person, game: Started) -> None:
    """The client library sends a command again when its answer was lost."""
    begin = read_news(ada)["next"]
    bob.post(f"{game.path}/messages", {"text": "Hello"})
    PlayerNews(ada.container.redis).publish([ada.id], bob.id, Announcement("message", game.id, "1"))
    assert len(read_news(ada, begin)["events"]) == 1


def test_nobody_else_hears_of_it(ada: Person, bob: Person, eve: Person, game: Started) -> None:
    begin = read_news(eve)["next"]
    ada.post(f"{game.path}/messages", {"text": "Between us"})
    ada.post("/challenges", {"player": bob.id})
    assert read_news(eve, begin)["events"] == []

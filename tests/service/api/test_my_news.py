"""GET /v1/me/stream?news=…: what is no event of a game, beside the events."""

from typing import Any

import pytest

from service.core.redis.client import Client
from service.games.projections.feed_log import Announcement, PlayerNews
from tests.service.api.declared import misfits
from tests.support.people import Person, Started, code

JSON = {"Accept": "application/json"}
EVENTS = {"Accept": "text/event-stream"}


def read(person: Person, after: str | None = None, **query: Any) -> dict[str, Any]:
    given = {"news": "all", **query} | ({} if after is None else {"after": after})
    asked = "&".join(f"{name}={value}" for name, value in given.items() if value is not None)
    answer = person.get(f"/me/stream?{asked}", headers=JSON)
    assert answer.status_code == 200, answer.text
    piece: dict[str, Any] = answer.json
    assert misfits({"$ref": "#/components/schemas/NewsList"}, piece) == []
    return piece


def test_a_message_comes_to_both_players(ada: Person, bob: Person, game: Started) -> None:
    begins = {person: read(person)["next"] for person in (ada, bob)}
    written = ada.post(f"{game.path}/messages", {"text": "Well played!"}).json
    for person, begin in begins.items():
        assert read(person, begin)["events"] == [{"game": game.id, "message": written}]


def test_a_challenge_comes_as_it_is_now(ada: Person, bob: Person) -> None:
    begins = {person: read(person)["next"] for person in (ada, bob)}
    made = ada.post("/challenges", {"player": bob.id}).json
    assert read(bob, begins[bob])["events"] == [{"challenge": made}]
    bob.post(f"/challenges/{made['id']}/decline")
    declined = {"challenge": {**made, "status": "declined"}}
    assert read(ada, begins[ada])["events"] == [declined, declined]


def test_a_challenge_that_is_accepted_comes_with_its_game(ada: Person, bob: Person) -> None:
    begin = read(ada)["next"]
    made = ada.post("/challenges", {"player": bob.id}).json
    bob.post(f"/challenges/{made['id']}/acceptance")
    news = read(ada, begin)["events"]
    assert [one["event"]["type"] for one in news if "event" in one] == [
        "game_created",
        "player_joined",
        "round_started",
    ]
    assert [one["challenge"]["game"] for one in news if "challenge" in one] == [made["id"]] * 2


def test_an_answer_of_another_kind_comes_too(ada: Person, bob: Person) -> None:
    begin = read(ada)["next"]
    first = ada.post("/challenges", {"player": bob.id}).json
    counter = bob.post(f"/challenges/{first['id']}/counter-offer", {"rounds": 2}).json
    bob.delete(f"/challenges/{counter['id']}")
    news = [one["challenge"] for one in read(ada, begin)["events"]]
    assert [(one["id"], one["status"]) for one in news] == [
        (first["id"], "countered"),
        (first["id"], "countered"),
        (counter["id"], "withdrawn"),
        (counter["id"], "withdrawn"),
    ]


def test_an_offer_comes_with_what_becomes_of_it(ada: Person, bob: Person) -> None:
    game = Started(ada, bob, clock={"days_per_move": 3})
    begin = read(bob)["next"]
    until = "2026-12-31T12:00:00Z"
    ada.post(f"{game.path}/offers", {"kind": "pause", "until": until})
    bob.delete(f"{game.path}/offers/pause")
    ada.post(f"{game.path}/offers", {"kind": "abandonment"})
    ada.delete(f"{game.path}/offers/abandonment")
    news = [(one["game"], one["offer"]) for one in read(bob, begin)["events"]]
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
    begin = read(ada)["next"]
    for _ in range(3):
        bob.post(f"{game.path}/messages", {"text": "Are you there?"})
    game.play_any()
    answered = read(ada, begin, news=None, limit=2)
    assert [set(one) for one in answered["events"]] == [{"game", "event"}] * 2
    stream = ada.get(f"/me/stream?after={begin}", headers=EVENTS).text
    assert "event: message" not in stream
    assert stream.count("event: ") == 3


def test_some_kinds_can_be_chosen(ada: Person, bob: Person, game: Started) -> None:
    begin = read(ada)["next"]
    bob.post(f"{game.path}/messages", {"text": "Hello"})
    bob.post(f"{game.path}/offers", {"kind": "abandonment"})
    (only,) = read(ada, begin, news="challenges,offers")["events"]
    assert "offer" in only
    assert len(read(ada, begin, news="offers,messages")["events"]) == 2


@pytest.mark.parametrize("wrong", ["events", "messages,", "all,offers"])
def test_a_kind_that_is_none_is_refused(ada: Person, wrong: str) -> None:
    assert code(ada.get(f"/me/stream?news={wrong}")) == "validation-failed"


def test_a_stream_goes_on_where_it_was(ada: Person, bob: Person, game: Started) -> None:
    begin = read(ada)["next"]
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
    begin = read(ada)["next"]
    bob.post(f"{game.path}/messages", {"text": "Forget this"})
    bob.delete("/me")
    assert not any("message" in one for one in read(ada, begin)["events"])


def test_news_that_is_announced_again_comes_once(
    ada: Person, bob: Person, game: Started, redis: Client
) -> None:
    """The client library sends a command again when its answer was lost."""
    begin = read(ada)["next"]
    bob.post(f"{game.path}/messages", {"text": "Hello"})
    PlayerNews(redis).publish([ada.id], bob.id, Announcement("message", game.id, "1"))
    assert len(read(ada, begin)["events"]) == 1


def test_nobody_else_hears_of_it(ada: Person, bob: Person, eve: Person, game: Started) -> None:
    begin = read(eve)["next"]
    ada.post(f"{game.path}/messages", {"text": "Between us"})
    ada.post("/challenges", {"player": bob.id})
    assert read(eve, begin)["events"] == []

"""Messages between the two players of a game: /v1/games/{id}/messages."""

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client, news_channel
from service.core.times import DAY, HOUR
from service.games.conversation_store import LONGEST, MOST_MESSAGES, OPEN_AFTER_END
from service.games.conversations import PAUSE, SETTLE
from service.games.projections.feed_log import MOST_WAKES
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.people import Person, Started, code
from tests.support.settings import settings
from tests.support.waiting import PATIENCE


def say(person: Person, game: Started, text: str, **options: Any) -> Any:
    return person.post(f"{game.path}/messages", {"text": text}, **options)


def heard(person: Person, game: Started, query: str = "") -> Any:
    return person.get(f"{game.path}/messages{query}").json


def message_notices(container: Container, recipient: Person) -> list[tuple[str, float]]:
    return [
        (notice.id, notice.due)
        for notice in container.log.outbox.pending()
        if notice.id.endswith(f".{recipient.id}.mail.message")
    ]


class TestWriting:
    def test_both_read_it_and_nobody_else(
        self, ada: Person, bob: Person, eve: Person, client: FlaskClient, game: Started
    ) -> None:
        written = say(ada, game, "Well played!")
        assert written.status_code == 201
        assert written.json | {"created_at": ""} == {
            "number": 1,
            "by": "north",
            "created_at": "",
            "via": "api",
            "text": "Well played!",
        }
        for reader, unread in ((ada, 0), (bob, 1)):
            assert heard(reader, game) == {
                "messages": [written.json],
                "next": None,
                "unread": unread,
                "wanted": True,
                "refusal": None,
            }
        assert code(eve.get(f"{game.path}/messages")) == "not-a-player"
        assert client.get(f"/v1{game.path}/messages").status_code == 401
        for path in ("", "/events", "/record"):
            assert "Well played" not in client.get(f"/v1{game.path}{path}").text

    def test_the_log_and_its_version_stay(self, ada: Person, game: Started) -> None:
        before = game.view()
        say(ada, game, "Hi")
        assert game.view() == before

    def test_under_the_same_key_it_is_one(self, ada: Person, bob: Person, game: Started) -> None:
        key = {"Idempotency-Key": "once"}
        first, again = (say(ada, game, "Hi", headers=key) for _ in range(2))
        bob.patch(f"{game.path}/settings", {"messages_wanted": False})
        assert first.json == again.json == say(ada, game, "Hi", headers=key).json
        assert code(say(ada, game, "Ho", headers=key)) == "idempotency-key-reused"
        bob.patch(f"{game.path}/settings", {"messages_wanted": True})
        assert say(bob, game, "Hi", headers=key).json["number"] == 2  # another caller's key

    def test_the_latest_are_kept(self, ada: Person, bob: Person, game: Started, redis: Any) -> None:
        for number in range(MOST_MESSAGES + 3):
            say(
                (ada, bob)[number % 2],
                game,
                f"message {number + 1}",
                headers={"Idempotency-Key": str(number)},
            )
        kept: list[str] = []
        query = "?limit=70"
        while query:
            page = heard(ada, game, query)
            kept += [message["text"] for message in page["messages"]]
            query = f"?limit=70&cursor={page['next']}" if page["next"] else ""
        assert kept == [f"message {n}" for n in range(MOST_MESSAGES + 3, 3, -1)]
        (stored,) = redis.scan_iter("st:{*}:g:*:messages")
        assert redis.hlen(stored) <= 2 * MOST_MESSAGES + 9

    def test_paging_ends_at_the_first(self, ada: Person, game: Started) -> None:
        for text in "abc":
            say(ada, game, text)
        first = heard(ada, game, "?limit=2")
        assert [message["text"] for message in first["messages"]] == ["c", "b"]
        answer = ada.get(f"{game.path}/messages?limit=2&cursor={first['next']}")
        assert [message["text"] for message in answer.json["messages"]] == ["a"]
        assert answer.json["next"] is None
        assert "Link" not in answer.headers

    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            ("  Hi \r\n there\t! \n", "Hi\n there !"),
            ("a\n\n\n\n\nb", "a\n\nb"),
            ("\x1b[31mred\x07\u202eder\u2066", "[31mredder"),
            ("e\u0301", "é"),
            ("<b>R7@3</b> {{7*7}} =?utf-8?q?x?=", "<b>R7@3</b> {{7*7}} =?utf-8?q?x?="),
            ("👩\u200d👩\u200d👧 ok", "👩\u200d👩\u200d👧 ok"),
        ],
    )
    def test_it_is_kept_without_what_does_not_show(
        self, ada: Person, game: Started, given: str, kept: str
    ) -> None:
        assert say(ada, game, given).json["text"] == kept

    @pytest.mark.parametrize("text", [" \n\t", "\u202e\u200b", "\n" * 30])
    def test_one_that_says_nothing_is_refused(self, ada: Person, game: Started, text: str) -> None:
        assert code(say(ada, game, text)) == "bad-message"

    def test_one_that_is_too_long_is_refused(self, ada: Person, game: Started) -> None:
        assert say(ada, game, "x" * LONGEST).status_code == 201
        assert code(say(ada, game, "x" * (LONGEST + 1))) == "validation-failed"
        assert code(say(ada, game, "x\n" * 41)) == "bad-message"

    def test_there_are_limits_for_a_game_and_a_player(self, redis: Client, clock: Clock) -> None:
        client = create_app(settings(rate_limits=True), redis, clock).test_client()
        ada, bob = (Person(client, name) for name in ("Ada", "Bob"))
        game = Started(ada, bob)
        answers = [say(ada, game, f"message {n}") for n in range(31)]
        assert [answer.status_code for answer in answers] == [201] * 30 + [429]
        assert code(answers[-1]) == "too-many-messages"
        assert answers[-1].json["used_up"] is True
        assert int(answers[-1].headers["Retry-After"]) <= HOUR
        assert say(bob, game, "You talk a lot.").status_code == 201


class TestWhoCanWrite:
    def test_not_before_somebody_has_taken_the_seat(self, ada: Person) -> None:
        made = ada.post("/games", {}).json["id"]
        assert code(ada.post(f"/games/{made}/messages", {"text": "Hello?"})) == "no-reader"
        assert ada.get(f"/games/{made}/messages").json["refusal"] == {
            "code": "no-reader",
            "detail": "The other seat is still free.",
        }

    def test_not_to_a_bot(self, ada: Person) -> None:
        made = ada.post("/games", {"opponent": {"bot": "steward"}}).json["id"]
        refused = ada.post(f"/games/{made}/messages", {"text": "Hello?"})
        assert code(refused) == "no-reader"
        assert "Bots do not talk" in refused.json["detail"]

    def test_not_to_a_deleted_account_whose_words_are_gone(
        self, ada: Person, bob: Person, game: Started, container: Container
    ) -> None:
        say(ada, game, "Hi")
        say(bob, game, "I am off.")
        assert heard(ada, game)["unread"] == 1
        told = container.games.conversations.news.count(ada.id)
        bob.delete("/me")
        assert [message["text"] for message in heard(ada, game)["messages"]] == ["Hi"]
        assert heard(ada, game)["unread"] == 0
        assert container.games.conversations.news.count(ada.id) > told
        assert code(say(ada, game, "Bob?")) == "no-reader"

    def test_for_a_month_after_the_end(self, ada: Person, bob: Person, game: Started) -> None:
        ada.post(f"{game.path}/resignation")
        ada.clock.time += OPEN_AFTER_END - DAY
        assert say(bob, game, "Good game!").status_code == 201
        ada.clock.time += 2 * DAY
        assert code(say(ada, game, "Again?")) == "game-over"
        assert len(heard(ada, game)["messages"]) == 1

    def test_neither_while_one_wants_none_in_this_game(self, bob: Person, game: Started) -> None:
        chosen = game.ada.patch(f"{game.path}/settings", {"messages_wanted": False}).json
        assert chosen["messages_wanted"] is False
        told = [say(person, game, "Hi") for person in (game.ada, bob)]
        assert [code(answer) for answer in told] == ["messages-off"] * 2
        assert [answer.json["by"] for answer in told] == ["you", "opponent"]
        assert heard(game.ada, game)["wanted"] is False
        assert heard(bob, game)["wanted"] is True
        assert heard(bob, game)["refusal"]["detail"] == told[1].json["detail"]
        game.ada.patch(f"{game.path}/settings", {"messages_wanted": True})
        assert say(bob, game, "Hi").status_code == 201

    def test_neither_while_one_wants_none_in_any_game(self, bob: Person, game: Started) -> None:
        bob.patch("/me/settings", {"messages_wanted": False})
        told = [say(person, game, "Hi") for person in (game.ada, bob)]
        assert [answer.json["by"] for answer in told] == ["opponent", "you"]
        bob.patch("/me/settings", {"messages_wanted": True})
        assert say(game.ada, game, "Hi").status_code == 201

    def test_not_who_is_muted(self, ada: Person, bob: Person, game: Started) -> None:
        moderation = ada.container.games.conversations.moderation
        moderation.mute(ada.id)
        assert code(say(ada, game, "Hi")) == "muted"
        assert say(bob, game, "Hi").status_code == 201
        moderation.unmute(ada.id)
        assert say(ada, game, "Hi").status_code == 201


class TestReading:
    def test_it_is_unread_until_it_is_marked(self, ada: Person, bob: Person, game: Started) -> None:
        for text in "abc":
            say(ada, game, text)
        assert heard(bob, game)["unread"] == 3
        for number, left in ((2, 1), (1, 1), (99, 0)):
            assert bob.put(f"{game.path}/messages/read", {"number": number}).status_code == 204
            assert heard(bob, game)["unread"] == left
        say(ada, game, "d")
        say(bob, game, "e")
        assert (heard(bob, game)["unread"], heard(ada, game)["unread"]) == (1, 1)


class TestNotices:
    def test_several_messages_are_one_notice(self, ada: Person, bob: Person, game: Started) -> None:
        say(ada, game, "a")
        ada.clock.time += 60
        say(ada, game, "b")
        (first,) = message_notices(ada.container, bob)
        assert first == (f"{game.id}.1.{bob.id}.mail.message", ada.clock() - 60 + SETTLE)
        assert message_notices(ada.container, ada) == []

    def test_the_next_comes_an_hour_later(self, ada: Person, bob: Person, game: Started) -> None:
        say(ada, game, "a")
        ((first, due),) = message_notices(ada.container, bob)
        ada.container.log.outbox.finish(first)
        say(ada, game, "b")
        assert message_notices(ada.container, bob) == [
            (f"{game.id}.2.{bob.id}.mail.message", due + PAUSE)
        ]

    def test_a_message_beside_a_notice_on_its_way_gets_its_own(
        self, ada: Person, bob: Person, game: Started, container: Container, clock: Clock
    ) -> None:
        say(ada, game, "a")
        clock.time += SETTLE
        assert f"{game.id}.1.{bob.id}.mail.message" in container.log.outbox.claim(100, 60)
        say(ada, game, "b")
        assert len(message_notices(container, bob)) == 2


class TestReports:
    def test_the_operator_sees_it_once(self, ada: Person, bob: Person, game: Started) -> None:
        say(ada, game, "You cheat!")
        wanted = {"number": 1, "reason": "an\x1b[31minsult"}
        for _ in range(2):
            assert bob.post(f"{game.path}/messages/reports", wanted).status_code == 204
        (report,) = ada.container.games.conversations.moderation.reports()
        assert (report.game, report.number, report.by) == (game.id, 1, bob.id)
        assert (report.about, report.text, report.reason) == (ada.id, "You cheat!", "an[31minsult")
        ada.delete("/me")
        assert ada.container.games.conversations.moderation.reports() == [report]
        ada.container.games.conversations.moderation.dismiss(report.id)
        assert ada.container.games.conversations.moderation.reports() == []

    def test_only_what_the_other_wrote_can_be_reported(self, ada: Person, game: Started) -> None:
        say(ada, game, "Hi")
        for number in (1, 2):
            refused = ada.post(f"{game.path}/messages/reports", {"number": number})
            assert code(refused) == "message-not-found"


def test_an_export_holds_messages_and_notes(ada: Person, bob: Person, game: Started) -> None:
    say(bob, game, "Hi")
    ada.patch(f"{game.path}/settings", {"note": "blue"})
    bob.patch(f"{game.path}/settings", {"note": "green"})
    exported = ada.get("/me/export").json
    assert exported["messages_wanted"] is True
    (exported_game,) = exported["games"]
    assert exported_game["note"] == "blue"
    assert [message["text"] for message in exported_game["messages"]] == ["Hi"]


class TestWakingPages:
    """What one player does wakes the other's open pages: each fetches then."""

    @pytest.fixture
    def heard_by_bob(self, redis: Client, bob: Person) -> Iterator[Callable[[], int]]:
        """How often Bob's pages have been woken since it was last asked."""
        with redis.pubsub() as channel:  # type: ignore[no-untyped-call]
            channel.subscribe(news_channel(bob.id))
            assert channel.get_message(timeout=PATIENCE)["type"] == "subscribe"

            def count() -> int:
                redis.publish(news_channel(bob.id), "the end")
                messages = iter(lambda: channel.get_message(timeout=PATIENCE), None)
                return sum(1 for _ in takewhile(lambda one: one["data"] != "the end", messages))

            yield count

    def test_a_choice_that_changes_nothing_wakes_nobody(
        self, ada: Person, game: Started, heard_by_bob: Callable[[], int]
    ) -> None:
        path = f"{game.path}/settings"
        for wanted, woken in ((True, 0), (False, 1), (False, 0), (True, 1), (True, 0)):
            assert ada.patch(path, {"messages_wanted": wanted}).status_code == 200
            assert heard_by_bob() == woken

    def test_one_player_wakes_the_others_pages_only_so_often(
        self, ada: Person, bob: Person, game: Started, heard_by_bob: Callable[[], int]
    ) -> None:
        path = f"{game.path}/settings"
        for number in range(MOST_WAKES + 10):
            ada.patch(path, {"messages_wanted": bool(number % 2)})
        assert heard_by_bob() == MOST_WAKES
        bob.patch(path, {"messages_wanted": False})
        assert heard_by_bob() == 1

    def test_what_wakes_nobody_is_news_when_the_pages_look_next(
        self, ada: Person, bob: Person, game: Started, container: Container
    ) -> None:
        seen = set()
        for number in range(MOST_WAKES + 10):
            ada.patch(f"{game.path}/settings", {"messages_wanted": bool(number % 2)})
            seen.add(container.games.conversations.news.count(bob.id))
        assert len(seen) == MOST_WAKES + 10

"""Messages and notes on a game's page, without JavaScript."""

import re

from flask import Flask

from service.container import EXTENSION, Container
from service.core.redis.client import Client
from service.games import NewGame
from service.games.conversations import Conversations
from service.server.app import create_app
from tests.support.application import Server
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.web.news_stream import listen
from tests.web.people import dump, hidden
from tests.web.shown import Shown, begin, signed_in

HOSTILE = "<script>alert(1)</script> {{7*7}} \u202eevil\x1b[2J\n\n\n\nline"


def talk(container: Container) -> Conversations:
    return container.games.conversations


def said(container: Container, game: Shown) -> list[str]:
    return [message.text for message in talk(container).all_of(game.id)]


class TestWriting:
    def test_one_writes_and_the_other_reads(self, server: Server, game: Shown) -> None:
        ann, bob = (signed_in(server.app, player) for player in (game.ann, game.bob))
        path = f"/games/{game.id}"
        form = {**hidden(ann.get(path).text), "text": "Well played!"}
        answers = [ann.post(f"{path}/messages", data=form) for _ in range(2)]
        assert [answer.location for answer in answers] == [f"{path}#talk"] * 2
        assert said(server.container, game) == ["Well played!"]
        page = bob.get(path).text
        assert "Well played!" in page
        assert "1 new" in page
        assert "Mark as read" in page
        assert "Mark as read" not in ann.get(path).text

    def test_the_unsent_turn_stays(self, app: Flask, container: Container, game: Shown) -> None:
        ann = signed_in(app, game.ann)
        stored = container.games.load(game.id)
        move = container.games.view(stored, game.ann).legal[0]
        page = ann.get(f"/games/{game.id}?turn={move}&version={stored.version}").text
        form = page[page.index('id="talk-form"') :]
        form = form[: form.index("</form>")]
        fields = re.findall('name="(turn|version)" value="([^"]+)"', form)
        assert fields == [("turn", move), ("version", str(stored.version))]
        data = {**hidden(page), **dict(fields), "text": "Hi"}
        answer = ann.post(f"/games/{game.id}/messages", data=data)
        assert answer.location.endswith(
            f"?turn={move.replace('@', '%40')}&version={stored.version}#talk"
        ) or answer.location.endswith(f"?turn={move}&version={stored.version}#talk")
        assert container.games.load(game.id).version == stored.version

    def test_hostile_text_is_text(self, app: Flask, container: Container, game: Shown) -> None:
        talk(container).write(game.id, game.ann, HOSTILE, "web")
        page = signed_in(app, game.bob).get(f"/games/{game.id}").text
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt; {{7*7}} evil[2J\n\nline" in page

    def test_nobody_else_sees_it(self, app: Flask, container: Container, game: Shown) -> None:
        talk(container).write(game.id, game.ann, "a secret", "web")
        container.games.private_notes.write(game.ann, game.id, "a thought")
        eve = container.registrations.register("Eve").player.id
        for client in (app.test_client(), signed_in(app, eve)):
            for path in (f"/games/{game.id}", f"/games/{game.id}?at=3", f"/games/{game.id}/record"):
                answer = client.get(path)
                assert answer.status_code == 200
                assert "a secret" not in answer.text
                assert "talk" not in answer.text
        assert signed_in(app, eve).get(f"/games/{game.id}/messages").status_code == 403
        assert "a thought" not in signed_in(app, game.bob).get(f"/games/{game.id}").text
        assert "a thought" in signed_in(app, game.ann).get(f"/games/{game.id}").text

    def test_looking_marks_nothing_as_read(
        self, app: Flask, container: Container, game: Shown, redis: Client
    ) -> None:
        talk(container).write(game.id, game.ann, "Hi", "web")
        bob = signed_in(app, game.bob)
        before = dump(redis)
        for path in ("", "/messages", "/messages/1/report"):
            assert bob.get(f"/games/{game.id}{path}").status_code == 200
        assert dump(redis) == before

    def test_a_bot_is_not_talked_to(self, app: Flask, container: Container) -> None:
        ann = container.registrations.register("Ann").player.id
        made = container.games.create(ann, NewGame(bot="steward"))
        page = signed_in(app, ann).get(f"/games/{made.id}").text
        assert "talk-form" not in page
        assert "My note" in page

    def test_earlier_messages_are_pages_away(self, server: Server, game: Shown) -> None:
        for number in range(45):
            talk(server.container).write(game.id, game.ann, f"message {number}.", "web")
        bob = signed_in(server.app, game.bob)
        page, seen = bob.get(f"/games/{game.id}").text, ""
        assert "message 25." in page
        assert "message 24." not in page
        address = f"/games/{game.id}/messages"
        for _ in range(3):
            page = bob.get(address).text
            seen += page
            found = re.search(r'href="([^"]+before=[^"]+)"', page)
            address = found[1] if found else ""
        assert address == ""
        assert all(f"message {number}." in seen for number in range(45))


class TestSwitches:
    def test_read_off_and_on(self, app: Flask, container: Container, game: Shown) -> None:
        talk(container).write(game.id, game.ann, "Hi", "web")
        bob, path = signed_in(app, game.bob), f"/games/{game.id}"
        form = hidden(bob.get(path).text)
        bob.post(f"{path}/messages/read", data={**form, "number": "1"})
        assert "Mark as read" not in bob.get(path).text
        bob.post(f"{path}/messages/wanted", data={**form, "wanted": "no"})
        page = bob.get(path).text
        assert "You have turned messages off in this game." in page
        assert "Turn messages on in this game" in page
        ann = signed_in(app, game.ann)
        assert "The other player takes no messages." in ann.get(path).text
        refused = ann.post(f"{path}/messages", data={**hidden(ann.get(path).text), "text": "Ho"})
        assert refused.status_code == 409
        bob.post(f"{path}/messages/wanted", data={**form, "wanted": "yes"})
        assert "The other player takes no messages." not in ann.get(path).text

    def test_for_all_games_on_the_account_page(self, server: Server, game: Shown) -> None:
        bob = signed_in(server.app, game.bob)
        page = bob.get("/account").text
        assert "Turn messages off" in page
        bob.post("/account/messages", data={**hidden(page), "wanted": "no"})
        assert "You take no messages" in bob.get("/account").text
        assert "/account#messages" in bob.get(f"/games/{game.id}").text

    def test_a_report(self, app: Flask, container: Container, game: Shown) -> None:
        talk(container).write(game.id, game.ann, "You cheat!", "web")
        bob, path = signed_in(app, game.bob), f"/games/{game.id}/messages/1/report"
        page = bob.get(path).text
        assert "You cheat!" in page
        answer = bob.post(path, data={**hidden(page), "reason": "an insult"})
        assert answer.status_code == 200
        (report,) = talk(container).moderation.reports()
        assert (report.about, report.reason) == (game.ann, "an insult")
        assert signed_in(app, game.ann).get(path).status_code == 404

    def test_a_note(self, app: Flask, container: Container, game: Shown) -> None:
        ann, path = signed_in(app, game.ann), f"/games/{game.id}"
        form = hidden(ann.get(path).text)
        answer = ann.post(f"{path}/note", data={**form, "note": "He keeps\r\n<b>nine</b>"})
        assert answer.location == f"{path}#note"
        assert "He keeps\n&lt;b&gt;nine&lt;/b&gt;</textarea>" in ann.get(path).text


class TestMarks:
    def test_the_list_of_games_tells_what_is_new(self, server: Server, game: Shown) -> None:
        for text in "ab":
            talk(server.container).write(game.id, game.ann, text, "web")
        assert "2 new messages" in signed_in(server.app, game.bob).get("/").text
        assert "new message" not in signed_in(server.app, game.ann).get("/").text
        server.container.games.resign(game.id, game.ann)
        assert "2 new messages" in signed_in(server.app, game.bob).get("/games/list").text
        talk(server.container).mark_read(game.id, game.bob, 2)
        assert "new message" not in signed_in(server.app, game.bob).get("/").text

    def test_open_pages_are_told_to_look(self, server: Server, game: Shown) -> None:
        bob = signed_in(server.app, game.bob)
        opened = listen(bob, "/news")
        talk(server.container).write(game.id, game.ann, "a secret", "web")
        again = listen(bob, "/news", opened.last_id)
        assert "event: said" in again.text
        assert "a secret" not in again.text
        assert 'data: {"said":1}' in again.text
        assert again.waits is not None
        assert again.waits.last_id == again.last_id
        assert listen(bob, "/news", again.last_id).text.count("event:") == 0

    def test_a_place_that_was_never_told_is_refused(self, app: Flask, game: Shown) -> None:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": "aaaaaaaa.7~x"}
        assert signed_in(app, game.bob).get("/news", headers=headers).status_code >= 400


def test_too_many_are_refused_on_a_page_that_says_when(redis: Client) -> None:
    app = create_app(settings(rate_limits=True), redis, Clock())
    container: Container = app.extensions[EXTENSION]
    game = begin(container)
    ann, path = signed_in(app, game.ann), f"/games/{game.id}"
    form = hidden(ann.get(path).text)
    statuses = [
        ann.post(f"{path}/messages", data={**form, "text": f"no {n}"}).status_code
        for n in range(31)
    ]
    assert statuses == [303] * 30 + [429]

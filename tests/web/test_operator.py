"""The operator's page: who sees it, what it shows, and what its buttons do."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.accounts.email_addresses import AddressVerification
from service.container import Container
from service.core.times import MINUTE
from service.eventlog import Notice, notice_id
from service.mail_in.site import MailInSite
from service.ops import operating
from tests.support.application import Server
from tests.support.clock import Clock
from tests.web.people import hidden
from tests.web.shown import Shown, signed_in

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def operator(app: Flask, container: Container) -> FlaskClient:
    """A browser with a session of the operator's."""
    client = app.test_client()
    path = f"/operator/open/{container.operator_access.make_link()}"
    assert client.post(path, data=hidden(client.get(path).text)).location == "/operator"
    return client


def press(client: FlaskClient, path: str, **fields: str) -> str:
    """Press a button on the operator's page; the page then."""
    page = client.get("/operator").text
    assert f'action="{path}"' in page
    assert client.post(path, data={**hidden(page), **fields}).status_code == 303
    return client.get("/operator").text


class TestAccess:
    def test_only_the_link_opens_it_and_only_once(self, server: Server, game: Shown) -> None:
        path = f"/operator/open/{server.container.operator_access.make_link()}"
        first, second = server.app.test_client(), signed_in(server.app, game.ann)
        for client in (first, second):
            assert client.get("/operator").status_code == 401
            assert client.get(path).status_code == 200  # looking uses nothing up
        cookie = first.post(path, data=hidden(first.get(path).text)).headers["Set-Cookie"]
        assert re.match("scottenbury_operator=[A-Za-z0-9_-]{43};", cookie)
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert "Max-Age=28800" in cookie
        form = hidden(second.get("/account").text)
        assert second.post(path, data=form).status_code == 410
        assert second.get(path).status_code == 410
        assert first.get("/operator").status_code == 200
        assert second.get("/operator").status_code == 401

    def test_the_page_is_kept_nowhere_and_closes(self, operator: FlaskClient) -> None:
        answer = operator.get("/operator")
        assert answer.headers["Cache-Control"] == "no-store"
        operator.post("/operator/leave", data=hidden(answer.text))
        assert operator.get("/operator").status_code == 401

    def test_its_session_is_no_player(self, operator: FlaskClient) -> None:
        assert operator.get("/account").status_code == 303

    @pytest.mark.parametrize("path", ["dead-letters", "addresses", "messages"])
    def test_without_a_session_nothing_is_done(self, server: Server, path: str) -> None:
        server.container.dead_letters.add(notice_id("a" * 20, 1, "p" * 16, "mail", "turn"), "no")
        client = server.app.test_client()
        form = hidden(client.get("/sign-in").text)
        answer = client.post(f"/operator/{path}", data={**form, "do": "discard"})
        assert answer.status_code == 401
        assert len(server.container.dead_letters.all()) == 1


class TestWhatItShows:
    def test_nothing_is_wrong(self, operator: FlaskClient) -> None:
        page = operator.get("/operator").text
        assert "None: all that fell due" in page
        assert "No worker has shown signs of life" in page
        assert re.search(r"<li>[0-9.]+ MiB in memory, [0-9.]+ MiB on disk, [0-9]+ key", page)

    def test_late_notices_by_kind_and_workers(
        self, operator: FlaskClient, container: Container
    ) -> None:
        now = container.now()
        for number, (channel, age) in enumerate((("mail", 400), ("mail", 4000), ("hook-x", 10))):
            notice = notice_id("a" * 20, number + 1, "p" * 16, channel, "turn")
            container.log.outbox.add(Notice(notice, now - age))
        container.heartbeat.record("host:1")
        page = operator.get("/operator").text
        assert "<b>mail turn</b>: 2, the oldest due since" in page
        assert "1 hour ago" in page
        assert "hook" not in page
        assert "<code>host:1</code>: sign of life 0 s ago" in page

    def test_dead_letters_are_tried_again_or_discarded(
        self, operator: FlaskClient, container: Container
    ) -> None:
        one, other, third = (notice_id("a" * 20, n, "p" * 16, "mail", "turn") for n in (1, 2, 3))
        for notice in (one, other, third):
            container.dead_letters.add(notice, f"550 {HOSTILE}")
        page = press(operator, "/operator/dead-letters", do="retry", notice=one)
        assert HOSTILE not in page
        assert [notice.id for notice in container.log.outbox.pending()] == [one]
        press(operator, "/operator/dead-letters", do="discard", notice=other)
        assert [dead.notice for dead in container.dead_letters.all()] == [third]
        for nonsense in ({"do": "nonsense"}, {"do": "discard"}, {"do": "retry", "notice": "x"}):
            press(operator, "/operator/dead-letters", **nonsense)
        assert [dead.notice for dead in container.dead_letters.all()] == [third]
        press(operator, "/operator/dead-letters", do="retry-all")
        assert container.dead_letters.all() == []
        assert {notice.id for notice in container.log.outbox.pending()} == {one, third}

    def test_failing_addresses_are_cleared(
        self, operator: FlaskClient, container: Container
    ) -> None:
        failing = container.addresses.failing
        failing.mark("ann@example.org", "550 5.1.1 no such user")
        (digest,) = failing.by_digest()
        page = operator.get("/operator").text
        assert "550 5.1.1 no such user" in page
        assert "ann@example.org" not in page
        press(operator, "/operator/addresses", address="0" * 64)
        assert failing.find("ann@example.org") is not None
        press(operator, "/operator/addresses", address=digest)
        assert failing.find("ann@example.org") is None
        # What was sent before that may still come back, and does not count.
        assert not failing.mark_returned("ann@example.org", "550", container.now() - MINUTE)

    def test_reports_lead_to_muting(
        self, operator: FlaskClient, container: Container, game: Shown
    ) -> None:
        talk = container.games.conversations
        for text in (f"You cheat! {HOSTILE}", "You do!"):
            talk.write(game.id, game.ann, text, "web")
        for number in (1, 2):
            talk.report(game.id, game.bob, number, HOSTILE)
        page = operator.get("/operator").text
        assert HOSTILE not in page
        assert "You cheat! &lt;script&gt;" in page
        assert "Mute Ann" in page
        press(operator, "/operator/messages", do="dismiss", report=f"{game.id}.1")
        assert [report.number for report in talk.moderation.reports()] == [2]
        page = press(operator, "/operator/messages", do="mute", report=f"{game.id}.2")
        assert talk.moderation.reports() == []
        assert list(talk.moderation.muted()) == [game.ann]
        assert "Let write again" in page
        press(operator, "/operator/messages", do="unmute", player=game.ann)
        assert talk.moderation.muted() == {}


class TestPlayers:
    def path(self, player: str) -> str:
        return f"/operator/players/{player}"

    def act(
        self, operator: FlaskClient, player: str, do: str, why: str = "asked to", **more: str
    ) -> str:
        form = {**hidden(operator.get(self.path(player)).text), "do": do, "reason": why, **more}
        return operator.post(self.path(player), data=form, follow_redirects=True).text

    def test_the_newest_are_listed_and_any_is_found_by_name(
        self, operator: FlaskClient, container: Container, clock: Clock
    ) -> None:
        container.registrations.register("Old Ann")
        clock.time += 60
        container.registrations.register("New Bob", "bob@example.org")
        page = operator.get("/operator/players").text
        assert page.index("New Bob") < page.index("Old Ann")
        assert "bob@example.org" not in page
        found = operator.get("/operator/players?name=old+ann").text
        assert "Old Ann" in found
        assert "New Bob" not in found

    def test_an_act_needs_a_reason_and_is_logged_with_it(
        self, operator: FlaskClient, container: Container, game: Shown
    ) -> None:
        assert "Say why" in self.act(operator, game.ann, "rename", "", name="Anne")
        assert operating.entries(container) == []
        assert "Anne" in self.act(operator, game.ann, "rename", "a slur", name="Anne")
        (entry,) = operating.entries(container)
        assert (entry.by, entry.act, entry.player) == ("operator", "rename", game.ann)
        assert entry.reason == "a slur"
        assert "a slur" in operator.get("/operator/log").text

    def test_sessions_are_ended(self, operator: FlaskClient, server: Server, game: Shown) -> None:
        browser = signed_in(server.app, game.ann)
        self.act(operator, game.ann, "end-sessions")
        assert browser.get("/account").status_code == 303
        assert signed_in(server.app, game.ann).get("/account").status_code == 200

    def test_nobody_signs_in_to_a_suspended_account_until_it_is_readmitted(
        self, operator: FlaskClient, container: Container, app: Flask
    ) -> None:
        ann = container.registrations.register("Ann", "ann@example.org").player.id
        container.players.verify(AddressVerification(ann, "ann@example.org", 0))
        browser = signed_in(app, ann)
        container.sign_in.request_link("ann@example.org")
        self.act(operator, ann, "suspend")
        assert browser.get("/account").status_code == 303
        player = container.players.find(ann)
        assert player is not None
        assert not container.sign_in.reaches_by_mail(player)
        assert not MailInSite(container.mail_addresses).senders.is_of(player, "ann@example.org")
        self.act(operator, ann, "readmit")
        player = container.players.find(ann)
        assert player is not None
        assert container.sign_in.reaches_by_mail(player)
        assert [entry.act for entry in operating.entries(container)] == ["readmit", "suspend"]

    def test_a_link_to_sign_in_goes_to_a_confirmed_address_alone(
        self, operator: FlaskClient, container: Container
    ) -> None:
        ann = container.registrations.register("Ann", "ann@example.org").player.id
        nobody = container.registrations.register("Bob").player.id
        self.act(operator, ann, "recover")
        assert [n.id for n in container.log.outbox.pending() if n.id.endswith(".sign-in")]
        assert "has no confirmed address" in self.act(operator, nobody, "recover")

    def test_a_closed_account_is_gone_and_its_entry_stays(
        self, operator: FlaskClient, container: Container, game: Shown
    ) -> None:
        page = self.act(operator, game.ann, "close", "spam")
        assert container.players.find(game.ann) is None
        assert "spam" in page
        assert game.ann in page

    def test_no_page_shows_a_hand(self, operator: FlaskClient, game: Shown) -> None:
        pages = [self.path(game.ann), "/operator/players", "/operator/log", "/operator"]
        for page in pages:
            assert not re.search(r">[A-Z]\d<", operator.get(page).text)


class TestGames:
    def post(self, operator: FlaskClient, game: Shown, **fields: str) -> TestResponse:
        path = f"/operator/games/{game.id}"
        form = {"reason": "a ruling", "typed": game.id, **fields}
        return operator.post(path, data={**hidden(operator.get(path).text), **form})

    def test_a_game_is_found_by_its_address_and_shows_no_hand(
        self, operator: FlaskClient, game: Shown
    ) -> None:
        address = f"https://example.org/games/{game.id}?at=3"
        found = operator.get("/operator/games", query_string={"game": address})
        assert found.location == f"/operator/games/{game.id}"
        page = operator.get(found.location).text
        assert "Ann" in page
        assert "going on" in page
        assert not re.search(r">[A-Z]\d<", page)
        for nothing in ("x", "a" * 20):
            answer = operator.get(
                "/operator/games", query_string={"game": nothing}, follow_redirects=True
            )
            assert answer.status_code == 404

    def test_it_goes_once_its_id_was_typed_and_a_reason_given(
        self, app: Flask, operator: FlaskClient, container: Container, game: Shown
    ) -> None:
        for missing in ({"typed": "x"}, {"reason": " "}):
            assert self.post(operator, game, **missing).status_code == 422
            assert container.log.events.exists(game.id)
        assert self.post(operator, game, words=f"A court asks {HOSTILE}").status_code == 303
        assert "a ruling" in operator.get("/operator/log").text
        assert "It was removed" in operator.get(f"/operator/games/{game.id}").text
        browser = signed_in(app, game.ann)
        page = browser.get(f"/games/{game.id}", headers={"Accept": "text/html"})
        assert page.status_code == 410
        assert "The operator has removed this game" in page.text
        assert "A court asks &lt;script" in page.text
        answer = app.test_client().get(f"/v1/games/{game.id}")
        assert (answer.status_code, answer.json["code"]) == (410, "game-removed")

    def test_only_an_operator_removes_a_game(self, app: Flask, game: Shown) -> None:
        browser = signed_in(app, game.ann)
        form = {**hidden(browser.get("/account").text), "typed": game.id, "reason": "spite"}
        assert browser.post(f"/operator/games/{game.id}", data=form).status_code == 401
        assert browser.get(f"/operator/games/{game.id}").status_code == 401
        assert browser.get("/operator/games").status_code == 401

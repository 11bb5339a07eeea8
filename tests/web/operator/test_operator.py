"""The operator's page: who sees it, what it shows, and what its buttons do."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.core.durations import MINUTE
from service.eventlog import Notice, notice_id
from tests.web.people import hidden
from tests.web.shown import Shown, signed_in

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def operator(app: Flask, container: Container) -> FlaskClient:
    """A browser with a session of the operator's."""
    client = app.test_client()
    path = f"/operator/open/{container.operator_access.make_link()}"
    answer = client.post(path, data=hidden(client.get(path).text))
    assert answer.location == "/operator"
    return client


def press(client: FlaskClient, path: str, **fields: str) -> str:
    """Press a button on the operator's page; the page then."""
    page = client.get("/operator").text
    assert f'action="{path}"' in page
    assert client.post(path, data={**hidden(page), **fields}).status_code == 303
    return client.get("/operator").text


class TestAccess:
    def test_only_the_link_opens_it_and_only_once(
        self, app: Flask, container: Container, game: Shown
    ) -> None:
        path = f"/operator/open/{container.operator_access.make_link()}"
        first, second = app.test_client(), signed_in(app, game.ann)
        for client in (first, second):
            assert client.get("/operator").status_code == 401
            assert client.get(path).status_code == 200  # looking uses nothing up
        opened = first.post(path, data=hidden(first.get(path).text))
        cookie = opened.headers["Set-Cookie"]
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
    def test_without_a_session_nothing_is_done(
        self, app: Flask, container: Container, path: str
    ) -> None:
        container.dead_letters.add(notice_id("a" * 20, 1, "p" * 16, "mail", "turn"), "no")
        client = app.test_client()
        form = hidden(client.get("/sign-in").text)
        answer = client.post(f"/operator/{path}", data={**form, "do": "discard"})
        assert answer.status_code == 401
        assert len(container.dead_letters.all()) == 1


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

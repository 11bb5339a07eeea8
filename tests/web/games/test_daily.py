"""The deal of the day, from its pages."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.core.redis.client import Client
from service.core.times import DAY
from service.games import NewGame
from service.games.terms import DealDay
from service.server.app import create_app
from tests.support.application import Server
from tests.support.clock import Clock
from tests.support.deals import draw, play_out
from tests.support.settings import settings
from tests.web.people import visitor
from tests.web.pressing import Visitor

TODAY = DealDay("2026-11-21")


@pytest.fixture
def ann(app: Flask, container: Container) -> Visitor:
    draw(container, "5e" * 32)
    return visitor(app, container.registrations.register("Ann").player.id)


def game_of(visitor: Visitor) -> str:
    """The id of the game whose page the visitor is on."""
    return visitor.path.rpartition("/")[2]


def begin(visitor: Visitor) -> str:
    """The visitor's game of today, which begins."""
    visitor.go("/daily")
    visitor.press("Play the deal")
    return game_of(visitor)


def finish(container: Container, visitor: Visitor) -> str:
    """The visitor's game of today, played to its end."""
    game = begin(visitor)
    play_out(container, game)
    return game


def test_only_a_newcomer_is_told_how_strong_the_bot_is(
    app: Flask, container: Container, client: FlaskClient
) -> None:
    player = container.registrations.register("Bo").player.id
    bo = visitor(app, player)
    words = "The Steward seldom loses."
    assert words in client.get("/daily").text
    bo.go("/daily")
    assert words in bo.answer.text
    for _ in range(3):
        container.games.create(player, NewGame(bot="shepherd"))
    bo.go("/daily")
    assert words not in bo.answer.text


class TestInTheList:
    def test_a_begun_try_is_among_the_players_games_until_it_or_its_day_is_over(
        self, container: Container, ann: Visitor, clock: Clock
    ) -> None:
        def is_listed() -> bool:
            ann.go("/")
            return f'href="/games/{game}"' in ann.answer.text

        game = begin(ann)
        assert is_listed()
        assert "Your one try today" in ann.answer.text
        clock.time += DAY
        assert not is_listed()

    def test_it_is_counted_nowhere_because_nobody_waits_for_it(self, ann: Visitor) -> None:
        game = begin(ann)
        for path in ("/", f"/games/{game}"):
            ann.go(path)
            assert "<title>(1)" not in ann.answer.text

    def test_a_finished_try_is_left_to_the_page_of_its_day(
        self, container: Container, ann: Visitor
    ) -> None:
        game = finish(container, ann)
        ann.go("/")
        assert game not in ann.answer.text


class TestBefore:
    def test_the_front_page_leads_there_with_an_account_and_without(
        self, client: FlaskClient, ann: Visitor
    ) -> None:
        assert 'href="/daily"' in client.get("/").text
        ann.go("/")
        assert 'href="/daily"' in ann.answer.text

    def test_the_page_shows_the_commitments_and_since_when(
        self, container: Container, client: FlaskClient, clock: Clock
    ) -> None:
        daily = container.games.daily
        daily.draw_ahead()
        page = client.get("/daily").text
        assert "You against the Steward (hard)" in page
        assert "Everybody gets the same cards and one try today." in page
        assert "No rating, no clock, no mail." in page
        for day in (TODAY, TODAY.later(1)):
            deal = daily.deals(day)[0]
            assert deal is not None
            assert deal.commitment in page
        for text in container.redis.hvals("st:{daily}:secrets"):
            assert text.partition(" ")[0] not in page

        container.games.daily.draw_ahead()
        late = "sealed only on the day itself"
        assert late in client.get("/daily").text
        clock.time += DAY
        page = client.get("/daily").text
        assert "sealed the day before and opened once the day is over" in page
        assert late not in page

    def test_one_press_begins_it_for_a_visitor_without_an_account(self, server: Server) -> None:
        passer_by = Visitor(server.app.test_client())
        assert server.container.games.load(begin(passer_by)).daily == TODAY
        assert "Deal of the day: only you see it until Sun 00:00 UTC" in passer_by.page.text

    @pytest.mark.parametrize("day", ["2026-11-22", "2026-11-20", "2026-9-1", "today", "2026-13-40"])
    def test_no_other_day_has_a_page(
        self, container: Container, client: FlaskClient, day: str
    ) -> None:
        container.games.daily.draw_ahead()
        assert client.get(f"/daily/{day}").status_code == 404

    def test_where_no_guests_are_let_in_it_asks_to_sign_in(
        self, redis: Client, clock: Clock
    ) -> None:
        invited = create_app(settings(registration="invited"), redis, clock)
        page = invited.test_client().get("/daily").text
        assert "Sign in to play" in page
        assert "Play the deal" not in page


class TestDuring:
    def test_the_page_leads_back_to_the_game_and_tells_nothing_of_others(
        self, app: Flask, container: Container, ann: Visitor
    ) -> None:
        finish(container, visitor(app, container.registrations.register("Bob").player.id))
        game = begin(ann)
        ann.go("/daily")
        assert "Your game is on" in ann.page.text
        assert f'href="/games/{game}"' in ann.answer.text
        assert "results once your own game is over. Tomorrow everybody sees them." in ann.page.text
        assert "Bob" not in ann.page.text
        assert "Play the deal" not in ann.buttons

    def test_a_second_press_of_an_old_page_leads_to_the_same_game(
        self, container: Container, ann: Visitor
    ) -> None:
        ann.go("/daily")
        old_page = ann.fields_of("Play the deal")
        game = finish(container, ann)
        ann.post(*old_page)
        assert game_of(ann) == game

    def test_the_game_follows_itself_and_says_that_nobody_else_sees_it(
        self, app: Flask, client: FlaskClient, ann: Visitor
    ) -> None:
        game = begin(ann)
        assert "only you see it until Sun 00:00 UTC" in ann.page.text
        assert "Deal of the day: Your turn: Ann v Steward (bot)" in ann.page.text
        assert client.get(f"/games/{game}").status_code == 404

        assert f'data-stream="/games/{game}/news"' in ann.answer.text


class TestAfter:
    def test_the_result_a_text_to_share_and_the_table_are_there(
        self, container: Container, ann: Visitor
    ) -> None:
        game = finish(container, ann)
        stored = container.games.load(game)
        ann.go("/daily")
        row = f"{len(stored.game.stones_of('north'))} : {len(stored.game.stones_of('south'))}"
        assert row in ann.page.text
        assert "Ann (you)" in ann.page.text
        assert "Replay: Ann" not in ann.answer.text
        (shared,) = ann.page.all("textarea")
        first, result, signs, link = shared.text.splitlines()
        assert first == "Scottenbury, deal of the day, 21 November 2026"
        assert result.startswith(("Won ", "Lost "))
        turns = result.rpartition(", ")[2]
        assert f"in {turns}." in ann.page.text
        ann.go(f"/games/{game}?at={stored.version - 1}")
        number = int(turns.removesuffix(" turns"))
        assert any(f"After turn {each}" in ann.page.text for each in (number - 1, number))
        assert len(signs) == 9
        assert link.endswith("/daily/2026-11-21")

    def test_the_end_of_the_game_leads_to_the_table_and_to_nothing_that_opens_it(
        self, container: Container, ann: Visitor
    ) -> None:
        game = finish(container, ann)
        ann.go(f"/games/{game}")
        assert "sealed until Sun 00:00 UTC, hidden cards too" in ann.page.text
        assert "See how the others did" in ann.page.text
        assert "because it is a deal of the day" in ann.page.text
        for closed in ("Rematch", "Play this deal again", "How good were the moves?"):
            assert closed not in ann.buttons
        assert "Share the game as a link" not in ann.page.text
        assert "Picture to share" not in ann.page.text


class TestTheNextDay:
    def test_everybody_sees_the_table_with_replays_and_the_secret(
        self, container: Container, client: FlaskClient, ann: Visitor, clock: Clock
    ) -> None:
        game = finish(container, ann)
        clock.time += DAY
        page = client.get("/daily/2026-11-21").text
        assert "Replay: Ann" in page.partition(f'<a href="/games/{game}">')[2].partition("</a>")[0]
        assert "5e" * 32 in page
        assert client.get(f"/games/{game}").status_code == 200
        assert "The table of that day" in client.get(f"/games/{game}").text

    def test_guests_are_shown_apart(
        self, app: Flask, container: Container, client: FlaskClient, ann: Visitor, clock: Clock
    ) -> None:
        isla = container.registrations.register("Isla", "isla@example.org").player.id
        for player in (ann, visitor(app, isla)):
            finish(container, player)
        clock.time += DAY
        players, guests = client.get("/daily/2026-11-21").text.split('<h3 id="guests">Guests</h3>')
        assert "Replay: Isla" in players
        assert "Replay: Ann" not in players
        assert "Replay: Ann" in guests
        assert "A guest in another browser gets another try" in guests

    def test_today_leads_to_yesterday(self, server: Server, client: FlaskClient) -> None:
        server.container.games.daily.draw_ahead()
        server.clock.time += DAY
        assert 'href="/daily/2026-11-21"' in client.get("/daily").text

    def test_a_game_that_goes_on_does_not_count_and_says_so(
        self, container: Container, ann: Visitor, clock: Clock
    ) -> None:
        game = begin(ann)
        clock.time += DAY
        ann.go(f"/games/{game}")
        assert "its day ended first, so it does not count" in ann.page.text
        play_out(container, game)
        ann.go("/daily/2026-11-21")
        assert "It does not count" in ann.page.text
        assert "Not finished" in ann.page.text
        assert [*ann.page.all("textarea")] == []

    def test_a_deleted_account_is_a_former_player(
        self, container: Container, client: FlaskClient, ann: Visitor, clock: Clock
    ) -> None:
        stored = container.games.load(finish(container, ann))
        player = container.players.find(stored.game.players["north"] or "")
        assert player is not None
        container.accounts.close(player)
        clock.time += DAY
        page = client.get("/daily/2026-11-21").text
        assert "a former player" in page
        assert "Ann" not in page

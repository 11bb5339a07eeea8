"""The page of a player."""

import re

import pytest
from flask.testing import FlaskClient

from service.container import Container
from service.games import NewGame
from tests.web.games.game_form import PLAIN
from tests.web.people import Browser


class TestPlayers:
    def test_anybody_sees_the_public_facts_and_no_address(
        self, container: Container, client: FlaskClient, ann: Browser, bob: Browser
    ) -> None:
        game = container.games.create(ann.player, NewGame(opponent=bob.player))
        container.games.join(game.id, bob.player)
        page = client.get(f"/players/{ann.player}").text
        assert "1 game going on" in page
        assert "ann@example.org" not in page
        assert "Your games together" not in page

    def test_a_player_sees_the_games_together(self, ann: Browser, bob: Browser) -> None:
        game = ann.container.games.create(ann.player, NewGame(opponent=bob.player, private=True))
        ann.container.games.join(game.id, bob.player)
        ann.container.games.resign(game.id, bob.player)
        assert "You won: Bob resigned." in ann.get(f"/players/{bob.player}")
        assert "public game" not in bob.get(f"/players/{ann.player}")

    def test_games_together_are_told_apart_by_their_deadlines(
        self, ann: Browser, bob: Browser
    ) -> None:
        games = ann.container.games
        for clock in ({"days_per_move": 3}, {"days_per_move": 7}):
            wanted = NewGame(opponent=bob.player, clock=clock)
            games.join(games.create(ann.player, wanted).id, bob.player)
        page = ann.get(f"/players/{bob.player}")
        assert "3 days left" in page
        assert "7 days left" in page

    def test_visitors_see_the_games_that_anybody_may_find(
        self, container: Container, client: FlaskClient, ann: Browser, bob: Browser
    ) -> None:
        games = container.games
        by_link, private, found, running = (
            games.create(ann.player, NewGame(**wanted)).id
            for wanted in ({}, {"private": True}, {"listed": True}, {"listed": True})
        )
        for game in (by_link, private, found, running):
            games.join(game, bob.player, invite=games.invitations.token(game))
        for game in (by_link, private, found):
            games.resign(game, ann.player)
        page = client.get(f"/players/{ann.player}").text
        assert ">Bob won: Ann resigned.</span>" in page
        assert page.index("To watch now") < page.index("Finished games")
        assert re.findall(r'href="/games/([a-z2-7]{20})"', page) == [running, found]
        assert f'href="/games/{found}"' in ann.get(f"/players/{ann.player}")
        both = bob.get(f"/players/{ann.player}")
        assert both.count(f'href="/games/{found}"') == 1
        assert "Other finished games" not in both
        assert "To watch now" not in both

    def test_a_finished_game_and_the_account_lead_there_and_lists_to_games(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game = container.games.create(ann.player, NewGame(opponent=bob.player))
        container.games.join(game.id, bob.player)
        profile = f'href="/players/{bob.player}"'
        for_game = f'<a class="whole" href="/games/{game.id}'
        page = ann.get("/")
        assert "</svg>Bob" in page
        assert profile not in page
        assert for_game in page
        container.games.resign(game.id, bob.player)
        page = ann.get("/games/finished")
        assert "</svg>Bob" in page
        assert profile not in page
        assert for_game in page
        assert profile in ann.get(f"/games/{game.id}")
        assert f'href="/players/{ann.player}"' in ann.get("/account")

    def test_a_bot_of_the_server_shows_its_level_and_can_be_played(
        self, container: Container, client: FlaskClient, ann: Browser
    ) -> None:
        steward = container.games.create(ann.player, NewGame(bot="steward")).game.players["south"]
        page = client.get(f"/players/{steward}").text
        assert "A bot of this server: hard" in page
        assert 'href="/games/new?whom=steward">Play the Steward (hard)</a>' in page

    def test_a_bot_shows_whose_it_is(self, client: FlaskClient, ann: Browser) -> None:
        owner = ann.container.players.find(ann.player)
        assert owner is not None
        bot = ann.container.registrations.register("Deep", owner=owner.id).player
        page = client.get(f"/players/{bot.id}").text
        assert "<h1>Deep (bot)</h1>" in page
        assert f'A bot of <a href="/players/{owner.id}">{owner.name}</a>' in page
        assert f"Challenge {bot.name}" in ann.get(f"/players/{bot.id}")

    def test_a_player_is_blocked_and_unblocked_there(self, ann: Browser, bob: Browser) -> None:
        page = f"/players/{bob.player}"
        assert ">Block<" in ann.get(page)
        ann.press(page, f"{page}/block", blocked="yes")
        assert list(ann.container.contact_choices.blocked(ann.player)) == [bob.player]
        assert "You have blocked" in ann.get("/account")
        assert "You have blocked" not in bob.get("/account")
        ann.press(page, f"{page}/block", blocked="no")
        assert ">Block<" in ann.get(page)

    def test_challenges_can_be_turned_off(self, ann: Browser, bob: Browser) -> None:
        ann.press("/account", "/account/challenges", wanted="no")
        assert "You take no challenges" in ann.get("/account")
        refused = bob.press("/games/new", "/games/new", whom="player", player=ann.player, **PLAIN)
        assert "This player takes no challenges." in refused.text

    def test_nobody_is_not_found(self, client: FlaskClient) -> None:
        assert client.get(f"/players/{'a' * 16}").status_code == 404


@pytest.mark.parametrize(("language", "name"), [("en", "Guest"), ("fr", "Invité"), ("de", "Gast")])
def test_a_guest_without_a_name_has_one_in_the_readers_language(
    client: FlaskClient, container: Container, language: str, name: str
) -> None:
    guest = container.registrations.register_guest("Guest").player.id
    game = container.games.create(guest, NewGame(bot="shepherd")).id
    for path in (f"/games/{game}", f"/players/{guest}"):
        page = client.get(path, headers={"Accept-Language": language}).text
        assert f">{name}" in page
        assert name == "Guest" or "Guest" not in page

"""The page of a player."""

from flask.testing import FlaskClient

from service.container import Container
from service.games import NewGame
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

    def test_a_player_sees_the_games_together(
        self, container: Container, ann: Browser, bob: Browser
    ) -> None:
        game = container.games.create(ann.player, NewGame(opponent=bob.player, private=True))
        container.games.join(game.id, bob.player)
        container.games.resign(game.id, bob.player)
        assert "You won by resignation." in ann.get(f"/players/{bob.player}")
        assert "0 games finished" in bob.get(f"/players/{ann.player}").replace("\n", "")

    def test_nobody_is_not_found(self, client: FlaskClient) -> None:
        assert client.get(f"/players/{'a' * 16}").status_code == 404

"""A game that pages show."""

import re
from typing import NamedTuple

from flask import Flask
from flask.testing import FlaskClient

from service.container import EXTENSION, Container
from service.games import NewGame
from service.web import cookies

SECRET = "5e" * 32


class Shown(NamedTuple):
    """A game and its two players."""

    id: str
    ann: str
    bob: str


def begin(container: Container, ann: str = "Ann", **options: object) -> Shown:
    """A game of Ann (north, who plays first) against Bob."""
    players = [container.registrations.register(name).player.id for name in (ann, "Bob")]
    wanted = NewGame(first_player="creator", salt="a", opponent=players[1], **options)  # type: ignore[arg-type]
    made = container.games.create(players[0], wanted, secret=SECRET)
    container.games.join(made.id, players[1], salt="b")
    return Shown(made.id, *players)


def play_on(container: Container, game: Shown, turns: int = 10) -> None:
    """Play so many turns, each the first legal action."""
    for _ in range(turns):
        stored = container.games.load(game.id)
        mover, before = stored.player_to_move() or "", stored.turn_version
        while stored.turn_version == before and not stored.game.over:
            legal = container.games.view(stored, mover).legal
            actions = [next((text for text in legal if text.startswith("DRAW")), legal[0])]
            stored = container.games.play(game.id, mover, actions)


def signed_in(app: Flask, player: str) -> FlaskClient:
    """A browser in which this player is signed in."""
    container: Container = app.extensions[EXTENSION]
    client = app.test_client()
    with app.test_request_context():
        name = cookies.name_of(cookies.SESSION)
    client.set_cookie(name, container.tokens.open_session(player, "a test"), domain="localhost")
    return client


def words(page: str) -> str:
    """The words of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())

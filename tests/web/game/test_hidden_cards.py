"""Nothing on a game's page depends on cards that its reader cannot see."""

import gzip
import random
import re
from typing import Final

import pytest

import engine
from engine import Seat
from service.games import NewGame
from service.games.terms import creation
from tests.engine.twins import any_action, twin_of
from tests.support.application import Server
from tests.support.games import stored
from tests.web.people import visitor
from tests.web.pressing import Visitor
from tests.web.shown import Shown, play_on, signed_in

GAMES: Final = ("abcdefghijklmnopqrst", "bcdefghijklmnopqrstu")
SECRET: Final = "5e" * 32
DRAWN: Final = re.compile(
    r'(?<=name="(?:once|form)" value=")[^"]+|[0-9a-f]{64}|(?<=salt" value=")\w+'
)
"""What is drawn for each page, and what follows from the secret."""


def begun(ann: str, bob: str, edition: str) -> tuple[engine.Game, list[engine.Event]]:
    wanted = NewGame(edition=edition, tactics=True, first_player="creator", salt="a")
    game, events = engine.advance(None, creation(ann, wanted, SECRET))
    game, more = engine.advance(game, engine.JoinGame(bob, "b"))
    return game, events + more


def seen(person: Visitor, game: str, query: str = "") -> tuple[int, str]:
    person.go(f"/games/{game}{query}")
    return person.answer.status_code, DRAWN.sub("", person.answer.text.replace(game, "GAME"))


@pytest.mark.parametrize("seed", range(4))
def test_games_that_differ_in_hidden_cards_have_the_same_page(server: Server, seed: int) -> None:
    chance = random.Random(seed)
    players: dict[Seat, str] = {
        "north": server.container.registrations.register("Ann").player.id,
        "south": server.container.registrations.register("Bob").player.id,
    }
    game, events = begun(players["north"], players["south"], ("iello", "bga")[seed % 2])
    for _ in range(10 + 12 * seed):
        assert game.turn is not None
        game, more = engine.advance(
            game, engine.TakeTurn(game.turn, [chance.choice(engine.legal(game))])
        )
        events += more
    seat: Seat = ("north", "south")[seed // 2]
    for name, log in zip(GAMES, (events, twin_of(events, seat, chance)), strict=True):
        stored(server.container, log, name)
    reader = visitor(server.app, players[seat])

    for person in (reader, Visitor(server.app.test_client())):
        first, second = (seen(person, name) for name in GAMES)
        assert first == second
    wishes = [*engine.legal(game)[:3], *(any_action(game, chance) for _ in range(7))]
    for wish in wishes:
        for query in (f"chosen={wish.partition('@')[0]}", f"turn={wish}&turn=+T"):
            asked = "?" + query.replace("+", "%2B")
            assert seen(reader, GAMES[0], asked) == seen(reader, GAMES[1], asked), asked


def test_what_only_its_reader_may_know_is_not_compressed(server: Server, game: Shown) -> None:
    play_on(server.container, game, 8)
    server.container.games.conversations.write(game.id, game.bob, "Red 7 or Red 8?", "web")
    browser = signed_in(server.app, game.ann)
    for path in ("", "/orders", "?log=all"):
        page = browser.get(f"/games/{game.id}{path}", headers={"Accept-Encoding": "gzip"})
        whole = gzip.decompress(page.data)
        secret = re.findall(
            rb'<div class="hand".*?</section>|<li class="by-below".*?</li>'
            rb'|<table class="unseen.*?</table>|name="(?:form|once)" value="[^"]+"|<pre.*?</pre>'
            rb"|Red 7 or Red 8",
            whole,
            re.DOTALL,
        )
        assert len(secret) > 2
        assert all(part in page.data for part in secret)
        assert (b'class="board"' in page.data) == (path == "/orders")
    for query in ("?chosen=R7", "?turn=R7@3", "?invite=R7"):
        page = browser.get(f"/games/{game.id}{query}", headers={"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in page.headers

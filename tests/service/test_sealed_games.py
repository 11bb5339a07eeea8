"""A deal of the day tells nobody its hidden cards and its secret while its day lasts.

Every address of the server that names a game is asked. Once the day is over the same questions show
that these are the doors to look at.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.accounts.tokens import SCOPES
from service.container import Container
from service.games import StoredGame
from service.games.terms import DealDay
from service.web import cookies
from tests.support.clock import Clock
from tests.support.deals import draw, play_out

ASKED_TOO: Final = ("?format=text", "?at=20", "?at=20&eyes=both", "?eyes=both", "?eyes=south")
"""What is added to each address, in turn."""
HELD: Final = 4
"""The cards that the bot still holds at the end."""
ACCEPTED: Final = ("text/html", "application/json", "application/x-ndjson", "text/event-stream")


class Asker(NamedTuple):
    """Somebody who asks, by pages and by the API."""

    client: FlaskClient
    headers: dict[str, str]


@pytest.fixture
def ann(container: Container) -> str:
    return container.registrations.register("Ann").player.id


@pytest.fixture
def over(container: Container, ann: str) -> StoredGame:
    """Ann's game of today, which is over; the bot still holds cards."""
    draw(container, "5e" * 32)
    stored = play_out(container, container.games.daily.begin(ann).id)
    assert len(stored.game.hands["south"]) == HELD
    return stored


def asker(app: Flask, container: Container, player: str | None) -> Asker:
    """This player, or somebody who is not signed in."""
    client = app.test_client()
    if player is None:
        return Asker(client, {})
    with app.test_request_context():
        name = cookies.name_of(cookies.SESSION)
    session = container.tokens.open_session(player, "a test")
    client.set_cookie(name, session, domain="localhost")
    token = container.tokens.create(player, "a test", SCOPES).text
    return Asker(client, {"Authorization": f"Bearer {token}"})


def addresses(app: Flask, game: StoredGame) -> Iterator[str]:
    """Every address that shows something of a game."""
    for rule in app.url_map.iter_rules():
        if "<game_id>" in rule.rule and "GET" in (rule.methods or ()):
            yield re.sub(r"<[^>]+>", "1", rule.rule.replace("<game_id>", game.id))


def answers(app: Flask, who: Asker, game: StoredGame) -> dict[str, tuple[int, str]]:
    """Status and text of the answers to everything that can be asked about a game."""
    found = dict[str, tuple[int, str]]()
    for address in addresses(app, game):
        headers = who.headers if address.startswith("/v1/") else {}
        asked = [(f"{address}{more}", ACCEPTED[0]) for more in ASKED_TOO]
        for path, accepted in [*asked, *((address, each) for each in ACCEPTED)]:
            answer = who.client.get(path, headers={**headers, "Accept": accepted})
            found[f"{path} {accepted}"] = answer.status_code, answer.get_data().decode("latin-1")
    return found


def tell(found: dict[str, tuple[int, str]], secret: str) -> set[str]:
    """The addresses whose answers hold the secret."""
    return {address for address, (_, text) in found.items() if secret in text}


class TestWhileTheDayLasts:
    def test_no_answer_to_its_player_holds_the_secret(
        self, app: Flask, container: Container, ann: str, over: StoredGame, clock: Clock
    ) -> None:
        who = asker(app, container, ann)
        sealed = answers(app, who, over)
        assert len(sealed) > 120
        assert not [address for address, (status, _) in sealed.items() if status in (429, 500)]
        assert not tell(sealed, over.game.secret)
        clock.time = DealDay("2026-11-21").ends
        assert len(tell(answers(app, who, over), over.game.secret)) >= 4

    def test_its_player_sees_neither_hand_nor_deck_of_the_bot(
        self, app: Flask, container: Container, ann: str, over: StoredGame, clock: Clock
    ) -> None:
        who = asker(app, container, ann)
        view = who.client.get(f"/v1/games/{over.id}", headers=who.headers)
        assert view.json is not None
        assert view.json["status"] == "finished"
        assert view.json["hands"]["south"] == {"cards": None, "clan": HELD, "tactic": 0}
        board = who.client.get(f"/v1/games/{over.id}/board?format=text", headers=who.headers)
        assert f"Steward (bot)’s hand: {HELD} Clan cards" in board.text
        lines = container.games.history.lines(over, ann)
        hidden = [line for line in lines if line["private"] is None and line["salt"] is None]
        assert {line["type"] for line in hidden} == {
            *("game_created", "round_started", "card_drawn", "game_ended")
        }
        clock.time = DealDay("2026-11-21").ends
        opened = who.client.get(f"/v1/games/{over.id}", headers=who.headers)
        assert opened.json is not None
        assert len(opened.json["hands"]["south"]["cards"]) == HELD

    @pytest.mark.parametrize("is_over", [False, True])
    def test_everybody_else_is_told_that_there_is_no_such_game(
        self, app: Flask, container: Container, ann: str, is_over: bool
    ) -> None:
        begun = container.games.daily.begin(ann)
        if is_over:
            begun = play_out(container, begun.id)
        eve = container.registrations.register("Eve").player.id
        for who in (None, eve):
            found = answers(app, asker(app, container, who), begun)
            assert {status for status, _ in found.values()} <= {303, 401, 404, 406, 422, 400}
            assert not [text for _, text in found.values() if begun.game.commitment in text]

    def test_nothing_is_made_of_it(
        self, app: Flask, container: Container, ann: str, over: StoredGame
    ) -> None:
        who = asker(app, container, ann)
        for part in ("practice", "analysis"):
            refused = who.client.post(f"/v1/games/{over.id}/{part}", headers=who.headers, json={})
            assert refused.status_code == 409, part
            assert refused.json is not None
            assert refused.json["code"] == "game-not-over"

    def test_the_export_of_an_account_keeps_to_it(
        self, app: Flask, container: Container, ann: str, over: StoredGame
    ) -> None:
        who = asker(app, container, ann)
        export = who.client.get("/v1/me/export", headers=who.headers)
        assert export.status_code == 200
        assert over.id in export.text
        assert over.game.secret not in export.text


class TestOnceItIsOver:
    def test_everybody_may_replay_and_practise_it(
        self,
        app: Flask,
        container: Container,
        over: StoredGame,
        clock: Clock,
        client: FlaskClient,
        ann: str,
    ) -> None:
        clock.time = DealDay("2026-11-21").ends
        assert client.get(f"/games/{over.id}?at=20&eyes=both").status_code == 200
        assert over.game.secret in client.get(f"/v1/games/{over.id}/record").text

        who = asker(app, container, ann)
        made = who.client.post(f"/v1/games/{over.id}/practice", headers=who.headers, json={})
        assert made.status_code == 201
        assert made.json is not None
        assert "daily" not in made.json

    def test_a_client_that_has_its_version_sees_more(
        self, app: Flask, container: Container, ann: str, over: StoredGame, clock: Clock
    ) -> None:
        who = asker(app, container, ann)
        for part in ("", "/record", "/events"):
            path = f"/v1/games/{over.id}{part}"
            sealed = who.client.get(path, headers=who.headers)
            assert "ETag" not in sealed.headers
            assert sealed.headers["Cache-Control"] == "no-store"
        clock.time = DealDay("2026-11-21").ends
        assert "ETag" in who.client.get(f"/v1/games/{over.id}", headers=who.headers).headers

    def test_a_game_that_goes_on_is_open_to_look_at(
        self, container: Container, ann: str, clock: Clock, client: FlaskClient
    ) -> None:
        begun = container.games.daily.begin(ann)
        clock.time = DealDay("2026-11-21").ends
        shown = client.get(f"/v1/games/{begun.id}").json
        assert shown is not None
        assert (shown["status"], shown["daily"]) == ("active", "2026-11-21")
        assert shown["hands"]["north"]["cards"] is None

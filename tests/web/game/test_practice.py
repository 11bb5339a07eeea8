"""Playing the deal of a finished game again, from its pages."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.bots import BOTS
from service.container import Container
from service.games import ChangeContext, NewGame, limits
from service.games.rematches import Wanted
from tests.support.application import Server
from tests.support.matches import put_match
from tests.web.people import dump, visitor
from tests.web.pressing import Visitor, read
from tests.web.shown import Shown, play_on, signed_in

STEWARD = BOTS["steward"].player


@pytest.fixture
def over(container: Container, game: Shown) -> Shown:
    """A game that Bob has resigned after twelve turns."""
    play_on(container, game, 12)
    container.games.resign(game.id, game.bob)
    return game


def seventh_turn(container: Container, game: Shown) -> int:
    """The step at which the seventh turn begins."""
    lines = container.games.history.lines(container.games.load(game.id), None)
    return [line["seq"] for line in lines if line["type"] == "turn_ended"][5]


def shown_to(visitor: Visitor) -> str:
    """The id of the game whose page the visitor is on."""
    return visitor.path.rpartition("/")[2]


def played_on(app: Flask, container: Container, over: Shown) -> Visitor:
    """Ann, who plays her finished game on from its seventh turn."""
    ann = visitor(app, over.ann)
    ann.go(f"/games/{over.id}?at={seventh_turn(container, over)}")
    ann.press("Play on from here")
    return ann


class TestOffers:
    def test_a_player_plays_on_from_a_step_and_the_page_says_what_it_is(
        self, app: Flask, container: Container, over: Shown
    ) -> None:
        ann = played_on(app, container, over)
        assert (
            "Practice: the deal of Ann v Bob, from turn 7, against the Steward (hard)"
            in ann.page.text
        )
        assert "Practice: Your turn: Ann v Steward (bot)" in ann.page.text
        new = container.games.load(shown_to(ann))
        assert new.game.players == {"north": over.ann, "south": STEWARD}

    def test_the_whole_deal_is_offered_where_the_game_ended(
        self, app: Flask, container: Container, over: Shown
    ) -> None:
        bob = visitor(app, over.bob)
        bob.go(f"/games/{over.id}")
        bob.press("Play this deal again", seat="north", bot="random")
        new = container.games.load(shown_to(bob))
        assert new.game.players == {"north": over.bob, "south": BOTS["random"].player}
        assert new.version == 3

    def test_the_seat_is_the_one_whose_hand_is_shown(self, server: Server, over: Shown) -> None:
        ann = visitor(server.app, over.ann)
        ann.go(f"/games/{over.id}?at=3&eyes=south")
        ann.press("Play on from here")
        assert server.container.games.load(shown_to(ann)).seat_of(over.ann) == "south"

    def test_whoever_looks_on_plays_as_a_guest(self, app: Flask, over: Shown) -> None:
        passer_by = Visitor(app.test_client())
        passer_by.go(f"/games/{over.id}?at=3")
        passer_by.press("Play on from here")
        assert "the deal of Ann v Bob, from turn 1" in passer_by.page.text

    def test_a_game_that_goes_on_offers_nothing(self, app: Flask, game: Shown) -> None:
        for page in (f"/games/{game.id}", f"/games/{game.id}?at=3"):
            assert "practice" not in signed_in(app, game.ann).get(page).text

    @pytest.mark.parametrize(
        ("form", "status"),
        [({"step": "99999"}, 404), ({"bot": "nobody"}, 422), ({"step": "LAST"}, 409)],
    )
    def test_a_refused_form_makes_nobody_a_guest(
        self, app: Flask, container: Container, over: Shown, form: dict[str, str], status: int
    ) -> None:
        passer_by = Visitor(app.test_client())
        passer_by.go(f"/games/{over.id}?at=3")
        last = str(container.games.load(over.id).version)
        before = dump(container.redis).keys()
        typed = {name: value.replace("LAST", last) for name, value in form.items()}
        passer_by.press("Play on from here", **typed)
        assert passer_by.answer.status_code == status
        assert dump(container.redis).keys() == before

    def test_nor_does_the_form_of_another_game_sent_for_one_that_goes_on(
        self, app: Flask, container: Container, over: Shown
    ) -> None:
        passer_by = Visitor(app.test_client())
        passer_by.go(f"/games/{over.id}?at=3")
        _, fields = passer_by.fields_of("Play on from here")
        running = container.games.create(over.ann, NewGame(bot="steward")).id
        before = dump(container.redis).keys()
        passer_by.post(f"/games/{running}/practice", fields)
        assert passer_by.answer.status_code == 409
        assert dump(container.redis).keys() == before

    def test_the_end_offers_nothing_to_play_on(
        self, client: FlaskClient, container: Container, over: Shown
    ) -> None:
        last = container.games.load(over.id).version
        assert "Play on from here" not in client.get(f"/games/{over.id}?at={last}").text

    def test_a_later_round_of_a_match_says_why_not(
        self, client: FlaskClient, container: Container
    ) -> None:
        match = put_match(container, 3)
        assert "Play on from here" in client.get(f"/games/{match}?at=20").text
        last = container.games.load(match).version
        later = client.get(f"/games/{match}?at={last - 20}").text
        assert "Play on from here" not in later
        assert "Only the first round of a match can be played again" in later
        assert "Play the first round again" in client.get(f"/games/{match}").text

    @pytest.mark.parametrize("fields", [{"step": "x"}, {"seat": "west"}, {"step": "-1"}])
    def test_a_form_that_no_page_has_is_refused(
        self, app: Flask, over: Shown, fields: dict[str, str]
    ) -> None:
        ann = visitor(app, over.ann)
        ann.go(f"/games/{over.id}")
        ann.press("Play this deal again", **fields)
        assert ann.answer.status_code == 422


class TestThePracticeGame:
    def test_its_end_leads_there_once_more_and_back_to_the_game(
        self, app: Flask, container: Container, over: Shown
    ) -> None:
        ann = played_on(app, container, over)
        first = shown_to(ann)
        container.games.resign(first, over.ann)
        ann.go(f"/games/{first}")
        assert "Rematch" not in ann.buttons
        links = {link.attributes.get("href") for link in read(ann.answer.text).all("a")}
        assert f"/games/{over.id}" in links
        ann.press("Again from there")
        again, before = (container.games.load(game_id) for game_id in (shown_to(ann), first))
        assert again.id != before.id
        assert (again.practice, again.game.players) == (before.practice, before.game.players)

    def test_its_page_says_how_long_it_lives(self, server: Server, over: Shown) -> None:
        ann = played_on(server.app, server.container, over)
        says = "It is removed seven days after its last move."
        assert says in ann.page.text
        bob = visitor(server.app, over.bob)
        bob.go(ann.path)
        assert "seven days" not in bob.page.text
        server.container.games.resign(shown_to(ann), over.ann)
        ann.go(ann.path)
        assert says in ann.page.text

    def test_whoever_has_too_many_is_told_so(
        self, app: Flask, container: Container, over: Shown, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_PRACTICE", 2)
        for _ in range(2):
            container.games.practice.begin(over.id, over.ann, Wanted(), ChangeContext())
        ann = visitor(app, over.ann)
        ann.go(f"/games/{over.id}")
        ann.press("Play this deal again")
        assert ann.answer.status_code == 409
        assert "You have 2 practice games" in ann.page.text

    def test_lists_of_games_say_that_it_is_for_practice(self, server: Server, over: Shown) -> None:
        ann = visitor(server.app, over.ann)
        ann.go(f"/games/{over.id}")
        ann.press("Play this deal again")
        new = shown_to(ann)
        ann.go("/")
        assert "Steward (bot) practice" in ann.page.text
        ann.go(f"/players/{STEWARD}")
        assert "Practice: " in ann.page.text
        server.container.games.resign(new, over.ann)
        ann.go("/games/finished")
        assert "Steward (bot) practice" in ann.page.text

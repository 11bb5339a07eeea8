"""What a player sees at first sight: what the other did, and where."""

from flask import Flask

from engine.cards import full_name
from service.container import Container
from service.core.times import DAY
from service.core.words import ENGLISH
from service.games import ChangeContext
from service.web.game.since import since
from tests.support.application import Server
from tests.support.games import RED_RUN, arranged, played
from tests.web.people import visitor
from tests.web.pressing import Element, Visitor
from tests.web.shown import Shown

RUSES = {
    "north": ("R7", "R8", "R9", "O1", "O2", "STR", "TRA"),
    "south": ("G1", "G3", "G5", "B2", "B4", "B6", "BAN"),
}


class Two:
    """Ann and Bob, and a game in which they have played."""

    def __init__(
        self, app: Flask, container: Container, hands: object = RED_RUN, **options: object
    ) -> None:
        names = {"north": "Ann", "south": "Bob"}
        self.players = {
            seat: container.registrations.register(name).player.id for seat, name in names.items()
        }
        self._app, self._container = app, container
        self.id = arranged(container, self.players, hands, **options)  # type: ignore[arg-type]

    def play(self, *turns: str) -> None:
        played(self._container, self.id, self.players, *turns)  # type: ignore[arg-type]

    def visit(self, seat: str) -> Visitor:
        person = visitor(self._app, self.players[seat])
        person.go(f"/games/{self.id}")
        return person


def marked(person: Visitor, kind: str) -> list[str]:
    return [each.text.strip() for each in person.page.all("li") if kind in _classes(each)]


def _classes(element: Element) -> list[str]:
    return element.attributes.get("class", "").split()


def now(person: Visitor) -> str:
    (found,) = [each for each in person.page.all("section") if each.name == "Now"]
    return " ".join(found.text.split())


def test_the_other_s_turn_is_told_and_marked_until_one_has_moved(server: Server) -> None:
    two = Two(server.app, server.container)
    two.play("R7@1")
    bob = two.visit("south")
    assert "Ann played Red 7 on Stone 1." in now(bob)
    assert marked(bob, "changed") == ["Red 7"]
    bob.press(full_name("G1"))
    assert marked(bob, "changed") == ["Red 7"]

    two.play("G1@2")

    assert marked(two.visit("south"), "changed") == []
    assert marked(two.visit("north"), "changed") == ["Green 1"]


def test_who_had_the_first_turn_is_news_until_they_have_played(
    app: Flask, container: Container
) -> None:
    two = Two(app, container)
    assert "Ann got the first turn." in now(two.visit("south"))
    two.play("R7@1")
    assert "got the first turn" not in now(two.visit("south"))


def test_a_ruse_marks_where_the_card_came_from(app: Flask, container: Container) -> None:
    two = Two(app, container, RUSES, tactic_deck=["MUD"])
    two.play("R7@1 +C", "G1@2 +C", "TRA:G1@2>3 +C")
    bob = two.visit("south")
    assert marked(bob, "changed") == ["Green 1"]
    assert [words.split(" was")[0] for words in marked(bob, "gone")] == ["Green 1"]
    assert "took Green 1 from Stone 2 to Stone 3 with the Traitor" in now(bob)

    two.play("BAN:R7@1 +C")
    ann = two.visit("north")
    assert [words.split(" was")[0] for words in marked(ann, "gone")] == ["Red 7"]


def test_a_lost_stone_is_named(app: Flask, container: Container) -> None:
    two = Two(app, container)
    two.play("R7@1", "G1@1", "R8@1", "G3@2", "R9@1 !1")
    bob = two.visit("south")
    assert "claimed Stone 1" in now(bob)
    assert "took Stone" not in now(bob) + now(two.visit("north"))
    assert [
        each.attributes["data-stone"]
        for each in bob.page.all("li")
        if "column" in _classes(each) and "changed" in _classes(each)
    ] == ["1"]


def test_a_lost_stone_that_no_sentence_shows_has_a_sign(app: Flask, container: Container) -> None:
    two = Two(app, container, clock={"days_per_move": 3})
    two.play("R7@1", "G1@1", "R8@1", "G3@2", "R9@1 !1")
    for _ in range(3):
        container.games.clocks.give(two.id, two.players["north"], DAY, ChangeContext())
    assert "Ann took Stone 1" in now(two.visit("south"))


def test_one_reads_you_of_oneself_and_no_more_of_a_game_that_is_over(server: Server) -> None:
    two = Two(server.app, server.container)
    two.play("R7@1", "G1@1", "R8@1", "G3@2", "R9@1 !1")
    server.container.games.resign(two.id, two.players["south"])
    bob = two.visit("south")
    assert now(bob) == "Ann won: you resigned"
    bob.go(f"/games/{two.id}?turn=G5@3&version=9")
    assert bob.status == "Ann won: you resigned."
    assert now(two.visit("north")) == "You won: Bob resigned"


def test_whoever_looks_on_sees_the_last_turn(container: Container, app: Flask) -> None:
    two = Two(app, container)
    two.play("R7@1", "G1@2")
    passer_by = Visitor(app.test_client())
    passer_by.go(f"/games/{two.id}")
    assert marked(passer_by, "changed") == ["Green 1"]
    assert since(ENGLISH, [], None, {}, None).sentences == []


def test_a_claim_that_is_left_is_asked_about_once(app: Flask, container: Container) -> None:
    two = Two(app, container)
    two.play("R7@1", "G1@2", "R8@1", "G3@2")
    ann = two.visit("north")
    ann.press("Red 9")
    ann.press("Play on Stone 1")
    assert "You can claim Stone 1 before you send." in ann.page.text
    assert ann.send_button == "Send: Red 9 on Stone 1"
    version = container.games.load(two.id).version

    ann.send()

    assert container.games.load(two.id).version == version
    assert "Press Send again to play without claiming." in ann.status
    assert ann.send_button == "Send: Red 9 on Stone 1, no claim"
    assert "Claim Stone 1" in ann.buttons
    ann.send()
    assert ann.status.startswith("Waiting for Bob.")
    assert container.games.load(two.id).game.stone(1).owner is None


def test_a_claim_that_is_made_is_sent_at_once(app: Flask, container: Container) -> None:
    two = Two(app, container)
    two.play("R7@1", "G1@2", "R8@1", "G3@2")
    ann = two.visit("north")
    for name in ("Red 9", "Play on Stone 1", "Claim Stone 1"):
        ann.press(name)
    assert ann.send_button == "Send: Red 9 on Stone 1, claim Stone 1"
    ann.send()
    assert container.games.load(two.id).game.stone(1).owner == "north"


def test_a_card_that_cannot_be_played_looks_so_and_says_why(server: Server) -> None:
    ann = Two(server.app, server.container, RUSES, tactic_deck=["MUD"]).visit("north")
    dim = [each.name for each in ann.page.all("button") if "unusable" in _classes(each)]
    assert dim == ["Strategist", "Traitor"]
    assert "Strategist cannot be played now: there is nothing" in ann.answer.text
    ann.press("Traitor")
    why = "Traitor cannot be played now: there is nothing for it to act on."
    assert why in ann.status


def test_the_page_says_that_a_move_is_planned(server: Server, game: Shown) -> None:
    bob = visitor(server.app, game.bob)
    bob.go(f"/games/{game.id}/orders")
    bob.press(bob.hand[0])
    bob.press("Plan on Stone 3")
    bob.press("Add to the plan")
    bob.go(f"/games/{game.id}")
    assert "Planned ahead: Whatever Ann plays" in bob.page.text
    assert "Planned ahead" not in _page(server.app, game)
    bob.go(f"/games/{game.id}/orders")
    bob.press(bob.hand[1])
    bob.press("Plan on Stone 3")
    assert "Replace the plan" in bob.buttons


def _page(app: Flask, game: Shown) -> str:
    ann = visitor(app, game.ann)
    ann.go(f"/games/{game.id}")
    return ann.page.text

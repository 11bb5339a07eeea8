"""A turn on the game's page: put together, taken back, sent; and what stands at the Stones."""

from types import SimpleNamespace

import pytest
from flask import Flask

import engine
from engine.cards import full_name
from service.container import Container
from service.games import NewGame
from service.web.game.since import drawn_places
from tests.support.application import Server
from tests.support.games import arranged, played
from tests.web.people import both, put_together, visitor
from tests.web.pressing import Visitor
from tests.web.shown import Shown, begin

# Putting a turn together


def test_who_lays_a_card_before_a_claim_is_told_what_is_left(
    app: Flask, container: Container
) -> None:
    ann, bob = (container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    players: dict[engine.Seat, str] = {"north": ann, "south": bob}
    game = arranged(container, players, edition="scottentots")
    turns = (f"{card}@5" for pair in (("R7", "G1"), ("R8", "G3"), ("R9", "G5")) for card in pair)
    played(container, game, players, *turns)
    person = visitor(app, ann)
    person.go(f"/games/{game}")
    person.press(person.hand[0])
    person.press("Play on Stone 1")
    assert "You leave Stone 5 unclaimed: Undo to claim it first." in person.status
    person.press("Undo")
    person.press("Claim Stone 5")
    person.press(person.hand[0])
    person.press("Play on Stone 1")
    assert "unclaimed" not in person.status


def test_a_turn_is_previewed_and_taken_back(app: Flask, container: Container, game: Shown) -> None:
    ann = both(app, game)["north"]
    card = ann.hand[0]
    before = container.games.load(game.id).version

    ann.press(card)
    assert "Play on Stone 9" in ann.buttons
    ann.press("Play on Stone 3")

    assert card not in ann.hand
    assert f"Not sent yet: {card} on Stone 3" in ann.status
    assert f"{card}, not sent yet" in ann.page.text
    assert "You draw after sending." in ann.status
    ann.press("Undo")
    assert card in ann.hand
    assert "Not sent yet" not in ann.status
    ann.press(card)
    ann.press("Put back")
    assert "Play on Stone 3" not in ann.buttons
    assert container.games.load(game.id).version == before


def test_a_stone_can_be_claimed_after_the_deck_is_chosen(app: Flask, container: Container) -> None:
    ann, bob = (container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    hands = {
        "north": ("R7", "R8", "R9", "O1", "O2", "O3", "O4"),
        "south": ("G1", "G3", "G5", "B2", "B4", "B6", "B8"),
    }
    players: dict[engine.Seat, str] = {"north": ann, "south": bob}
    game = arranged(container, players, hands, tactic_deck=("SPY", "MUD"))
    played(container, game, players, "R7@5 +C", "G1@1 +C", "R8@5 +C", "G3@2 +C")
    person = visitor(app, ann)
    person.go(f"/games/{game}")
    for press in ("Red 9", "Play on Stone 5", "Draw a Tactic card", "Claim Stone 5"):
        person.press(press)
    person.press("Send: Red 9 on Stone 5, claim Stone 5, draw a Tactic card")
    assert container.games.load(game).game.stones[4].owner == "north"


def test_the_board_stands_with_ones_own_side_below(server: Server, game: Shown) -> None:
    card = server.container.games.load(game.id).game.hands["north"][0]
    server.container.games.play(game.id, game.ann, [f"{card}@3"])

    for seat, person in both(server.app, game).items():
        lists = [each.name for each in person.page.all("ul") if each.name.endswith("Stone 3")]
        other = {"north": "Bob", "south": "Ann"}[seat]
        assert lists == [f"{other}, Stone 3", "You, Stone 3"]
        assert len([li for li in person.page.all("h3") if li.name.startswith("Stone ")]) == 9


def test_a_waiting_player_sees_both_names_and_the_hand_and_can_do_nothing(
    app: Flask, game: Shown
) -> None:
    bob = both(app, game)["south"]

    assert bob.status == "Waiting for Ann."
    assert len(bob.hand) == 6
    assert not set(bob.hand) & set(bob.buttons)

    assert [each.name for each in both(app, game)["north"].page.all("h1")] == ["Ann v Bob"]


def test_what_is_not_allowed_is_told_with_its_rule(app: Flask, game: Shown) -> None:
    ann = both(app, game)["north"]
    version = 3
    ann.go(f"/games/{game.id}?version={version}&turn=%213")

    assert "Not possible: Claim Stone 3." in ann.status
    assert 'href="/rules#ruling-3"' in ann.answer.text
    ann.go(f"/games/{game.id}?version={version}&turn=%3Cb%3E&chosen=%3Ci%3E")
    assert ann.answer.status_code == 200
    assert "<b>" not in ann.answer.text.replace("<b>Ann", "").replace("<b>Bob", "").replace(
        "<b>Stone", ""
    )
    assert "<i>" not in ann.answer.text


def test_a_link_with_a_turn_in_it_plays_nothing(server: Server, game: Shown) -> None:
    ann = both(server.app, game)["north"]
    card = server.container.games.load(game.id).game.hands["north"][0]
    ann.go(f"/games/{game.id}?version=3&turn={card}@3")

    assert server.container.games.load(game.id).version == 3
    assert ann.can_send


# Sending


def test_a_stale_page_is_told_and_shown_how_the_game_stands(server: Server, game: Shown) -> None:
    """The turn was played in another tab."""
    ann = both(server.app, game)["north"]
    put_together(ann)
    other_tab = both(server.app, game)["north"]
    put_together(other_tab, stone=4)
    other_tab.send()
    version = server.container.games.load(game.id).version

    ann.send()

    assert ann.answer.status_code == 409
    assert ann.status.startswith("Waiting for Bob. Not sent: the game has moved on.")
    assert server.container.games.load(game.id).version == version
    # The address with the turn in it says so too.
    ann.go(f"/games/{game.id}?version=3&turn=R1@3")
    assert "Nothing is left to send: you have played already." in ann.status
    bob = both(server.app, game)["south"]
    put_together(bob)
    bob.send()
    bob.go(f"/games/{game.id}?version={server.container.games.load(game.id).version}&turn=R1@3")
    assert "Nothing is left to send: it is not your turn." in bob.status


def test_what_is_still_legal_of_an_overtaken_turn_is_kept(server: Server, game: Shown) -> None:
    ann = both(server.app, game)["north"]
    mine, kept = server.container.games.load(game.id).game.hands["north"][:2]
    server.container.games.play(game.id, game.ann, [f"{mine}@3"])
    server.container.games.play(
        game.id, game.bob, [server.container.games.load(game.id).game.hands["south"][0] + "@3"]
    )

    ann.go(f"/games/{game.id}?version=3&turn={kept}@4")
    assert "The game has moved on" in ann.status
    assert ann.can_send
    assert server.container.games.load(game.id).game.turn == "north"

    ann.go(f"/games/{game.id}?version=3&turn={mine}@4")
    assert "You do not hold" in ann.status
    assert not ann.can_send


def test_a_turn_that_the_rules_refuse_changes_nothing(server: Server, game: Shown) -> None:
    ann = both(server.app, game)["north"]
    put_together(ann)
    action, fields = ann.fields_of(ann.send_button)
    forged = [(name, "P9@3" if name == "turn" else value) for name, value in fields]
    held = server.container.games.load(game.id).game.hands["north"]
    if "P9" in held:
        forged = [(name, "P8@3" if name == "turn" else value) for name, value in fields]

    ann.post(action, forged)

    assert ann.answer.status_code == 422
    assert "Not sent: You do not hold" in ann.status
    assert server.container.games.load(game.id).version == 3


def test_a_form_of_another_site_is_refused(app: Flask, container: Container, game: Shown) -> None:
    ann = both(app, game)["north"]
    put_together(ann)
    action, fields = ann.fields_of(ann.send_button)
    foreign = [(name, "x" if name == "form" else value) for name, value in fields]

    ann.post(action, foreign)

    assert ann.answer.status_code == 403
    assert container.games.load(game.id).version == 3


def test_a_turn_is_sent_once_and_by_its_player_alone(
    app: Flask, container: Container, game: Shown
) -> None:
    ann = both(app, game)["north"]
    put_together(ann)
    action, fields = ann.fields_of(ann.send_button)
    eve = visitor(app, container.registrations.register("Eve").player.id)
    eve.go("/account")
    token = dict(eve.fields_of("Sign out")[1])["form"]

    eve.post(action, [(n, token if n == "form" else v) for n, v in fields])

    assert "Not sent: Only the two players may do this." in eve.status
    assert container.games.load(game.id).version == 3

    ann.post(action, fields)
    version = container.games.load(game.id).version
    ann.post(action, fields)

    assert ann.answer.status_code == 200
    assert ann.status == "Waiting for Bob. You played Red 4 on Stone 3 and drew Red 7."
    assert container.games.load(game.id).version == version


@pytest.mark.parametrize("version", ["\u0663", "\uff13", "+3", "3 ", "3.0", "0x3", ""])
def test_a_version_is_written_in_plain_digits(server: Server, game: Shown, version: str) -> None:
    ann = both(server.app, game)["north"]
    put_together(ann)
    action, fields = ann.fields_of(ann.send_button)

    ann.post(action, [(n, version if n == "version" else value) for n, value in fields])

    assert ann.answer.status_code == 409
    assert server.container.games.load(game.id).version == 3


# The card just drawn


def new_cards(person: Visitor) -> list[str]:
    """The cards in hand that are told to be just drawn."""
    shown = [b for b in person.page.all("button") if "aria-describedby" in b.attributes]
    spans = list(person.page.all("span"))
    described = [each.text for each in spans if each.attributes.get("id") == "just-drawn"]
    assert described == (["just drawn"] if shown else [])
    tags = [each for each in spans if each.attributes.get("class") == "tag"]
    assert len(tags) == len(shown)
    return [each.name for each in shown]


def test_the_card_just_drawn_is_marked_until_the_next_turn_is_sent(
    app: Flask, container: Container, game: Shown
) -> None:
    people = both(app, game)
    assert [new_cards(person) for person in people.values()] == [[], []]
    before = container.games.load(game.id).game.hands["north"]
    put_together(people["north"])
    assert new_cards(people["north"]) == []
    people["north"].send()

    (drawn,) = set(container.games.load(game.id).game.hands["north"]) - set(before)
    assert new_cards(people["north"]) == [full_name(drawn)]
    people["south"].go(f"/games/{game.id}")
    assert new_cards(people["south"]) == []
    put_together(people["south"])
    people["south"].send()

    people["north"].go(f"/games/{game.id}")
    assert new_cards(people["north"]) == [full_name(drawn)]
    other = next(name for name in people["north"].hand if name != full_name(drawn))
    people["north"].press(other)
    people["north"].press("Play on Stone 4")
    assert new_cards(people["north"]) == [full_name(drawn)]
    people["north"].send()
    assert full_name(drawn) not in new_cards(people["north"])


def test_of_two_equal_cards_one_was_drawn() -> None:
    view = SimpleNamespace(seat="north", own_cards=["R1", "JOK", "JOK"])
    played = {"type": "card_played", "by": "north", "private": None}
    drawn = {"type": "card_drawn", "by": "north", "private": {"cards": ["JOK"]}}
    given = {"type": "time_given", "by": "north", "private": None}
    theirs = {"type": "card_played", "by": "south", "private": None}
    for lines in ([played, drawn], [played, drawn, given, theirs], [drawn, theirs]):
        assert drawn_places(view, lines) == {1}  # type: ignore[arg-type]
    recruited = {"type": "cards_recruited", "by": "north", "private": {"cards": ["JOK", "JOK"]}}
    ruse = {"type": "ruse_played", "by": "north", "private": None}
    for lines in ([played, drawn, ruse, recruited], [ruse, recruited, theirs]):
        assert drawn_places(view, lines) == {1, 2}  # type: ignore[arg-type]
    for lines in ([played, drawn, played], [drawn, {**drawn, "type": "round_started"}]):
        assert drawn_places(view, lines) == frozenset()  # type: ignore[arg-type]
    onlooker = SimpleNamespace(seat=None, own_cards=())
    assert drawn_places(onlooker, [played, drawn]) == frozenset()  # type: ignore[arg-type,list-item]


# Claims


def test_who_was_first_is_said_only_where_a_tie_is_possible(
    app: Flask, container: Container
) -> None:
    ann, bob = (container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    game = arranged(container, {"north": ann, "south": bob})
    played(container, game, {"north": ann, "south": bob}, "R7@1", "G1@1", "R8@1", "G3@1", "R9@1 +C")
    person = visitor(app, ann)
    person.go(f"/games/{game}")
    assert "You completed it first, which wins a tie." in person.answer.text
    played(container, game, {"north": ann, "south": bob}, "G5@1")
    person.go(f"/games/{game}")
    assert "colour run of 24 beats Bob" in person.answer.text
    assert "which wins a tie." not in person.answer.text


def test_a_stone_tells_whether_it_can_be_claimed(app: Flask, container: Container) -> None:
    ann, bob = (container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    game = arranged(container, {"north": ann, "south": bob})
    for texts in (["R7@1"], ["G1@1"], ["R8@1"], ["G3@2"], ["O1@2"], ["G5@2"]):
        container.games.play(game, container.games.load(game).player_to_move() or "", texts)
    person = visitor(app, ann)

    person.go(f"/games/{game}")
    assert "Your side needs 1 more card." in person.answer.text
    assert "Claim Stone 1" not in person.buttons
    person.press("Red 9")
    person.press("Play on Stone 1")

    assert "none of the unseen Clan cards can make Bob beat your colour run of 24" in (
        person.answer.text
    )
    assert "You completed it first, which wins a tie." in person.answer.text
    assert "Claim Stone 1" in person.buttons
    person.press("Claim Stone 1")
    assert "Not sent yet: Red 9 on Stone 1, claim Stone 1." in person.status
    assert "Claim Stone 1" not in person.buttons
    person.send()
    assert container.games.load(game).game.stone(1).owner == "north"


def test_the_cards_that_would_beat_a_claim_are_shown(app: Flask, container: Container) -> None:
    ann, bob = (container.registrations.register(name).player.id for name in ("Ann", "Bob"))
    game = arranged(container, {"north": ann, "south": bob})
    for texts in (["O1@1"], ["G1@2"], ["O2@1"], ["G3@1"]):
        container.games.play(game, container.games.load(game).player_to_move() or "", texts)
    person = visitor(app, ann)
    person.go(f"/games/{game}")

    person.press("Orange 3")
    person.press("Play on Stone 1")

    (shown,) = [each for each in person.page.all("ul") if each.name == "Would beat you"]
    assert [item.name for item in shown.all("li")] == ["Green 4", "Green 5"]
    assert "Claim Stone 1" not in person.buttons
    assert 'href="/rules#ruling-14"' in person.answer.text


# Other games


def test_the_next_game_that_waits_is_one_press_away(app: Flask, container: Container) -> None:
    game = begin(container)
    others = [
        container.games.create(game.ann, NewGame(opponent=game.bob, first_player="creator")).id
        for _ in range(1)
    ]
    container.games.join(others[0], game.bob)
    ann = both(app, game)["north"]
    assert "Next game" not in ann.answer.text
    put_together(ann)
    ann.send()

    (link,) = [each for each in ann.page.all("a") if each.name.startswith("Next game")]
    assert link.name == "Next game (1 waiting)"
    assert link.attributes["href"] == f"/games/{others[0]}"

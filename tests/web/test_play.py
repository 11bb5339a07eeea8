"""Whole games by people who press named buttons, in browsers that run no scripts."""

import random
import re
from collections.abc import Mapping
from typing import Final

import pytest
from fakeredis import FakeRedis
from flask import Flask
from flask.testing import FlaskClient

import engine
from engine import Seat
from service.container import Container
from service.games import NewGame
from service.text.card_names import full_name
from service.web import cookies
from tests.support.games import arranged
from tests.web.people import visitor
from tests.web.pressing import Visitor
from tests.web.shown import Shown, begin

CARD: Final = r"(?:(?:Red|Orange|Yellow|Green|Blue|Purple) [1-9]|[A-Z][a-z'-]+(?: [A-Z][a-z]+)?)"
STEP: Final = re.compile(
    rf"Play on Stone [1-9]|{CARD} on Stone [1-9]|To Stone [1-9]|To the discard|Claim Stone [1-9]"
    r"|Draw a (?:Clan|Tactic) card|Draw [123] .*cards?|Pass"
)
"""The names of what puts a turn together, but for the cards in hand."""


def both(app: Flask, game: Shown) -> dict[Seat, Visitor]:
    people: dict[Seat, Visitor] = {
        "north": visitor(app, game.ann),
        "south": visitor(app, game.bob),
    }
    for person in people.values():
        person.go(f"/games/{game.id}")
    return people


def take_turn(person: Visitor, chance: random.Random) -> list[str]:
    """Put a turn together by what the buttons are called, and send it. What was pressed."""
    pressed: list[str] = []
    while True:
        claims = [name for name in person.buttons if name.startswith("Claim Stone")]
        steps = [name for name in person.buttons if STEP.fullmatch(name) and name not in claims]
        if claims:
            name = chance.choice(claims)
        elif "Send turn" in person.buttons:
            name = "Send turn"
        elif steps and not (steps == ["Pass"] and chance.random() < 0.5):
            name = chance.choice(steps)
        else:
            able = [card for card in person.hand if person.buttons.count(card) == 1]
            name = chance.choice(able)
        person.press(name)
        assert person.answer.status_code == 200, person.status
        pressed.append(name)
        if name == "Send turn":
            return pressed


def play_out(
    container: Container, people: Mapping[Seat, Visitor], game: str, seed: object
) -> set[str]:
    """Play to the end; every name that was pressed, without the numbers."""
    chance, pressed = random.Random(str(seed)), set()
    while (stored := container.games.load(game)).game.turn is not None:
        mover, other = stored.game.turn, engine.OTHER[stored.game.turn]
        people[mover].go(f"/games/{game}")
        assert people[mover].status.startswith("Your turn")
        pressed |= {re.sub("[0-9]", "N", name) for name in take_turn(people[mover], chance)}
        if chance.random() < 0.1:
            people[other].go(f"/games/{game}")
    return pressed


KINDS: Final = {
    "iello": NewGame(edition="iello", tactics=True),
    "bga expert": NewGame(edition="bga", tactics=True, expert=True),
    "scottentots": NewGame(edition="scottentots"),
    "community": NewGame(edition="community", tactics=True),
}


@pytest.mark.parametrize("kind", KINDS)
def test_two_people_play_a_whole_game_by_pressing_named_buttons(
    app: Flask, container: Container, kind: str
) -> None:
    wanted = KINDS[kind]
    game = begin(
        container,
        edition=wanted.edition,
        tactics=wanted.tactics,
        expert=wanted.expert,
        rounds=wanted.rounds,
    )
    people = both(app, game)

    pressed = play_out(container, people, game.id, kind)

    stored = container.games.load(game.id)
    names = {"north": "Ann", "south": "Bob"}
    for seat, person in people.items():
        person.go(f"/games/{game.id}")
        winner = stored.game.winner
        said = "Drawn" if winner is None else "You" if winner == seat else names[winner]
        assert person.status.startswith(said if winner is None else f"{said} won")
        assert not [name for name in person.buttons if STEP.fullmatch(name)]
        assert "Send turn" not in person.buttons
    assert "Play on Stone N" in pressed
    assert "Claim Stone N" in pressed
    assert {line["via"] for line in container.games.history.lines(stored, game.ann)} == {
        "api",
        "web",
    }
    if wanted.tactics:
        assert "Draw a Tactic card" in pressed


def test_the_recruiter_takes_two_steps(app: Flask, container: Container) -> None:
    """Played until somebody has one."""
    game, chance = begin(container, tactics=True), random.Random(0)
    while True:
        stored = container.games.load(game.id)
        mover, turn = stored.player_to_move(), stored.game.turn
        assert mover is not None
        assert turn is not None
        if "REC" in stored.game.hands[turn] and stored.game.phase == "play":
            break
        legal = [action for action in engine.legal(stored.game) if action[:3] != "REC"]
        container.games.play(game.id, mover, ["+T" if "+T" in legal else chance.choice(legal)])
    _recruit(visitor(app, mover), game.id)


def _recruit(person: Visitor, game: str) -> None:
    person.go(f"/games/{game}")
    held = len(person.hand)
    person.press("Recruiter")
    person.press("Draw 2 Clan cards and 1 Tactic card")
    assert "Once sent, you see the cards" in person.status
    person.press("Send turn")

    assert len(person.hand) == held + 2
    assert person.status == "Your turn. Choose two cards to put back under the decks."
    first = next(card for card in person.hand if card in person.buttons)
    person.press(first)
    assert person.status == "Your turn. Choose one more card to put back under the decks."
    person.press(next(c for c in person.hand if person.buttons.count(c) == 1 and c != first))
    assert "back under the decks" in person.status
    while "Send turn" not in person.buttons:
        person.press("Draw a Clan card")
    person.press("Send turn")

    assert len(person.hand) == 7
    assert person.status.startswith("Waiting for")


def test_a_card_that_cannot_be_played_says_why_and_asks_for_another(
    app: Flask, container: Container
) -> None:
    """Played until somebody has one."""
    game, chance = begin(container, tactics=True), random.Random(0)
    useless: list[str] = []
    while not useless:
        stored = container.games.load(game.id)
        mover, turn = stored.player_to_move(), stored.game.turn
        assert mover is not None
        assert turn is not None
        legal = engine.legal(stored.game)
        held = stored.game.hands[turn] if stored.game.phase == "play" else ()
        useless = [c for c in held if c.isalpha() and not any(t.startswith(c) for t in legal)]
        if not useless:
            container.games.play(game.id, mover, ["+T" if "+T" in legal else chance.choice(legal)])
    person = visitor(app, mover)
    person.go(f"/games/{game.id}")
    person.press(full_name(useless[0]))
    assert f"{full_name(useless[0])} cannot be played now" in person.status
    assert person.status.endswith(" Choose another card.")


# Putting a turn together


def test_a_turn_is_previewed_and_taken_back(
    app: Flask, container: Container, game: Shown, fake_redis: FakeRedis
) -> None:
    ann = both(app, game)["north"]
    card = ann.hand[0]
    before = container.games.load(game.id).version

    ann.press(card)
    assert "Play on Stone 9" in ann.buttons
    ann.press("Play on Stone 3")

    assert card not in ann.hand
    assert f"Not sent yet: {card} on Stone 3" in ann.status
    assert f"{card}, not sent yet" in ann.page.text
    assert "Once sent, you draw a Clan card." in ann.status
    ann.press("Take back")
    assert card in ann.hand
    assert "Not sent yet" not in ann.status
    ann.press(card)
    ann.press("Take back")
    assert "Play on Stone 3" not in ann.buttons
    assert container.games.load(game.id).version == before


def test_the_board_stands_with_ones_own_side_below(
    app: Flask, container: Container, game: Shown
) -> None:
    card = container.games.load(game.id).game.hands["north"][0]
    container.games.play(game.id, game.ann, [f"{card}@3"])

    for seat, person in both(app, game).items():
        lists = [each.name for each in person.page.all("ul") if each.name.endswith("Stone 3")]
        other = {"north": "Bob", "south": "Ann"}[seat]
        assert lists == [f"{other}, Stone 3", "You, Stone 3"]
        assert len([li for li in person.page.all("h3") if li.name.startswith("Stone ")]) == 9


def test_a_waiting_player_sees_the_hand_and_can_do_nothing(app: Flask, game: Shown) -> None:
    bob = both(app, game)["south"]

    assert bob.status == "Waiting for Ann."
    assert len(bob.hand) == 6
    assert not set(bob.hand) & set(bob.buttons)


def test_the_heading_has_both_names(app: Flask, game: Shown) -> None:
    ann = both(app, game)["north"]
    assert [each.name for each in ann.page.all("h1")] == ["Ann v Bob"]


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


def test_a_link_with_a_turn_in_it_plays_nothing(
    app: Flask, container: Container, game: Shown
) -> None:
    ann = both(app, game)["north"]
    card = container.games.load(game.id).game.hands["north"][0]
    ann.go(f"/games/{game.id}?version=3&turn={card}@3")

    assert container.games.load(game.id).version == 3
    assert "Send turn" in ann.buttons


# Sending


def put_together(person: Visitor, stone: int = 3) -> None:
    person.press(person.hand[0])
    person.press(f"Play on Stone {stone}")


def test_a_turn_sent_twice_is_played_once(app: Flask, container: Container, game: Shown) -> None:
    ann = both(app, game)["north"]
    put_together(ann)
    action, fields = ann.fields_of("Send turn")

    ann.post(action, fields)
    version = container.games.load(game.id).version
    ann.post(action, fields)

    assert ann.answer.status_code == 200
    assert ann.status == "Waiting for Bob."
    assert container.games.load(game.id).version == version


def test_a_stale_page_is_told_and_shown_how_the_game_stands(
    app: Flask, container: Container, game: Shown
) -> None:
    """The turn was played in another tab."""
    ann = both(app, game)["north"]
    put_together(ann)
    other_tab = both(app, game)["north"]
    put_together(other_tab, stone=4)
    other_tab.press("Send turn")
    version = container.games.load(game.id).version

    ann.press("Send turn")

    assert ann.answer.status_code == 409
    assert ann.status.startswith("Waiting for Bob. Not sent: the game has moved on.")
    assert container.games.load(game.id).version == version
    # The address with the turn in it says so too.
    ann.go(f"/games/{game.id}?version=3&turn=R1@3")
    assert "put aside" in ann.status


def test_what_is_still_legal_of_an_overtaken_turn_is_kept(
    app: Flask, container: Container, game: Shown
) -> None:
    ann = both(app, game)["north"]
    mine, kept = container.games.load(game.id).game.hands["north"][:2]
    container.games.play(game.id, game.ann, [f"{mine}@3"])
    container.games.play(
        game.id, game.bob, [container.games.load(game.id).game.hands["south"][0] + "@3"]
    )

    ann.go(f"/games/{game.id}?version=3&turn={kept}@4")
    assert "The game has moved on" in ann.status
    assert "Send turn" in ann.buttons
    assert container.games.load(game.id).game.turn == "north"

    ann.go(f"/games/{game.id}?version=3&turn={mine}@4")
    assert "You do not hold" in ann.status
    assert "Send turn" not in ann.buttons


def test_a_turn_that_the_rules_refuse_changes_nothing(
    app: Flask, container: Container, game: Shown
) -> None:
    ann = both(app, game)["north"]
    put_together(ann)
    action, fields = ann.fields_of("Send turn")
    forged = [(name, "P9@3" if name == "turn" else value) for name, value in fields]
    held = container.games.load(game.id).game.hands["north"]
    if "P9" in held:
        forged = [(name, "P8@3" if name == "turn" else value) for name, value in fields]

    ann.post(action, forged)

    assert ann.answer.status_code == 422
    assert "Not sent: You do not hold" in ann.status
    assert container.games.load(game.id).version == 3


def test_a_form_of_another_site_is_refused(app: Flask, container: Container, game: Shown) -> None:
    ann = both(app, game)["north"]
    put_together(ann)
    action, fields = ann.fields_of("Send turn")
    foreign = [(name, "x" if name == "form" else value) for name, value in fields]

    ann.post(action, foreign)

    assert ann.answer.status_code == 403
    assert container.games.load(game.id).version == 3


def test_somebody_else_cannot_send_a_turn(app: Flask, container: Container, game: Shown) -> None:
    ann = both(app, game)["north"]
    put_together(ann)
    action, fields = ann.fields_of("Send turn")
    eve = visitor(app, container.players.register("Eve").player.id)
    eve.go("/account")
    token = dict(eve.fields_of("Sign out")[1])["form"]

    eve.post(action, [(n, token if n == "form" else v) for n, v in fields])

    assert "Not sent: Only the two players may do this." in eve.status
    assert container.games.load(game.id).version == 3


# Claims


def test_a_stone_tells_whether_it_can_be_claimed(app: Flask, container: Container) -> None:
    ann, bob = (container.players.register(name).player.id for name in ("Ann", "Bob"))
    game = arranged(container, {"north": ann, "south": bob})
    for texts in (["R7@1"], ["G1@1"], ["R8@1"], ["G3@2"], ["O1@2"], ["G5@2"]):
        mover = container.games.load(game).player_to_move()
        container.games.play(game, mover or "", texts)
    person = visitor(app, ann)

    person.go(f"/games/{game}")
    assert "Your side needs 1 more card." in person.answer.text
    assert "Claim Stone 1" not in person.buttons
    person.press("Red 9")
    person.press("Play on Stone 1")

    assert "no cards still unseen can make the other side beat your colour run of 24" in (
        person.answer.text
    )
    assert "Claim Stone 1" in person.buttons
    person.press("Claim Stone 1")
    assert "Not sent yet: Red 9 on Stone 1, Claim Stone 1." in person.status
    assert "Claim Stone 1" not in person.buttons
    person.press("Send turn")
    assert container.games.load(game).game.stone(1).owner == "north"


def test_the_cards_that_would_beat_a_claim_are_shown(app: Flask, container: Container) -> None:
    ann, bob = (container.players.register(name).player.id for name in ("Ann", "Bob"))
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


# The free seat, and the steward


def test_anybody_plays_the_steward_with_one_press(
    client: FlaskClient, container: Container
) -> None:
    person = Visitor(client)

    person.press("Play the steward now")

    assert re.fullmatch("/games/[a-z2-7]{20}", person.path)
    assert person.status.startswith("Your turn")
    assert [each.name for each in person.page.all("h1")] == ["Guest v Steward (bot)"]
    put_together(person)
    person.press("Send turn")
    assert person.status == "Waiting for Steward (bot)."


def test_the_button_pressed_twice_at_once_makes_one_game(client: FlaskClient) -> None:
    person = Visitor(client)
    action, fields = person.fields_of("Play the steward now")

    person.post(action, fields)
    made = person.path
    client.delete_cookie(cookies.SESSION)  # the second press leaves before it is there
    person.post(action, fields)

    assert person.path == made
    assert person.status.startswith("Your turn")


def test_the_holder_of_an_invite_gives_a_name_and_sits_down(
    app: Flask, container: Container
) -> None:
    ann = container.players.register("Ann").player.id
    game = container.games.create(ann, NewGame(first_player="opponent"))
    maker, guest = visitor(app, ann), Visitor(app.test_client())
    maker.go(f"/games/{game.id}")
    assert maker.status == "Waiting for a second player."
    (link,) = [
        each.attributes["value"]
        for each in maker.page.all("input")
        if each.attributes.get("class") == "invite-link"
    ]

    guest.go(link.removeprefix("http://scottenbury.test"))
    assert [label.name for label in guest.page.all("label")] == ["Your name"]
    guest.press("Take the seat", name="  ")
    assert guest.answer.status_code == 422
    guest.press("Take the seat", name="Zoë")

    assert guest.status.startswith("Your turn")
    assert "Ann v Zoë" in guest.answer.text
    put_together(guest)
    guest.press("Send turn")
    assert guest.status == "Waiting for Ann."


def test_a_signed_in_player_just_takes_the_seat(app: Flask, container: Container) -> None:
    ann, bob = (container.players.register(name).player.id for name in ("Ann", "Bob"))
    game = container.games.create(ann, NewGame(private=True))
    person = visitor(app, bob)

    person.go(f"/games/{game.id}?invite={container.games.invitations.token(game.id)}")
    assert "Your name" not in person.answer.text
    person.press("Take the seat")

    assert container.games.load(game.id).players == [ann, bob]


# Leaving


def test_a_page_that_asked_in_an_earlier_round_resigns_no_later_one(
    app: Flask, container: Container
) -> None:
    game = begin(container, rounds=3)
    ann, tab = (both(app, game)["north"] for _ in range(2))
    for page in (ann, tab):
        page.go(f"/games/{game.id}/resign")
    form = ann.fields_of("Resign")[1]
    ann.press("Resign")
    resigned = container.games.load(game.id)
    assert resigned.game.round == 2

    tab.press("Resign")
    assert tab.answer.status_code == 412
    ann.post(f"/games/{game.id}/resign", form)
    assert ann.answer.status_code == 200
    assert container.games.load(game.id).version == resigned.version


def test_resigning_asks_first(app: Flask, container: Container, game: Shown) -> None:
    ann = both(app, game)["north"]
    ann.go(f"/games/{game.id}/resign")
    assert container.games.load(game.id).game.status == "active"

    ann.press("Resign")

    assert ann.status == "Bob won by resignation."
    ann.press("Rematch")
    assert ann.path != f"/games/{game.id}"
    assert "The seat is kept for Bob" in ann.answer.text


def test_a_game_is_abandoned_when_both_agree(app: Flask, container: Container, game: Shown) -> None:
    people = both(app, game)
    people["north"].go(f"/games/{game.id}/abandon")
    people["north"].press("Offer to abandon")
    assert "You have offered to abandon the game." in people["north"].answer.text
    people["north"].press("Take the offer back")
    people["north"].go(f"/games/{game.id}/abandon")
    people["north"].press("Offer to abandon")

    people["south"].go(f"/games/{game.id}")
    assert "Ann offers to abandon the game." in people["south"].answer.text
    people["south"].go(f"/games/{game.id}/abandon")
    people["south"].press("Offer to abandon")

    assert people["south"].status == "Drawn by agreement."


def test_a_game_that_has_not_begun_is_called_off(app: Flask, container: Container) -> None:
    ann = container.players.register("Ann").player.id
    game = container.games.create(ann, NewGame())
    person = visitor(app, ann)
    person.go(f"/games/{game.id}/call-off")

    person.press("Call off")

    assert person.status == "The game was called off."


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
    ann.press("Send turn")

    (link,) = [each for each in ann.page.all("a") if each.name.startswith("Next game")]
    assert link.name == "Next game (1 waiting)"
    assert link.attributes["href"] == f"/games/{others[0]}"

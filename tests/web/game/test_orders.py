"""Orders and plans on the pages, without scripts: nothing that is pressed there plays."""

import html
import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine import Seat
from engine.cards import full_name
from service.container import Container
from service.core.words import ENGLISH
from service.games import StoredGame
from service.games.drafts import Orders, TurnOrder, read_orders
from service.games.side_state_check import OrdersForm
from service.web.game.sentences import outcome_words
from tests.web.pressing import Visitor
from tests.web.shown import Shown, begin, signed_in


class Planning:
    """Bob plans while Ann is on the move."""

    def __init__(self, app: Flask, container: Container, game: Shown) -> None:
        self.container, self.game = container, game
        self.path = f"/games/{game.id}/orders"
        self.client = signed_in(app, game.bob)
        self.bob = Visitor(self.client)

    @property
    def stored(self) -> StoredGame:
        return self.container.games.load(self.game.id)

    def hand(self, seat: Seat) -> tuple[str, ...]:
        return self.stored.game.hands[seat]

    def add(self, place: int = 3, **when: str) -> str:
        """Add a card on a Stone to the plan, `when` a card is played on a Stone; the card."""
        card = self.hand("south")[0]
        self.bob.go(self.path)
        self.bob.press(full_name(card))
        self.bob.press(f"Plan on Stone {place}")
        action, fields = self.bob.fields_of("Add to the plan")
        left = [(name, value) for name, value in fields if name not in when]
        self.bob.post(action, [*left, *when.items()])
        return card

    def ann_plays(self, stone: int = 1) -> str:
        card = self.hand("north")[0]
        self.container.games.play(self.game.id, self.game.ann, [f"{card}@{stone}"])
        return card


@pytest.fixture
def planning(app: Flask, container: Container, game: Shown) -> Planning:
    return Planning(app, container, game)


def test_a_planned_turn_is_played_once_the_other_has_moved(planning: Planning) -> None:
    version = planning.stored.version
    card = planning.add()
    assert planning.stored.version == version
    assert f"Whatever Ann plays: {full_name(card)} on Stone 3." in planning.bob.page.text
    assert planning.bob.path == planning.path

    planning.ann_plays()

    assert planning.stored.game.stone(3).sides["south"] == (card,)
    assert planning.stored.game.turn == "north"
    planning.bob.go(planning.path)
    assert "Your planned turn was played" in planning.bob.page.text
    assert "No turn is planned." in planning.bob.page.text
    planning.bob.go(f"/games/{planning.game.id}")
    assert f"You played {full_name(card)}" not in planning.bob.page.text.partition("Log")[0]


def test_what_is_new_stands_in_the_order_in_which_it_happened(planning: Planning) -> None:
    card = full_name(planning.add())
    first, second = (full_name(planning.ann_plays(stone)) for stone in (1, 2))
    planning.bob.go(f"/games/{planning.game.id}")
    played = f"Your planned turn was played: {card} on Stone 3."
    news = f"Ann played {first} on Stone 1.{played}Ann played {second} on Stone 2."
    assert news in planning.bob.page.text
    assert planning.bob.page.text.count(played) == 1


def test_a_plan_that_was_not_added_lapses_once_the_player_has_played(planning: Planning) -> None:
    version, card = planning.stored.version, planning.hand("south")[0]
    kept = f"{planning.path}?version={version}&turn={planning.hand('south')[1]}@4"
    planning.ann_plays()
    planning.bob.go(kept)
    assert "Not added yet" in planning.bob.page.text
    planning.container.games.play(planning.game.id, planning.game.bob, [f"{card}@3"])
    planning.bob.go(kept)
    assert "The game has moved on" in planning.bob.page.text
    assert "Add to the plan" not in planning.bob.page.text


def test_a_plan_for_another_turn_is_not_played_and_says_why(planning: Planning) -> None:
    foreseen = planning.hand("north")[1]
    card = planning.add(card=foreseen, stone="5")
    named = f"{full_name(foreseen)} on Stone 5"
    assert f"When Ann plays {named}: {full_name(card)}" in planning.bob.page.text

    planning.ann_plays(stone=1)

    assert planning.stored.game.turn == "south"
    said = "Your planned turn was not played: "
    planning.bob.go(f"/games/{planning.game.id}")
    assert said in planning.bob.page.text
    planning.bob.go(planning.path)
    assert "Your planned turn was not played" in planning.bob.page.text
    assert "Ann played something else." in planning.bob.page.text
    assert planning.bob.status.startswith("Your turn.")

    planning.container.games.play(planning.game.id, planning.game.bob, [f"{card}@2"])
    planning.bob.go(f"/games/{planning.game.id}")
    assert said not in planning.bob.page.text


def test_why_a_plan_was_not_played_is_said_in_the_readers_language(planning: Planning) -> None:
    container, game, bob = planning.container, planning.game, planning.game.bob
    held = planning.hand("south")[0]
    container.games.orders.give(game.id, bob, Orders(turn=TurnOrder((f"{held}@3", "!5"))))
    planning.ann_plays()
    last = container.games.orders.of(game.id, bob)[1].last
    assert last is not None
    assert last.places == {"stone": "5"}
    german = container.languages.words("de")
    container.mail_preferences.set_choice(bob, {"language": "de"})
    planning.bob.go(planning.path)
    assert last.message is not None
    said = german.say(last.message, **last.places)
    assert said != last.message % last.places
    assert said in html.unescape(planning.bob.page.text)


def test_a_reason_that_a_former_version_stored_is_shown_as_it_is() -> None:
    last = ["cancelled", ["R7@3"], 9, "illegal-action", "You do not hold R7."]
    stored = {"claim_proved": False, "pass_when_stuck": False, "turn": None, "last": last}
    read = read_orders(json.dumps(stored)).last
    assert read is not None
    assert outcome_words(ENGLISH, read, "Ann").endswith(
        " was not played: Red 7 on Stone 3. You do not hold R7."
    )
    assert OrdersForm().validate(stored) == {}
    stored["last"] = [*last[:4], "You do not hold %(card)s.", {"card": "R7"}]
    again = read_orders(json.dumps(stored)).last
    assert again is not None
    assert outcome_words(ENGLISH, again, "Ann") == outcome_words(ENGLISH, read, "Ann")
    assert OrdersForm().validate(stored) == {}


def test_nothing_on_the_page_leads_to_a_turn(planning: Planning) -> None:
    planning.bob.go(planning.path)
    planning.bob.press(full_name(planning.hand("south")[0]))
    assert not planning.bob.can_send
    assert not any(name.startswith("Play on") for name in planning.bob.buttons)
    planning.bob.press("Plan on Stone 2")
    assert "Not added yet" in planning.bob.status
    actions = [form.attributes.get("action", "") for form in planning.bob.page.all("form")]
    assert actions
    assert all(action.startswith(planning.path) for action in actions), actions
    assert "Undo" in planning.bob.buttons
    planning.bob.press("Undo")
    assert planning.bob.path == planning.path


def test_orders_that_stand_are_kept_and_withdrawn(planning: Planning) -> None:
    orders = planning.container.games.orders
    planning.bob.go(planning.path)
    action, fields = planning.bob.fields_of("Save the plan")
    token = [field for field in fields if field[0] == "form"]
    planning.bob.post(action, [*token, ("claim_proved", "on")])
    _, known = orders.of(planning.game.id, planning.game.bob)
    assert known == Orders(claim_proved=True)
    planning.add()
    _, known = orders.of(planning.game.id, planning.game.bob)
    assert known.claim_proved
    assert known.turn
    planning.bob.press("Withdraw")
    _, known = orders.of(planning.game.id, planning.game.bob)
    assert known.turn is None
    assert known.claim_proved


def test_saving_orders_keeps_the_turn_that_is_not_planned_yet(planning: Planning) -> None:
    card = full_name(planning.hand("south")[0])
    planning.bob.go(planning.path)
    planning.bob.press(card)
    planning.bob.press("Plan on Stone 4")
    action, fields = planning.bob.fields_of("Save the plan")
    planning.bob.post(action, [*fields, ("pass_when_stuck", "on")])
    assert "The turn is not planned yet" in planning.bob.status
    assert f"Not added yet: {card} on Stone 4" in planning.bob.status

    planning.bob.press("Add to the plan")

    _, known = planning.container.games.orders.of(planning.game.id, planning.game.bob)
    assert known.pass_when_stuck
    assert f"Whatever Ann plays: {card} on Stone 4." in planning.bob.page.text


def test_planning_in_one_s_own_turn_leads_to_the_board(planning: Planning) -> None:
    planning.ann_plays()
    planning.bob.go(planning.path)
    assert planning.bob.status == (
        "Your turn. Here you plan the one after it. Choose a card to plan."
    )
    assert "Play this turn on the board" in planning.bob.page.text


def test_a_plan_made_before_the_other_moved_is_not_added_but_stays(planning: Planning) -> None:
    card = planning.hand("south")[0]
    planning.bob.go(planning.path)
    planning.bob.press(full_name(card))
    planning.bob.press("Plan on Stone 4")
    planning.ann_plays()

    planning.bob.press("Add to the plan")

    assert planning.bob.answer.status_code == 409
    assert "the game has moved on" in planning.bob.status
    assert f"Not added yet: {full_name(card)} on Stone 4" in planning.bob.status
    assert planning.stored.game.turn == "south"
    assert "Here you plan the one after it" in planning.bob.page.text


def test_no_stone_of_a_card_is_taken_without_being_chosen(planning: Planning) -> None:
    planning.add(card="G4")
    assert "choose the Stone of that card too" in planning.bob.status
    assert planning.container.games.orders.of(planning.game.id, planning.game.bob)[1].turn is None


def test_only_players_plan(app: Flask, client: FlaskClient, planning: Planning) -> None:
    assert client.get(planning.path).status_code == 303
    stranger = planning.container.registrations.register("Eve").player.id
    assert signed_in(app, stranger).get(planning.path).status_code == 403


def test_plans_do_not_depend_on_what_the_other_holds(app: Flask, container: Container) -> None:
    """The cards to foresee are all those that the reader has not seen."""
    planning = Planning(app, container, begin(container, tactics=True))
    text = planning.client.get(planning.path).text
    card = next(c for c in planning.hand("south") if c[0] in "ROYGBP" and c[1:].isdigit())
    text = planning.client.get(f"{planning.path}?turn={card}@1&turn=%2BC").text
    offered = set(re.findall(r'<option value="([A-Z][A-Z0-9]+)"', text))
    own = planning.hand("south")
    assert set(planning.hand("north")) - {"STR", "REC", "BAN", "TRA"} <= offered
    assert len([card for card in offered if card[1:].isdigit()]) == 54 - sum(
        card[1:].isdigit() for card in own
    )


def test_a_game_that_is_over_or_not_begun_has_no_plans(planning: Planning) -> None:
    planning.container.games.resign(planning.game.id, planning.game.ann)
    answer = planning.client.get(planning.path)
    assert answer.location == f"/games/{planning.game.id}"


def test_the_game_leads_to_plans_while_the_other_moves(planning: Planning) -> None:
    assert f'href="{planning.path}"' in planning.client.get(f"/games/{planning.game.id}").text

"""Cards in sentences."""

from flask import Flask

from service.bots import BOTS
from service.container import Container
from service.text.history import people
from service.web.card_filters import cards_named
from tests.web.people import visitor
from tests.web.shown import begin


def test_cards_are_picked_out_of_a_sentence() -> None:
    assert cards_named("Bob played Red 7 at Stone 3, then the Mud Fight.") == [
        ("", "Bob played "),
        ("R7", "Red 7"),
        ("", " at Stone 3, then the "),
        ("MUD", "Mud Fight"),
        ("", "."),
    ]


def test_other_words_and_numbers_are_no_cards() -> None:
    for sentence in ("Red 70 and Fred 7", "Spying", "Round 1 began."):
        assert cards_named(sentence) == [("", sentence)]


def test_a_player_who_is_called_like_a_card_is_none() -> None:
    names = people({"north": "Red 7", "south": "The Joker II"})
    assert [cards_named(name) for name in names.values()] == [
        [("", "Red 7")],
        [("", "The Joker II")],
    ]
    assert people({"north": "Ann"}) == {"north": "Ann"}


def test_the_strategist_is_a_bot_and_a_card() -> None:
    bot = BOTS["strategist"].title
    assert people({"north": bot}) == {"north": bot}
    assert cards_named(f"{bot} played the Strategist.") == [
        ("", f"{bot} played the "),
        ("STR", "Strategist"),
        ("", "."),
    ]


def test_only_cards_are_chips_where_a_player_is_called_red_7(
    app: Flask, container: Container
) -> None:
    game = begin(container, "Red 7")
    legal = container.games.view(container.games.load(game.id), game.ann).legal
    container.games.play(game.id, game.ann, [legal[0]])
    for path in (f"/games/{game.id}", "/"):
        bob = visitor(app, game.bob)
        bob.go(path)
        chips = [
            each for each in bob.page.all("span") if "chip" in each.attributes.get("class", "")
        ]
        assert chips
        assert all(each.text.strip() != "Red 7" or legal[0].startswith("R7") for each in chips)
        assert "\u2060" not in bob.answer.text  # the name can be copied and searched
        assert "Red 7" in bob.answer.text

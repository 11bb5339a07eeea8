"""Cards in sentences, and parts of pages that are drawn once."""

import re
from typing import Final

import pytest
from flask import Flask, render_template_string
from markupsafe import escape

from service.bots import BOTS
from service.container import Container
from service.core.cache import recently_used
from service.core.words import ENGLISH
from service.text.card_names import people
from service.web import card_filters
from service.web.card_filters import cards_named
from tests.web.people import visitor
from tests.web.shown import Shown, begin, play_on, signed_in

ONE_TIME: Final = re.compile(r'(?<=name="(?:once|form)" value=")[^"]+')


def test_cards_are_picked_out_of_a_sentence() -> None:
    assert cards_named(ENGLISH, "Bob played Red 7 at Stone 3, then the Mud Fight.") == [
        ("", "Bob played "),
        ("R7", "Red 7"),
        ("", " at Stone 3, then the "),
        ("MUD", "Mud Fight"),
        ("", "."),
    ]


def test_no_line_of_a_page_breaks_between_a_stone_and_its_number(app: Flask) -> None:
    for language, said in (("en", "on Stone 3"), ("de", "an Stein 3"), ("fr", "à la borne 3")):
        with app.test_request_context(headers={"Accept-Language": language}):
            word = said.split()[-2]
            shown = render_template_string("{{ chips(said) }}", said=f"{said}.")
            assert f"{word}\N{NO-BREAK SPACE}3" in shown


def test_a_card_with_an_apostrophe_is_one_in_markup_too() -> None:
    assert cards_named(ENGLISH, escape("You drew Blind-Man’s Bluff")) == [
        ("", "You drew "),
        ("BMB", "Blind-Man’s Bluff"),
    ]


def test_other_words_and_numbers_are_no_cards() -> None:
    for sentence in ("Red 70 and Fred 7", "Spying", "Round 1 began."):
        assert cards_named(ENGLISH, sentence) == [("", sentence)]


def test_a_player_who_is_called_like_a_card_is_none() -> None:
    names = people(ENGLISH, {"north": "Red 7", "south": "The Joker II"})
    assert [cards_named(ENGLISH, name) for name in names.values()] == [
        [("", "Red 7")],
        [("", "The Joker II")],
    ]
    assert people(ENGLISH, {"north": "Ann"}) == {"north": "Ann"}


def test_the_strategist_is_a_bot_and_a_card() -> None:
    bot = BOTS["strategist"].title
    assert people(ENGLISH, {"north": bot}) == {"north": bot}
    assert cards_named(ENGLISH, f"{bot} played the Strategist.") == [
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


def pages(app: Flask, container: Container, game: Shown) -> dict[str, str]:
    """The page of the game as everybody sees it, with a choice, an option and a link."""
    view = container.games.view(container.games.load(game.id), game.ann)
    legal, card = list(view.legal), next(iter(view.own_cards), "")
    ways = ["", "?log=all", "?invite=none", f"?chosen={card}", f"?turn={legal[0] if legal else ''}"]
    readers = {"north": game.ann, "south": game.bob, "nobody": None}
    texts = {}
    for who, player in readers.items():
        client = signed_in(app, player) if player else app.test_client()
        for way in ways:
            texts[who + way] = ONE_TIME.sub("", client.get(f"/games/{game.id}{way}").text)
    return texts


def test_a_page_with_parts_that_were_drawn_before_is_the_page_that_is_drawn_afresh(
    app: Flask, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, drawn = begin(container, tactics=True), []
    pages(app, container, game)  # both have been here
    for _ in range(8):
        first, again = pages(app, container, game), pages(app, container, game)
        monkeypatch.setattr(card_filters, "_parts", recently_used(0, len))
        assert first == again == pages(app, container, game)
        monkeypatch.undo()
        drawn.append(first["nobody"])
        play_on(container, game, 3)
    assert len(set(drawn)) == len(drawn)
    container.games.resign(game.id, game.bob)
    assert "resigned" in pages(app, container, game)["nobody"]


def test_a_page_is_drawn_again_for_another_name_or_zone(app: Flask, container: Container) -> None:
    game = begin(container)
    play_on(container, game)
    before = pages(app, container, game)
    container.players.rename(game.bob, "Robert")
    container.mail_preferences.set_choice(game.ann, {"time_zone": "Asia/Kathmandu"})
    after = pages(app, container, game)
    assert "Bob played" in before["nobody"]
    assert "Robert played" in after["nobody"]
    for texts, is_unzoned in ((before, True), (after, False)):
        log = texts["north"].partition('id="story"')[2].partition("</section>")[0]
        assert ("data-unzoned" in log) == is_unzoned


def test_the_eyes_that_one_reader_has_chosen_are_no_other_readers(
    app: Flask, container: Container
) -> None:
    game = begin(container)
    play_on(container, game)
    container.games.resign(game.id, game.bob)
    chosen = app.test_client().get(f"/games/{game.id}?eyes=south").text
    page = app.test_client().get(f"/games/{game.id}").text
    assert 'aria-current="true">Bob' in chosen
    assert 'aria-current="true">Bob' not in page

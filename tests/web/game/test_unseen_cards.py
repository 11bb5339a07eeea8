"""Which Clan cards are unseen, as claims count them, and which of them a reader sees in hand."""

from collections import Counter

from flask import Flask

from engine.cards import CLAN_CARDS, TACTIC_CARDS, full_name
from service.container import Container
from service.core.words import ENGLISH
from service.web.card_filters import unseen_rows
from tests.web.people import visitor
from tests.web.pressing import Visitor
from tests.web.shown import Shown, begin, play_on


def left(view: dict) -> set[str]:
    return {
        f"{row.clan}{cell.strength}"
        for row in unseen_rows(ENGLISH, view)
        for cell in row.cells
        if cell.unseen
    }


def test_nobody_has_seen_what_is_in_hands_and_decks(container: Container, game: Shown) -> None:
    container.games.play(game.id, game.ann, ["R4@3"])
    stored = container.games.load(game.id)
    assert left(container.games.view(stored, None)) == set(CLAN_CARDS) - {"R4"}


def test_ones_own_hand_is_unseen_and_marked(
    app: Flask, container: Container, game: Shown
) -> None:  # ruling 15
    container.games.play(game.id, game.ann, ["R4@3"])
    view = container.games.view(container.games.load(game.id), game.ann)
    assert left(view) == set(CLAN_CARDS) - {"R4"}
    marked = {
        f"{row.clan}{cell.strength}"
        for row in unseen_rows(ENGLISH, view)
        for cell in row.cells
        if cell.held
    }
    assert marked == set(view.own_cards)
    assert len(marked) == 6
    ann, passer_by = visitor(app, game.ann), Visitor(app.test_client())
    for person in (ann, passer_by):
        person.go(f"/games/{game.id}")
    assert "47 of 54 unseen, 6 more in your hand" in ann.page.text
    assert "53 of 54 unseen" in passer_by.page.text
    assert "more in your hand" not in passer_by.page.text


def test_tactic_cards_that_nobody_has_shown_are_named(app: Flask, container: Container) -> None:
    game = begin(container, tactics=True)
    play_on(container, game, 24)
    ann, passer_by = visitor(app, game.ann), Visitor(app.test_client())
    stored = container.games.load(game.id)
    for person, reader in ((ann, game.ann), (passer_by, None)):
        view = container.games.view(stored, reader)
        on_table = [card for stone in view.stones for card in (*stone.north, *stone.south)]
        modes = [mode for stone in view.stones for mode in stone.modes]
        seen = [*on_table, *modes, *view.discard, *view.own_cards]
        hidden = Counter(TACTIC_CARDS) - Counter(seen)
        person.go(f"/games/{game.id}")
        told = person.page.text.partition(f"{hidden.total()} Tactic cards hidden:")[2]
        for card in set(TACTIC_CARDS):
            name = full_name(card).replace("'", "’")
            assert (name in told.partition("Talk")[0]) is (card in hidden)

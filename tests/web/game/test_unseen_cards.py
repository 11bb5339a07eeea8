"""Which Clan cards are still to come, as a reader may know it."""

from engine.cards import CLAN_CARDS
from service.container import Container
from service.web.card_filters import unseen_rows
from tests.web.shown import Shown


def left(view: dict) -> set[str]:
    return {
        f"{row.clan}{cell.strength}"
        for row in unseen_rows(view)
        for cell in row.cells
        if cell.unseen
    }


def test_nobody_has_seen_what_is_in_hands_and_decks(container: Container, game: Shown) -> None:
    container.games.play(game.id, game.ann, ["R4@3"])
    stored = container.games.load(game.id)
    assert left(container.games.view(stored, None)) == set(CLAN_CARDS) - {"R4"}


def test_players_have_seen_their_own_hands(container: Container, game: Shown) -> None:
    container.games.play(game.id, game.ann, ["R4@3"])
    stored = container.games.load(game.id)
    view = container.games.view(stored, game.ann)
    hand = set(view.own_cards)
    assert len(hand) == 6
    assert left(view) == set(CLAN_CARDS) - {"R4"} - hand


def test_rows_count_what_is_left(container: Container, game: Shown) -> None:
    container.games.play(game.id, game.ann, ["R4@3"])
    rows = unseen_rows(container.games.view(container.games.load(game.id), None))
    assert [(row.name, row.left) for row in rows[:2]] == [("Red", 8), ("Orange", 9)]

"""Tables of the naive model, laid by hand for its tests."""

from tests.engine.naive.model import NaiveGame, Options
from tests.engine.naive.proof import CLAN, TACTIC

PLAIN = Options()
TACTICS = Options(hand=7, tactics=True)
FULL_OF_SUMS = "R1 G5 B9"


def cards(text: str) -> list[str]:
    return text.split()


def position(
    hand: str = "R9 O9",
    theirs: str = "B1 P1",
    options: Options = TACTICS,
    clan: str = "Y1 Y2 Y3 Y4",
    tactic: str = "",
) -> NaiveGame:
    """North to play, with these hands and decks and an empty border."""
    game = NaiveGame(options, "north", CLAN, TACTIC)
    game.hands = {"north": cards(hand), "south": cards(theirs)}
    game.clan_deck, game.tactic_deck = cards(clan), cards(tactic)
    return game


def lay(game: NaiveGame, number: int, seat: str, text: str) -> None:
    """Lay cards on a side, after all that lies there already."""
    game.stones[number - 1][seat] += cards(text)
    game.note_completions()


def give(game: NaiveGame, seat: str, *numbers: int) -> None:
    for number in numbers:
        game.stones[number - 1]["owner"] = seat


def fill(game: NaiveGame, seat: str, *numbers: int) -> None:
    """Leave a seat no room on these Stones (the cards are repeated: only the room matters)."""
    for number in numbers:
        lay(game, number, seat, FULL_OF_SUMS)


def claims(game: NaiveGame) -> set[str]:
    return {text for text in game.legal() if text.startswith("!")}


def starting(game: NaiveGame, prefix: str) -> set[str]:
    return {text for text in game.legal() if text.startswith(prefix)}

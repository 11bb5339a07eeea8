"""The games of seasons as their pages show them."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from markupsafe import Markup

from service.core.words import N_, Words
from service.games.stored_game import StoredGame
from service.seasons.season import Pairing, ResultTaken, seated
from service.text.drawing.cards import small_board

_WON: Final = N_("%(name)s won against %(other)s.")
_DRAWN: Final = N_("%(name)s and %(other)s drew.")


class SeasonGame(NamedTuple):
    """A game as the page of its season shows it: its board, and until when its player to move has
    time (RFC 3339). `result` is None while it goes on."""

    game: Pairing
    board: Markup
    mover: str | None
    deadline: str | None
    result: ResultTaken | None

    def other(self, player: str) -> str:
        """The id of the player's opponent."""
        return next(one for one in seated(self.game) if one != player)


def shown_game(game: Pairing, stored: object, results: Mapping[str, ResultTaken]) -> SeasonGame:
    """A game, given what is stored of it."""
    result = results.get(game["game"])
    if not isinstance(stored, StoredGame):  # removed, or its log is damaged
        return SeasonGame(game, Markup(), None, None, None)
    board = Markup(small_board(stored.game.stones, "north"))
    return SeasonGame(game, board, stored.player_to_move(), stored.deadline_text, result)


def result_words(words: Words, game: Pairing, winner: str | None, names: Mapping[str, str]) -> str:
    """Say the result of a game in a sentence."""
    first, other = seated(game) if winner != game["south"] else seated(game)[::-1]
    shown = [names.get(one) or words.say("a former player") for one in (first, other)]
    return words.say(_DRAWN if winner is None else _WON, name=shown[0], other=shown[1])

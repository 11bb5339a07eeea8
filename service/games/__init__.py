"""The use cases of games, for every transport: API, pages, mail, bots and clocks."""

from service.games.notices import GUEST
from service.games.projections.player_games import Page
from service.games.service import Games
from service.games.stored_game import StoredGame
from service.games.terms import NewGame
from service.games.writer import ChangeContext

__all__ = ["GUEST", "ChangeContext", "Games", "NewGame", "Page", "StoredGame"]

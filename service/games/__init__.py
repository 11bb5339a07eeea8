"""The use cases of games, for every transport: API, pages, mail, bots and clocks."""

from service.games.change.writer import ChangeContext
from service.games.notices.notifications import GUEST
from service.games.opening.new_game import NewGame
from service.games.projections.player_games import Page
from service.games.service import Games
from service.games.stored_game import StoredGame

__all__ = ["GUEST", "ChangeContext", "Games", "NewGame", "Page", "StoredGame"]

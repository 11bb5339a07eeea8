"""The use cases of a game, for every transport: API, pages, mail, bots and clocks."""

from service.games.games import Games
from service.games.index import Page
from service.games.making import NewGame
from service.games.notices import GUEST
from service.games.stored import StoredGame
from service.games.writer import Origin

__all__ = ["GUEST", "Games", "NewGame", "Origin", "Page", "StoredGame"]

"""The pages: HTML that works without JavaScript and loads nothing from other sites.

A GET changes nothing, so programs that follow links do no harm.
"""

# ruff: noqa: F401 (importing a module adds its routes to the blueprint)

from service.web import (
    answers,
    assets,
    documents,
    errors,
    forms,
    language,
    moments,
    news,
    operator,
)
from service.web.account import (
    arrival,
    channels,
    guests,
    mail,
    mailbox,
    private_pages,
    profile,
    sign_in,
    time_off,
    tokens,
)
from service.web.blueprint import blueprint
from service.web.game import (
    clock,
    conversation,
    endings,
    first_game,
    free_seat,
    presence,
    replay,
    routes,
    turn,
    worth,
)
from service.web.games import challenges, daily, games_list, new_game, player, seasons
from service.web.reference import judge, lessons, puzzles, record_page

__all__ = ["blueprint"]

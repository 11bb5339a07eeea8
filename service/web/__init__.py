"""The pages: HTML that works without JavaScript and asks nothing of any other site.

A GET changes nothing here, so that a program which follows links does no harm.
"""

from service.web import (
    assets,
    errors,
    form_keys,
    installing,
    moments,
    news,
    refusals,
    waiting,
    ways_back,
)
from service.web.account import (
    arrival,
    channels,
    contact,
    devices,
    end,
    identities,
    mail_choice,
    mailbox,
    page,
    private_pages,
    sign_in,
    time_off,
    tokens,
    unsubscribe,
    welcome,
)
from service.web.blueprint import blueprint
from service.web.game import (
    clock,
    conversation,
    endings,
    first_game,
    free_seat,
    orders,
    presence,
    replay,
    routes,
    salts,
    turn,
)
from service.web.games import challenges, games_list, home, invitations, lobby, new_game, player
from service.web.operator import access as operator_access
from service.web.operator import games as operator_games
from service.web.operator import page as operator_page
from service.web.operator import players as operator_players
from service.web.reference import judge, lessons, puzzles, record_link, record_page, rules

__all__ = [
    "arrival",
    "assets",
    "blueprint",
    "challenges",
    "channels",
    "clock",
    "contact",
    "conversation",
    "devices",
    "end",
    "endings",
    "errors",
    "first_game",
    "form_keys",
    "free_seat",
    "games_list",
    "home",
    "identities",
    "installing",
    "invitations",
    "judge",
    "lessons",
    "lobby",
    "mail_choice",
    "mailbox",
    "moments",
    "new_game",
    "news",
    "operator_access",
    "operator_games",
    "operator_page",
    "operator_players",
    "orders",
    "page",
    "player",
    "presence",
    "private_pages",
    "puzzles",
    "record_link",
    "record_page",
    "refusals",
    "replay",
    "routes",
    "rules",
    "salts",
    "sign_in",
    "time_off",
    "tokens",
    "turn",
    "unsubscribe",
    "waiting",
    "ways_back",
    "welcome",
]

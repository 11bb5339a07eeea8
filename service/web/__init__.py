"""The pages: HTML that works without JavaScript and asks nothing of any other site.

A GET changes nothing here, so that a program which follows links does no harm.
"""

from service.web import (
    account,
    assets,
    challenges,
    errors,
    free_seat,
    game,
    game_endings,
    games_list,
    home,
    invitations,
    lobby,
    mailbox,
    new_game,
    player,
    refusals,
    repeats,
    replay,
    rules,
    salts,
    sign_in,
    turn,
    unsubscribe,
)
from service.web.blueprint import blueprint

__all__ = [
    "account",
    "assets",
    "blueprint",
    "challenges",
    "errors",
    "free_seat",
    "game",
    "game_endings",
    "games_list",
    "home",
    "invitations",
    "lobby",
    "mailbox",
    "new_game",
    "player",
    "refusals",
    "repeats",
    "replay",
    "rules",
    "salts",
    "sign_in",
    "turn",
    "unsubscribe",
]

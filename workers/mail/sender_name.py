"""The name that a mail comes from: whose game it is about, and what is the matter.

Subject and thread of a game never change, so in a list of mails this is what tells one from
another: `Otto · your turn`, `Otto won`.
"""

import unicodedata
from collections.abc import Callable
from typing import Final

from service.text.inert import inert_name
from workers.mail.challenge import ChallengeMail
from workers.mail.game import GameMail

NOT_NAMED: Final = "Your opponent"
"""Stands for a name that is not to be shown in the head of a mail."""
_LONGEST: Final = 24
_KEPT: Final = ("L", "M", "N")
"""Unicode's categories of letters, their marks, and digits, by their first letter."""
_IN_NAMES: Final = "-'\N{RIGHT SINGLE QUOTATION MARK}"


def harmless(name: str | None) -> str:
    """So much of a player's name as may stand in the name of a sender: letters, digits and what
    joins them, so that it can neither end the matter nor make up one; nothing like a command."""
    kept = (c if unicodedata.category(c)[0] in _KEPT or c in _IN_NAMES else " " for c in name or "")
    bare = " ".join("".join(kept).split())
    if name is None or inert_name(name) != name or inert_name(bare) != bare:
        return NOT_NAMED
    return (bare if len(bare) <= _LONGEST else f"{bare[: _LONGEST - 1].rstrip()}…") or NOT_NAMED


def opponent_and(matter: str) -> Callable[[GameMail], str]:
    """A sender's name: the opponent's, and what is the matter."""
    return lambda mail: f"{harmless(mail.known_opponent)} {matter}"


def end_of_game(mail: GameMail) -> str:
    """How the game ended, for the name of a sender."""
    game, other = mail.stored.game, harmless(mail.known_opponent)
    if game.status != "finished":
        return f"{other} · cancelled"
    if game.winner is None:
        return f"{other} · a draw"
    return f"{other} · you won" if game.winner == mail.seat else f"{other} won"


def turn_played(mail: GameMail | None) -> str | None:
    """How a game goes on in which the reader has played by mail."""
    if mail is None:
        return None
    if mail.is_over:
        return end_of_game(mail)
    other = harmless(mail.known_opponent)
    if not mail.is_to_move:
        return f"Done · {other} to move"
    return f"{other} · your turn{'' if mail.stored.game.phase == 'play' else ' goes on'}"


def challenger_name(mail: ChallengeMail) -> str:
    """Who challenges, or offers something else in turn."""
    matter = "· a counter-offer" if mail.challenge.counters else "challenges you"
    return f"{harmless(mail.known_challenger)} {matter}"


def challenged_name(mail: ChallengeMail) -> str:
    """Who declined."""
    return f"{harmless(mail.known_challenged)} declined"

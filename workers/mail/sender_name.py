"""Writes the sender's name of a mail: the opponent, and the news.

Subject and thread of a game never change, so in a list of mails only this tells them apart: `Otto ·
your turn`, `Otto won`.
"""

import unicodedata
from collections.abc import Callable
from typing import Final

from letters.inert import inert_name
from workers.mail.game import GameMail
from workers.mail.subjects import ChallengeMail

NOT_NAMED: Final = "Your opponent"
"""Replaces a name that must not appear in the head of a mail."""
_LONGEST: Final = 24
_CATEGORIES: Final = ("L", "M", "N")
"""The first letters of Unicode's categories for letters, marks and digits."""
_IN_NAMES: Final = "-'\N{RIGHT SINGLE QUOTATION MARK}"


def harmless(name: str | None) -> str:
    """Return the part of a player's name that is safe in a sender's name: letters, digits and their
    joiners, nothing like a command. It can neither cut off nor imitate the news after it."""
    shown = (
        c if unicodedata.category(c)[0] in _CATEGORIES or c in _IN_NAMES else " "
        for c in name or ""
    )
    bare = " ".join("".join(shown).split())
    if name is None or inert_name(name) != name or inert_name(bare) != bare:
        return NOT_NAMED
    return (bare if len(bare) <= _LONGEST else f"{bare[: _LONGEST - 1].rstrip()}…") or NOT_NAMED


def opponent_and(matter: str) -> Callable[[GameMail], str]:
    """Return a function that writes a sender's name: the opponent's name, then `matter`."""
    return lambda mail: f"{harmless(mail.exact_opponent)} {matter}"


def end_of_game(mail: GameMail) -> str:
    """Return the result of a game, as a sender's name."""
    game, other = mail.stored.game, harmless(mail.exact_opponent)
    if game.status != "finished":
        return f"{other} declined" if mail.was_declined else "Scottenbury · invitation expired"
    if game.winner is None:
        return f"{other} · a draw"
    return f"{other} · you won" if game.winner == mail.seat else f"{other} won"


def opponent_answered(mail: GameMail) -> str:
    """Return the outcome of the reader's own offer, as a sender's name."""
    word = mail.own_offer.word if mail.own_offer else ""
    return f"{harmless(mail.exact_opponent)} {'· offer lapsed' if word == 'lapsed' else word}"


def turn_played(mail: GameMail | None) -> str | None:
    """Return the state of a game after the reader has played by mail, as a sender's name; None
    without a game."""
    if mail is None:
        return None
    if mail.is_over:
        return end_of_game(mail)
    other = harmless(mail.exact_opponent)
    if not mail.is_to_move:
        return f"Done · {other} to move"
    return f"{other} · your turn{'' if mail.stored.game.phase == 'play' else ' goes on'}"


def challenger_name(mail: ChallengeMail) -> str:
    """Return a sender's name: the name of the challenger, or of the player who made a
    counter-offer, then the news."""
    matter = "· a counter-offer" if mail.challenge.counters else "challenges you"
    return f"{harmless(mail.exact_challenger)} {matter}"


def challenge_ended(mail: ChallengeMail) -> str:
    """Return a sender's name: the name of the player who ended a challenge, then the news."""
    if mail.challenge.status == "withdrawn":
        return f"{harmless(mail.exact_challenger)} · challenge withdrawn"
    ended = "declined" if mail.challenge.status == "declined" else "· challenge expired"
    return f"{harmless(mail.exact_challenged)} {ended}"

"""The name that a mail comes from: whose game it is about, and what is the matter.

Subject and thread of a game never change, so in a list of mails this is what tells one from
another: `Otto · your turn`, `Otto won`.
"""

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

from service.accounts.mail_preferences import LAST_REMINDER, REMINDER
from service.games.notices.notifications import TIME_OUT
from service.games.notices.reminders import CLOCK_RUNS
from service.mail_in import outcome
from service.text.inert import inert_name
from workers.mail.game import GameMail

NOT_NAMED: Final = "Your opponent"
"""Stands for a name that is not to be shown in the head of a mail."""
_LONGEST: Final = 24
_KEPT: Final = ("L", "M", "N")
"""Unicode's categories of letters, their marks, and digits, by their first letter."""
_IN_NAMES: Final = "-'\N{RIGHT SINGLE QUOTATION MARK}"


def sender_name(kind: str, variables: Mapping[str, Any]) -> str | None:
    """What to call the sender of this mail; None for the name that the operator has set."""
    game: GameMail | None = variables.get("game")
    if kind in _OF_CHALLENGES:
        return _OF_CHALLENGES[kind](variables)
    if kind == "digest":
        return f"Scottenbury · {variables['digest'].opening.rstrip('.')}"
    if kind in _OF_REPLIES:
        return _OF_REPLIES[kind](game)
    return None if game is None or kind not in _OF_GAMES else _OF_GAMES[kind](game)


def harmless(name: str | None) -> str:
    """So much of a player's name as may stand in the name of a sender: letters, digits and what
    joins them, so that it can neither end the matter nor make up one; nothing like a command."""
    kept = (c if unicodedata.category(c)[0] in _KEPT or c in _IN_NAMES else " " for c in name or "")
    bare = " ".join("".join(kept).split())
    if name is None or inert_name(name) != name or inert_name(bare) != bare:
        return NOT_NAMED
    return (bare if len(bare) <= _LONGEST else f"{bare[: _LONGEST - 1].rstrip()}…") or NOT_NAMED


def _with(matter: str) -> Callable[[GameMail], str]:
    return lambda mail: f"{harmless(mail.known_opponent)} {matter}"


def _end(mail: GameMail) -> str:
    game, other = mail.stored.game, harmless(mail.known_opponent)
    if game.status != "finished":
        return f"{other} · cancelled"
    if game.winner is None:
        return f"{other} · a draw"
    return f"{other} · you won" if game.winner == mail.seat else f"{other} won"


def _played(game: GameMail | None) -> str | None:
    if game is None:
        return None
    if game.is_over:
        return _end(game)
    other = harmless(game.known_opponent)
    if not game.is_to_move:
        return f"Done · {other} to move"
    return f"{other} · your turn{'' if game.stored.game.phase == 'play' else ' goes on'}"


_OF_GAMES: Final[Mapping[str, Callable[[GameMail], str]]] = {
    "turn": _with("· your turn"),
    REMINDER: _with("· still your turn"),
    LAST_REMINDER: _with("· time nearly up"),
    CLOCK_RUNS: _with("· your time runs again"),
    "invitation": _with("invites you"),
    "started": _with("· your game has begun"),
    "over": _end,
    "orders": _with("· order cancelled"),
    "message": _with("wrote to you"),
    "abandonment": _with("offers to abandon"),
    "pause": _with("offers a pause"),
    TIME_OUT: _with("is out of time"),
}
_OF_CHALLENGES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "challenge": lambda told: (
        f"{harmless(told['known_challenger'])} · a counter-offer"
        if told["challenge"].counters
        else f"{harmless(told['known_challenger'])} challenges you"
    ),
    "declined": lambda told: f"{harmless(told['known_challenged'])} declined",
}
_OF_REPLIES: Final[Mapping[str, Callable[[GameMail | None], str | None]]] = {
    outcome.PLAYED: _played,
    outcome.REFUSED: lambda game: "Scottenbury · nothing was played",
    outcome.HELP: lambda game: "Scottenbury · how to play by mail",
}

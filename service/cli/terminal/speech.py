"""A game as lines to be read aloud: nothing has to be seen beside or above anything else."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from textwrap import wrap
from typing import Any, Final

from scottenbury_client.models import Stone

from engine.cards import CLANS, OTHER, Seat, full_name, in_order
from engine.view import SeenHand, SeenStone, View
from service.core.words import ENGLISH
from service.text.board import WIDTH
from service.text.event_words import outcome, score
from service.text.game_terms import join_words
from service.text.moments import moment
from service.text.options import play_lines

SPECTATOR: Final[Seat] = "south"
"""The seat whose side is named last for a spectator, as on the drawn board."""

_DECKS: Final = {"+C": "draw clan", "+T": "draw tactic"}
_CODE: Final = re.compile(r"\b[ROYGBP][1-9]\b")
_NUMBERED: Final = re.compile(rf"(Stone|{'|'.join(CLANS.values())}) (?=[1-9])")


def names_of(game: Mapping[str, Any]) -> dict[str, str]:
    """The players' names by seat; the seat's own name if it is free."""
    players = game["players"].items()
    return {seat: (player or {}).get("name") or seat.capitalize() for seat, player in players}


def turn_line(game: Mapping[str, Any]) -> str:
    """A sentence about the turn: `Your turn.`; once the game is over, about its result."""
    names = names_of(game)
    match game["status"]:
        case "open":
            return "Nobody has joined yet."
        case "active":
            whose = "Your turn" if game["turn"] == game["seat"] else f"{names[game['turn']]}'s turn"
            return f"{whose}{_until(game.get('deadline'))}."
        case "finished":
            return outcome(ENGLISH, game["winner"], game["reason"], names, rounds=game["rounds"])
        case other:
            return f"The game is {other}."


def _until(deadline: str | None) -> str:
    if deadline is None:
        return ""
    zone = datetime.fromisoformat(deadline).astimezone().tzinfo  # this machine's, on that day
    return f", until {moment(ENGLISH, deadline, zone or UTC)}"


def spoken(game: Mapping[str, Any]) -> Iterator[str]:
    """The whole game in sentences: turn, Stones with cards, hand, decks, options."""
    names = names_of(game)
    yield f"{names['north']} against {names['south']}. {turn_line(game)}"
    if game["rounds"] > 1:
        yield f"Round {game['round']} of {game['rounds']}. {score(ENGLISH, game['scores'], names)}"
    empty = [str(stone["number"]) for stone in game["stones"] if not _has_cards(stone)]
    for stone in game["stones"]:
        if _has_cards(stone) or stone["owner"]:
            yield _stone(stone, game["seat"], names)
    if empty:
        yield f"Nothing lies on Stone{'s' if len(empty) > 1 else ''} {join_words(empty)}."
    for seat in _sides(game["seat"])[::-1]:
        if cards := game["hands"][seat]["cards"]:
            whose = "Your hand" if seat == game["seat"] else f"{names[seat]}'s hand"
            yield f"{whose}: {', '.join(map(full_name, cards))}."
    decks = game["decks"]
    tactic = f" and {decks['tactic']} Tactic" if game["tactics"] else ""
    yield f"In the decks: {decks['clan']} Clan{tactic} cards."
    if game["discard"]:
        yield f"Discarded: {', '.join(map(full_name, game['discard']))}."
    yield from options(game)


def options(game: Mapping[str, Any]) -> Iterator[str]:
    """The reader's options now; none on the other player's turn."""
    if claims := [text[1:] for text in game["legal"] if text[0] == "!"]:
        yield f"You can claim Stone {join_words(claims, 'or')}."
    if decks := [_DECKS[text] for text in game["legal"] if text in _DECKS]:
        yield f"Draw a card: say {' or '.join(decks)}."
    if lines := play_lines(ENGLISH, (text for text in game["legal"] if text[0] not in "!+")):
        if not all(line.startswith("You ") for line in lines):  # such as draws
            yield "You may play:"
        yield from (_CODE.sub(lambda code: full_name(code[0]), line) for line in lines)
    if returns := [text for text in game["legal"] if text[0] == "-"]:
        yield f"Say which, for example {returns[0]}."


def folded(text: str) -> list[str]:
    """The text as lines that fit. `Red 7` and `Stone 3` stay together."""
    lines = wrap(
        _NUMBERED.sub("\\1\u00a0", text), WIDTH, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace("\u00a0", " ") for line in lines] or [""]


def view_of(game: Mapping[str, Any]) -> View:
    """Turn the API's game view into the engine's view, for the drawn board."""
    stones = [SeenStone(**stone) for stone in game["stones"]]
    hands = {seat: SeenHand(**hand) for seat, hand in game["hands"].items()}
    given = {name: game[name] for name in View.__slots__ if name not in ("stones", "hands")}
    return View(**given, stones=stones, hands=hands)


def _sides(seat: Seat | None) -> tuple[Seat, Seat]:
    """The other seat, then the reader's."""
    mine = seat or SPECTATOR
    return OTHER[mine], mine


def _has_cards(stone: Stone) -> bool:
    return bool(stone["north"] or stone["south"] or stone["modes"])


def _stone(stone: Stone, seat: Seat | None, names: Mapping[str, str]) -> str:
    theirs, mine = _sides(seat)
    parts = [
        f"{_whose(side, seat, names)} {'have' if side == seat else 'has'} {cards}"
        for side in (mine, theirs)
        for cards in (", ".join(map(full_name, in_order(stone[side]))) or "nothing",)
    ]
    said = f"Stone {stone['number']}: {'; '.join(parts)}."
    if stone["modes"]:
        said += f" Under {join_words(map(full_name, stone['modes']))}."
    if stone["owner"]:
        said += f" Claimed by {_whose(stone['owner'], seat, names)}."
    elif stone["completed_first"]:
        said += f" Completed first by {_whose(stone['completed_first'], seat, names)}."
    return said


def _whose(side: str, seat: Seat | None, names: Mapping[str, str]) -> str:
    return "you" if side == seat else names[side]

"""What a mail says, by kind: built from the game as it stands when the mail is sent.

A letter is written only while it is true: a turn that was played meanwhile needs no notice.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from engine import Seat
from service.accounts.name_rules import displayable
from service.games import Games, StoredGame
from service.games.orders.model import OrderOutcome
from service.text import options
from service.text.board import board_lines, hand_and_deck_lines, names_in
from service.text.history import narrate, outcome, score


class Section(NamedTuple):
    """A heading and its lines; `drawn` ones are a picture and keep their columns."""

    title: str
    lines: list[str]
    drawn: bool = False


class Letter(NamedTuple):
    """The content of a mail, whatever its form; `head` is the last hash of the game's log, None
    where there is no game yet."""

    subject: str
    opening: str
    sections: list[Section]
    link: str
    link_text: str
    version: int | None
    head: str | None


@dataclass(frozen=True)
class Desk:
    """What it takes to write about a game to a player, or to a guest (`player` is None).

    `since` is the version of the notice.
    """

    games: Games
    base_url: str
    stored: StoredGame
    player: str | None
    since: int

    @cached_property
    def view(self) -> dict[str, Any]:
        """The game as this reader may see it."""
        return self.games.view(self.stored, self.player)

    @cached_property
    def names(self) -> dict[str, str]:
        """What to call each seat."""
        return {seat: displayable(name) for seat, name in names_in(self.view).items()}

    @property
    def seat(self) -> Seat | None:
        """The reader's seat."""
        return self.stored.seat_of(self.player)

    @property
    def opponent(self) -> str:
        """The name of the reader's opponent."""
        return next(name for seat, name in self.names.items() if seat != self.seat)

    @property
    def named_to_reader(self) -> dict[str, str]:
        """What to call each seat in a sentence to the reader."""
        return {seat: "You" if seat == self.seat else name for seat, name in self.names.items()}

    def acted_since(self, version: int | None = None) -> bool:
        """Whether the reader did anything after this version, or after the notice arose."""
        after = self.since if version is None else version
        lines = self.games.history.lines(self.stored, self.player, after=after)
        return any(line["by"] == self.seat for line in lines)

    @cached_property
    def cancelled(self) -> OrderOutcome | None:
        """What became of the reader's last order, if it came to nothing and they have not acted
        since."""
        assert self.player is not None, "a guest has no orders"
        last = self.games.orders.of(self.stored.id, self.player)[1].last
        if last is None or last.outcome != "cancelled" or self.acted_since(last.version):
            return None
        return last


def write(kind: str, desk: Desk) -> Letter | None:
    """The letter of this kind, or None where there is nothing to tell any more.

    KeyError for a kind that there is not.
    """
    return _KINDS[kind](desk)


def _turn(desk: Desk) -> Letter | None:
    if desk.seat is None or desk.stored.game.turn != desk.seat or desk.acted_since():
        return None
    opening = f"It is your turn in the game against {desk.opponent}."
    sections = [_story(desk), _order(desk), *_table(desk), *_choices(desk), _deadline(desk)]
    return _letter(desk, opening, sections, "Open the game")


def _orders(desk: Desk) -> Letter | None:
    if desk.seat is None or desk.cancelled is None:
        return None
    opening = f"Your order for the game against {desk.opponent} was cancelled."
    sections = [_order(desk), _story(desk), *_table(desk)]
    return _letter(desk, opening, sections, "Open the game")


def _abandonment(desk: Desk) -> Letter | None:
    if desk.games.abandonments.offered_by(desk.stored) in (None, desk.seat):
        return None
    opening = f"{desk.opponent} offers to abandon your game. It ends if you agree."
    return _letter(desk, opening, _table(desk), "Open the game")


def _started(desk: Desk) -> Letter | None:
    if desk.stored.game.turn in (None, desk.seat) or desk.acted_since():
        return None
    opening = f"Your game against {desk.opponent} has begun. They play first."
    return _letter(desk, opening, [_story(desk), *_table(desk)], "Open the game")


def _over(desk: Desk) -> Letter | None:
    game = desk.stored.game
    if not game.over:
        return None
    result = ["It was called off."]
    if game.status == "finished":
        named = desk.named_to_reader
        result = [outcome(game.winner, game.reason, named), f"Points: {score(game.scores, named)}"]
    opening = f"Your game against {desk.opponent} is over."
    sections = [Section("The result", result), _story(desk), *_table(desk)]
    return _letter(desk, opening, sections, "Look back at it")


def _invitation(desk: Desk) -> Letter | None:
    game = desk.stored.game
    if game.status != "open":
        return None
    host = desk.names[game.creator]
    cards = "with Tactic cards" if game.tactics else "without Tactic cards"
    about = [
        "Two players line up cards along nine Stones and prove who holds the stronger side.",
        "There is no hurry: a game is played over days.",
        f"This one: edition {game.edition}, {cards}, rounds: {game.rounds}.",
        f"The seat is kept until {desk.stored.waits_until}.",
    ]
    opening = f"{host} invites you to a game of Schotten Totten."
    letter = _letter(desk, opening, [Section("The game", about)], "Take the free seat")
    return letter._replace(
        # To somebody who may not know the host: no name that the host chose.
        subject=f"Scottenbury: an invitation [{desk.stored.id[:4]}]",
        link=desk.games.invitations.url(desk.stored.id),
    )


_KINDS: Mapping[str, Callable[[Desk], Letter | None]] = {
    "turn": _turn,
    "started": _started,
    "over": _over,
    "invitation": _invitation,
    "orders": _orders,
    "abandonment": _abandonment,
}


def _letter(desk: Desk, opening: str, sections: list[Section], link_text: str) -> Letter:
    return Letter(
        subject=f"Scottenbury: {_players(desk)} [{desk.stored.id[:4]}]",
        opening=opening,
        sections=[section for section in sections if section.lines],
        link=f"{desk.base_url}/games/{desk.stored.id}",
        link_text=link_text,
        version=desk.stored.version,
        head=desk.stored.head,
    )


def _players(desk: Desk) -> str:
    """Who plays, the same for every mail about this game to this reader."""
    if desk.stored.listed and desk.seat == desk.stored.game.creator:
        # Anyone may have taken the seat: a stranger's name stands in no subject.
        return "your listed game"
    return f"{desk.names['north']} v {desk.names['south']}"


def _story(desk: Desk) -> Section:
    """What happened since the reader last did anything."""
    lines = desk.games.history.lines_since_move(desk.stored, desk.player)
    told = narrate(lines, desk.named_to_reader)
    return Section("Since you last moved", [sentence.text for sentence in told])


def _order(desk: Desk) -> Section:
    """The order that came to nothing."""
    last = desk.cancelled
    told = [] if last is None else [f"Cancelled: {' '.join(last.actions)}", last.detail or ""]
    return Section("Your order", told)


def _table(desk: Desk) -> list[Section]:
    return [
        Section("The board", board_lines(desk.view, desk.names), drawn=True),
        Section("The cards", hand_and_deck_lines(desk.view, desk.names), drawn=True),
    ]


def _choices(desk: Desk) -> list[Section]:
    assert desk.player is not None, "a guest has no turn"
    game = desk.stored.game
    claims = options.claim_lines(desk.games.proofs(desk.stored, desk.player))
    later = game.phase == "play" and game.options.claim_timing == "after_play"
    return [
        Section("What you can do", options.play_lines(desk.view["legal"]), drawn=True),
        Section("Claims, once you have played" if later else "Claims", claims, drawn=True),
    ]


def _deadline(desk: Desk) -> Section:
    deadline = desk.view["deadline"]
    return Section("Your time", [f"You have until {deadline}."] if deadline else [])

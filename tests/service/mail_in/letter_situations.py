"""The situations in which the letters of `tests/support/letters` are written: see its README."""

from email.message import EmailMessage
from functools import lru_cache
from typing import NamedTuple

import engine
from service.games import ChangeContext
from service.mail.mailbox import Mailbox
from tests.mail.position import Position
from tests.support.games import GAME, arranged, played
from tests.support.letters.programs import Answered
from tests.workers.mail.correspondence import Correspondent, run, text_of
from tests.workers.match import registered
from workers.context import WorkerContext

ADA = "ada@example.org"
BEN = ("P4", "P5", "Y6", "B9", "G1", "O1", "Y1")


class _Game(NamedTuple):
    """Ada's first hand, the top of the decks, and the turns before the mail that is answered."""

    hand: tuple[str, ...]
    deck: tuple[str, ...]
    turns: tuple[str, ...]
    tactics: tuple[str, ...] = ()
    other: str = "Ben"
    held: tuple[str, ...] = BEN
    """The other player's name and first hand, or more cards than that."""


_OPEN = _Game(("R8", "R3", "G4", "B2", "O5", "Y8"), ("R7", "G2"), ("R8@3", "P4@2"))
_CLAIM = _Game(
    ("R8", "R9", "G4", "B2", "O5", "Y8"), ("R7", "G2", "R3", "O2"), ("R8@3", "P4@2", "R9@3", "P5@2")
)
_CLAIMS = _Game(
    ("R8", "R9", "P7", "P8", "P9", "G4"),
    ("R7", "G2", "R3", "O2", "B2", "Y2", "O5", "B3", "Y8", "P1"),
    (*_CLAIM.turns, "P7@5", "Y6@2", "P8@5", "B9@7", "P9@5 +C", "G1@8"),
)
_BOTH = _Game(
    ("P8", "P9", "P7", "G7", "G8", "G9"),
    ("R7", "B8", "G2", "G3", "B9", "O9", "Y1", "Y9", "P4", "Y3", "O5", "O2"),
    (
        *("P8@5", "R1@5", "P9@5", "P1@5", "P7@5 +C", "B3@5"),
        *("G7@8 +C", "R2@8", "G8@8 +C", "P2@8", "G9@8 +C", "B4@8"),
    ),
    other="Bo",
    held=("R1", "P1", "B3", "R2", "P2", "B4"),
)
_TACTICS = _Game(
    ("R7", "R8", "R9", "R3", "G4", "B2", "O5"),
    ("G2", "O2"),
    ("R8@3 +T", "P4@2 +C", "R9@9 +T", "P5@2 +C"),
    ("JOK", "MUD"),
)
_RUSES = _Game(
    ("R7", "R3", "G4", "R8", "G5", "G6", "G7"),
    ("G2", "O2", "Y2", "B3"),
    ("R8@3 +T", "P4@2 +C", "G5@4 +T", "P5@2 +C", "G6@9 +T", "Y6@6 +C", "G7@8 +T", "B9@7 +C"),
    ("REC", "STR", "BAN", "TRA"),
)
_ADAS = [
    "O1@9",
    "Y1@9",
    "R4@9",
    "G5@1",
    "B2@2",
    "B3@2",
    "R5@3",
    "R6@3",
    "Y7@4",
    "P7@6",
    "P8@6",
    "Y8@6",
    "O4@7",
]
_BOS = [
    "G7@9",
    "G8@9",
    "O7@2",
    "G9@9_!9_+C",
    "G2@3",
    "Y4@3",
    "P1@3",
    "B8@4",
    "R1@5",
    "R2@5",
    "O6@6",
    "G6@6",
    "P6@6_+C",
]
_MIDDLE = _Game(
    ("O1", "Y1", "R4", "G5", "B2", "B3"),
    tuple(
        card
        for pair in zip(
            ("R5", "R6", "Y7", "P7", "P8", "Y8", "O4", "R7", "G3", "B1", "Y9", "P4", "O2"),
            ("P1", "B8", "R1", "R2", "O6", "G6", "P6", "B5", "Y3", "O8", "B9", "O9", "P2"),
            strict=True,
        )
        for card in pair
    ),
    tuple(turn.replace("_", " ") for pair in zip(_ADAS, _BOS, strict=True) for turn in pair),
    other="Bo",
    held=("G7", "G8", "O7", "G9", "G2", "Y4"),
)
_GAMES = {
    "middle": _MIDDLE,
    "claim": _CLAIM,
    "claims": _CLAIMS,
    "both": _BOTH,
    "tactics": _TACTICS,
    "undrawn": _TACTICS,
    "ruses": _RUSES,
    "return": _RUSES,
}
_WRITTEN_BEFORE = {
    "undrawn": "play R7 at 3",
    "return": "REC:CCT",
    "resigning": "resign",
    "asked": "pley R7 at 3",
    "signed": "play R7 at 3\n\nAugusta\nWeaver of patterns",
}


def arrange(context: WorkerContext, situation: str) -> Position:
    """The game in this situation, and the mail of Ada's that is answered."""
    game, games = _GAMES.get(situation, _OPEN), context.container.games
    players: dict[engine.Seat, str] = {
        "north": registered(context, "Ada"),
        "south": registered(context, game.other),
    }
    clock = {"days_per_move": 3} if situation in ("clocked", "offered") else None
    hands = {"north": game.hand, "south": game.held[: len(game.hand)]}
    arranged(context.container, players, hands, game.deck, tactic_deck=game.tactics, clock=clock)
    played(context.container, GAME, players, *game.turns)
    if situation == "offered":
        games.pauses.agree(GAME, players["south"], None, ChangeContext())
    run(context)
    position = Position(context, players, games.load(GAME), _newest_to_ada(context))
    if (text := _WRITTEN_BEFORE.get(situation)) is not None:
        raw = f"From: Ada King <{ADA}>\nMessage-ID: <before@example.org>\n\n{text}\n".encode()
        position.hand_in(str(position.answered["Reply-To"]), ADA, raw)
        position = position._replace(answered=_newest_to_ada(context))
    if situation == "stale":
        played(context.container, GAME, players, "G4@4")
        run(context)
    return position._replace(before=games.load(GAME))


def ada(position: Position) -> Correspondent:
    """Ada, who answers the newest mail that she has got."""
    return Correspondent(position.context, position.context.container.mailbox, ADA)


def _newest_to_ada(context: WorkerContext) -> EmailMessage:
    mails = [stored.message for stored in Mailbox(context.container.redis).newest()]
    return next(mail for mail in mails if ADA in str(mail["To"]))


def answered(position: Position) -> Answered:
    """The mail that is answered, for whoever writes the letter."""
    return _read(position.answered)


@lru_cache(50)
def _read(mail: EmailMessage) -> Answered:
    page = mail.get_body(("html",))
    return Answered(
        sender=str(mail["From"]).rpartition("<")[2].strip(">"),
        reply_to=str(mail["Reply-To"]),
        message_id=str(mail["Message-ID"]),
        subject=str(mail["Subject"]).removeprefix("Re: "),
        text=text_of(mail),
        html=str(page.get_content()) if page is not None else "",
    )

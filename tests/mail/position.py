"""The game of the replies: Bob, who is south, is to move, and has had a mail that says so.

Bob holds G9, R5, R6, B1, Y3 and two Tactic cards, the Strategist and the Shield-Bearer; with G9 his
side of Stone 2 is 7-8-9, and can be claimed.
"""

import json
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any, NamedTuple

from redis import Redis

import engine
from engine.chain import encode
from service.core.redis.client import connect
from service.core.times import DAY
from service.eventlog import parse_notice_id
from service.games import ChangeContext, NewGame, StoredGame
from service.mail.mailbox import Mailbox
from service.mail_in.store import READ
from tests.support.clock import Clock
from tests.support.games import GAME, arranged, played
from tests.support.settings import settings
from tests.workers.mail.correspondence import run
from tests.workers.match import registered
from workers.context import WorkerContext, build_context

HANDS = {
    "north": ("O1", "O2", "O4", "P1", "P2", "P3", "P4"),
    "south": ("G7", "G8", "G9", "R5", "R6", "B1", "Y3"),
}
TURNS = ("O1@5", "+C", "G7@2", "+T", "O2@5", "+C", "G8@2", "+T", "O4@9", "+C")
CLOCK = {"days_per_move": 3, "time_out": "claim"}
QUESTIONS = {
    "resignation": ("turn", "resign"),
    "win": ("time-out", "claim the win"),
    "end": ("abandonment", "agree"),
}
"""The mail that Bob has answered, and with what, to be asked whether he means it."""
BOB, CY = "bob@example.org", "cy@example.com"

Told = tuple[str, str | None, dict[str, Any]]
"""An event: its type, whose it is, and what it says."""


class Position(NamedTuple):
    """A game in that position, and the mail that is answered."""

    context: WorkerContext
    players: dict[engine.Seat, str]
    before: StoredGame
    answered: EmailMessage

    @property
    def reader(self) -> str:
        """Whose mail it is that is answered: the address."""
        return str(self.answered["To"]).rpartition("<")[2].strip(">")

    def mails(self) -> list[EmailMessage]:
        """All mails to that address, the newest first."""
        found = [stored.message for stored in Mailbox(self.context.container.redis).newest(99)]
        return [mail for mail in found if self.reader in str(mail["To"])]

    def played(self) -> list[Told]:
        """What has happened in the game since."""
        lines = list(self.context.container.log.events.read(GAME))[self.before.version :]
        events = [json.loads(line) for line in lines]
        return [(event["type"], event["by"], event["data"]) for event in events]

    def follows(self, actions: str) -> list[Told]:
        """What has to happen in the game once Bob takes these actions, and no other."""
        command = engine.TakeTurn("south", actions.split())
        events = [encode(event) for event in engine.decide(self.before.game, command)]
        return [(event.type, event.by, json.loads(json.dumps(event.data))) for event in events]

    def hand_in(self, recipient: str, envelope: str, raw: bytes) -> str:
        """Let a mail come in and be answered; what it was counted as."""
        label = self.take_in(recipient, envelope, raw)
        self.answer()
        return label

    def take_in(self, recipient: str, envelope: str, raw: bytes) -> str:
        """Let a mail come in, whose answer is not sent yet; what it was counted as."""
        incoming = self.context.container.incoming_mail
        counted = incoming.counts()
        incoming.accept(recipient, envelope, raw)
        run(self.context, lambda notice: notice.endswith(READ), steps=1)
        (label,) = [
            label for label, count in incoming.counts().items() if count > counted.get(label, 0)
        ]
        return label

    def answer(self) -> None:
        """Let what is due be sent."""
        run(self.context, self._is_read)

    def _is_read(self, notice: str) -> bool:
        """Whether anybody reads the mail of this notice here: not what the opponent is told."""
        parts = parse_notice_id(notice)
        return parts.subject != GAME or parts.recipient in str(self.answered["Message-ID"])


class Positions:
    """Each position, arranged once and put back whenever it is needed."""

    def __init__(
        self, url: str, arranging: Callable[[WorkerContext, str], Position] | None = None
    ) -> None:
        self._arrange = arranging or arrange
        self._redis, self._bytes = connect(url), Redis.from_url(url)
        self._kept: dict[str, tuple[Position, dict[bytes, bytes], float]] = {}

    def put(self, about: str = "turn") -> Position:
        """The position, in a store that holds nothing else."""
        self._bytes.flushall()
        if about not in self._kept:
            clock = Clock()
            position = self._arrange(build_context(settings(), self._redis, clock), about)
            kept = {key: self._bytes.dump(key) for key in self._bytes.scan_iter()}
            self._kept[about] = position, kept, clock.time
        position, kept, time = self._kept[about]
        with self._bytes.pipeline(transaction=False) as pipeline:
            for key, value in kept.items():
                pipeline.restore(key, 0, value, replace=True)
            pipeline.execute()
        return position._replace(context=build_context(settings(), self._redis, Clock(time)))

    def close(self) -> None:
        """Leave nothing open."""
        self._redis.close()
        self._bytes.close()


def arrange(context: WorkerContext, about: str = "turn") -> Position:
    """The game, and a mail to answer: about Bob's `turn`, a `challenge` to him, an `invitation` to
    somebody without an account, a `pause` or an `abandonment` that Ann offers, or the `time-out` of
    Ann, whose turn it is then; or a question that he is to confirm, `resignation`, `win` or `end`.
    """
    players: dict[engine.Seat, str] = {
        "north": registered(context, "Ann"),
        "south": registered(context, "Bob"),
    }
    deck, tactics = ("P5", "P6", "P7"), ("STR", "SHB")
    arranged(context.container, players, HANDS, deck, tactic_deck=tactics, clock=CLOCK)
    played(context.container, GAME, players, *TURNS)
    games = context.container.games
    if about == "challenge":
        games.challenges.make(players["north"], players["south"], NewGame())
    if about == "invitation":
        games.create(players["north"], NewGame(opponent_email=CY))
    if about == "pause":
        games.pauses.agree(GAME, players["north"], None, ChangeContext())
    if about in ("abandonment", "end"):
        games.abandonments.agree(GAME, players["north"], ChangeContext())
    if about in ("time-out", "win"):
        let_ann_be_late(context, players)
    run(context)
    first, word = QUESTIONS.get(about, (about, None))
    position = Position(context, players, games.load(GAME), sent(context, first))
    if word is None:
        return position
    raw = f"From: {BOB}\nMessage-ID: <first@example.org>\n\n{word}\n".encode()
    position.hand_in(str(position.answered["Reply-To"]), BOB, raw)
    return position._replace(answered=sent(context, "reply-board"))


def let_ann_be_late(context: WorkerContext, players: dict[engine.Seat, str]) -> None:
    """Let it be Ann's turn, and her time be out, of which she knows."""
    played(context.container, GAME, players, "G9@2 +C")
    run(context)
    clock = context.container.now
    assert isinstance(clock, Clock)
    clock.time += 4 * DAY
    context.container.games.time_out(GAME)


def sent(context: WorkerContext, kind: str) -> EmailMessage:
    """The last mail of this kind."""
    mails = Mailbox(context.container.redis).newest(99)
    return next(mail.message for mail in mails if f".{kind}@" in mail.id)

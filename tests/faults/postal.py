"""A small world of mail: players who know their games by mail alone, and answer it."""

import re
import smtplib
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from typing import Any, NamedTuple

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from service.container import Container
from service.core import ids
from service.games import NewGame
from service.games.projections.player_games import GameFilter
from service.mail_in.addresses import ReplyTo
from service.mail_in.sentences import GIVEN_UP
from tests.support.ports import free_port
from tests.workers.match import registered
from workers.context import WorkerContext

_PATIENCE = 0.05
WISHES = 2
"""Games that each player asks for by mail; each question gets two answers."""
_LATE = range(9, 180, 9)
"""Turns that are answered twice; more would not be answered in an hour."""
_TURN = re.compile(
    r"<(?P<game>[a-z2-7]+)\.(?P<version>[0-9]+)\.(?P<player>[^.]+)\.(?P<kind>[^@]+)@"
)


class Receipt(NamedTuple):
    """A mail that the players' mail server has said 250 to: when, and to which process."""

    at: float
    life: str
    mail: EmailMessage

    @property
    def id(self) -> str:
        return str(self.mail["Message-ID"])


class Reply(NamedTuple):
    """An answer that the listener has said 250 to."""

    to: str
    message_id: str


def id_of(container: Container, to: str, message_id: str) -> str:
    """What the server calls the mail with this Message-ID to this address."""
    return ids.derived_game_id(container.settings.secret_key, "mail in", to.lower(), message_id)


class Players:
    """Their mail server, and what they do with each mail: `games` of them at a time, for ever.

    Whoever is on turn, as a mail says, answers it with the first thing that can be played. Until
    the listener says 250 the same mail is sent again.
    """

    def __init__(self, context: WorkerContext, listener: int, games: int) -> None:
        self.container: Container = context.container
        self.receipts: list[Receipt] = []
        self.replies: list[Reply] = []
        self.attempts = 0
        self.questions = 0
        """How many questions were answered, twice each."""
        self.games: list[str] = []
        self.enough = threading.Event()
        self._context, self._listener, self._wanted = context, listener, games
        self._answered: set[ReplyTo] = set()
        self._answered_wishes: set[ReplyTo] = set()
        self._over: set[str] = set()
        self._numbers = count()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._people = [registered(context, name) for name in ("Ann", "Bob")]
        self._emails = dict(zip(self._people, ("ann@example.org", "bob@example.org"), strict=True))
        self._hands = ThreadPoolExecutor(4)
        self._server = Controller(self, hostname="127.0.0.1", port=free_port())

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self._server.port}"

    @property
    def turns(self) -> int:
        """How many were answered."""
        return len(self._answered)

    @contextmanager
    def playing(self) -> Iterator[None]:
        self._server.start()
        try:
            for _ in range(self._wanted):
                self._begin()
            for player in self._people * WISHES:
                sender = self.container.incoming_mail.addresses.sender
                self._hands.submit(self._send, player, sender, "new game, 3 days")
            yield
        finally:
            self._ended.set()
            self._hands.shutdown()
            self._server.stop()

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        mail = message_from_bytes(content, policy=policy.default)
        self.receipts.append(Receipt(time.monotonic(), str(session.host_name), mail))
        if not self._ended.is_set():
            self._hands.submit(self._read, mail)
        return "250 OK"

    def _begin(self) -> None:
        ann, bob = self._people
        games = self.container.games
        made = games.create(ann, NewGame(first_player="creator", rounds=1))
        games.join(made.id, bob, invite=games.invitations.token(made.id))
        self.games.append(made.id)

    def _read(self, mail: EmailMessage) -> None:
        reply_to = self.container.incoming_mail.addresses.read(str(mail["Reply-To"]))
        if reply_to is not None and reply_to.purpose in ("wish", "made"):
            self._answer_question(reply_to, mail)
            return
        if self.enough.is_set():
            return
        if (game := self._ended_with(mail)) is not None:
            with self._lock:
                is_news = game not in self._over
                self._over.add(game)
            if is_news:
                self._begin()
        if reply_to is None:
            return
        stored = self.container.games.load(reply_to.game)
        player = stored.player_to_move()
        with self._lock:
            if stored.version != reply_to.version or reply_to in self._answered:
                return
            if player is None or stored.seat_of(player) != reply_to.seat:
                return
            self._answered.add(reply_to)
            late = len(self._answered) in _LATE
        move = self.container.games.view(stored, player).legal[0]
        self._post(player, mail, move)
        if late:  # as somebody who cannot wait
            self._post(player, mail, move)

    def _ended_with(self, mail: EmailMessage) -> str | None:
        """The game that this mail says is over, in its own words or as our answer to one."""
        text = mail.get_body(("plain",)).get_content()
        is_end = "the game is over." in text or "Replay the game" in text
        return str(mail["X-Scottenbury-Game"]) if is_end else None

    def _answer_question(self, reply_to: ReplyTo, mail: EmailMessage) -> None:
        """Say yes, twice, to the question whether a game is to be made."""
        with self._lock:
            if reply_to.purpose == "made" or reply_to in self._answered_wishes:
                return
            self._answered_wishes.add(reply_to)
        for _ in range(2):
            self._post(reply_to.game, mail, "yes")
        with self._lock:
            self.questions += 1

    def _post(self, player: str, mail: EmailMessage, text: str) -> None:
        self._send(player, str(mail["Reply-To"]), text)

    def _send(self, player: str, to: str, text: str) -> None:
        """Send until it is accepted."""
        email = self._emails[player]
        message_id = f"{next(self._numbers)}@example.org"
        raw = (
            f"From: {email}\r\nTo: {to}\r\nSubject: Re: a turn\r\nMessage-ID: <{message_id}>\r\n"
            f"\r\n{text}\r\n\r\n> what was said\r\n"
        ).encode()
        while not self._ended.is_set():
            self.attempts += 1
            with (
                suppress(OSError),
                smtplib.SMTP("127.0.0.1", self._listener, "mail.example.org", 5) as smtp,
            ):
                smtp.sendmail(email, [to], raw)
                self.replies.append(Reply(to, message_id))
                return
            time.sleep(_PATIENCE)

    # What must be true of it

    def copies(self) -> dict[str, list[Receipt]]:
        """The mails by their Message-IDs."""
        found: dict[str, list[Receipt]] = defaultdict(list)
        for receipt in self.receipts:
            found[receipt.id].append(receipt)
        return found

    def told_of_ends(self) -> Counter[str]:
        """How many players were told, of each game, that it is over."""
        told = {
            (game, str(receipt.mail["To"]))
            for receipt in self.receipts
            if (game := self._ended_with(receipt.mail)) is not None
        }
        return Counter(game for game, _ in told)

    def wished(self) -> list[int]:
        """How many games each player has made that nobody has joined."""
        lists = self.container.games.lists
        found = (lists.of_player(each, GameFilter("open"), limit=50)[0] for each in self._people)
        return list(map(len, found))

    def given_up(self) -> int:
        """How many replies were given up, as the answers to them say."""
        texts = {receipt.id: receipt.mail.get_body(("plain",)) for receipt in self.receipts}
        return sum(GIVEN_UP in " ".join(text.get_content().split()) for text in texts.values())

    def outcomes(self) -> Counter[str]:
        """How the accepted replies ended; fails for one without an outcome, or not answered.

        A reply at which two workers have died is given up, and its sender is told.
        """
        store = self.container.incoming_mail._store
        answered = Counter(_TURN.match(each)["game"] for each in self.copies())
        found: Counter[str] = Counter()
        for reply in self.replies:
            mail_id = id_of(self.container, reply.to, reply.message_id)
            state = store.state(mail_id)
            outcome: dict[str, Any] | None = state.outcome
            assert outcome is not None, f"lost: {reply}"
            assert state.is_answered, f"not answered: {reply} {outcome}"
            assert answered[mail_id] == 1, f"answered by several mails: {reply}"
            is_given_up = GIVEN_UP in outcome["sentences"] and outcome["label"] != "played"
            found["given up" if is_given_up else outcome["label"]] += 1
        return found

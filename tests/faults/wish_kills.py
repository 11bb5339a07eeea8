"""Every wish by mail while the worker is killed at its seams, and at any moment.

    python -m tests.faults.wish_kills [--rounds N] [--moments N]

Each mail is to be answered by one mail, and to do what it asks for once.
"""

import argparse
import random
import re
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeVar

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from service.container import Container
from service.core.redis.client import connect
from service.core.times import DAY
from service.games import NewGame
from service.games.projections.player_games import GameFilter
from service.mail_in.addresses import ReplyTo
from service.mail_in.sentences import GIVEN_UP, GIVEN_UP_PLAYED
from service.ops.integrity import fault_in_stored
from tests.faults.mail_kills import PATIENCE, SECRET, Mortals
from tests.faults.postal import Receipt, id_of
from tests.faults.seams import WORKER
from tests.support.ports import free_port
from tests.support.servers import bundled_binary, running
from tests.support.settings import settings
from tests.support.waiting import until
from tests.workers.match import registered
from workers.context import WorkerContext, build_context

Found = TypeVar("Found")
LONGEST_LIFE: Final = 6.0
"""Seconds that a worker lives at most, of those that are killed at any moment."""


class WishKills(NamedTuple):
    """The figures of a run."""

    mails: int
    given_up: int
    repeated: int
    kills: Counter[str]
    wishes: Counter[str]
    seconds: float


class Post:
    """The mail server of everybody: what came, and answers to write."""

    def __init__(self, context: WorkerContext) -> None:
        self.context, self.container = context, context.container
        self.receipts: list[Receipt] = []
        self.written: dict[str, str] = {}
        self.given_up: list[str] = []
        self._numbers = count()
        self._lock = threading.Lock()
        self._server = Controller(self, hostname="127.0.0.1", port=free_port())
        self.url = f"smtp://127.0.0.1:{self._server.port}"

    @contextmanager
    def open(self) -> Iterator[None]:
        self._server.start()
        try:
            yield
        finally:
            self._server.stop()

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content, policy=policy.default)
        self.receipts.append(Receipt(time.monotonic(), str(session.host_name), mail))
        return "250 OK"

    def ask(self, email: str, to: str, text: str) -> EmailMessage:
        """Write a mail and wait for its answer; write it again if two workers died over it."""
        while True:
            with self._lock:
                message_id = f"{next(self._numbers)}@example.org"
            raw = f"From: {email}\nTo: {to}\nMessage-ID: <{message_id}>\n\n{text}\n".encode()
            mail_id = id_of(self.container, to, message_id)
            self.written[mail_id] = text
            self.container.incoming_mail.accept(to, email, raw)
            answer = self.arrived(re.escape(mail_id) + r"\.1\.")
            said = " ".join(text_of(answer).split())
            if GIVEN_UP not in said or GIVEN_UP_PLAYED in said:
                return answer
            self.given_up.append(mail_id)

    def arrived(self, pattern: str) -> EmailMessage:
        """The first mail whose Message-ID begins like this, once it has come."""
        begins = re.compile(f"<{pattern}")
        found: list[EmailMessage] = []

        def has_come() -> bool:
            found[:] = [each.mail for each in list(self.receipts) if begins.match(each.id)]
            return bool(found)

        until(has_come, PATIENCE)
        return found[0]


class Pair:
    """Two players, and a game of theirs that has begun."""

    def __init__(self, post: Post, number: int) -> None:
        self.post, self.container = post, post.container
        self.names = (f"Ann{number}", f"Bob{number}")
        self.ids = tuple(registered(post.context, name) for name in self.names)
        self.emails = dict(
            zip(self.ids, (f"{n.lower()}@example.org" for n in self.names), strict=True)
        )
        self.ann, self.bob = self.ids
        self.game = self.begin()

    def begin(self) -> str:
        games = self.container.games
        wanted = NewGame(first_player="creator", rounds=1, clock={"days_per_move": 3})
        made = games.create(self.ann, wanted)
        games.join(made.id, self.bob, invite=games.invitations.token(made.id))
        return made.id

    def desk(self, text: str) -> EmailMessage:
        """Ann writes to the sender of our mails."""
        sender = self.container.incoming_mail.addresses.sender
        return self.post.ask(self.emails[self.ann], sender, text)

    def answer(self, player: str, mail: EmailMessage, text: str) -> EmailMessage:
        return self.post.ask(self.emails[player], str(mail["Reply-To"]), text)

    def at_game(self, player: str, text: str) -> EmailMessage:
        """A mail to the address of the game as it stands."""
        stored = self.container.games.current(self.game)
        seat = stored.seat_of(player)
        reply_to = ReplyTo("turn", stored.id, stored.version, seat, stored.head)
        address = self.container.incoming_mail.addresses.write(reply_to)
        assert address is not None
        return self.post.ask(self.emails[player], address, text)

    def wish(self, mail: EmailMessage) -> EmailMessage:
        """Say yes to the question in this mail, which is Ann's."""
        assert "Nothing is changed until" in " ".join(text_of(mail).split()), text_of(mail)
        return self.answer(self.ann, mail, "yes")

    def mail_of(self, kind: str, about: str, player: str) -> EmailMessage:
        return self.post.arrived(rf"{about}\.\d+\.{player}\.{kind}@")

    def open_games(self) -> list[str]:
        """What Ann has made and nobody has joined."""
        listed, _ = self.container.games.lists.of_player(self.ann, GameFilter("open"), limit=50)
        return [each["id"] for each in listed]

    def types(self, game: str = "") -> Counter[str]:
        """The events of the game, by type."""
        stored = self.container.games.load(game or self.game)
        return Counter(e["type"] for e in self.container.games.history.lines(stored, None))


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\n| ", " ").replace("\N{NO-BREAK SPACE}", " ")


def challenge_accepted(pair: Pair) -> None:
    pair.wish(pair.desk(f"new game with {pair.names[1]}, 3 days"))
    made = _one(pair.container.games.challenges.open_of(pair.ann, None, 50)[0])
    pair.answer(pair.bob, pair.mail_of("challenge", made.id, pair.bob), "accept")
    games = pair.container.games.lists.of_player(pair.bob, GameFilter("active"), limit=50)[0]
    assert len(games) == 2, games


def challenge_declined(pair: Pair) -> None:
    pair.wish(pair.desk(f"new game with {pair.names[1]}, 3 days"))
    made = _one(pair.container.games.challenges.open_of(pair.ann, None, 50)[0])
    pair.answer(pair.bob, pair.mail_of("challenge", made.id, pair.bob), "decline")
    pair.mail_of("declined", made.id, pair.ann)


def called_off(pair: Pair) -> None:
    made = pair.wish(pair.desk("new game, 3 days"))
    game = _one(pair.open_games())
    pair.answer(pair.ann, made, "call it off")
    assert pair.types(game)["game_aborted"] == 1, pair.types(game)


def guest_invited(pair: Pair) -> None:
    made = pair.wish(pair.desk(f"new game with guest{pair.names[0].lower()}@example.com, 3 days"))
    assert pair.open_games(), text_of(made)
    game = _one(pair.open_games())
    invitation = pair.mail_of("invitation", game, "guest")
    email = f"guest{pair.names[0].lower()}@example.com"
    pair.post.ask(email, str(invitation["Reply-To"]), f"accept as Cy{pair.names[0]}")
    assert pair.types(game)["player_joined"] == 1, pair.types(game)


def rematch(pair: Pair) -> None:
    pair.answer(pair.ann, pair.at_game(pair.ann, "resign"), "resign")
    assert pair.types()["game_ended"] <= 1
    assert pair.container.games.load(pair.game).game.over
    pair.wish(pair.at_game(pair.ann, "rematch"))
    _one(pair.open_games())


def pause_agreed_and_resumed(pair: Pair) -> None:
    pair.wish(pair.at_game(pair.ann, "offer a pause until 24 Dec"))
    pair.answer(pair.bob, pair.mail_of("pause", pair.game, pair.bob), "agree")
    assert pair.types()["clock_paused"] == 1, pair.types()
    pair.wish(pair.at_game(pair.ann, "resume"))
    assert pair.types()["clock_resumed"] == 1, pair.types()


def pause_declined(pair: Pair) -> None:
    pair.wish(pair.at_game(pair.ann, "offer a pause until 24 Dec"))
    pair.answer(pair.bob, pair.mail_of("pause", pair.game, pair.bob), "decline")
    pair.mail_of("answered", pair.game, pair.ann)
    assert pair.types()["clock_paused"] == 0


def end_agreed(pair: Pair) -> None:
    pair.wish(pair.at_game(pair.ann, "offer an end"))
    asked = pair.answer(pair.bob, pair.mail_of("abandonment", pair.game, pair.bob), "agree")
    pair.answer(pair.bob, asked, "agree")
    assert pair.container.games.load(pair.game).game.over


def end_declined(pair: Pair) -> None:
    pair.wish(pair.at_game(pair.ann, "offer an end"))
    pair.answer(pair.bob, pair.mail_of("abandonment", pair.game, pair.bob), "decline")
    pair.mail_of("answered", pair.game, pair.ann)
    assert not pair.container.games.load(pair.game).game.over


def vacation(pair: Pair) -> None:
    calendars, now = pair.container.games.calendars, int(pair.container.now())
    pair.wish(pair.desk("vacation until 9 Dec"))
    _one(calendars.of(pair.ann).to_come(now))
    pair.wish(pair.desk("back"))
    assert not calendars.of(pair.ann).to_come(int(pair.container.now()))


def time_zone(pair: Pair) -> None:
    pair.wish(pair.desk("time zone Europe/Rome"))
    assert pair.container.games.calendars.of(pair.ann).zone == "Europe/Rome"


def mails(pair: Pair) -> None:
    pair.wish(pair.desk("mail about turns off"))
    assert not pair.container.mail_preferences.groups(pair.ann)["turn"]


def said(pair: Pair) -> None:
    pair.at_game(pair.ann, "say: good luck")
    stored = pair.container.games.load(pair.game)
    new = list(pair.container.games.conversations.new_to(stored, stored.seat_of(pair.bob), 0))
    assert [each.text for each in new] == ["good luck"], new


def turns(pair: Pair) -> None:
    """Turns, claims and draws in one mail each; a whole game takes too long here."""
    for _ in range(4):
        stored = pair.container.games.current(pair.game)
        mover = stored.player_to_move()
        assert mover is not None
        pair.at_game(mover, pair.container.games.view(stored, mover).legal[0])
    assert pair.types()["card_played"] == 4, pair.types()


def time_given(pair: Pair) -> None:
    stored = pair.container.games.current(pair.game)
    waiting = pair.bob if stored.player_to_move() == pair.ann else pair.ann
    before = stored.deadline
    pair.at_game(waiting, "give 2 days")
    after = pair.container.games.current(pair.game).deadline
    assert abs((after or 0) - (before or 0) - 2 * DAY) < 60, (before, after)


def read_only(pair: Pair) -> None:
    for word in ("rules", "mails", "games", "help", "undo"):
        pair.desk(word)
    pair.at_game(pair.ann, "show")


def _one(found: Sequence[Found]) -> Found:
    assert len(found) == 1, found
    return found[0]


WISHES: Final[tuple[Callable[[Pair], None], ...]] = (
    *(challenge_accepted, challenge_declined, called_off, guest_invited, rematch),
    *(pause_agreed_and_resumed, pause_declined, end_agreed, end_declined),
    *(vacation, time_zone, mails, said, turns, time_given, read_only),
)


def wished_by_mail(rounds: int, moments: int, seed: int = 1) -> WishKills:
    """Let everything be asked for while the worker dies; fails for anything lost or doubled."""
    begun, chance = time.monotonic(), random.Random(seed)
    with (
        running(bundled_binary()) as server,
        connect(server.url) as redis,
        TemporaryDirectory() as folder,
    ):
        own = settings(mail_in=("127.0.0.1", free_port()))
        post = Post(build_context(own, redis))
        env = {
            "SCOTTENBURY_REDIS_URL": server.url,
            "SCOTTENBURY_DATA": folder,
            "SCOTTENBURY_SECRET_KEY": SECRET,
            "SCOTTENBURY_BASE_URL": own.base_url,
            "SCOTTENBURY_MAIL_FROM": own.mail_from,
            "SCOTTENBURY_MAIL_IN": "127.0.0.1:1",
            "SCOTTENBURY_SMTP_URL": post.url,
            "SCOTTENBURY_NOTICE_DELAY": "0",
            "SCOTTENBURY_LOG_LEVEL": "error",
        }
        seams = [*WORKER, *(f"{chance.uniform(1, LONGEST_LIFE):.2f}" for _ in range(moments))]
        chance.shuffle(seams)
        mortals = Mortals(Path(folder), {"worker": seams}, env)
        done: Counter[str] = Counter()
        with post.open(), mortals.dying(), ThreadPoolExecutor(4) as hands:
            numbers = count()

            def wish(each: Callable[[Pair], None]) -> str:
                each(Pair(post, next(numbers)))
                return each.__name__

            while sum(done.values()) < rounds * len(WISHES) or not mortals.are_through():
                done.update(hands.map(wish, WISHES))
            until(lambda: _is_quiet(post.container), PATIENCE)
            lives = mortals.told("life")
        repeated = _check(post, {f"life-{x['life']}.example.org" for x in lives if x["killed"]})
        killed = Counter(str(x["seam"]) for x in lives if x["killed"])
        at_moments = sum(killed.pop(each) for each in list(killed) if each not in WORKER)
        return WishKills(
            len(post.written),
            len(post.given_up),
            repeated,
            killed + Counter({"at any moment": at_moments}),
            done,
            time.monotonic() - begun,
        )


def _is_quiet(container: Container) -> bool:
    later = time.time() + DAY / 24
    return all(
        each.id.endswith(".log.pack") or each.due > later
        for _ in range(2)
        for each in list(container.log.outbox.pending())
    )


def _check(post: Post, killed: set[str]) -> int:
    """Each mail has one answer, and none went out again but after a death; how many did."""
    store = post.container.incoming_mail._store
    answers: dict[str, set[str]] = defaultdict(set)
    copies: dict[str, list[str]] = defaultdict(list)
    for receipt in post.receipts:
        copies[receipt.id].append(receipt.life)
        answers[receipt.id.strip("<").partition(".")[0]].add(receipt.id)
    for mail_id, text in post.written.items():
        assert store.state(mail_id).is_answered, f"not answered: {text}"
        assert len(answers[mail_id]) == 1, f"answered by several mails: {text} {answers[mail_id]}"
    for message_id, senders in copies.items():
        assert len(set(senders)) == len(senders), f"sent twice in one life: {message_id}"
        assert killed.issuperset(senders[:-1]), f"sent again, though nobody died: {message_id}"
    for games in {receipt.mail["X-Scottenbury-Game"] for receipt in post.receipts} - {None}:
        if post.container.log.events.read(games):
            assert fault_in_stored(post.container.log.events, games) is None
    assert post.container.dead_letters.all() == []
    return sum(len(senders) - 1 for senders in copies.values())


def main() -> None:
    """Print what happened, in figures."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=2, help="of all wishes, at least")
    arguments.add_argument("--moments", type=int, default=20, help="kills at any moment")
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    found = wished_by_mail(chosen.rounds, chosen.moments, chosen.seed)
    print(*(f"{name:10} {value}" for name, value in found._asdict().items()), sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()

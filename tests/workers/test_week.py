"""A week of eighty games in simulated time, with outages of the server and of the mail.

Each notice is sent once, nobody loses on time who was not told or whose time was not up, and lists,
views and sets of deadlines agree with the logs.
"""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from smtplib import SMTPRecipientsRefused
from typing import Any, Final

import pytest

from service.container import Container
from service.core.redis.client import Client, connect
from service.core.times import unix
from service.eventlog import keys
from service.games import NewGame
from service.games.clock.calendar import union
from service.games.repository import GameRepository
from tests.support.clock import NOON, Machine
from tests.support.servers import bundled_binary, running
from tests.support.settings import settings
from tests.workers.delivering import deliver_together
from tests.workers.match import registered
from workers.context import WorkerContext
from workers.leases import Leases
from workers.mail.mailer import Message

GAMES: Final = 80
PEOPLE: Final = 40
HOUR: Final = 3600
DAY: Final = 24 * HOUR
SEED: Final = 15
CLOCKS: Final[list[dict[str, Any]]] = [
    {"days_per_move": 1},
    {"days_per_move": 2, "weekends_off": True},
    {"bank_days": 2, "increment_hours": 6},
    {"days_per_move": 3},
]
BOTH_AWAY, WORKER_AWAY, SET_AHEAD, ASLEEP = range(20, 24), range(50, 56), 80, 100
MAIL_AWAY: Final = range(62, 76)
VISITS: Final = 130
"""Hours of the week at which, or in which, something is the matter."""


class Post:
    """A mail server that is away at times, and refuses some addresses for good."""

    needs_address = True

    def __init__(self) -> None:
        self.is_away = False
        self.refused: set[str] = set()
        self.sent: list[Message] = []

    def send(self, message: Message) -> None:
        if self.is_away:
            raise OSError("the mail server is away")
        if message.recipient in self.refused:
            raise SMTPRecipientsRefused({message.recipient: (550, b"5.1.1 no such user")})
        self.sent.append(message)


class Week:
    """Forty people and a server, in the hands of one source of chance."""

    def __init__(self, redis: Client) -> None:
        self.redis = redis
        self.random = random.Random(SEED)
        self.machine = Machine()
        self.post = Post()
        self.container = self.process()
        self.people = [registered(self.context, f"Player{number}") for number in range(PEOPLE)]
        self.unreachable = self.people[:4]
        self.games = [self.begin(number) for number in range(GAMES)]

    def process(self) -> Container:
        """A process of the server, as it is just started."""
        built = Container(
            settings(), self.redis, self.machine.clock, monotonic=self.machine.monotonic
        )
        self.context = WorkerContext(built, self.post, Leases(self.machine.clock))
        return built

    def begin(self, number: int) -> str:
        one, other = self.random.sample(self.people, 2)
        wanted = NewGame(opponent=other, first_player="opponent", clock=CLOCKS[number % 4])
        made = self.container.games.create(one, wanted)
        return self.container.games.join(made.id, other).id

    def hour(self, number: int, *, web: bool = True, worker: bool = True) -> None:
        """An hour; what the server does comes at its end."""
        self.machine.run(HOUR)
        now = str(self.machine.clock.time)
        self.post.is_away = number in MAIL_AWAY
        for role, is_up in (("web", web), ("worker", worker)):
            if is_up:
                self.redis.hset("st:{outages}:last", role, now)
                self.container.outages.record_heartbeat(role)  # type: ignore[arg-type]
        if worker:
            self.work()
        if web:
            self.play()

    def work(self) -> None:
        """What workers do."""
        self.container.games.outages.apply_all()
        while games := self.container.log.deadlines.claim(1000, 60):
            for game in games:
                self.container.games.time_out(game)
        while due := self.container.log.outbox.claim(16, 60):
            deliver_together(self.context, due)

    def play(self) -> None:
        """Some of those who know that it is their turn play it."""
        for game in self.games:
            mover = self.container.games.load(game).player_to_move()
            if mover is None or mover in self.unreachable or self.random.random() > 0.03:
                continue
            while (now := self.container.games.load(game)).player_to_move() == mover:
                legal = self.container.games.view(now, mover).legal
                self.container.games.play(game, mover, legal[:1])

    def restart(self) -> None:
        """The server comes up again after it was away."""
        self.container = self.process()
        for role in ("web", "worker"):
            self.container.outages.record_heartbeat(role)  # type: ignore[arg-type]

    def live(self) -> None:
        self.restart()
        for number in range(7 * 24):
            if number == 10:
                self.post.refused = {f"player{each}@example.org" for each in range(4)}
            if number == SET_AHEAD:
                self.machine.set_clock(2 * HOUR)
            if number == ASLEEP:
                self.machine.suspend(HOUR)
            if number == VISITS:
                self.visit()
            if number in (BOTH_AWAY.stop, WORKER_AWAY.stop):
                self.restart()
            self.hour(number, web=number not in BOTH_AWAY, worker=self.has_worker(number))

    def has_worker(self, number: int) -> bool:
        return number not in BOTH_AWAY and number not in WORKER_AWAY

    def visit(self) -> None:
        """Two of those whom no mail reaches look at their games."""
        for game in self.games:
            for player in self.unreachable[:2]:
                self.container.games.read(game, player)

    def events(self, game: str) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.container.log.events.read(game)]


@pytest.fixture(scope="module")
def week() -> Iterator[Week]:
    with running(bundled_binary()) as server, connect(server.url) as redis:
        redis.config_set("appendonly", "no")
        week = Week(redis)
        week.live()
        yield week


def test_all_kinds_of_things_have_happened(week: Week) -> None:
    found = Counter(event["type"] for game in week.games for event in week.events(game))
    assert found["turn_ended"] > 120, found
    assert found["timed_out"] > 8, found
    assert found["clock_adjusted"] > 120, found
    assert found["flag_held"] > 1, found
    reasons = Counter(
        event["data"]["reason"]
        for game in week.games
        for event in week.events(game)
        if event["type"] == "clock_adjusted"
    )
    assert reasons["untold"] > 0
    kinds = Counter(message.id.partition("@")[0].split(".")[-1] for message in week.post.sent)
    assert kinds.keys() >= {"turn", "reminder", "last-reminder", "over"}


def test_each_mail_is_sent_once(week: Week) -> None:
    twice = [one for one, count in Counter(mail.id for mail in week.post.sent).items() if count > 1]
    assert twice == []


def test_each_outage_was_recorded_and_given_back_once(week: Week) -> None:
    outages = week.container.outages.liveness().outages
    hours = [(round((begin - NOON) / HOUR), round((end - NOON) / HOUR)) for begin, end in outages]
    assert hours == [(20, 24), (50, 56), (81, 83), (103, 104)]  # a jump is seen an hour later
    for game in week.games:
        given = [
            (event["data"]["from"], event["data"]["to"])
            for event in week.events(game)
            if event["type"] == "clock_adjusted" and event["data"]["reason"] == "outage"
        ]
        assert len(given) == len(set(given))
        # Who moved while the worker was away got back what had passed by then.
        within = [
            any(b <= unix(one) and unix(other) <= e for b, e in outages) for one, other in given
        ]
        assert all(within)


def test_nobody_lost_a_move_of_one_day_before_it_was_over(week: Week) -> None:
    """By hand: a day, and the outages that lie in it."""
    outages = week.container.outages.liveness().outages
    lost = 0
    for game in week.games[:: len(CLOCKS)]:
        since = 0
        for event in week.events(game):
            at = unix(event["at"])
            if event["type"] in ("turn_ended", "round_started"):
                since = at
            if event["type"] == "timed_out":
                away = union((max(begin, since), min(end, at)) for begin, end in outages)
                counted = at - since - sum(end - begin for begin, end in away)
                assert counted >= DAY
                lost += 1
    assert lost > 4


def test_nobody_lost_who_was_not_told(week: Week) -> None:
    told: dict[str, list[int]] = defaultdict(list)
    for message in week.post.sent:
        game, version, player, *_ = message.id.strip("<").partition("@")[0].split(".")
        told[f"{game} {player}"].append(int(version))
    for game in week.games:
        stored = week.container.games.load(game)
        begun, mover = 0, ""
        for event in week.events(game):
            if event["type"] in ("turn_ended", "round_started"):
                seat = event["data"].get("next") or event["data"]["first"]
                begun, mover = event["seq"], stored.game.players[seat]
            if event["type"] == "timed_out" and mover not in week.unreachable[:2]:
                has_mail = any(version >= begun for version in told[f"{game} {mover}"])
                first_turn = begun <= 3  # who joins and plays first needs no mail
                assert has_mail or first_turn, f"{game}: {mover} at {event['seq']}"


def test_views_and_sets_of_deadlines_agree_with_the_logs(week: Week) -> None:
    anew = GameRepository(week.container.log.events, week.container.now)
    for game in week.games:
        from_log, kept = anew.get(game), week.container.games.load(game)
        assert (from_log.deadline, from_log.head) == (kept.deadline, kept.head)
        assert week.container.games.view(kept, None).deadline == from_log.deadline_text
        score = week.redis.zscore(keys.deadlines_key(keys.bucket_of(game)), game)
        assert score == from_log.deadline or (from_log.deadline or 0) <= week.machine.clock.time
        assert from_log.deadline is None or from_log.deadline > NOON

"""A year of seven hundred games: all that is stored stands in docs/operate/storage.md."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from service.accounts.email_addresses import AddressVerification
from service.container import Container
from service.core.redis.client import Client, connect
from service.eventlog import IdempotencyKey
from service.games import ChangeContext, NewGame, StoredGame
from service.games.drafts import Orders
from service.games.notices import GUEST_LIFE
from service.mail.mailbox import CAPACITY, Mailbox
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.servers import SocketServer, bundled_binary, running
from tests.support.settings import settings
from tests.workers.delivering import deliver
from workers.context import WorkerContext, build_context
from workers.mail.mailer import MailboxMailer

GAMES: Final = 700
STEPS: Final = 50
FOLLOWERS: Final = 4
FEED: Final = 11_000
"""Entries of a feed, and what Redis may leave beyond them."""
DAY: Final = 24 * 60 * 60.0
STEP: Final = 365 * DAY / STEPS
OPERATE: Final = Path(__file__).parents[2] / "docs" / "operate" / "storage.md"

_AGE: Final = """
local cursor = '0'
repeat
  local found = redis.call('SCAN', cursor, 'COUNT', 1000)
  cursor = found[1]
  for _, key in ipairs(found[2]) do
    local left = redis.call('PTTL', key)
    if left >= 0 then
      if left <= tonumber(ARGV[1]) then
        redis.call('UNLINK', key)
      else
        redis.call('PEXPIRE', key, left - tonumber(ARGV[1]))
      end
    end
  end
until cursor == '0'
"""
"""Lets time pass for what expires: Redis does not know the clock of the test."""


_PLACES: Final = {"PART": ".+", "READER": "[a-z0-9-]+", "BUCKET": "[0-9]{2}"}
"""What stands in the place of some words of a pattern; of others, anything without a colon."""


class Kept(NamedTuple):
    """A row of the table: a pattern of keys, and how long they are kept."""

    pattern: str
    life: str

    @property
    def regex(self) -> re.Pattern[str]:
        parts = re.split(r"(?<![a-z])([A-Z]+)", self.pattern)
        return re.compile(
            "".join(
                _PLACES.get(part, "[^{}:]+") if part.isupper() else re.escape(part)
                for part in parts
            )
        )

    @property
    def grows(self) -> bool:
        """Whether it is stated that there will be more and more of them."""
        return "for ever" in self.life or self.life.startswith("with the player")

    @property
    def outlives_the_year(self) -> bool:
        """Whether what the year's first day left is there on its last."""
        return self.life.startswith("400 days")

    @property
    def most(self) -> int:
        """How much there may be in all keys of this pattern, where the table gives a number."""
        return {
            "st:{mailbox}:newest": CAPACITY,
            "st:{mailbox}:mails": CAPACITY,
            "st:{PLAYER}:feed:entries": FOLLOWERS * FEED,
        }.get(self.pattern, 0)


def _table() -> list[Kept]:
    section = OPERATE.read_text().partition("## What is stored, and for how long")[2]
    rows = re.findall(r"^\| (`.+`) \|.+\| (.+) \|$", section.partition("\n## ")[0], re.MULTILINE)
    return [Kept(key, life) for keys, life in rows for key in re.findall(r"`([^`]+)`", keys)]


TABLE: Final = _table()
_REGEXES: Final = {kept: kept.regex for kept in TABLE}


def _pattern_of(key: str) -> Kept | None:
    """The row that a key belongs to: of several the one that says most."""
    found = [kept for kept, regex in _REGEXES.items() if regex.fullmatch(key)]
    return max(found, key=lambda kept: len(re.sub("[A-Z]", "", kept.pattern)), default=None)


@pytest.fixture
def quick() -> Iterator[SocketServer]:
    """A server that does not write to the disk."""
    with running(bundled_binary()) as server, connect(server.url) as redis:
        redis.config_set("appendonly", "no")
        yield server


class Life:
    """What people do, and the workers' work, in simulated time."""

    def __init__(self, url: str, redis: Client) -> None:
        self.clock = Clock()
        self.redis = redis
        mailer = MailboxMailer(Mailbox(redis, self.clock))
        mailer.needs_address = True  # to write every mail would take too long
        self.context: WorkerContext = build_context(
            settings(redis_url=url), redis, self.clock, mailer
        )
        self.container: Container = Container(settings(redis_url=url), redis, self.clock)
        limited = settings(redis_url=url, rate_limits=True)
        self.client = create_app(limited, redis, self.clock).test_client()
        self.age = redis.register_script(_AGE)
        self.people = [self.register(f"Player {number}", number < 4) for number in range(24)]
        self.made = 0

    def register(self, name: str, verified: bool = False) -> str:
        email = f"{name.replace(' ', '.').lower()}@example.org"
        player = self.container.registrations.register(name, email).player
        if verified:
            self.container.players.verify(AddressVerification(player.id, email, expires=0))
        return player.id

    def step(self, number: int) -> None:
        """A few days."""
        for _ in range(GAMES // STEPS):
            self.play(self.made % 10)
            self.made += 1
        self.around_games(number)
        self.pass_time(STEP)

    def pass_time(self, seconds: float) -> None:
        self.clock.time += seconds
        self.age(args=[int(seconds * 1000)])
        self.work()

    def work(self) -> None:
        for game in self.container.log.deadlines.claim(10_000, 60, at=self.clock.time):
            self.context.container.games.time_out(game)
        for notice in [
            due for due in self.container.log.outbox.pending() if due.due <= self.clock.time
        ]:
            deliver(self.context, notice.id)

    def pair(self) -> tuple[str, str]:
        """Two who have not asked each other for a game just now."""
        count = len(self.people)
        one, apart = self.made % count, 1 + self.made // count % (count - 1)
        return self.people[one], self.people[(one + apart) % count]

    def end(self, stored: StoredGame, player: str) -> None:
        """A move, if it is their turn, and then no more."""
        if stored.player_to_move() == player:
            self.container.games.play(stored.id, player, self.legal(stored)[:1])
        self.container.games.resign(stored.id, player)

    def legal(self, stored: StoredGame) -> list[str]:
        return list(self.container.games.view(stored, stored.player_to_move()).legal)

    def invite(self, player: str, **options: object) -> tuple[StoredGame, str]:
        key = IdempotencyKey(f"{player} {self.made}", "asked")
        wanted = NewGame(**options)  # type: ignore[arg-type]
        made = self.container.games.create(player, wanted, ChangeContext(key=key))
        return made, self.container.games.invitations.token(made.id)

    def play(self, kind: int) -> None:
        """One game, of one of the kinds that there are."""
        (ada, bob), games = self.pair(), self.container.games
        match kind:
            case 0 | 1:  # by the link
                made, invite = self.invite(ada, first_player="creator")
                joined = games.join(made.id, bob, invite=invite)
                games.orders.give(made.id, bob, Orders(claim_proved=True))
                self.end(joined, ada)
            case 2:  # from the lobby, by a guest
                made, _ = self.invite(ada, listed=True)
                joined, seated = games.join_as_guest(made.id, f"Guest {self.made}")
                self.end(joined, seated.player.id)
            case 3:  # against a bot
                self.end(self.invite(ada, bot="random", first_player="creator")[0], ada)
            case 4:  # by a challenge
                asked = games.challenges.make(ada, bob, NewGame(seal=self.seal(ada)))
                joined = games.challenges.accept(asked.id, bob)
                games.abandonments.agree(joined.id, ada, ChangeContext())
                games.abandonments.agree(joined.id, bob, ChangeContext())
            case 5:  # declined, or left to expire
                asked = games.challenges.make(ada, bob, NewGame(invitation_days=2))
                if self.made % 4:
                    games.challenges.decline(asked.id, bob)
            case 6:  # by mail to somebody who does not come
                address = f"stranger{self.made}@example.org"
                self.invite(ada, opponent_email=address, invitation_days=3)
            case 7:  # kept for a player, called off
                self.container.games.call_off(self.invite(ada, opponent=bob)[0].id, ada)
            case 8:  # on time
                made, invite = self.invite(ada, clock={"days_per_move": 1})
                games.join(made.id, bob, invite=invite)
            case _:  # once more
                made, invite = self.invite(ada)
                self.end(games.join(made.id, bob, invite=invite), bob)
                games.rematches.ask(made.id, ada, None)
                games.call_off(games.rematches.ask(made.id, ada, None).id, ada)

    def seal(self, player: str) -> str:
        return self.container.games.seals.make(player).id

    def around_games(self, number: int) -> None:
        """Following, signing in, tokens, failures, people who come and go."""
        container, player = self.container, self.people[number % 3]
        for follower in self.people[:FOLLOWERS]:
            container.feeds.read(follower, None, 100)
        container.sign_in.request_link("player.1@example.org")
        container.tokens.open_session(player, "a browser")
        key = IdempotencyKey(f"{number:064x}", "asked", player)
        issued = container.tokens.create(player, "a program", ["games:read"], key)
        self.client.get("/v1/me", headers={"Authorization": f"Bearer {issued.text}"})
        container.tokens.revoke(player, issued.token.id)
        self.context.container.dead_letters.record_failure(f"lost{number}.1.x.mail.turn")
        self.context.container.dead_letters.add(f"dead{number}.1.x.mail.turn", "refused")
        if number % 10 == 0:
            newcomer = self.register(f"Newcomer {number}")
            self.container.players.rename(newcomer, f"Renamed {number}")
            self.close(self.people.pop(5))
            self.people.insert(5, newcomer)

    def close(self, player_id: str) -> None:
        player = self.container.players.find(player_id)
        assert player is not None
        self.container.accounts.close(player)


def _sizes(redis: Client) -> tuple[Counter[Kept], Counter[Kept]]:
    """How many keys of each pattern there are, and how much is in them."""
    sizes = {"hash": "HLEN", "set": "SCARD", "zset": "ZCARD", "stream": "XLEN"}
    found = list(redis.scan_iter(count=1000))
    pipeline = redis.pipeline(transaction=False)
    for key in found:
        pipeline.type(key)
    types = pipeline.execute()
    for key, kind in zip(found, types, strict=True):
        pipeline.execute_command(sizes.get(kind, "EXISTS"), key)
    keys, parts = Counter[Kept](), Counter[Kept]()
    for key, size in zip(found, pipeline.execute(), strict=True):
        kept = _pattern_of(key)
        assert kept is not None, f"docs/operate/storage.md says nothing of {key}"
        keys[kept] += 1
        parts[kept] += size
    return keys, parts


def test_a_year_of_games_leaves_what_the_table_says(
    quick: SocketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.accounts.tokens.sleep", lambda seconds: None)
    with connect(quick.url) as redis:
        life = Life(quick.url, redis)
        at_half: tuple[Counter[Kept], Counter[Kept]] | None = None
        for number in range(STEPS):
            life.step(number)
            if number == STEPS // 2:
                at_half = _sizes(redis)
        assert life.made == GAMES
        assert at_half is not None
        at_end = _sizes(redis)
        for before, after in zip(at_half, at_end, strict=True):
            grown = {
                kept.pattern: (before[kept], after[kept])
                for kept in after
                if not (kept.grows or kept.outlives_the_year)
                and after[kept] > max(kept.most, 1.25 * before[kept] + 20)
            }
            assert grown == {}
        # When nobody comes any more, what has a lifetime goes: guests, and then their marks.
        for _ in range(42):
            life.pass_time(20 * DAY)
        left = {kept.pattern for kept in _sizes(redis)[0] if not kept.grows}
        assert left == {"st:{mailbox}:newest", "st:{mailbox}:mails"}


def test_a_key_that_the_table_does_not_have_is_named(redis: Client) -> None:
    redis.set("st:{abcdefghijklmnop}:whims", "many")
    with pytest.raises(AssertionError, match=r"says nothing of .*:whims"):
        _sizes(redis)


def test_a_guest_whom_nobody_uses_is_forgotten(
    context: WorkerContext, clock: Clock, redis: Client
) -> None:
    games, host = (
        context.container.games,
        context.container.registrations.register("Host").player.id,
    )
    made = games.create(host, NewGame(listed=True))
    _, (guest, _token) = games.join_as_guest(made.id, "Gustav")
    (look,) = [
        due for due in context.container.log.outbox.pending() if due.id.endswith("unused-guest")
    ]
    clock.time = look.due
    assert deliver(context, look.id) == "postponed"  # a game goes on
    games.resign(made.id, guest.id)
    clock.time += GUEST_LIFE
    assert deliver(context, look.id) == "dropped"
    assert context.container.players.find(guest.id) is None
    assert [key for key in redis.scan_iter() if guest.id in key] == []


def test_a_guest_who_gives_an_address_keeps_the_account(
    context: WorkerContext, clock: Clock
) -> None:
    games, host = (
        context.container.games,
        context.container.registrations.register("Host").player.id,
    )
    made = games.create(host, NewGame(listed=True))
    _, (guest, _token) = games.join_as_guest(made.id, "Gustav")
    context.container.players.set_address(guest, "gustav@example.org")
    clock.time += 2 * GUEST_LIFE
    (look,) = [
        due for due in context.container.log.outbox.pending() if due.id.endswith("unused-guest")
    ]
    assert deliver(context, look.id) == "dropped"
    assert context.container.players.find(guest.id) is not None


def test_a_guest_who_comes_again_is_looked_at_later(context: WorkerContext, clock: Clock) -> None:
    games, host = (
        context.container.games,
        context.container.registrations.register("Host").player.id,
    )
    made = games.create(host, NewGame(listed=True))
    _, (guest, token) = games.join_as_guest(made.id, "Gustav")
    games.resign(made.id, guest.id)
    (look,) = [
        due for due in context.container.log.outbox.pending() if due.id.endswith("unused-guest")
    ]
    clock.time = look.due - DAY
    assert context.container.guests.expire_if_unused(guest.id) == look.due
    Container(settings(), context.container.redis, clock).tokens.authenticate(token)
    clock.time = look.due
    assert deliver(context, look.id) == "postponed"
    assert context.container.players.find(guest.id) is not None


def test_what_was_given_up_is_told_for_two_weeks(context: WorkerContext, clock: Clock) -> None:
    context.container.dead_letters.add("first", "refused")
    clock.time += 10 * DAY
    context.container.dead_letters.add("second", "refused")
    assert [found.notice for found in context.container.dead_letters.all()] == ["second", "first"]
    clock.time += 5 * DAY
    assert [found.notice for found in context.container.dead_letters.all()] == ["second"]
    context.container.dead_letters.add("third", "refused")
    assert context.container.redis.hlen("st:{undelivered}:given-up") == 2


def test_a_feed_ends_when_nobody_follows_it(context: WorkerContext, redis: Client) -> None:
    feeds, ada = (
        context.container.feeds,
        context.container.registrations.register("Ada").player.id,
    )
    place = feeds.read(ada, None, 100).next
    made = context.container.games.create(ada, NewGame(bot="random", first_player="creator"))
    context.container.games.resign(made.id, ada)
    last = feeds.read(ada, place, 100).news[-1].subject
    assert isinstance(last, dict)
    assert last["type"] == "game_ended"
    keys = redis.keys(f"st:{{{ada}}}:feed*")
    # Of a game that is over nothing more is to be told.
    assert sorted(keys) == [f"st:{{{ada}}}:feed", f"st:{{{ada}}}:feed:entries"]
    assert all(29 * DAY < redis.ttl(key) <= 30 * DAY for key in keys)

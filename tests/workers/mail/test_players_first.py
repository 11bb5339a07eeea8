"""How long a player waits for what others have written, and how much of that is read."""

from itertools import count
from unittest.mock import patch

import pytest
from redis import Redis

from letters.letter import read_letter
from letters.mail.body import ReadBody
from service.core.errors import RequestRejected
from service.core.redis.client import Client
from service.mail.budget import READING, MailBudget, mailbox_of
from service.ops.status import MAIL_IN
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.jobs_in_queue import work
from tests.workers.mail.correspondence import Correspondent, Pair, counts, held, run
from tests.workers.match import Match
from workers.context import WorkerContext, build_context
from workers.relay import STRANGERS, Relay

PROSE = "Meet me at the old mill once the rain is over. " * 320
"""15 KB of it."""
numbers = count()


@pytest.fixture
def context(redis: Client, clock: Clock) -> WorkerContext:
    return build_context(settings(rate_limits=True), redis, clock)


@pytest.fixture
def desk(match: Match) -> str:
    """The sender of our mails."""
    return match.context.container.incoming_mail.addresses.sender


def accept(match: Match, to: str, sender: str, body: str) -> None:
    raw = f"From: {sender}\nMessage-ID: <{next(numbers)}@example.com>\n\n{body}\n".encode()
    match.context.container.incoming_mail.accept(to, sender, raw)


@pytest.mark.usefixtures("worked")
def test_a_players_turn_is_played_before_the_letters_of_150_strangers(
    match: Match, bob: Correspondent, desk: str, the_relay: Relay, queue_redis: Redis
) -> None:
    for number in range(150):
        accept(match, desk, f"stranger{number}@example.com", PROSE)
    the_relay.poll()  # some are on their way already
    accept(match, str(bob.latest["Reply-To"]), bob.email, held(match)[0])
    version = match.now().version
    work(queue_redis, MAIL_IN)
    the_relay.poll()
    work(queue_redis, MAIL_IN)
    assert match.now().version > version
    assert counts(match) == {"misdirected": STRANGERS, "played": 1}
    for _ in range(150):
        the_relay.poll()
        work(queue_redis, MAIL_IN)
    assert counts(match) == {"misdirected": 150, "played": 1}


@pytest.mark.usefixtures("worked")
def test_a_players_turn_is_played_before_the_large_letters_of_another(
    match: Match, bob: Correspondent, the_relay: Relay, queue_redis: Redis
) -> None:
    to = str(bob.latest["Reply-To"])
    for number in range(20):
        accept(match, to, bob.email, f"{number}\n" + "word " * 20_000)
    accept(match, to, bob.email, held(match)[0])
    version = match.now().version
    the_relay.poll()
    work(queue_redis, MAIL_IN)
    assert match.now().version > version
    assert counts(match) == {"played": 1}
    for _ in range(6):
        the_relay.poll()
        work(queue_redis, MAIL_IN)
    assert sum(counts(match).values()) == 21


@pytest.mark.parametrize("sender", ["stranger@example.com", "bob@example.org"])
@pytest.mark.parametrize(
    "body",
    [PROSE, "word\n" * 3000, "> word\n" * 3000, "\n" * 15000, "word " * 3000, f"{PROSE}\n" * 60],
)
def test_of_a_letter_to_the_sender_of_our_mails_some_hundred_characters_are_read(
    match: Match, desk: str, sender: str, body: str
) -> None:
    read = []

    def watched(body: ReadBody, *rest: object) -> object:
        read.append(body)
        return read_letter(body, *rest)  # type: ignore[arg-type]

    with patch("service.mail_in.message.read_letter", watched):
        accept(match, desk, sender, body)
        run(match.context)
    ((text, *_), page, *_) = read[0]
    assert (len(read), page) == (1, None)
    assert len(text) < 1000
    assert len([line for line in text.split("\n") if line]) <= 40


@pytest.mark.parametrize(
    "body",
    [
        "help",
        "Hello,\n\nhelp\n\nBest wishes\nEve",
        "help\n\nOn Sat, Nov 21, 2026, Scottenbury wrote:\n" + "> play R7 at 3\n" * 900,
        "On Sat, Nov 21, 2026, Scottenbury wrote:\n" + "> play R7 at 3\n>\n" * 900 + "\nhelp",
    ],
)
def test_a_strangers_wish_is_read_above_and_below_a_long_quotation(
    match: Match, desk: str, body: str
) -> None:
    accept(match, desk, "eve@example.com", body)
    run(match.context)
    assert counts(match) == {"asked-by-stranger": 1}


def test_a_wish_with_a_long_text_behind_it_is_none(match: Match, desk: str) -> None:
    accept(match, desk, "eve@example.com", f"help\n{PROSE}")
    run(match.context)
    assert counts(match) == {"misdirected": 1}


def test_of_a_players_own_lines_two_hundred_are_read_and_the_answer_says_so(pair: Pair) -> None:
    version = pair.match.now().version
    said = pair.bob.answer(held(pair.match)[0] + "\nthanks" * 500)
    assert pair.match.now().version == version
    assert "[cut off]" in said


def budget_of(match: Match) -> MailBudget:
    return match.context.container.incoming_mail._budget


def use_up(match: Match, email: str) -> None:
    """Let reading what came from this address have taken its hour's time."""
    budget_of(match).charge_reading(mailbox_of(email), READING)


def test_who_writes_what_takes_long_to_read_waits_alone(pair: Pair, redis: Client) -> None:
    incoming = pair.match.context.container.incoming_mail
    accept(pair.match, str(pair.bob.latest["Reply-To"]), pair.bob.email, held(pair.match)[0])
    use_up(pair.match, pair.bob.email)
    with pytest.raises(RequestRejected, match="Try again in 60 min") as refused:
        accept(pair.match, str(pair.bob.latest["Reply-To"]), pair.bob.email, "show")
    assert refused.value.code == "too-many-mails"
    version = pair.match.now().version
    run(pair.match.context)
    assert pair.match.now().version == version
    (waiting,) = [each for each in pair.match.due() if each.endswith(".mail-in")]
    assert incoming.wait(waiting.partition(".")[0]) == 3600
    for key in redis.scan_iter("st:{mails}:reading:*"):
        redis.delete(key)
    pair.clock.time += 3601
    run(pair.match.context)
    assert pair.match.now().version > version
    assert counts(pair.match) == {"played": 1}


def test_what_strangers_have_used_up_holds_up_no_player(pair: Pair, desk: str) -> None:
    accept(pair.match, desk, "eve@example.com", "help")
    budget_of(pair.match).charge_reading("strangers", READING)
    for to in (desk, str(pair.bob.latest["Reply-To"])):
        with pytest.raises(RequestRejected):
            accept(pair.match, to, "eve@example.com", "help")
    version = pair.match.now().version
    pair.bob.answer(held(pair.match)[0])
    assert pair.match.now().version > version
    assert counts(pair.match) == {"played": 1}


def test_reading_is_charged_to_its_sender_also_where_another_process_reads(
    match: Match, bob: Correspondent, desk: str
) -> None:
    charged: list[tuple[str, float]] = []
    budget = budget_of(match)
    with patch.object(budget, "charge_reading", lambda *call: charged.append(call)):
        bob.answer("show")
        accept(match, str(bob.latest["Reply-To"]), bob.email, "word " * 20_000)
        accept(match, desk, bob.email, "help")
        with patch("time.thread_time", lambda: 0.0):
            run(match.context)
    whose = mailbox_of(bob.email)
    assert charged[0][0] == whose
    assert {(who, seconds > 0) for who, seconds in charged[1:]} == {
        (whose, True),
        ("strangers", False),
    }


def test_nothing_is_looked_for_in_the_head_that_the_envelope_says(match: Match, desk: str) -> None:
    """Lists of recipients are dear to read, and nobody needs them here."""
    with patch("service.mail_in.message.getaddresses", wraps=len) as asked:
        asked.side_effect = lambda values: [("", values[0])]
        accept(match, desk, "eve@example.com", "help")
    assert asked.call_count == 1  # of the sender

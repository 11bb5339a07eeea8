"""Several writers of one game, and the death of the server beneath them."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from threading import Barrier
from typing import Any

import pytest

from service.core.redis.client import Client, connect
from service.eventlog import Appended, IdempotencyKey, Notice, Repeated, VersionConflict, notice_id
from tests.support.event_logs import event_log
from tests.support.servers import bundled_binary, running
from tests.support.waiting import PATIENCE

GAME = "abcdefghijklmnopqrst"
WRITERS, ROUNDS = 4, 100


@pytest.fixture
def log(redis: Client) -> Any:
    return event_log(redis)


def race(write: Any) -> Any:
    """For each round, what the writers were answered; `write` takes a round and a writer."""
    start = Barrier(WRITERS, timeout=PATIENCE)

    def run(writer: Any) -> Any:
        answers = []
        for number in range(ROUNDS):
            start.wait()
            answers.append(write(number, writer))
        return answers

    with ThreadPoolExecutor(WRITERS) as threads:
        return list(zip(*threads.map(run, range(WRITERS)), strict=True))


def test_exactly_one_of_many_writers_at_a_version_wins(log: Any) -> None:
    rounds = race(lambda number, writer: log.events.append(GAME, number, [f"{number} by {writer}"]))
    for number, answers in enumerate(rounds):
        assert Counter(answers) == {
            Appended(number + 1): 1,
            VersionConflict(number, number + 1): WRITERS - 1,
        }

    winners = [answers.index(Appended(number + 1)) for number, answers in enumerate(rounds)]
    assert log.events.read(GAME) == [
        f"{number} by {winner}" for number, winner in enumerate(winners)
    ]


def test_one_of_many_repeats_of_a_request_is_written_and_all_get_its_answer(log: Any) -> None:
    def write(number: Any, writer: Any) -> Any:
        return log.events.append(
            GAME, number, [str(number)], key=IdempotencyKey(f"key {number}", "f")
        )

    for number, answers in enumerate(race(write)):
        assert Counter(answers) == {Appended(number + 1): 1, Repeated(number + 1): WRITERS - 1}
    assert log.events.version(GAME) == ROUNDS


def test_two_relays_never_claim_the_same_notice(log: Any) -> None:
    notices = [Notice(notice_id(GAME, 1, f"player{n}", "mail", "turn"), due=0) for n in range(200)]
    log.events.append(GAME, 0, ["1"], notices=notices)
    rounds = race(lambda *_: log.outbox.claim(limit=1, lease=60))
    claimed = [notice for claims in chain.from_iterable(rounds) for notice in claims]
    assert sorted(claimed) == sorted(notice.id for notice in notices)


def test_all_that_was_acknowledged_survives_the_death_of_the_server() -> None:
    notice = Notice(notice_id(GAME, 2, "player", "mail", "turn"), due=0)
    key = IdempotencyKey("k", "f")
    with running(bundled_binary()) as server, connect(server.url) as redis:
        log = event_log(redis)
        log.events.append(GAME, 0, ["1", "2"], notices=[notice], deadline=5, key=key)
        server.kill()
        server.start()
        assert log.events.append(GAME, 0, ["1", "2"], key=key) == Repeated(2)
        assert log.events.read(GAME) == ["1", "2"]
        assert list(log.outbox.pending()) == [notice]
        assert log.deadlines.claim(limit=1, lease=60) == [GAME]

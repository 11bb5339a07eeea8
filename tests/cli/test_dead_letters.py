"""`scottenbury dead-letters`: what could not be delivered, for the operator to deal with."""

import pytest

from service.container import Container
from service.core.redis.client import Client
from service.eventlog import notice_id
from service.eventlog.outbox import DeadLetters
from tests.cli.runner import run

pytestmark = pytest.mark.usefixtures("environment")

ONE, OTHER = (notice_id("abcdefghijklmnopqrst", n, "player", "mail", "turn") for n in (3, 4))


@pytest.fixture
def dead_letters(redis: Client) -> DeadLetters:
    dead_letters = DeadLetters(redis)
    dead_letters.add(ONE, "no\x1b[2Jbody")
    dead_letters.add(OTHER, "refused")
    return dead_letters


def test_they_are_listed_with_the_reason_and_no_escapes(dead_letters: DeadLetters) -> None:
    told = run("dead-letters")
    assert told.exit_code == 0
    assert ONE in told.output
    assert "no\\x1b[2Jbody" in told.output
    assert len(told.output.splitlines()) == 2


def test_one_is_tried_again(dead_letters: DeadLetters, store: Container) -> None:
    assert run("dead-letters", "--retry", ONE).output == "To be tried again: 1.\n"
    assert [notice.id for notice in store.log.outbox.pending()] == [ONE]
    assert [dead.notice for dead in dead_letters.all()] == [OTHER]


def test_all_are_dropped(dead_letters: DeadLetters, store: Container) -> None:
    assert run("dead-letters", "--drop").output == "Dropped: 2.\n"
    assert dead_letters.all() == []
    assert list(store.log.outbox.pending()) == []


def test_one_that_is_not_there_changes_nothing(dead_letters: DeadLetters) -> None:
    assert run("dead-letters", "--drop", ONE, "another").exit_code == 1
    assert len(dead_letters.all()) == 2
    assert run("dead-letters", "--drop", "--retry").exit_code == 2

"""`scottenbury dead-letters`: what could not be delivered, for the operator to deal with."""

import pytest

from service.core.redis.client import Client
from service.eventlog import notice_id
from service.ops.dead_letters import Undelivered
from tests.cli.test_operate import _environment as _environment
from tests.cli.test_operate import run
from tests.cli.test_operate import store as store

ONE, OTHER = (notice_id("abcdefghijklmnopqrst", n, "player", "mail", "turn") for n in (3, 4))


@pytest.fixture
def undelivered(redis: Client) -> Undelivered:
    undelivered = Undelivered(redis)
    undelivered.give_up(ONE, "no\x1b[2Jbody")
    undelivered.give_up(OTHER, "refused")
    return undelivered


def test_they_are_listed_with_the_reason_and_no_escapes(undelivered: Undelivered) -> None:
    told = run("dead-letters")
    assert told.exit_code == 0
    assert ONE in told.output
    assert "no\\x1b[2Jbody" in told.output
    assert len(told.output.splitlines()) == 2


def test_one_is_tried_again(undelivered: Undelivered, store) -> None:
    told = run("dead-letters", "--retry", ONE)
    assert told.output == "To be tried again: 1.\n"
    assert [notice.id for notice in store.log.pending()] == [ONE]
    assert [dead.notice for dead in undelivered.given_up()] == [OTHER]


def test_all_are_dropped(undelivered: Undelivered, store) -> None:
    assert run("dead-letters", "--drop").output == "Dropped: 2.\n"
    assert undelivered.given_up() == []
    assert list(store.log.pending()) == []


def test_one_that_is_not_there_changes_nothing(undelivered: Undelivered) -> None:
    told = run("dead-letters", "--drop", ONE, "another")
    assert told.exit_code == 1
    assert len(undelivered.given_up()) == 2
    assert run("dead-letters", "--drop", "--retry").exit_code == 2

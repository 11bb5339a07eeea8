"""What became of notices is kept with their player, and no longer."""

import pytest

from service.accounts.channels.deliveries import DeliveryLedger
from service.accounts.player import PLAYER
from service.container import Container
from service.core.redis.batch import execute_with_runs
from service.core.redis.client import Client
from service.eventlog import NoticeParts
from tests.support.clock import NOON, Clock
from tests.support.settings import settings

GAME, CHALLENGE, ANN, BOB = "a" * 20, "c" * 20, "a" * 16, "b" * 16


def notice(game: str, player: str, kind: str = "turn") -> NoticeParts:
    return NoticeParts(game, 3, player, "mail", kind)


@pytest.fixture
def container(redis: Client) -> Container:
    for player in (ANN, BOB):
        redis.hset(PLAYER.key(player), "name", player)
    return Container(settings(), redis, Clock())


def test_what_is_noted_first_is_not_waited_for(container: Container) -> None:
    told = container.ledger
    told.record(notice(GAME, ANN), "mail", "reached")
    waiting = [told.waiting_run(notice(GAME, ANN), name) for name in ("mail", "ntfy-ab2cd3ef")]
    execute_with_runs(container.redis, [], waiting)
    outcomes = {name: one.outcome for name, one in told.of_notice(notice(GAME, ANN)).items()}
    assert outcomes == {"mail": "reached", "ntfy-ab2cd3ef": "waiting"}
    assert told.of_turn(ANN, GAME, 3, int(NOON)).reached == {"mail": NOON}


def test_all_of_a_player_is_forgotten_and_nothing_of_another(container: Container) -> None:
    told, redis = container.ledger, container.redis
    for player in (ANN, BOB):
        told.record(notice(GAME, player), "mail", "reached")
        told.record(notice(CHALLENGE, player, "challenge"), "mail", "reached")
        told.record_visit(player, "d" * 20, 7)
    told.forget(ANN)
    told.forget(ANN)
    assert list(redis.scan_iter(f"*{{{ANN}}}:told*")) == []
    assert len(list(redis.scan_iter(f"*{{{BOB}}}:told*"))) == 4


def test_whatever_was_told_expires(container: Container) -> None:
    told, redis = DeliveryLedger(container.redis), container.redis
    run = told.waiting_run(notice(CHALLENGE, ANN, "challenge"), "mail")
    execute_with_runs(redis, [], [run])
    keys = list(redis.scan_iter(f"*{{{ANN}}}:told*"))
    assert len(keys) == 2
    assert all(redis.ttl(key) > 0 for key in keys)


def test_nothing_is_noted_of_an_account_that_was_closed_nor_a_challenge_left(
    container: Container,
) -> None:
    player = container.registrations.register("Ann").player
    container.accounts.close(player)
    container.ledger.record(notice(GAME, player.id), "mail", "reached")
    assert list(container.redis.scan_iter(f"*{{{player.id}}}:told*")) == []

    container.ledger.record(notice(CHALLENGE, player.id, "challenge"), "mail", "reached")
    container.accounts.close(player)
    assert list(container.redis.scan_iter(f"*{{{player.id}}}:told*")) == []

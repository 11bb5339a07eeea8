"""The client library sends a command again when its answer was lost; that must not show."""

from collections.abc import Iterator
from typing import Any

import pytest

from service.core.redis.client import Client, connect
from service.eventlog import Appended, EventLog, IdempotencyKey, Notice, VersionConflict, notice_id
from tests.support.event_logs import event_log
from tests.support.proxy import LossyProxy, lossy_proxy
from tests.support.servers import SocketServer

GAME = "abcdefghijklmnopqrst"


@pytest.fixture
def proxy(redis_server: SocketServer, redis: Client) -> Iterator[LossyProxy]:
    with lossy_proxy(redis_server.socket) as proxy:
        yield proxy


@pytest.fixture
def lossy(proxy: LossyProxy) -> Iterator[Client]:
    with connect(proxy.url) as client:
        yield client


@pytest.fixture
def log(lossy: Client) -> EventLog:
    log = event_log(lossy)
    # From here on the server knows the scripts, so that one request is one call of them.
    log.events.append("another game", 0, ["1"])
    log.outbox.add(Notice(notice_id("another", 1, "player", "mail", "turn"), due=0))
    (first,) = log.outbox.claim(limit=1, lease=1)
    log.outbox.finish(first)
    return log


def test_a_plain_write_is_doubled_when_its_answer_is_lost(proxy: LossyProxy, lossy: Client) -> None:
    proxy.lose_answer_to("RPUSH")
    assert lossy.rpush("list", "once") == 2


@pytest.mark.parametrize("key", [None, IdempotencyKey("k", "f")])
def test_an_append_whose_answer_is_lost_is_in_the_log_once(
    proxy: LossyProxy, log: EventLog, key: Any
) -> None:
    proxy.lose_answer_to("card_played")
    assert log.events.append(GAME, 0, ["card_played", "card_drawn"], key=key) == Appended(2)
    assert proxy.losses == 1
    assert log.events.read(GAME) == ["card_played", "card_drawn"]


def test_its_own_write_is_found_though_the_other_player_was_quick(
    proxy: LossyProxy, log: EventLog, redis: Client
) -> None:
    other = event_log(redis)
    proxy.lose_answer_to("mine", meanwhile=lambda: other.events.append(GAME, 1, ["theirs"]))
    assert log.events.append(GAME, 0, ["mine"]) == Appended(1)
    assert log.events.read(GAME) == ["mine", "theirs"]


def test_a_write_sent_again_does_not_undo_the_deadline_set_since(
    proxy: LossyProxy, log: EventLog, redis: Client
) -> None:
    other = event_log(redis)
    proxy.lose_answer_to(
        "mine", meanwhile=lambda: other.events.append(GAME, 1, ["theirs"], deadline=7)
    )
    log.events.append(GAME, 0, ["mine"], deadline=5)
    assert event_log(redis, now=lambda: 6).deadlines.claim(limit=1, lease=1) == []


def test_a_write_sent_again_does_not_bring_back_a_notice_finished_since(
    proxy: LossyProxy, log: EventLog, redis: Client
) -> None:
    notice = Notice(notice_id(GAME, 1, "player", "mail", "turn"), due=1)
    proxy.lose_answer_to("mine", meanwhile=lambda: event_log(redis).outbox.finish(notice.id))
    assert log.events.append(GAME, 0, ["mine"], notices=[notice]) == Appended(1)
    assert list(log.outbox.pending()) == []


def test_a_conflict_whose_answer_is_lost_is_still_a_conflict(
    proxy: LossyProxy, log: EventLog
) -> None:
    log.events.append(GAME, 0, ["theirs"])
    proxy.lose_answer_to("mine")
    assert log.events.append(GAME, 0, ["mine"]) == VersionConflict(0, 1)
    assert log.events.read(GAME) == ["theirs"]


def test_a_claim_whose_answer_is_lost_delays_the_notice_by_one_lease(
    proxy: LossyProxy, lossy: Client, log: EventLog
) -> None:
    notice = Notice(notice_id(GAME, 1, "player", "mail", "turn"), due=100)
    log.events.append(GAME, 0, ["1"], notices=[notice])
    proxy.lose_answer_to("EVALSHA")
    assert event_log(lossy, now=lambda: 100).outbox.claim(limit=1, lease=60) == []
    assert event_log(lossy, now=lambda: 160).outbox.claim(limit=1, lease=60) == [notice.id]

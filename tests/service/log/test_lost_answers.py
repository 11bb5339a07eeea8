"""The client library sends a command again when its answer was lost; that must not show."""

from collections.abc import Iterator

import pytest

from service.core.redis.client import Client, connect
from service.eventlog import Appended, Conflict, GameLog, IdempotencyKey, Notice, notice_id
from tests.proxy import LossyProxy, lossy_proxy
from tests.servers import SocketServer

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
def log(lossy: Client) -> GameLog:
    log = GameLog(lossy)
    # From here on the server knows the scripts, so that one request is one call of them.
    log.append("another game", 0, ["1"])
    log.add_notice(Notice(notice_id("another", 1, "player", "mail", "turn"), due=0))
    (first,) = log.due_now(limit=1, lease=1)
    log.finish_notice(first)
    return log


def test_a_plain_write_is_doubled_when_its_answer_is_lost(proxy, lossy):
    proxy.lose_answer_to("RPUSH")
    assert lossy.rpush("list", "once") == 2


@pytest.mark.parametrize("key", [None, IdempotencyKey("k", "f")])
def test_an_append_whose_answer_is_lost_is_in_the_log_once(proxy, log, key):
    proxy.lose_answer_to("card_played")
    assert log.append(GAME, 0, ["card_played", "card_drawn"], key=key) == Appended(2)
    assert proxy.losses == 1
    assert log.read(GAME) == ["card_played", "card_drawn"]


def test_its_own_write_is_found_though_the_other_player_was_quick(proxy, log, redis):
    other = GameLog(redis)
    proxy.lose_answer_to("mine", meanwhile=lambda: other.append(GAME, 1, ["theirs"]))
    assert log.append(GAME, 0, ["mine"]) == Appended(1)
    assert log.read(GAME) == ["mine", "theirs"]


def test_a_write_sent_again_does_not_undo_the_deadline_set_since(proxy, log, redis):
    other = GameLog(redis)
    proxy.lose_answer_to("mine", meanwhile=lambda: other.append(GAME, 1, ["theirs"], deadline=7))
    log.append(GAME, 0, ["mine"], deadline=5)
    assert GameLog(redis, now=lambda: 6).overdue_now(limit=1, lease=1) == []


def test_a_write_sent_again_does_not_bring_back_a_notice_finished_since(proxy, log, redis):
    notice = Notice(notice_id(GAME, 1, "player", "mail", "turn"), due=1)
    proxy.lose_answer_to("mine", meanwhile=lambda: GameLog(redis).finish_notice(notice.id))
    assert log.append(GAME, 0, ["mine"], notices=[notice]) == Appended(1)
    assert list(log.pending()) == []


def test_a_conflict_whose_answer_is_lost_is_still_a_conflict(proxy, log):
    log.append(GAME, 0, ["theirs"])
    proxy.lose_answer_to("mine")
    assert log.append(GAME, 0, ["mine"]) == Conflict(1)
    assert log.read(GAME) == ["theirs"]


def test_a_claim_whose_answer_is_lost_delays_the_notice_by_one_lease(proxy, lossy, log):
    notice = Notice(notice_id(GAME, 1, "player", "mail", "turn"), due=100)
    log.append(GAME, 0, ["1"], notices=[notice])
    proxy.lose_answer_to("EVALSHA")
    assert GameLog(lossy, now=lambda: 100).due_now(limit=1, lease=60) == []
    assert GameLog(lossy, now=lambda: 160).due_now(limit=1, lease=60) == [notice.id]

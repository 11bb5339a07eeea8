"""What a stored game costs, as Redis itself counts it."""

from typing import Any

import pytest

from service.core.redis.client import Client
from service.eventlog import IdempotencyKey
from tests.support.event_logs import event_log
from tests.support.stored_games import IELLO, TACTICS, finished

GAME = "abcdefghijklmnopqrst"


@pytest.mark.parametrize("kind", [IELLO, TACTICS], ids=str)
def test_a_packed_game_takes_at_most_2000_bytes_with_all_its_keys(redis: Client, kind: Any) -> None:
    log = event_log(redis)
    for number, text in enumerate(finished(kind).texts):
        log.events.append(GAME, number, [text], key=IdempotencyKey(f"player:{number}", "f" * 64))
    assert log.events.compact(GAME)
    assert sum(redis.memory_usage(key) or 0 for key in redis.scan_iter(f"*{GAME}*")) <= 2000

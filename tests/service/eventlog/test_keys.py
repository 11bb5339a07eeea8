"""The names under which games are stored: they may never change, or stored games are not found."""

from typing import Any

import pytest
from redis.crc import key_slot

from service.eventlog import keys

GAME = "abcdefghijklmnopqrst"
NAMES = [
    (keys.log_key(GAME), f"st:{{37}}:g:{GAME}:log"),
    (keys.analysis_key(GAME), f"st:{{37}}:g:{GAME}:analysis"),
    (keys.answers_key(GAME), f"st:{{37}}:g:{GAME}:answers"),
    (keys.outbox_key(37), "st:{37}:due"),
    (keys.deadlines_key(37), "st:{37}:deadlines"),
    (keys.mark_key(GAME), "st:{37}:mark"),
]


@pytest.mark.parametrize(("name", "stored"), NAMES)
def test_a_name_is_that_of_every_game_stored_so_far(name: Any, stored: Any) -> None:
    assert name == stored


def test_all_that_one_write_touches_is_in_one_slot_of_a_cluster() -> None:
    assert len({key_slot(name.encode()) for name, _ in NAMES}) == 1


def test_games_spread_over_all_buckets() -> None:
    assert {keys.bucket_of(f"game{number}") for number in range(1000)} == set(range(keys.BUCKETS))


def test_a_log_s_name_tells_its_game() -> None:
    assert keys.game_of(keys.log_key(GAME)) == GAME

"""The names under which games are stored: they may never change, or stored games are not found; and
the ids of notices, which say all that a job must know to send them."""

from typing import Any

import pytest
from redis.crc import key_slot

from service.eventlog import NoticeParts, keys, notice_id, parse_notice_id

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


def test_a_notices_id_is_made_of_its_parts_and_read_back_into_them() -> None:
    text = notice_id("game", 12, "player", "mail", "turn")
    assert text == "game.12.player.mail.turn"
    assert parse_notice_id(text) == NoticeParts("game", 12, "player", "mail", "turn")


@pytest.mark.parametrize("recipient", ["", "someone@example.org"])
def test_a_part_that_could_not_be_read_back_is_refused(recipient: str) -> None:
    with pytest.raises(ValueError, match="without dots"):
        notice_id("game", 12, recipient, "mail", "turn")


@pytest.mark.parametrize(
    "text", ["", "game.12.player.mail", "game.x.player.mail.turn", "a.1.b.c.d.e"]
)
def test_other_text_is_no_notice(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_notice_id(text)

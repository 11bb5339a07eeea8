"""A notice's id says all that a job must know to send it."""

import pytest

from service.eventlog import NoticeParts, notice_id, parse_notice_id


def test_an_id_is_made_of_its_parts_and_read_back_into_them() -> None:
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

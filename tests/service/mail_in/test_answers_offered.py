"""Where a turn is refused or unclear, the answer says what a yes would do, and nothing that is of
no use then."""

import pytest

from tests.mail.position import Positions
from tests.service.mail_in.letter_situations import ada
from tests.service.mail_in.letters_table import follows, played_by


@pytest.mark.parametrize("claims", ["and I claim stone 3", "claim 3", "claim 5, claim 3"])
def test_a_refused_claim_is_left_out_after_a_yes(positions: Positions, claims: str) -> None:
    position = positions.put("claims")
    text = ada(position).answer(f"play G4 at 6, please, {claims}")
    assert "To play “play G4 at 6” without that claim, answer this mail with “yes”." in text
    assert position.played() == []
    ada(position).answer("Yes, that one. Thanks!")
    assert played_by(position) == follows(position, "G4@6")


def test_a_refused_card_is_not_offered(positions: Positions) -> None:
    text = ada(positions.put("claims")).answer("play B9 at 6, claim 3")
    assert "without that claim" not in text


def test_a_message_below_the_turn_is_not_denied(positions: Positions) -> None:
    position = positions.put("claims")
    text = ada(position).answer("Dear me, such a hand. play G4 at 6.\nsay: well played")
    assert "with your message to the other player" in text
    assert "nothing else" not in text


def test_of_a_late_turn_no_line_is_complained_about(positions: Positions) -> None:
    text = ada(positions.put("stale")).answer("Hi Ben, sorry for everything!\nplay R7 at 3 dear.")
    assert "You have already played that turn" in text
    assert "Line 1" not in text


def test_lines_are_quoted_plainly_and_harmless_ones_not_at_all(positions: Positions) -> None:
    text = ada(positions.put("claims")).answer(
        "zounds, my yellow 7 to the stone 6, gadzooks\n\nLiebe Grüße aus Köln"
    )
    shown = "“zounds, … gadzooks”"
    assert f"Line 1: {shown}" in text
    assert "Köln" not in text

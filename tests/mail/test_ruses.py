"""Who answers mails alone learns from them how a Tactic card is played that is put on no Stone."""

from tests.mail.position import Positions
from tests.workers.mail.correspondence import flat, text_of


def test_the_mail_of_a_turn_says_how_those_cards_are_written_that_can_be_played(
    positions: Positions,
) -> None:
    text = flat(text_of(positions.put().answered))  # Bob holds the Strategist
    assert "“STR:R7@3>5”, with the Strategist: your Red 7 at Stone 3 goes to Stone 5" in text
    assert "“STR:R7@3>x” discards it." in text
    assert "Banshee" not in text


def test_no_other_mail_does(positions: Positions) -> None:
    assert "written like this" not in flat(text_of(positions.put("time-out").answered))

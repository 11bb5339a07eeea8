"""Who answers mails alone learns from them how a Tactic card is played that is put on no Stone."""

from tests.mail.position import Positions
from tests.workers.mail.correspondence import flat, text_of


def test_the_mail_of_a_turn_says_how_those_cards_are_written_that_can_be_played(
    positions: Positions,
) -> None:
    text = flat(text_of(positions.put().answered))  # Bob holds the Strategist
    assert "The Strategist: as “STR:R7@3>5” to move a card, as “STR:R7@3>x” to discard it." in text
    assert "Banshee" not in text


def test_no_other_mail_does(positions: Positions) -> None:
    assert "The Strategist: as" not in flat(text_of(positions.put("time-out").answered))

"""Who answers mails alone learns from them how a Tactic card is played that is put on no Stone."""

import re

import engine
from tests.mail.position import Positions
from tests.workers.mail.correspondence import flat, text_of


def test_the_mail_of_a_turn_says_how_those_cards_are_written_that_can_be_played(
    positions: Positions,
) -> None:
    position = positions.put()  # Bob holds the Strategist
    text = flat(text_of(position.answered))
    move, discard = re.findall("The Strategist: as “(.*?)” to move a card, as “(.*?)” to", text)[0]
    assert {move, discard} <= set(engine.legal(position.before.game))
    assert "Banshee" not in text


def test_no_other_mail_does(positions: Positions) -> None:
    assert "The Strategist: as" not in flat(text_of(positions.put("time-out").answered))

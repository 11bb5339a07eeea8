"""Whether a player is told that the turn they sent by mail was played."""

import pytest

from service.accounts.mail_preferences import Subscription
from service.accounts.notice_kinds import CONFIRMATION
from tests.workers.mail.correspondence import (
    Correspondent,
    answered_late,
    held,
    kinds,
    run,
    text_of,
)
from tests.workers.match import Match


@pytest.fixture
def quiet(match: Match, bob: Correspondent) -> Correspondent:
    """Bob, who wants no confirmations."""
    match.context.container.mail_preferences.turn_off(Subscription(match.bob, CONFIRMATION))
    return bob


def test_it_is_told_unless_the_player_turned_it_off(match: Match, quiet: Correspondent) -> None:
    quiet.answer(held(match)[0])
    assert match.now().player_to_move() == match.ann
    assert kinds(quiet) == ["turn"]
    ann = Correspondent(match.context, quiet.mailbox, "ann@example.org")
    ann.answer(held(match)[0])
    assert kinds(ann)[0] == "reply-played"
    assert kinds(quiet) == ["turn", "turn"]


def test_whatever_else_was_asked_is_answered(match: Match, quiet: Correspondent) -> None:
    quiet.answer("show")
    quiet.answer("help")
    quiet.answer("R4@3")
    quiet.answer(f"{held(match)[0]}\nsay: well played")
    assert kinds(quiet) == ["reply-played", "reply-refused", "reply-help", "reply-board", "turn"]


def test_a_turn_that_goes_on_is_answered(
    match: Match, quiet: Correspondent, ann: Correspondent
) -> None:
    while match.now().game.phase != "finish":
        mover = quiet if match.now().player_to_move() == match.bob else ann
        mover.answer(held(match)[0])
        if mover is ann and match.now().game.phase == "finish":
            ann.answer("draw clan")
    assert text_of(quiet.latest).startswith("Done, and your turn goes on.")


def test_the_next_turn_is_told_by_the_mail_of_that_turn(match: Match, quiet: Correspondent) -> None:
    answered_late(match, quiet)
    run(match.context)
    assert kinds(quiet) == ["turn", "turn"]
    assert match.now().player_to_move() == match.bob


def test_the_end_is_told_by_the_mail_of_the_end(match: Match, quiet: Correspondent) -> None:
    quiet.answer("resign")
    quiet.answer("resign")
    assert match.now().game.over
    match.clock.time += 600  # the mail of the end may have waited for the answer
    run(match.context)
    assert kinds(quiet)[0] == "over"
    assert kinds(quiet).count("over") == 1

"""A turn that our answer to a mail has shown is not told by a mail of its own."""

import pytest

from service.core.redis.client import Client
from service.games import NewGame
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.delivering import deliver
from tests.workers.mail.correspondence import (
    Correspondent,
    answered_late,
    flat,
    held,
    kinds,
    run,
    text_of,
)
from tests.workers.match import Match, begin, registered
from workers.context import WorkerContext, build_context


def test_the_answer_is_the_one_mail_of_a_turn_that_it_shows(
    match: Match, bob: Correspondent
) -> None:
    before = kinds(bob)
    answered_late(match, bob)
    answer, turn = sorted(notice for notice in match.due() if match.bob in notice)
    if ".turn" in answer:
        answer, turn = turn, answer
    assert deliver(match.context, answer) == "sent"
    assert "Answer with a turn such as" in flat(text_of(bob.latest))
    assert deliver(match.context, turn) == "dropped"
    assert sorted(kinds(bob)) == sorted(["reply-played", *before])


def test_the_mail_of_a_turn_waits_for_the_answer(match: Match, bob: Correspondent) -> None:
    answered_late(match, bob)
    answer, turn = sorted(
        (notice for notice in match.due() if match.bob in notice), key=lambda each: ".turn" in each
    )
    assert deliver(match.context, turn) == "postponed"
    assert deliver(match.context, answer) == "sent"
    assert deliver(match.context, turn) == "dropped"


def test_it_does_not_wait_for_an_answer_to_the_other_player(
    match: Match, bob: Correspondent
) -> None:
    raw = f"From: {bob.email}\nMessage-ID: <x@y>\n\n{held(match)[0]}\n".encode()
    match.context.container.incoming_mail.accept(str(bob.latest["Reply-To"]), bob.email, raw)
    (notice,) = [notice for notice in match.due() if "mail-in" in notice]
    deliver(match.context, notice)
    (turn,) = [notice for notice in match.due() if match.ann in notice and ".turn" in notice]
    assert deliver(match.context, turn) == "sent"


def test_an_answer_that_tells_of_the_end_is_the_one_mail_of_it(
    match: Match, bob: Correspondent, clock: Clock
) -> None:
    bob.answer("resign")
    bob.answer("resign")
    wait(match.context, clock)
    assert kinds(bob)[:2] == ["reply-played", "reply-board"]
    assert kinds(Correspondent(match.context, bob.mailbox, "ann@example.org"))[0] == "over"


def test_a_turn_is_told_where_the_answer_that_shows_it_comes_back(
    match: Match, bob: Correspondent
) -> None:
    answered_late(match, bob)
    answer, turn = sorted(
        (notice for notice in match.due() if match.bob in notice), key=lambda each: ".turn" in each
    )
    match.context.container.addresses.failing.mark(bob.email, "550 nobody of that name")
    deliver(match.context, answer)
    assert deliver(match.context, turn) == "sent"


def test_the_next_turn_is_told_again(match: Match, bob: Correspondent) -> None:
    answered_late(match, bob)
    run(match.context)
    match.play(held(match)[0])
    match.play(held(match)[0])
    run(match.context)
    assert kinds(bob)[0] == "turn"


def test_an_answer_on_the_opponent_s_turn_shows_none(match: Match, bob: Correspondent) -> None:
    bob.answer(held(match)[0])
    match.play(held(match)[0])
    run(match.context)
    assert kinds(bob)[:2] == ["turn", "reply-played"]


def test_an_answer_tells_the_time_in_the_player_s_zone(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    match = begin(context, clock={"days_per_move": 3})
    context.container.mail_preferences.set_choice(match.bob, {"time_zone": "Asia/Kathmandu"})
    match.play("R4@3")
    run(context)
    text = Correspondent(context, mailbox, "bob@example.org").answer("show")
    assert "Your turn · 3 days left · until Tue 24 Nov 17:45 " in text


@pytest.mark.parametrize("settle", [0, 60])
@pytest.mark.parametrize("known", [True, False])
def test_who_accepts_and_plays_first_gets_one_mail_of_that_turn(
    redis: Client, clock: Clock, mailbox: Mailbox, known: bool, settle: float
) -> None:
    context = build_context(settings(notice_delay=settle), redis, clock)
    ann = registered(context, "Ann")
    cy = Correspondent(context, mailbox, "cy@example.org")
    if known:
        registered(context, "Cy")
    wanted = NewGame(opponent_email=cy.email, first_player="opponent")
    made = context.container.games.create(ann, wanted)
    wait(context, clock)
    cy.answer("accept" if known else "accept as Cy")
    wait(context, clock)
    (turn,) = [mail for mail in cy.mails() if "your turn" in text_of(mail).lower()]
    stored = context.container.games.load(made.id)
    move = context.container.games.view(stored, stored.player_to_move()).legal[0]
    assert cy.answer(str(move), to=str(turn["Reply-To"])).startswith("Done.")


def wait(context: WorkerContext, clock: Clock) -> None:
    """Until the notices that are due now have settled."""
    clock.time += 60
    run(context)

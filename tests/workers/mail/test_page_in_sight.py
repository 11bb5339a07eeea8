"""What a game's page shows by itself is not told again to whoever has it in sight; what they have
not seen there when they leave is."""

from collections.abc import Callable
from typing import Final

import pytest

from service.bots import BOTS
from service.core.redis.batch import execute
from service.core.times import HOUR, MINUTE, timestamp
from service.eventlog import parse_notice_id
from service.games import NewGame
from service.games.page_signs import Sight, Sign
from service.games.writer import ChangeContext
from tests.support.channels import working_channel
from tests.workers.delivering import deliver
from tests.workers.mail.correspondence import held
from tests.workers.match import Match, begin, registered
from workers.context import WorkerContext

WEB: Final = ChangeContext("web")
SHEPHERD: Final = BOTS["shepherd"].player
IN_A_DAY_OR_SO: Final = 30 * HOUR
Happening = Callable[[Match], object]


def sign(match: Match, sign: Sign, page: str = "a") -> None:
    """Bob's page of the game gives this sign."""
    match.context.container.page_signs.beat(match.id, match.bob, sign, page)


def offer_of_an_end(match: Match) -> None:
    match.context.container.games.abandonments.agree(match.id, match.ann, WEB)


def offer_of_a_pause(match: Match) -> None:
    until = timestamp(match.clock() + IN_A_DAY_OR_SO)
    match.context.container.games.pauses.agree(match.id, match.ann, until, WEB)


def declined_offer(match: Match) -> None:
    offers = match.context.container.games.abandonments
    offers.agree(match.id, match.bob, WEB)
    offers.withdraw(match.id, match.ann)


def resignation(match: Match) -> None:
    match.context.container.games.resign(match.id, match.ann)


def message(match: Match) -> None:
    match.context.container.games.conversations.write(match.id, match.ann, "Hello", "web")


TOLD: Final[list[tuple[str, Happening]]] = [
    ("abandonment", offer_of_an_end),
    ("pause", offer_of_a_pause),
    ("answered", declined_offer),
    ("over", resignation),
]


def notice_of(match: Match, happening: Happening, kind: str) -> str:
    """The id of Bob's notice about what happens now."""
    happening(match)
    (notice,) = (one for one in match.due() if one.endswith(f"{match.bob}.mail.{kind}"))
    return notice


def watched(context: WorkerContext) -> Match:
    """A match whose page Bob has in sight."""
    match = begin(context, clock={"days_per_move": 3})
    sign(match, "here")
    return match


@pytest.mark.parametrize(("kind", "happening"), TOLD)
def test_what_the_page_has_shown_is_not_told(
    context: WorkerContext, kind: str, happening: Happening
) -> None:
    match = watched(context)
    notice = notice_of(match, happening, kind)
    assert deliver(context, notice) == "postponed"
    match.clock.time += MINUTE
    sign(match, "here")
    match.clock.time += MINUTE
    assert deliver(context, notice) == "dropped"
    assert not context.container.ledger.of_notice(parse_notice_id(notice))


@pytest.mark.parametrize(("kind", "happening"), TOLD)
def test_what_happens_as_the_page_is_left_is_told(
    context: WorkerContext, kind: str, happening: Happening
) -> None:
    match = watched(context)
    notice = notice_of(match, happening, kind)
    match.clock.time += 2
    sign(match, "away")
    match.clock.time += 2 * MINUTE
    assert deliver(context, notice) == "sent"


@pytest.mark.parametrize("seconds", [3, 20])
def test_an_end_seen_before_the_page_is_left_is_not_told(
    context: WorkerContext, seconds: int
) -> None:
    match = watched(context)
    notice = notice_of(match, resignation, "over")
    match.clock.time += seconds
    sign(match, "away")
    match.clock.time += MINUTE
    assert deliver(context, notice) == "dropped"


@pytest.mark.parametrize(("seconds", "outcome"), [(0, "sent"), (2, "dropped")])
def test_a_bots_turn_is_not_mailed_to_who_saw_it_come(
    context: WorkerContext, seconds: int, outcome: str
) -> None:
    bob, games = registered(context, "Bob"), context.container.games
    wanted = NewGame(bot="shepherd", first_player="opponent", clock={"days_per_move": 3})
    match = Match(context, games.create(bob, wanted).id, ann=SHEPHERD, bob=bob)
    sign(match, "here")
    games.play(match.id, SHEPHERD, held(match)[:1])
    (notice,) = (one for one in match.due() if one.endswith("mail.turn"))
    match.clock.time += seconds
    sign(match, "away")
    match.clock.time += MINUTE
    assert deliver(context, notice) == outcome


def test_a_page_opened_in_the_background_has_shown_nothing(context: WorkerContext) -> None:
    match = begin(context)
    notice = notice_of(match, resignation, "over")
    match.clock.time += MINUTE
    sign(match, "away")
    assert deliver(context, notice) == "sent"


def test_another_page_in_the_background_does_not_prolong_the_sight(context: WorkerContext) -> None:
    match = watched(context)
    match.clock.time += MINUTE
    sign(match, "away")
    match.clock.time += MINUTE
    sign(match, "away", "b")
    query = context.container.page_signs.sight_query(match.id, match.bob)
    seen = Sight(is_open=False, latest=int(match.clock()) - MINUTE)
    assert execute(context.container.redis, query) == seen


def test_a_message_waits_until_it_is_read_or_the_page_is_left(context: WorkerContext) -> None:
    match = watched(context)
    notice = notice_of(match, message, "message")
    match.clock.time += 3 * MINUTE
    sign(match, "here")
    assert deliver(context, notice) == "postponed"
    match.clock.time += 2 * MINUTE
    sign(match, "away")
    assert deliver(context, notice) == "sent"


def test_a_message_that_was_read_on_the_page_is_not_told(context: WorkerContext) -> None:
    match = watched(context)
    notice = notice_of(match, message, "message")
    assert deliver(context, notice) == "postponed"
    context.container.games.conversations.mark_read(match.id, match.bob, 1)
    assert deliver(context, notice) == "dropped"


def test_a_message_does_not_wait_for_ever(context: WorkerContext) -> None:
    match = watched(context)
    notice = notice_of(match, message, "message")
    assert deliver(context, notice) == "postponed"
    match.clock.time += 16 * MINUTE
    sign(match, "here")
    assert deliver(context, notice) == "sent"


def rematch_notice(match: Match) -> str:
    """The id of Bob's notice that Ann, who has resigned, asks for a rematch."""
    resignation(match)
    rematch = match.context.container.games.rematches.ask(match.id, match.ann)
    (notice,) = (one for one in match.due() if one.startswith(rematch.id))
    return notice


def tell_end(match: Match) -> None:
    for notice in match.due():
        if notice.startswith(match.id) and notice.endswith(".over"):
            deliver(match.context, notice)


def test_an_offered_rematch_waits_while_the_finished_game_is_in_sight(
    context: WorkerContext,
) -> None:
    match = watched(context)
    notice = rematch_notice(match)
    assert deliver(context, notice) == "postponed"
    match.clock.time += 2 * MINUTE
    sign(match, "away")
    tell_end(match)
    assert deliver(context, notice) == "sent"


def test_the_end_is_told_before_a_rematch_is_asked_for(context: WorkerContext) -> None:
    match = watched(context)
    sign(match, "away")
    notice = rematch_notice(match)
    match.clock.time += MINUTE
    assert deliver(context, notice) == "postponed"
    tell_end(match)
    assert deliver(context, notice) == "sent"


def test_a_rematch_does_not_wait_for_ever_for_the_end(context: WorkerContext) -> None:
    match = watched(context)
    sign(match, "away")
    notice = rematch_notice(match)
    match.clock.time += 16 * MINUTE
    assert deliver(context, notice) == "sent"


def test_a_rematch_that_was_answered_on_the_page_is_not_told(context: WorkerContext) -> None:
    match = watched(context)
    notice = rematch_notice(match)
    assert deliver(context, notice) == "postponed"
    context.container.games.rematches.ask(match.id, match.bob)
    assert deliver(context, notice) == "dropped"


def test_who_waits_on_the_page_of_an_open_game_is_not_told_that_it_began(
    context: WorkerContext,
) -> None:
    ann, bob = registered(context, "Ann"), registered(context, "Bob")
    games = context.container.games
    made = games.create(ann, NewGame(first_player="opponent"))
    match = Match(context, made.id, bob, ann)
    sign(match, "here")
    games.join(made.id, bob, invite=games.invitations.token(made.id))
    (notice,) = (one for one in match.due() if one.endswith(f"{ann}.mail.started"))
    match.clock.time += MINUTE
    sign(match, "here")
    assert deliver(context, notice) == "dropped"


def test_a_program_is_told_of_what_the_page_shows(context: WorkerContext) -> None:
    match = watched(context)
    target = {"url": "https://hooks.example.org/x"}
    working_channel(context.container, match.bob, "webhook", target)
    assert deliver(context, notice_of(match, offer_of_an_end, "abandonment")) == "sent"


def list_sign(match: Match, sign: Sign, page: str = "l") -> None:
    """Bob's list of games gives this sign."""
    match.context.container.page_signs.beat_site("list", match.bob, sign, page)


def turn(match: Match) -> None:
    match.play("R4@3")


@pytest.mark.parametrize(("kind", "happening"), [("turn", turn), ("message", message)])
def test_what_the_list_shows_waits_while_it_is_in_sight(
    context: WorkerContext, kind: str, happening: Happening
) -> None:
    match = begin(context, clock={"days_per_move": 3})
    list_sign(match, "here")
    notice = notice_of(match, happening, kind)
    assert deliver(context, notice) == "postponed"
    match.clock.time += 2 * MINUTE
    list_sign(match, "away")
    assert deliver(context, notice) == "sent"


def test_a_turn_waits_while_the_page_of_another_game_is_in_sight(context: WorkerContext) -> None:
    match = begin(context, clock={"days_per_move": 3})
    other = context.container.games.create(match.bob, NewGame())
    context.container.page_signs.beat(other.id, match.bob, "here", "o")
    notice = notice_of(match, turn, "turn")
    assert deliver(context, notice) == "postponed"
    assert deliver(context, notice_of(match, message, "message")) == "sent"
    context.container.page_signs.beat(other.id, match.bob, "here", "o")
    match.clock.time += 16 * MINUTE
    context.container.page_signs.beat(other.id, match.bob, "here", "o")
    assert deliver(context, notice) == "sent"


def test_the_list_that_was_left_for_a_game_does_not_take_it_out_of_sight(
    context: WorkerContext,
) -> None:
    match = begin(context, clock={"days_per_move": 3})
    list_sign(match, "here")
    other = context.container.games.create(match.bob, NewGame())
    context.container.page_signs.beat(other.id, match.bob, "here", "o")
    list_sign(match, "away")
    assert deliver(context, notice_of(match, turn, "turn")) == "postponed"


def test_a_challenge_waits_while_the_list_is_in_sight(context: WorkerContext) -> None:
    match = begin(context)
    list_sign(match, "here")
    challenges = context.container.games.challenges
    challenge = challenges.make(match.ann, match.bob, NewGame())
    (notice,) = (
        one
        for one in match.due()
        if one.startswith(challenge.id) and one.endswith(".mail.challenge")
    )
    assert deliver(context, notice) == "postponed"
    match.clock.time += 2 * MINUTE
    list_sign(match, "away")
    assert deliver(context, notice) == "sent"

"""Claiming a win on time, giving time, and answering offers, by mail."""

import re

import pytest

from letters.commands import Unread, read_commands
from letters.mail.lines import Line
from service.core.times import DAY, HOUR, timestamp
from service.eventlog.keys import side_state_key
from service.games import ChangeContext
from service.mail.mailbox import Mailbox
from service.mail_in.addresses import ReplyTo
from tests.support.clock import Clock
from tests.workers.mail.correspondence import Correspondent, Pair, flat, held, run, text_of
from tests.workers.match import Match, begin
from workers.context import WorkerContext

LATE = "Here is the position now."


@pytest.fixture
def match(context: WorkerContext) -> Match:
    """A game in which a win on time has to be claimed, and Ann is to move."""
    return begin(context, clock={"days_per_move": 2, "time_out": "claim"})


@pytest.fixture
def bob(match: Match, mailbox: Mailbox) -> Correspondent:
    return Correspondent(match.context, mailbox, "bob@example.org")


def offer_pause(match: Match, days: int) -> str:
    """Let Ann offer a pause of the clock, and Bob be told if he was not yet; until when it is."""
    until = timestamp(match.context.container.now() + days * DAY)
    match.context.container.games.pauses.agree(match.id, match.ann, until, ChangeContext())
    run(match.context)
    return until


def offer_to_abandon(match: Match) -> None:
    """Let Ann offer to abandon the game, and Bob be told."""
    match.context.container.games.abandonments.agree(match.id, match.ann, ChangeContext())
    run(match.context)


def let_time_run_out(match: Match, clock: Clock) -> None:
    """Let Ann's time run out, and Bob be told."""
    match.context.container.ledger.record_visit(match.ann, match.id, match.now().turn_version)
    clock.time += 3 * DAY
    match.context.container.games.time_out(match.id)
    run(match.context)


class TestTime:
    def test_the_mail_says_how_and_a_claim_is_asked_once_more(self, pair: Pair) -> None:
        let_time_run_out(pair.match, pair.clock)
        told = flat(text_of(pair.bob.latest))
        assert "“claim the win”" in told
        assert "“give 2 days”" in told
        assert "Nothing is changed until you confirm it" in pair.bob.answer("claim the win")
        assert pair.match.now().game.status == "active"
        pair.bob.answer("Claim the win!")
        ended = pair.match.now().game
        assert (ended.winner, ended.reason) == ("south", "time-out")
        assert pair.match.lines()[-1]["via"] == "mail"

    def test_only_the_question_is_answered_with_the_end(
        self, match: Match, bob: Correspondent, clock: Clock
    ) -> None:
        let_time_run_out(match, clock)
        first = str(bob.latest["Reply-To"])
        bob.answer("claim the win")
        assert "Nothing is changed until you confirm it" in bob.answer("claim the win", to=first)
        bob.answer("resign")
        assert match.now().game.status == "active"

    def test_who_claims_after_the_other_has_moved_is_told(self, pair: Pair) -> None:
        let_time_run_out(pair.match, pair.clock)
        first = str(pair.bob.latest["Reply-To"])
        pair.bob.answer("claim the win")
        question = str(pair.bob.latest["Reply-To"])
        pair.match.play(held(pair.match)[0])
        for address in (question, first):
            assert LATE in pair.bob.answer("claim the win", to=address)
        assert pair.match.now().game.status == "active"

    def test_time_is_given_once_for_a_mail(self, pair: Pair) -> None:
        let_time_run_out(pair.match, pair.clock)
        first, out = str(pair.bob.latest["Reply-To"]), pair.match.now().deadline
        text = pair.bob.answer("give 2 days", message_id="<gift@example.org>")
        assert "You gave the other player 2 days" in text
        assert pair.match.now().deadline == out + 2 * DAY
        pair.bob.answer("give 2 days", to=first, message_id="<gift@example.org>")
        assert pair.match.now().deadline == out + 2 * DAY
        assert "time is not out" in pair.bob.answer("claim the win")
        pair.bob.answer("give 3 hours", to=first)  # the table is as it was
        assert pair.match.now().deadline == out + 2 * DAY + 3 * HOUR
        pair.match.play(held(pair.match)[0])
        assert LATE in pair.bob.answer("give 2 days", to=first)

    def test_what_cannot_be_claimed_or_given_is_told(
        self, context: WorkerContext, match: Match, bob: Correspondent
    ) -> None:
        match.play(held(match)[0])
        run(context)
        assert "It is your own turn" in bob.answer("claim the win")
        assert "from one hour to 90 days" in bob.answer("give 91 days")
        assert match.now().clock_only_events == 0


@pytest.mark.parametrize("options", [{}, {"clock": {"days_per_move": 2}}])
def test_without_such_a_clock_there_is_nothing_to_claim(
    context: WorkerContext, mailbox: Mailbox, options: dict[str, object]
) -> None:
    match = begin(context, **options)
    match.play(held(match)[0])
    run(context)
    bob = Correspondent(context, mailbox, "bob@example.org")
    assert ("ends by itself" if options else "without a clock") in bob.answer("claim the win")


class TestPauses:
    def test_one_is_agreed_to(self, match: Match, bob: Correspondent) -> None:
        until = offer_pause(match, 9)
        assert "“agree” or “decline”" in flat(text_of(bob.latest))
        assert "The clock is paused." in bob.answer("agree")
        assert match.lines()[-1]["type"] == "clock_paused"
        assert match.lines()[-1]["data"] == {"until": until}

    @pytest.mark.parametrize("word", ["accept", "I agree.", "accept the pause", "agree to pause"])
    def test_in_other_words(self, match: Match, bob: Correspondent, word: str) -> None:
        offer_pause(match, 9)
        bob.answer(word)
        assert match.lines()[-1]["type"] == "clock_paused"

    def test_one_is_declined(self, match: Match, bob: Correspondent) -> None:
        offer_pause(match, 9)
        assert "You declined the pause" in bob.answer("decline")
        assert match.context.container.games.pauses.offered(match.now()) is None
        assert "offers you nothing just now" in bob.answer("agree")
        assert match.now().clock_only_events == 0

    def test_nobody_agrees_to_another_than_they_read_of(self, pair: Pair) -> None:
        offer_pause(pair.match, 9)
        first = str(pair.bob.latest["Reply-To"])
        until = offer_pause(pair.match, 80)
        assert "The other player has changed the offer" in pair.bob.answer("agree", to=first)
        assert pair.match.now().clock_only_events == 0
        pair.bob.answer("agree")
        assert pair.match.lines()[-1]["data"] == {"until": until}

    def test_terms_that_have_changed_are_mailed_too_once_an_hour(
        self, match: Match, mailbox: Mailbox, clock: Clock
    ) -> None:
        offer_pause(match, 9)
        for days in (10, 11, 12):
            offer_pause(match, days)
        assert len([n for n in match.due() if n.endswith(".mail.pause")]) == 1
        before = len(mailbox.newest(100))
        clock.time += HOUR
        run(match.context)
        (told,) = mailbox.newest(100)[: len(mailbox.newest(100)) - before]
        assert "until Thu 3 Dec 2026" in flat(text_of(told.message))
        assert not [n for n in match.due() if n.endswith(".mail.pause")]

    def test_an_offer_that_was_taken_back_before_its_mail_is_mailed_when_made_again(
        self, match: Match, mailbox: Mailbox, clock: Clock
    ) -> None:
        pauses, until = match.context.container.games.pauses, timestamp(clock.time + 20 * DAY)
        offer_pause(match, 9)
        pauses.agree(match.id, match.ann, until, ChangeContext())
        pauses.withdraw(match.id, match.ann)
        clock.time += HOUR
        run(match.context)
        before = len(mailbox.newest(100))
        pauses.agree(match.id, match.ann, until, ChangeContext())
        clock.time += HOUR
        run(match.context)
        assert len(mailbox.newest(100)) == before + 1

    def test_no_other_offer_has_the_number_that_a_mail_tells(
        self, match: Match, bob: Correspondent, clock: Clock
    ) -> None:
        """As it was done: of 42,033 offers one had the mark of that in the mail."""
        pauses = match.context.container.games.pauses
        offer_pause(match, 9)
        addresses = match.context.container.incoming_mail.addresses
        first = addresses.read(str(bob.latest["Reply-To"]))
        assert first is not None
        assert first.offers is not None
        seen = {first.offers.number}
        for minute in range(300):
            until = timestamp(clock.time + DAY + minute % 3 * HOUR)
            made = pauses.agree(match.id, match.ann, until, ChangeContext()).offered
            assert made is not None
            assert made.number > max(seen)
            seen.add(made.number)
            if minute % 5 == 0:
                pauses.withdraw(match.id, match.ann)
        # Neither an agreement nor a move takes the number back.
        pauses.accept(match.id, match.bob, max(seen), ChangeContext())
        match.context.container.games.clocks.resume(match.id, match.ann, ChangeContext())
        match.play(held(match)[0])
        again = pauses.agree(match.id, match.ann, None, ChangeContext()).offered
        assert again is not None
        assert again.number > max(seen)

    @pytest.mark.parametrize("word", ["agree", "agree to the pause", "accept"])
    def test_an_offer_of_other_terms_never_takes_the_yes(self, pair: Pair, word: str) -> None:
        offer_pause(pair.match, 1)
        first = str(pair.bob.latest["Reply-To"])
        pair.match.context.container.games.pauses.withdraw(pair.match.id, pair.match.ann)
        offer_to_abandon(pair.match)
        offer_pause(pair.match, 88)
        pair.bob.answer(word, to=first)
        assert pair.match.now().clock_only_events == 0
        assert pair.match.now().game.status == "active"

    def test_the_answer_names_the_terms(self, match: Match, bob: Correspondent) -> None:
        offer_pause(match, 9)
        told = "You agreed to a pause of 9 days, until Mon 30 Nov 2026, 12:00 (UTC)."
        assert told in flat(bob.answer("agree"))
        games = match.context.container.games
        games.clocks.resume(match.id, match.bob, ChangeContext())
        games.pauses.agree(match.id, match.ann, None, ChangeContext())
        bob.answer("show")
        assert "You agreed to a pause without an end." in flat(bob.answer("agree"))

    def test_a_no_names_them_too(self, match: Match, bob: Correspondent) -> None:
        offer_pause(match, 9)
        assert "You declined the pause until Mon 30 Nov" in flat(bob.answer("decline"))

    def test_a_mail_of_an_earlier_program_asks_again(
        self, match: Match, bob: Correspondent
    ) -> None:
        """Its mark of three letters could be that of another pause."""
        until, addresses = offer_pause(match, 9), match.context.container.incoming_mail.addresses
        redis, key = match.context.container.redis, side_state_key(match.id)
        redis.hset(key, "pause", f"north {until}")  # the offer is an earlier program's, too
        said = f"ts{match.id}{match.now().version}h{match.now().head[:4]}xabc"
        old = f"play+{said}-{addresses._mac(said, 20)}@{addresses.domain}"
        assert addresses.read(old) is not None
        assert "or not for certain; this one does" in flat(bob.answer("agree", to=old))
        assert match.now().clock_only_events == 0
        bob.answer("agree")
        assert match.lines()[-1]["data"] == {"until": until}

    def test_nor_to_one_that_was_taken_back(self, match: Match, bob: Correspondent) -> None:
        offer_pause(match, 9)
        match.context.container.games.pauses.withdraw(match.id, match.ann)
        assert "No pause is offered to you any more" in bob.answer("agree")
        assert match.context.container.games.pauses.offered(match.now()) is None

    def test_a_mail_that_does_not_tell_of_one_leads_to_one_that_does(self, pair: Pair) -> None:
        pair.match.play(held(pair.match)[0])
        run(pair.match.context)
        turn = str(pair.bob.latest["Reply-To"])
        offer_pause(pair.match, 9)
        assert "does not tell of the pause" in pair.bob.answer("agree", to=turn)
        assert pair.match.now().clock_only_events == 0
        pair.bob.answer("agree")
        assert pair.match.lines()[-1]["type"] == "clock_paused"

    def test_the_turn_can_still_be_played_by_that_mail(self, pair: Pair) -> None:
        pair.match.play(held(pair.match)[0])
        run(pair.match.context)
        offer_pause(pair.match, 9)
        version = pair.match.now().version
        pair.bob.answer(held(pair.match)[0])
        assert pair.match.now().version > version
        assert pair.match.now().game.turn == "north"


class TestAbandoning:
    def test_to_agree_is_asked_once_more(self, match: Match, bob: Correspondent) -> None:
        offer_to_abandon(match)
        assert "Nothing is changed until you confirm it" in bob.answer("agree")
        assert match.now().game.status == "active"
        bob.answer("agree")
        assert match.now().game.reason == "agreement"

    def test_what_was_taken_back_or_declined_is_not_agreed_to(self, pair: Pair) -> None:
        offers = pair.match.context.container.games.abandonments
        offer_to_abandon(pair.match)
        pair.bob.answer("agree")
        offers.withdraw(pair.match.id, pair.match.ann)
        assert "Nobody offers to end the game" in pair.bob.answer("agree")
        assert offers.offered(pair.match.now()) is None
        offers.agree(pair.match.id, pair.match.ann, ChangeContext())
        assert "You declined to end the game" in pair.bob.answer("decline")
        assert offers.offered(pair.match.now()) is None
        assert pair.match.now().game.status == "active"

    def test_a_confirmation_is_good_for_the_offer_that_it_was_asked_about(self, pair: Pair) -> None:
        offers = pair.match.context.container.games.abandonments
        offer_to_abandon(pair.match)
        pair.bob.answer("agree")
        question = str(pair.bob.latest["Reply-To"])
        offers.withdraw(pair.match.id, pair.match.ann)
        offer_to_abandon(pair.match)
        assert "The other player has changed the offer" in pair.bob.answer("agree", to=question)
        assert pair.match.now().game.status == "active"
        pair.bob.answer("agree")
        assert "You agreed to end the game" in pair.bob.answer("agree")
        assert pair.match.now().game.reason == "agreement"

    def test_an_earlier_program_s_question_is_asked_again(
        self, match: Match, bob: Correspondent
    ) -> None:
        offer_to_abandon(match)
        match.context.container.redis.hset(side_state_key(match.id), "abandonment", "north")
        addresses, now = match.context.container.incoming_mail.addresses, match.now()
        old = addresses.write(ReplyTo("abandonment", match.id, now.version, "south", now.head))
        assert "Nothing is changed until you confirm it" in bob.answer("agree", to=old)
        bob.answer("agree")
        assert match.now().game.reason == "agreement"

    def test_who_confirms_after_the_game_has_gone_on_is_told(self, pair: Pair) -> None:
        offer_to_abandon(pair.match)
        pair.bob.answer("agree")
        pair.match.play(held(pair.match)[0])
        assert LATE in pair.bob.answer("agree")
        assert pair.match.now().game.status == "active"

    def test_beside_a_pause_it_has_to_be_named(self, match: Match, bob: Correspondent) -> None:
        offer_pause(match, 9)
        pause = str(bob.latest["Reply-To"])
        offer_to_abandon(match)
        for address in (pause, None):
            assert "Say which of them" in bob.answer("agree", to=address)
            assert "“agree to the pause”" in flat(text_of(bob.latest))
        bob.answer("agree to abandon it")
        assert "Say which of them" in bob.answer("agree", to=pause)
        bob.answer("decline the abandonment")
        bob.answer("agree", to=pause)
        assert match.lines()[-1]["type"] == "clock_paused"
        assert match.now().game.status == "active"


@pytest.mark.parametrize("word", ["agree", "decline", "accept", "accept the pause", "accept as Bo"])
def test_where_nothing_is_offered_nothing_is_agreed_to(pair: Pair, word: str) -> None:
    pair.match.play(held(pair.match)[0])
    run(pair.match.context)
    version = pair.match.now().version
    assert "nothing to accept or decline here" in pair.bob.answer(word)
    assert pair.match.now().version == version


def test_whatever_a_mail_tells_to_answer_is_understood(pair: Pair) -> None:
    let_time_run_out(pair.match, pair.clock)
    offer_pause(pair.match, 9)
    offer_to_abandon(pair.match)
    for word in (None, "show", "claim the win", "agree to the pause", "resign"):
        if word is not None:
            pair.bob.answer(word)
        ways = text_of(pair.bob.latest).partition("Open the game:")[0].rpartition("\n|")[2]
        told = re.findall("“([^”]+)”", flat(ways))
        assert told
        assert not [each for each in told if isinstance(read_commands([Line(1, each)]), Unread)]


def test_one_s_own_offers_are_not_agreed_to(match: Match, ann: Correspondent) -> None:
    match.play(held(match)[0])
    offer_pause(match, 9)
    offer_to_abandon(match)
    match.play(held(match)[0])
    run(match.context)
    for word in ("agree", "decline"):
        assert "nothing to accept or decline here" in ann.answer(word)
    assert match.now().game.status == "active"


@pytest.mark.parametrize("offered", ["pause", "abandonment", "win"])
def test_a_mail_is_carried_out_once_wherever_a_worker_dies(
    pair: Pair, offered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    incoming = pair.match.context.container.incoming_mail
    if offered == "pause":
        offer_pause(pair.match, 9)
    elif offered == "abandonment":
        offer_to_abandon(pair.match)
        pair.bob.answer("agree")
    else:
        let_time_run_out(pair.match, pair.clock)
        pair.bob.answer("claim the win")
    word = "claim the win" if offered == "win" else "agree"
    raw = f"From: {pair.bob.email}\nMessage-ID: <x@y>\n\n{word}\n".encode()
    incoming.accept(str(pair.bob.latest["Reply-To"]), pair.bob.email, raw)
    (notice,) = [n for n in pair.match.due() if "mail-in" in n]
    mail_id = notice.partition(".")[0]
    with monkeypatch.context() as broken:
        broken.setattr(incoming._store, "finish", lambda *given: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            incoming.process(mail_id)
    version = pair.match.now().version
    assert incoming.process(mail_id) == "played"
    assert pair.match.now().version == version


@pytest.mark.parametrize("offered", ["pause", "abandonment"])
def test_an_offer_is_declined_once_wherever_a_worker_dies(
    match: Match, bob: Correspondent, offered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    incoming, games = match.context.container.incoming_mail, match.context.container.games
    offer_pause(match, 9) if offered == "pause" else offer_to_abandon(match)
    raw = f"From: {bob.email}\nMessage-ID: <x@y>\n\ndecline\n".encode()
    incoming.accept(str(bob.latest["Reply-To"]), bob.email, raw)
    (notice,) = [n for n in match.due() if "mail-in" in n]
    with monkeypatch.context() as broken:
        broken.setattr(incoming._store, "finish", lambda *given: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            incoming.process(notice.partition(".")[0])
    games.abandonments.agree(match.id, match.ann, ChangeContext())
    assert incoming.process(notice.partition(".")[0]) == "declined"
    open_offer = games.abandonments.offered(games.load(match.id))
    assert open_offer is not None
    assert open_offer.by == "north"
    run(match.context)
    declined = {
        "pause": "You declined the pause until Mon 30 Nov 2026, 12:00 (UTC): the game goes on",
        "abandonment": "You declined to end the game: it goes on",
    }
    answers = [flat(text_of(mail)) for mail in bob.mails()]
    assert any(declined[offered] in said for said in answers)

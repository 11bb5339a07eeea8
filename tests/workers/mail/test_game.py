"""What the mails say and what they are headed with."""

import html
import itertools
import re

import pytest

from service.accounts.faces import face_of, mail_style
from service.accounts.mail_preferences import Subscription
from service.accounts.notice_kinds import CONFIRMATION
from service.core.redis.client import Client
from service.eventlog import notice_id
from service.games import GUEST, ChangeContext, NewGame
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.delivering import deliver
from tests.workers.mail.commands_in import readable_as_a_command
from tests.workers.mail.correspondence import KeepingMailer, flat
from tests.workers.mail.correspondence import text_of as plain_text_of
from tests.workers.match import SECRET, Match, begin, only, registered
from workers.context import WorkerContext, build_context


def text_of(mailbox: Mailbox) -> str:
    """The text of the one mail in the box."""
    return plain_text_of(only(mailbox.newest()).message)


def html_of(mailbox: Mailbox) -> str:
    body = only(mailbox.newest()).message.get_body(("html",))
    assert body is not None
    return str(body.get_content())


def deliver_last(match: Match) -> None:
    """Deliver the latest notice, as if the ones before were never there."""
    *earlier, last = sorted(match.due(), key=lambda notice: int(notice.split(".")[1]))
    for notice in earlier:
        match.context.container.log.outbox.finish(notice)
    assert deliver(match.context, last) == "sent"


def test_the_first_turn_says_that_the_game_has_begun_and_not_who_joined(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    ann, bob = registered(context, "Ann"), registered(context, "Bob")
    games = context.container.games
    made = games.create(ann, NewGame(first_player="creator"))
    games.join(made.id, bob, invite=games.invitations.token(made.id))
    due = context.container.log.outbox.pending()
    (notice,) = (one.id for one in due if one.id.endswith(f"{ann}.mail.turn"))
    assert deliver(context, notice) == "sent"
    opening, board, *_ = text_of(mailbox).split("\n\n")
    assert opening == "Your game against Bob has begun. You play first.\nYour turn"
    assert board.startswith("| Bob           .")


def test_a_turn_mail_says_all_that_is_needed_to_play(match: Match, mailbox: Mailbox) -> None:
    stored = match.play("R4@3")
    deliver_last(match)

    opening, board, answer, end = text_of(mailbox).split("\n\n")
    assert opening == "Ann played Red 4 on Stone 3.\nYour turn"
    assert board.splitlines() == [
        "| Ann           .     .     R4    .     .     .     .     .     .",
        "| Stone         1     2     3     4     5     6     7     8     9",
        "| You           .     .     .     .     .     .     .     .     .",
        "| Stone 3: You nothing; Ann R4",
        "| Your hand: R6  O7  Y5  Y8  G2  G6",
        "| Ann’s hand: 6 Clan cards",
        "| 41 Clan cards to draw.",
        "| R Red · O Orange · Y Yellow · G Green · B Blue · P Purple",
    ]
    assert flat(answer) == (
        "Answer with a turn such as “play R6 at 1”. Below it, “say: hello” writes to Ann;"
        " “help” lists the rest."
    )
    link, unsubscribe, purpose, head = end.splitlines()
    assert link == f"Open the game: http://scottenbury.test/games/{match.id}"
    assert "http://scottenbury.test/unsubscribe/" in unsubscribe
    assert purpose == "| Hash of the log, for “Verify” on the game’s page:"
    assert head == f"| {stored.head}"


def test_the_mail_tells_what_happened_since_this_player_last_moved(
    match: Match, mailbox: Mailbox
) -> None:
    match.play("R4@3", "O7@3", "O8@4")
    deliver_last(match)

    told = text_of(mailbox)
    assert told.startswith("Ann played Orange 8 on Stone 4.\nYour turn\n")
    assert "Red 4 on Stone 3" not in told
    assert told.count("Orange 8 on Stone 4") == 1, "the news is all"


def test_the_mail_tells_which_claims_stand_and_what_beats_the_others(
    match: Match, mailbox: Mailbox
) -> None:
    match.play("R4@3", "O7@1", "B2@3", "G6@1", "B9@3", "Y8@1", "G5@4")
    deliver_last(match)

    (claim,) = re.findall(r"\| (Stone \d\..*(?:\n\|   .*)*)", text_of(mailbox))
    assert re.sub(r"\n\|  ", "", claim) == (
        "Stone 1. Red 7, Red 8 and Red 9 would make a colour run of 24 and beat "
        "your run of 21: not proven yet."
    )


def test_text_comes_first_and_both_parts_are_complete(match: Match, mailbox: Mailbox) -> None:
    match.play("R4@3")
    deliver_last(match)
    message = only(mailbox.newest()).message

    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    shown = html.unescape(html_of(mailbox)).replace("\N{NO-BREAK SPACE}", " ").replace("<b>", "")
    lines = text_of(mailbox).splitlines()
    told = [line for line in lines if re.match(r"\| \w{3}(?!ne [\d ])", line)]
    assert len(told) > 5
    missing = [word for line in told for word in line[2:].split() if word not in shown]
    # Hands are in the HTML too, beside the names and as cards.
    hashed = f"Hash of the log, for “Verify” on the game’s page: {message['X-Scottenbury-Head']}"
    of_the_log = [word for word in hashed.split() if word not in shown]
    assert missing == ["hand:", "Ann’s", "hand:", *of_the_log]
    # A phone shows it without much scrolling: the board, and at most eight paragraphs.
    assert html_of(mailbox).count("<p ") <= 8


def test_a_mail_shows_the_mark_of_the_opponent(context: WorkerContext, mailbox: Mailbox) -> None:
    match = begin(context)
    chosen = "GR-stag"
    context.container.players.choose_face(match.ann, chosen)
    match.play(f"{match.now().game.hands['north'][0]}@1")
    deliver_last(match)
    mark = face_of(match.ann, chosen)
    assert f'style="{mail_style(mark)}">&nbsp;</span>' in html_of(mailbox)


def test_the_headers_make_a_game_one_thread(context: WorkerContext, mailbox: Mailbox) -> None:
    match = begin(context)
    match.play("R4@3")
    for notice in match.due():
        deliver(context, notice)
    context.container.games.resign(match.id, match.ann)
    for notice in match.due():
        deliver(context, notice)

    mails = [mail.message for mail in mailbox.newest()]
    root = f"<{match.id}@scottenbury.test>"
    assert len(mails) == 2
    assert (
        {mail["References"] for mail in mails} == {mail["In-Reply-To"] for mail in mails} == {root}
    )
    assert {mail["Subject"] for mail in mails} == {f"Scottenbury: Ann v Bob [{match.id[:4]}]"}


def test_the_headers_name_the_mail_the_game_and_the_way_out(match: Match, mailbox: Mailbox) -> None:
    stored = match.play("R4@3")
    deliver_last(match)
    mail = only(mailbox.newest()).message

    assert mail["Message-ID"] == f"<{match.id}.{stored.version}.{match.bob}.turn@scottenbury.test>"
    assert mail["From"] == "Ann · your turn <scottenbury@scottenbury.test>"
    assert mail["To"] == "Bob <bob@example.org>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["X-Scottenbury-Game"] == match.id
    assert mail["X-Scottenbury-Version"] == str(stored.version)
    assert mail["X-Scottenbury-Head"] == stored.head
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = match.context.container.mail_preferences.url(Subscription(match.bob, "turn"))
    by_mail = match.context.container.incoming_mail.unsubscribing.write(
        Subscription(match.bob, "turn")
    )
    assert mail["List-Unsubscribe"] == f"<{url}>, <mailto:{by_mail}>"
    assert mail["List-Id"] == f"<{match.id}.scottenbury.test>"
    assert mail["X-Auto-Response-Suppress"] == "All"


def test_ids_links_and_hashes_are_never_broken_over_lines(redis: Client, clock: Clock) -> None:
    far = "a-server-with-a-rather-long-name.and-an-even-longer-domain.example.org"
    mailer = KeepingMailer()
    wanted = settings(base_url=f"https://{far}", mail_from=f"Scottenbury <games@{far}>")
    match = begin(build_context(wanted, redis, clock, mailer))
    stored = match.play("R4@3")
    deliver_last(match)

    head = mailer.kept.raw.decode().partition("\r\n\r\n")[0].split("\r\n")
    own = f"<{match.id}.{stored.version}.{match.bob}.turn@{far}>"
    url = match.context.container.mail_preferences.url(Subscription(match.bob, "turn"))
    assert f"Message-ID: {own}" in head
    assert f"In-Reply-To: <{match.id}@{far}>" in head
    assert f"References: <{match.id}@{far}>" in head
    assert any(line.startswith(f"List-Unsubscribe: <{url}>, <mailto:stop+turn-") for line in head)
    assert f"X-Scottenbury-Head: {stored.head}" in head


def told_of_the_end(match: Match, mailbox: Mailbox) -> dict[str, str]:
    """The mails about the end, by their reader."""
    for notice in match.due():
        deliver(match.context, notice)
    return {
        str(mail.message["To"]): plain_text_of(mail.message)
        for mail in mailbox.newest()
        if ".over@" in mail.id
    }


def test_who_ends_a_game_gets_no_mail_about_it(match: Match, mailbox: Mailbox) -> None:
    match.context.container.games.resign(match.id, match.bob)
    texts = told_of_the_end(match, mailbox)
    assert texts.keys() == {"Ann <ann@example.org>"}
    assert texts["Ann <ann@example.org>"].startswith("You won: Bob resigned.\n")


def test_who_wants_no_confirmations_gets_it(match: Match, mailbox: Mailbox) -> None:
    match.context.container.mail_preferences.turn_off(Subscription(match.bob, CONFIRMATION))
    match.context.container.games.resign(match.id, match.bob)
    texts = told_of_the_end(match, mailbox)
    assert texts["Bob <bob@example.org>"].startswith("Ann won: you resigned.\n")
    assert not any("is over" in text or "Points" in text for text in texts.values())


def test_who_resigns_the_last_round_of_a_match_that_they_win_gets_none(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    match = begin(context, rounds=3)
    for player in (match.bob, match.bob, match.ann):
        context.container.games.resign(match.id, player)
    texts = told_of_the_end(match, mailbox)
    assert texts.keys() == {"Bob <bob@example.org>"}


def test_of_a_match_the_end_tells_the_points(context: WorkerContext, mailbox: Mailbox) -> None:
    match = begin(context, rounds=3)
    for _ in range(3):
        over = context.container.games.resign(match.id, match.bob)
    deliver(context, notice_id(match.id, over.version, match.ann, "mail", "over"))
    text = plain_text_of(only(mailbox.newest()).message)
    assert text.startswith("You won the match.\n\n| Points in the match: You 15, Bob 0.\n")


def test_the_mail_of_the_end_leads_to_what_the_turns_were_worth(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    match = begin(context)
    over = context.container.games.resign(match.id, match.bob)
    deliver(context, notice_id(match.id, over.version, match.ann, "mail", "over"))
    mail = only(mailbox.newest()).message
    link = f"{context.container.settings.base_url}/games/{match.id}#worth"
    words = "How good were the moves?"
    assert f"{words} {link}\n" in plain_text_of(mail)
    html_part = mail.get_body(("html",))
    assert html_part is not None
    assert f'href="{link}"' in html_part.get_content()


def test_a_game_that_goes_on_is_not_told_to_be_over(context: WorkerContext) -> None:
    match = begin(context)

    over = notice_id(match.id, match.now().version, match.ann, "mail", "over")

    assert deliver(context, over) == "dropped"


def test_the_maker_of_a_game_hears_that_the_other_began_it(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    ann = context.container.registrations.register("Ann").player.id
    bob = context.container.registrations.register("Bob").player.id
    made = context.container.games.create(ann, NewGame(first_player="opponent", opponent=bob))
    context.container.games.join(made.id, bob)

    started = notice_id(made.id, 3, ann, "mail", "started")
    assert started in [notice.id for notice in context.container.log.outbox.pending()]
    assert deliver(context, started) == "sent"
    assert text_of(mailbox).startswith("Your game against Bob has begun. They play first.\n")
    assert "“say: good luck”" in text_of(mailbox)


def test_an_invited_player_gets_the_link_to_the_free_seat(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    ann = context.container.registrations.register("Ann").player.id
    bob = context.container.registrations.register("Bob").player.id
    made = context.container.games.create(ann, NewGame(opponent=bob, tactics=True, rounds=3))

    (notice,) = [notice.id for notice in context.container.log.outbox.pending()]
    assert deliver(context, notice) == "sent"

    text = text_of(mailbox)
    assert text.startswith("Ann invites you to a game of Schotten Totten.\n")
    kind = "Modern rules, with Tactic cards, a match of 3 rounds, unrated, no time limit."
    assert kind in text.replace("\n", " ")
    assert "\n| " not in text, "only what the inviter has written has a margin"
    assert context.container.games.invitations.url(made.id) in text
    assert "The seat is kept until Sat 5 Dec 2026, 12:00 (UTC)." in text


def test_a_guest_is_invited_by_address_and_can_stop_it(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    ann = context.container.registrations.register("Ann").player.id
    made = context.container.games.create(ann, NewGame(opponent_email="Guest@example.org"))
    (notice,) = [notice.id for notice in context.container.log.outbox.pending()]
    assert f".{GUEST}." in notice

    assert deliver(context, notice) == "sent"
    mail = only(mailbox.newest()).message
    assert mail["To"] == "Guest@example.org"
    token = str(mail["List-Unsubscribe"]).partition(">")[0].rpartition("/")[2]
    subscription = context.container.mail_preferences.read(token)
    assert subscription is not None
    context.container.mail_preferences.turn_off(subscription)

    context.container.games.call_off(made.id, ann)
    again = context.container.games.create(ann, NewGame(opponent_email="guest@example.org"))
    second = notice_id(again.id, 1, GUEST, "mail", "invitation")
    assert deliver(context, second) == "dropped"


def test_nobody_is_invited_by_somebody_they_have_blocked(context: WorkerContext) -> None:
    container = context.container
    ann, eve = (container.registrations.register(name).player.id for name in ("Ann", "Eve"))
    container.contact_choices.block(registered(context, "Guest"), eve)
    for host, outcome in ((eve, "dropped"), (ann, "sent")):
        made = container.games.create(host, NewGame(opponent_email="guest@example.org"))
        assert deliver(context, notice_id(made.id, 1, GUEST, "mail", "invitation")) == outcome


def test_a_mail_with_a_clock_names_the_deadline(context: WorkerContext, mailbox: Mailbox) -> None:
    match = begin(context, clock={"days_per_move": 3})
    match.play("R4@3")
    deliver_last(match)

    lines = text_of(mailbox).splitlines()
    assert lines[1] == "Your turn · 3 days left · until Tue 24 Nov 12:00 UTC"


def test_what_is_readable_as_a_command() -> None:
    assert readable_as_a_command("> R7@3 !3")
    assert readable_as_a_command("play R7 5")
    assert readable_as_a_command("Pass")
    assert not readable_as_a_command("| R7@3")
    assert not readable_as_a_command("Ann passed.")


def play_on(match: Match, actions: int) -> None:
    """Play that many actions and to the end of that turn, Ruses and claims before others."""
    numbers = itertools.count()
    while (stored := match.now()).game.phase != "play" or next(numbers) < actions:
        legal = match.context.container.games.view(stored, stored.player_to_move()).legal
        lively = [text for text in legal if text[0] == "!" or text[3:4] == ":"] or legal
        match.play(lively[stored.version * 7919 % len(lively)])


@pytest.mark.parametrize("name", ["Ann", "resign", "pass", "R7@3", "!3", "play R7 5"])
@pytest.mark.parametrize("tactics", [False, True])
def test_no_line_of_a_mail_can_be_read_as_a_command(
    context: WorkerContext, mailbox: Mailbox, name: str, tactics: bool
) -> None:
    ann = context.container.registrations.register(name).player.id
    bob = context.container.registrations.register_guest(name).player.id
    wanted = NewGame(tactics=tactics, opponent=bob, edition="bga", salt="a")
    made = context.container.games.create(ann, wanted, secret=SECRET)
    context.container.games.join(made.id, bob, salt="b")
    match = Match(context, made.id, ann, bob)
    play_on(match, actions=40)
    games = context.container.games
    games.abandonments.agree(match.id, ann, ChangeContext())
    games.abandonments.withdraw(match.id, bob)
    challenge = games.challenges.make(ann, bob, NewGame()).id
    for notice in match.due():
        deliver(context, notice)
    games.challenges.withdraw(challenge, ann)
    for notice in match.due():
        deliver(context, notice)

    bodies = [
        str(part.get_content())
        for mail in mailbox.newest()
        for part in (mail.message.get_body(("plain",)), mail.message.get_body(("html",)))
        if part is not None
    ]
    lines = [
        html.unescape(line)
        for body in bodies
        for line in re.sub(r"<[^>]*>", "\n", body).splitlines()
    ]
    assert len(lines) > 80
    assert [line for line in lines if readable_as_a_command(line)] == []

"""Answers to the mails that ask whether an address is its reader's."""

import pytest

from service.accounts.player import Player
from service.core.redis.client import Client
from service.core.times import DAY
from service.games import NewGame
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.workers.mail.correspondence import Correspondent, run
from workers.context import WorkerContext, build_context
from workers.mail.mailer import MailboxMailer

ANN, HOME = "ann@example.org", "home@example.net"
DESK = "scottenbury@scottenbury.test"


@pytest.fixture
def context(redis: Client, clock: Clock, mailbox: Mailbox) -> WorkerContext:
    """A server with a mail server, where addresses have to be confirmed."""
    outside = settings(smtp_url="smtp://mail.invalid", mail_domain="play.example.org")
    return build_context(outside, redis, clock, MailboxMailer(mailbox))


@pytest.fixture
def ann(context: WorkerContext, mailbox: Mailbox) -> Correspondent:
    """Who was asked whether the address is hers."""
    context.container.registrations.register("Ann", ANN)
    run(context)
    return Correspondent(context, mailbox, ANN)


def player(context: WorkerContext) -> Player:
    (found,) = context.container.players.named("Ann")
    return found


def ends(context: WorkerContext) -> dict[str, int]:
    return context.container.incoming_mail.counts()


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "Yes.", "yes\n\nsay: hello", "Hello,\n\nyes!\n\nRegards\nAnn"),
        *("Hi, yes thats me :)", "Hi, yes, it's me", "yes please confirm", "Yes, this is me."),
        *("Hello, sure, this is my adress. Thank you!", "yes thats me, sorry about the typo"),
        *("that's me", "That's me, thanks", "Hi, it’s me :)", "This is my address.\n\nAnn"),
        *("Das bin ich!", "Das bin ich, danke\n\nGrüße, Cy", "C'est moi", "C'est bien moi, merci"),
        *("oui c'est moi", "Oui, c'est bien moi", "ja, ich bin's", "Ja bitte bestätigen"),
    ],
)
def test_yes_confirms_the_address(ann: Correspondent, context: WorkerContext, text: str) -> None:
    assert str(ann.latest["Reply-To"]).startswith("play+v")
    assert "comes to this address from now on" in ann.answer(text)
    assert player(context).verified
    assert str(ann.latest["To"]) == ANN


@pytest.mark.parametrize(
    "text",
    [
        *("Ja\n\nGrüße, Ann", "Ja\nGrüße, Cy", "Ja.\n\nViele Grüße\nCy", "yes\nRegards,\nCy Moor"),
        "Oui\n\nCordialement, Cy",
    ],
)
def test_a_greeting_below_the_yes_does_no_harm(
    ann: Correspondent, context: WorkerContext, text: str
) -> None:
    ann.answer(text)
    assert player(context).verified


@pytest.mark.parametrize(
    "text",
    [
        *("Ja\nNicht", "yes\nRegards, Typo", "yes\nBut who are you", "Ja\nGrüße, aber nicht ich"),
        *("yes\nNo Thanks", "Ja\nWer, Cy", "Ja, Cy?", "yes\nWho", "yes, but it's not me"),
    ],
)
def test_a_doubt_below_the_yes_does(ann: Correspondent, context: WorkerContext, text: str) -> None:
    ann.answer(text)
    assert not player(context).verified


@pytest.mark.parametrize(
    "text",
    [
        *("no", "Who are you?", "yes\nno", "> yes", "", "that's not me", "That's me?"),
        *("Is that me?", "That's me on the photo", "If that's me, yes", "That's me. Not!"),
        *("Das bin ich nicht", "Das bin nicht ich", "Ce n'est pas moi", "> that's me"),
    ],
)
def test_anything_else_does_not_and_says_what_does(
    ann: Correspondent, context: WorkerContext, text: str
) -> None:
    assert "Nothing was confirmed." in ann.answer(text)
    assert not player(context).verified
    assert "from now on" in ann.answer("yes")


def test_the_same_mail_twice_is_one(ann: Correspondent, context: WorkerContext) -> None:
    asked = str(ann.latest["Reply-To"])
    ann.answer("yes", to=asked, message_id="<1@example.org>")
    before = len(ann.mails())
    ann.answer("yes", to=asked, message_id="<1@example.org>")
    assert len(ann.mails()) == before
    assert "from now on" in ann.answer("yes", to=asked, message_id="<2@example.org>")


@pytest.mark.parametrize("smtp_url", ["smtp://mail.invalid", None])
def test_from_an_unconfirmed_address_nothing_can_be_asked_for(
    redis: Client, clock: Clock, mailbox: Mailbox, smtp_url: str | None
) -> None:
    given = settings(smtp_url=smtp_url, mail_domain="play.example.org")
    context = build_context(given, redis, clock, MailboxMailer(mailbox))
    guest = context.container.registrations.register_guest("Guest").player
    wanted = NewGame(bot="steward", first_player="creator")
    made = context.container.games.create(guest.id, wanted)
    context.container.players.set_address(guest, ANN)
    run(context)
    ann = Correspondent(context, mailbox, ANN)
    ann.answer("Who are you?")
    for wish in ("games", "language German", "vacation until 24 Dec", "show"):
        for answered in (str(ann.latest["Message-ID"]), f"<{made.id}@scottenbury.test>"):
            said = ann.answer(wish, to=DESK, References=answered)
            assert "Guest" not in said
            assert "Steward" not in said
            assert "play+" not in ann.latest.as_string()
    assert set(ends(context)) <= {"refused", "asked-by-stranger", "misdirected", "too-many"}
    assert context.container.mail_preferences.choice(guest.id).language != "de"


def test_the_whole_answer_is_in_the_players_language(
    ann: Correspondent, context: WorkerContext
) -> None:
    context.container.mail_preferences.set_choice(player(context).id, {"language": "de"})
    assert "Scottenbury öffnen" in ann.answer("Wer ist da?")


def test_nobody_else_says_it(ann: Correspondent, context: WorkerContext) -> None:
    ann.answer("yes", sender="eve@example.org")
    assert ends(context) == {"stranger": 1}
    assert not player(context).verified


def test_a_machine_does_not(ann: Correspondent, context: WorkerContext) -> None:
    ann.answer("yes", Auto_Submitted="auto-replied")
    assert not player(context).verified


def test_it_is_too_late_after_three_days(
    ann: Correspondent, context: WorkerContext, clock: Clock
) -> None:
    clock.time += 3 * DAY
    assert "that mail is too old" in ann.answer("yes")
    assert not player(context).verified


def test_what_was_asked_of_another_address_is_not_confirmed(
    ann: Correspondent, context: WorkerContext, mailbox: Mailbox
) -> None:
    asked = str(ann.latest["Reply-To"])
    context.container.players.set_address(player(context), HOME)
    run(context)
    ann.answer("yes", to=asked)
    home = Correspondent(context, mailbox, HOME)
    home.answer("yes", to=asked)
    assert not player(context).verified
    assert "from now on" in home.answer("yes", to=str(home.latest["Reply-To"]))
    assert player(context).verified


def test_a_further_address_is_confirmed_to_answer_from_and_for_nothing_else(
    ann: Correspondent, context: WorkerContext, mailbox: Mailbox
) -> None:
    ann.answer("yes")
    mine = player(context)
    answer_addresses = context.container.answer_addresses
    answer_addresses.add(mine.id, HOME)
    run(context)
    home = Correspondent(context, mailbox, HOME)
    asked = str(home.latest["Reply-To"])
    assert asked.startswith("play+f")
    context.container.players.set_address(mine, HOME)  # and it is to be her own, too
    run(context)
    assert "you can answer mails" in home.answer("yes", to=asked)
    assert answer_addresses.is_confirmed(mine.id, HOME)
    assert player(context).email == ANN


def test_addresses_are_good_for_one_use(ann: Correspondent, context: WorkerContext) -> None:
    asked, incoming = str(ann.latest["Reply-To"]), context.container.incoming_mail
    assert incoming.takes(asked.upper())
    for forged in (asked.replace("+v", "+f"), asked.replace("play+v", "bounce+"), f"x{asked}"):
        assert not incoming.takes(forged)


def test_where_no_mail_comes_in_nothing_is_said_of_it(
    redis: Client, clock: Clock, mailbox: Mailbox
) -> None:
    deaf = build_context(
        settings(smtp_url="smtp://mail.invalid", mail_domain=None),
        redis,
        clock,
        MailboxMailer(mailbox),
    )
    deaf.container.registrations.register("Ann", ANN)
    run(deaf)
    asked = Correspondent(deaf, mailbox, ANN).latest
    assert asked["Reply-To"] is None
    assert "“yes”" not in asked.as_string()

"""Whom a mail comes from, as a list of mails shows it: whose game, and what is the matter."""

import pytest

from service.core.words import ENGLISH
from service.games import ChangeContext, NewGame
from service.mail.mailbox import Mailbox
from tests.workers.mail.correspondence import Correspondent, held, run
from tests.workers.match import Match, begin, registered
from workers.context import WorkerContext
from workers.mail.news import NOT_NAMED, harmless

ADDRESS = "scottenbury@scottenbury.test"


def senders(mailbox: Mailbox, to: str) -> list[str]:
    """The names that this player's mails came from, newest first; their address never changes."""
    found = [mail.message["From"].addresses[0] for mail in mailbox.newest() if to in _to(mail)]
    assert {address.addr_spec for address in found} <= {ADDRESS}
    return [address.display_name for address in found]


def _to(mail: object) -> str:
    return str(mail.message["To"])  # type: ignore[attr-defined]


def test_it_changes_with_the_matter_and_subject_and_thread_do_not(
    match: Match, mailbox: Mailbox, bob: Correspondent, ann: Correspondent
) -> None:
    bob.answer(held(match)[0])
    match.context.container.games.abandonments.agree(match.id, match.bob, ChangeContext())
    run(match.context)
    match.context.container.games.resign(match.id, match.ann)
    run(match.context)

    assert senders(mailbox, "bob@") == ["Ann · you won", "Done · Ann to move", "Ann · your turn"]
    assert senders(mailbox, "ann@") == ["Bob offers an end", "Bob · your turn"]
    mails = [*ann.mails(), *bob.mails()]
    assert len({str(mail["Subject"]) for mail in mails}) == 1
    assert len({str(mail["References"]) for mail in mails}) == 1
    assert len({str(mail["Message-ID"]) for mail in mails}) == len(mails)


def test_an_answer_says_what_became_of_the_mail(mailbox: Mailbox, bob: Correspondent) -> None:
    bob.answer("what?")
    bob.answer("help")
    assert senders(mailbox, "bob@")[:2] == [
        "Scottenbury · how to play by mail",
        "Scottenbury · nothing was played",
    ]


def test_an_invitation_and_a_challenge_say_who_invites(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    ann, bob = registered(context, "Ann"), registered(context, "Bob")
    games = context.container.games
    games.create(ann, NewGame(opponent_email="cy@example.org"))
    made = games.challenges.make(ann, bob, NewGame())
    run(context)
    games.challenges.counter(made.id, bob, {"tactics": True})
    run(context)
    assert senders(mailbox, "cy@") == ["Ann invites you"]
    assert senders(mailbox, "bob@")[0] == "Ann challenges you"
    assert senders(mailbox, "ann@")[0] == "Bob · a counter-offer"


def test_a_stranger_who_took_a_listed_seat_is_not_named(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    ann, eve = registered(context, "Ann"), registered(context, "Eve")
    games = context.container.games
    made = games.create(ann, NewGame(listed=True, first_player="opponent"))
    games.join(made.id, eve)
    games.play(made.id, eve, [games.view(games.load(made.id), eve).legal[0]])
    run(context)
    assert senders(mailbox, "ann@")[0] == f"{NOT_NAMED} · your turn"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Otto", "Otto"),
        ("Zoë O'Brien-Łuk", "Zoë O'Brien-Łuk"),
        ("王小明", "王小明"),
        ("Ann · you won", "Ann you won"),
        ("“Bank” <urgent>, (act; now)", "Bank urgent act now"),
        ("✅ Verified", "Verified"),
        ("claim 3", NOT_NAMED),
        ("R7@3", NOT_NAMED),
        ("!!!", NOT_NAMED),
        ("x" * 40, f"{'x' * 23}…"),
        ("Alexandrina Victoria Campbell", "Alexandrina Victoria…"),
        ("Wilhelmina of Inverness-shire", "Wilhelmina of…"),
        ("Bonnie Prince Charles IV Stuart", "Bonnie Prince Charles…"),
        ("resign and then go home now, please", NOT_NAMED),
        (None, NOT_NAMED),
    ],
)
def test_of_a_name_only_what_is_harmless_is_shown(name: str | None, shown: str) -> None:
    assert harmless(ENGLISH, name) == shown


@pytest.mark.parametrize("name", ["claim 3", "R7@3", '" , <x', "Ann: your turn wrote:"])
def test_no_name_of_a_sender_holds_a_command_or_an_address(
    context: WorkerContext, mailbox: Mailbox, name: str
) -> None:
    match = begin(context)
    context.container.redis.hset(f"st:{{{match.ann}}}:player", "name", name)
    match.play("R4@3")
    run(context)
    (mail,) = mailbox.newest()
    (sender,) = mail.message["From"].addresses
    assert sender.addr_spec == ADDRESS
    assert sender.display_name.endswith(" · your turn")
    assert not set('<>,;:"@=?') & set(sender.display_name)
    assert "claim" not in sender.display_name


def test_who_has_given_no_name_is_a_guest_to_the_other_player(
    context: WorkerContext, mailbox: Mailbox
) -> None:
    games, ann = context.container.games, registered(context, "Ann")
    made = games.create(ann, NewGame(first_player="opponent"))
    guest = context.container.registrations.register_guest("Guest").player.id
    games.join(made.id, guest, invite=games.invitations.token(made.id))
    games.play(made.id, guest, games.view(games.load(made.id), guest).legal[:1])
    run(context)
    assert senders(mailbox, "ann@")[0] == "Guest · your turn"
    subject = str(mailbox.newest()[0].message["Subject"])
    assert subject.startswith("Scottenbury: Ann v Guest [")

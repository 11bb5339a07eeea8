"""Answers from further addresses of a player's."""

import pytest

from service.accounts.email_addresses import AddressVerification
from service.core.redis.client import Client
from service.games import NewGame
from service.mail.mailbox import Mailbox
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.support.settings import settings
from tests.workers.mail.correspondence import Correspondent, Pair, counts, held, run, text_of
from tests.workers.match import Match, begin
from workers.context import build_context

OF_ITS_OWN = {"id", "commitment", "head", "created_at", "waits_until"}
"""Members of a view in which any two games differ."""
FURTHER = "bob+phone@example.com"


@pytest.fixture
def asked(match: Match, bob: Correspondent) -> str:
    """The turn's reply address; Bob wants to answer from another address."""
    turn = str(bob.latest["Reply-To"])
    match.context.container.answer_addresses.add(match.bob, FURTHER)
    run(match.context)
    return turn


def confirm(match: Match, player: str) -> None:
    claim = AddressVerification(player, FURTHER, 0)
    assert match.context.container.answer_addresses.verify(claim)
    run(match.context)


def test_a_confirmed_one_plays_and_is_answered_there(
    match: Match, bob: Correspondent, mailbox: Mailbox, asked: str
) -> None:
    confirm(match, match.bob)
    version, told = match.now().version, len(bob.mails())
    further = Correspondent(match.context, mailbox, FURTHER)
    text = further.answer(held(match)[0], to=asked, sender=FURTHER.upper())
    assert match.now().version > version
    assert text.startswith("Done. It’s Ann’s turn.")
    assert len(bob.mails()) == told


def test_the_players_own_address_is_told_once_it_is_confirmed(pair: Pair, asked: str) -> None:
    told = len(pair.bob.mails())
    confirm(pair.match, pair.match.bob)
    confirm(pair.match, pair.match.bob)
    assert len(pair.bob.mails()) == told + 1
    assert pair.bob.latest["Subject"] == "Scottenbury: another address may answer for you"
    text = text_of(pair.bob.latest)
    assert "from another address too" in text
    assert "http://scottenbury.test/account" in text
    assert "example.com" not in str(pair.bob.latest)  # whoever chose it may be somebody else


def test_turn_mail_never_goes_there(pair: Pair, mailbox: Mailbox, asked: str) -> None:
    confirm(pair.match, pair.match.bob)
    pair.bob.answer(held(pair.match)[0], to=asked)
    pair.match.play(held(pair.match)[0])
    run(pair.match.context)
    assert "Your turn" in text_of(pair.bob.latest)
    assert len(Correspondent(pair.match.context, mailbox, FURTHER).mails()) == 1


@pytest.mark.parametrize("case", ["unconfirmed", "removed", "the other player's"])
def test_no_other_plays_and_the_player_is_told(pair: Pair, asked: str, case: str) -> None:
    further = pair.match.context.container.answer_addresses
    if case == "removed":
        confirm(pair.match, pair.match.bob)
    if case != "unconfirmed":
        further.remove(pair.match.bob, further.all_of(pair.match.bob)[0].id)
    if case == "the other player's":
        further.add(pair.match.ann, FURTHER)
        confirm(pair.match, pair.match.ann)
    version = pair.match.now().version
    text = pair.bob.answer(held(pair.match)[0], to=asked, sender=FURTHER)
    assert pair.match.now().version == version
    assert "from an address that is not yours here" in text
    assert counts(pair.match)["stranger"] == 1


def test_a_forged_one_plays_nothing_and_is_told_to_the_players_own(
    redis: Client, clock: Clock, mailbox: Mailbox
) -> None:
    context = build_context(settings(mail_authserv="mx.example.org"), redis, clock)
    match = begin(context)
    match.play("R4@3")
    run(context)
    bob = Correspondent(context, mailbox, "bob@example.org")
    turn, version = str(bob.latest["Reply-To"]), match.now().version
    context.container.answer_addresses.add(match.bob, FURTHER)
    confirm(match, match.bob)
    failed = "mx.example.org; dmarc=fail header.from=example.com"
    bob.answer(held(match)[0], to=turn, sender=FURTHER, Authentication_Results=failed)
    assert match.now().version == version
    assert counts(match) == {"forged": 1}
    assert Correspondent(context, mailbox, FURTHER).mails() == []


def test_by_smtp_the_answer_goes_there_and_nothing_else_but_the_link(
    redis: Client, clock: Clock, mailserver: MailServer
) -> None:
    wanted = settings(smtp_url=mailserver.url, mail_domain="scottenbury.test")
    context = build_context(wanted, redis, clock)
    match = begin(context)
    context.container.answer_addresses.add(match.bob, FURTHER)
    run(context)
    match.play("R4@3")
    clock.time += 60
    run(context)
    assert mailserver.recipients.count(FURTHER) == 1
    asked = mailserver.mails[mailserver.recipients.index(FURTHER)]
    link = next(word for word in text_of(asked).split() if "/verify/" in word)
    claim = context.container.answer_addresses.read_link(link.rpartition("/")[2])
    assert claim is not None
    assert context.container.answer_addresses.verify(claim)

    replies = [str(mail["Reply-To"]) for mail in mailserver.mails if mail["X-Scottenbury-Game"]]
    turn = replies[0]
    raw = f"From: {FURTHER}\nMessage-ID: <1@example.com>\n\n{held(match)[0]}\n"
    context.container.incoming_mail.accept(turn, FURTHER, raw.encode())
    version = match.now().version
    run(context)
    assert match.now().version > version
    assert mailserver.recipients.count(FURTHER) == 2
    told = mailserver.mails[
        len(mailserver.recipients) - 1 - mailserver.recipients[::-1].index(FURTHER)
    ]
    assert text_of(told).startswith("Done.")


@pytest.mark.parametrize("confirmed", [True, False])
def test_an_invitation_mailed_there_is_that_players(
    match: Match, bob: Correspondent, mailbox: Mailbox, asked: str, confirmed: bool
) -> None:
    if confirmed:
        confirm(match, match.bob)
    games = match.context.container.games
    made = games.create(match.ann, NewGame(opponent_email=FURTHER, listed=False))
    run(match.context)
    further, told = Correspondent(match.context, mailbox, FURTHER), len(bob.mails())
    text = further.answer("accept")
    stored = games.load(made.id)
    if not confirmed:
        assert "Under which name" in text
        assert stored.game.status == "open"
        return
    assert text.startswith("You are in the game.")
    assert set(stored.players) == {match.ann, match.bob}
    assert len(bob.mails()) == told


def test_until_it_is_accepted_nobody_learns_whose_address_it_is(pair: Pair, asked: str) -> None:
    games, views = pair.match.context.container.games, []
    confirm(pair.match, pair.match.bob)
    for email in (FURTHER, "nobody@example.com"):
        made = games.create(pair.match.ann, NewGame(opponent_email=email, listed=False, salt="a"))
        run(pair.match.context)
        view = games.view_data(made, pair.match.ann)
        views.append({name: view[name] for name in view.keys() - OF_ITS_OWN})
    assert views[0] == views[1]

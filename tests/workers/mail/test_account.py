"""Mails about an account: what goes to an address before and after it is verified."""

import re
from email.message import EmailMessage

import pytest

from service.accounts.email_addresses import AddressVerification
from service.accounts.links import SIGN_IN_LIFE
from service.core.redis.client import Client
from service.mail.mailbox import Mailbox
from service.ops.operating import remove_game
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.support.settings import settings
from tests.workers.delivering import deliver
from tests.workers.mail.whole_games import part
from tests.workers.match import begin, only, registered
from workers.context import WorkerContext, build_context
from workers.jobs import DeliveryOutcome

ANN = "ann@example.org"


@pytest.fixture
def smtp_context(redis: Client, clock: Clock, mailserver: MailServer) -> WorkerContext:
    return build_context(settings(smtp_url=mailserver.url), redis, clock)


def deliver_all(context: WorkerContext) -> list[DeliveryOutcome]:
    return [deliver(context, notice.id) for notice in list(context.container.log.outbox.pending())]


def link_in(mail: EmailMessage) -> str:
    text = mail.get_body(("plain",))
    assert text is not None
    (link,) = re.findall(r"http://scottenbury\.test/[^\s/]+/\S+", text.get_content())
    return str(link)


def verify_by(context: WorkerContext, link: str) -> bool:
    claim = context.container.addresses.links.read(link.rpartition("/")[2])
    return claim is not None and context.container.players.verify(claim)


def move(context: WorkerContext, player: str, email: str | None) -> None:
    """Let the player give another address."""
    found = context.container.players.find(player)
    assert found is not None
    context.container.players.set_address(found, email)


class TestVerifying:
    def test_the_link_in_the_mail_verifies(
        self, smtp_context: WorkerContext, mailserver: MailServer
    ) -> None:
        ann = smtp_context.container.registrations.register("Ann", ANN).player.id
        assert deliver_all(smtp_context) == ["sent"]
        assert mailserver.recipients == [ANN]

        asked = "This address was given for the account of Ann at http:"
        shown = " ".join(part(mailserver.mails[0], "plain").split())
        assert asked in shown
        assert "Confirm this address: http:" in shown
        assert "If you did not ask for this, do nothing" in shown
        assert verify_by(smtp_context, link_in(mailserver.mails[0]))

        player = smtp_context.container.players.find(ann)
        assert player is not None
        assert player.verified

    def test_a_link_is_good_for_three_days_in_a_mail_that_no_name_turns_into_another(
        self, smtp_context: WorkerContext, mailserver: MailServer, clock: Clock
    ) -> None:
        smtp_context.container.registrations.register("Buy our stones", ANN)
        deliver_all(smtp_context)
        assert "stones" not in mailserver.mails[0].as_string()

        smtp_context.container.registrations.register("Ann", ANN)
        deliver_all(smtp_context)
        clock.time += 3 * 24 * 3600
        assert not verify_by(smtp_context, link_in(mailserver.mails[0]))

    def test_until_then_no_turn_is_told_there(
        self, smtp_context: WorkerContext, mailserver: MailServer
    ) -> None:
        match = begin(smtp_context)
        move(smtp_context, match.bob, "bob@example.com")
        deliver_all(smtp_context)
        told = dict(zip(mailserver.recipients, mailserver.mails, strict=True))

        match.play("R4@3")
        assert deliver_all(smtp_context) == ["sent"]
        assert mailserver.recipients[-1] == "bob@example.org"

        assert verify_by(smtp_context, link_in(told["bob@example.com"]))
        match.play("O7@3", "O8@4")
        deliver_all(smtp_context)
        assert mailserver.recipients[-1] == "bob@example.com"

    def test_in_the_local_mailbox_turns_are_told_at_once(
        self, context: WorkerContext, mailbox: Mailbox
    ) -> None:
        match = begin(context)
        move(context, match.bob, None)
        deliver_all(context)
        match.play("R4@3")
        assert deliver_all(context) == ["sent"]


class TestChanging:
    def test_the_old_address_is_told_and_stays_until_the_new_one_is_confirmed(
        self, smtp_context: WorkerContext, mailserver: MailServer
    ) -> None:
        ann = registered(smtp_context, "Ann")
        deliver_all(smtp_context)
        move(smtp_context, ann, "ann@example.com")
        assert deliver_all(smtp_context) == ["sent", "sent"]
        told = dict(zip(mailserver.recipients, mailserver.mails, strict=True))
        assert told[ANN]["Subject"] == "Scottenbury: your address is being changed"
        assert "ann@example.com" not in told[ANN].as_string()
        smtp_context.container.sign_in.request_link("ann@example.com")
        assert deliver_all(smtp_context) == ["dropped"]

        assert verify_by(smtp_context, link_in(told["ann@example.com"]))
        smtp_context.container.sign_in.request_link("ann@example.com")
        assert deliver_all(smtp_context) == ["sent"]

    def test_it_is_told_though_the_new_one_is_confirmed_first(
        self, smtp_context: WorkerContext, mailserver: MailServer
    ) -> None:
        ann = registered(smtp_context, "Ann")
        deliver_all(smtp_context)
        move(smtp_context, ann, "ann@example.com")
        assert smtp_context.container.players.verify(AddressVerification(ann, "ann@example.com", 0))
        deliver_all(smtp_context)
        assert mailserver.recipients == [ANN]

    def test_nobody_floods_it(self, smtp_context: WorkerContext) -> None:
        ann = registered(smtp_context, "Ann")
        deliver_all(smtp_context)
        for number in range(20):
            move(smtp_context, ann, f"ann{number}@example.com")
        kinds = [
            notice.id.rpartition(".")[2] for notice in smtp_context.container.log.outbox.pending()
        ]
        assert kinds.count("address-changed") == 1


class TestSigningIn:
    def test_the_link_signs_in_once(
        self, smtp_context: WorkerContext, mailserver: MailServer
    ) -> None:
        ann = registered(smtp_context, "Ann")
        deliver_all(smtp_context)
        smtp_context.container.sign_in.request_link("ANN@example.org")
        assert deliver_all(smtp_context) == ["sent"]
        assert mailserver.recipients == [ANN]

        secret = link_in(mailserver.mails[0]).rpartition("/")[2]
        sign_in = smtp_context.container.sign_in
        assert [player.id for player in sign_in.accounts(secret)] == [ann]
        signed_in = sign_in.redeem(secret, ann)
        assert signed_in is not None
        assert signed_in.id == ann
        assert sign_in.redeem(secret, ann) is None
        assert sign_in.accounts(secret) == []

    def test_a_link_is_good_for_fifteen_minutes(
        self, context: WorkerContext, redis: Client
    ) -> None:
        registered(context, "Ann")
        context.container.sign_in.request_link(ANN)
        (key,) = redis.scan_iter("st:sign-in:*")
        assert 0 < redis.ttl(key) <= SIGN_IN_LIFE == 15 * 60

    def test_a_link_used_before_its_mail_was_sent_again_is_not_sent(
        self, context: WorkerContext
    ) -> None:
        ann = registered(context, "Ann")
        deliver_all(context)
        context.container.sign_in.request_link(ANN)
        (notice,) = [notice.id for notice in context.container.log.outbox.pending()]
        found = context.container.sign_in.link_to_send(notice.partition(".")[0])
        assert found is not None
        context.container.sign_in.redeem(found[1].rpartition("/")[2], ann)
        assert deliver(context, notice) == "dropped"

    def test_an_unknown_address_is_asked_for_alike_and_gets_nothing(
        self, smtp_context: WorkerContext, mailserver: MailServer, redis: Client
    ) -> None:
        registered(smtp_context, "Ann")
        deliver_all(smtp_context)
        stored = []
        for address in (ANN, "nobody@example.org"):
            smtp_context.container.sign_in.request_link(address)
            pending = list(smtp_context.container.log.outbox.pending())
            stored.append((len(redis.keys("st:sign-in:*")), len(pending)))
        assert stored == [(1, 1), (2, 2)]
        assert sorted(deliver_all(smtp_context)) == ["dropped", "sent"]
        assert mailserver.recipients == [ANN]

    def test_an_unverified_address_signs_nobody_in(
        self, smtp_context: WorkerContext, mailserver: MailServer
    ) -> None:
        smtp_context.container.registrations.register("Ann", ANN)
        deliver_all(smtp_context)
        smtp_context.container.sign_in.request_link(ANN)
        assert deliver_all(smtp_context) == ["dropped"]

    def test_in_the_local_mailbox_it_does(self, context: WorkerContext, mailbox: Mailbox) -> None:
        context.container.registrations.register("Ann", ANN)
        deliver_all(context)
        context.container.sign_in.request_link(ANN)
        assert deliver_all(context) == ["sent"]

    def test_all_who_share_an_address_may_choose(
        self, context: WorkerContext, mailbox: Mailbox
    ) -> None:
        names = ("Ann", "Anna")
        ids = [context.container.registrations.register(name, ANN).player.id for name in names]
        deliver_all(context)
        context.container.sign_in.request_link(ANN)
        deliver_all(context)
        (link,) = [
            link for mail in mailbox.newest() if "/sign-in/" in (link := link_in(mail.message))
        ]
        secret = link.rpartition("/")[2]
        assert {player.name for player in context.container.sign_in.accounts(secret)} == set(names)
        chosen = context.container.sign_in.redeem(secret, ids[1])
        assert chosen is not None
        assert chosen.name == "Anna"

    def test_a_link_signs_in_nobody_else(self, context: WorkerContext, mailbox: Mailbox) -> None:
        registered(context, "Ann")
        bob = registered(context, "Bob")
        deliver_all(context)
        context.container.sign_in.request_link(ANN)
        deliver_all(context)
        secret = link_in(mailbox.newest()[0].message).rpartition("/")[2]
        assert context.container.sign_in.redeem(secret, bob) is None


def test_a_mail_sent_again_is_the_same_mail(context: WorkerContext, mailbox: Mailbox) -> None:
    context.container.registrations.register("Ann", ANN)
    (notice,) = [notice.id for notice in context.container.log.outbox.pending()]
    deliver(context, notice)
    deliver(context, notice)
    assert only(mailbox.newest()).message["To"] == ANN


class TestRemovedGames:
    def test_players_of_a_game_that_was_going_on_read_why_it_is_gone(
        self, smtp_context: WorkerContext, mailserver: MailServer
    ) -> None:
        match = begin(smtp_context)
        store = smtp_context.container
        remove_game(store, "Morag", match.id, "a ruling", "A court has asked for it.")
        assert deliver_all(smtp_context) == ["sent", "sent"]
        first, second = mailserver.mails
        for mail in (first, second):
            text = mail.get_body(("plain",))
            assert text is not None
            assert "The host writes: A court has asked for it." in text.get_content()
            assert "a ruling" not in mail.as_string()
        assert first["Message-ID"] != second["Message-ID"]

    def test_no_mail_goes_to_a_player_without_a_confirmed_address(
        self, smtp_context: WorkerContext
    ) -> None:
        match = begin(smtp_context)
        store = smtp_context.container
        remove_game(store, "Morag", match.id, "a ruling")
        store.accounts.close(store.players.named("Bob")[0])
        assert sorted(deliver_all(smtp_context)) == ["dropped", "sent"]

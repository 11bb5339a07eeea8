"""Every use case and store of a process, built once. Nothing else constructs them."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from flask import current_app
from redis.exceptions import ResponseError

from service.account_closure import Accounts
from service.accounts.answer_addresses import AnswerAddresses
from service.accounts.channels import Channels
from service.accounts.channels.delivery_log import DeliveryLog
from service.accounts.channels.told import Told
from service.accounts.device_links import DeviceLinks
from service.accounts.email_addresses import EmailAddresses
from service.accounts.held_mail import HeldMail
from service.accounts.idempotency import IdempotencyStore
from service.accounts.mail_preferences import MailPreferences
from service.accounts.operator_access import OperatorAccess
from service.accounts.players import Players
from service.accounts.private_links import PrivateLinks
from service.accounts.sign_in import SignIn
from service.accounts.tokens import Tokens
from service.core.heartbeat import Heartbeat
from service.core.outage_ledger import OutageLedger
from service.core.redis.client import Client, check_writable
from service.core.settings import Settings
from service.eventlog import EventLog, event_log
from service.eventlog.backlog import DelayCounts
from service.eventlog.dead_letters import DeadLetters
from service.games import Games
from service.games.projections.feed import Feeds
from service.games.reading.overview import Overviews
from service.guest_expiry import Guests
from service.mail.budget import MailBudget
from service.mail.mailbox import Mailbox
from service.mail_in.answering import Answering
from service.mail_in.bounce_addresses import BounceAddresses
from service.mail_in.bounces import Bounces
from service.mail_in.intake import IncomingMail
from service.mail_in.reply_addresses import ReplyAddresses

EXTENSION = "scottenbury"


@dataclass(frozen=True)
class Container:
    """What views, commands and workers use."""

    settings: Settings
    now: Callable[[], float]
    """Unix seconds."""
    redis: Client
    log: EventLog
    tokens: Tokens
    addresses: EmailAddresses
    answer_addresses: AnswerAddresses
    players: Players
    games: Games
    sign_in: SignIn
    device_links: DeviceLinks
    accounts: Accounts
    guests: Guests
    feeds: Feeds
    overviews: Overviews
    mail_preferences: MailPreferences
    held_mail: HeldMail
    channels: Channels
    told: Told
    private_links: PrivateLinks
    delivery_log: DeliveryLog
    mailbox: Mailbox
    dead_letters: DeadLetters
    delays: DelayCounts
    operator_access: OperatorAccess
    heartbeat: Heartbeat
    outages: OutageLedger
    incoming_mail: IncomingMail

    def store_problem(self) -> str | None:
        """Why Redis takes no writes; None if it does. Raises if it does not answer."""
        try:
            check_writable(self.redis)
        except ResponseError as error:
            return str(error)  # there may be no memory left, or no disk
        return None


def build(
    settings: Settings,
    redis: Client,
    now: Callable[[], float] = time.time,
    caller: Callable[[], str | None] = lambda: None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Container:
    """Build everything over this Redis.

    `now` gives unix seconds, `monotonic` seconds of a clock that nobody sets; `caller` the network
    address of the current request, None outside one.
    """
    outages = OutageLedger(redis, now, monotonic)
    log = event_log(redis, now, settings.wait_replicas)
    idempotency = IdempotencyStore(redis, now)
    tokens = Tokens(redis, idempotency, settings.secret_key, now)
    budget = MailBudget(redis, caller, enabled=settings.rate_limits)
    addresses = EmailAddresses(
        redis, log.outbox, budget, settings.secret_key, settings.base_url, now
    )
    answer_addresses = AnswerAddresses(
        redis, log.outbox, addresses, settings.secret_key, settings.base_url, now
    )
    players = Players(redis, tokens, addresses, idempotency, settings.secret_key, now)
    games = Games(redis, log, players, settings, budget, outages, now)
    sign_in = SignIn(redis, log.outbox, players, addresses, settings, now)
    mail_preferences = MailPreferences(redis, settings.secret_key, settings.base_url)
    held_mail = HeldMail(redis)
    delivery_log = DeliveryLog(redis, now)
    channels = Channels(redis, log.outbox, delivery_log, settings, now)
    told = Told(redis, now)
    private_links = PrivateLinks(redis, settings.secret_key, settings.base_url)
    accounts = Accounts(
        players,
        answer_addresses,
        tokens,
        mail_preferences,
        held_mail,
        channels,
        told,
        private_links,
        games,
        now,
    )
    guests = Guests(players, tokens, games, accounts, log.outbox, now)
    feeds = Feeds(redis, log.events, games)
    overviews = Overviews(log.events, games, players)
    returning = BounceAddresses(settings.secret_key, ReplyAddresses(settings))
    bounces = Bounces(returning, players, addresses, games)
    answering = Answering(players, addresses, answer_addresses, games, held_mail, settings)
    return Container(
        settings=settings,
        now=now,
        redis=redis,
        log=log,
        tokens=tokens,
        addresses=addresses,
        answer_addresses=answer_addresses,
        players=players,
        games=games,
        sign_in=sign_in,
        device_links=DeviceLinks(redis, settings.secret_key),
        accounts=accounts,
        guests=guests,
        feeds=feeds,
        overviews=overviews,
        mail_preferences=mail_preferences,
        held_mail=held_mail,
        channels=channels,
        told=told,
        private_links=private_links,
        delivery_log=delivery_log,
        mailbox=Mailbox(redis, now),
        dead_letters=DeadLetters(redis, now),
        delays=DelayCounts(redis),
        operator_access=OperatorAccess(redis),
        heartbeat=Heartbeat(redis, now, settings.base_url, outages),
        outages=outages,
        incoming_mail=IncomingMail(
            redis, log.outbox, answering, bounces, mail_preferences, budget, settings, now
        ),
    )


def get_container() -> Container:
    """The container of the application that serves this request."""
    return cast(Container, current_app.extensions[EXTENSION])

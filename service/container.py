"""The use cases of one process and what they stand on, built once."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from flask import current_app

from service.account_closure import Accounts
from service.accounts.email_addresses import EmailAddresses
from service.accounts.idempotency import IdempotencyStore
from service.accounts.mail_preferences import MailPreferences
from service.accounts.players import Players
from service.accounts.sign_in import SignIn
from service.accounts.tokens import Tokens
from service.core.network_address import current_caller
from service.core.redis.client import Client
from service.core.settings import Settings
from service.eventlog import GameLog
from service.games import Games
from service.games.projections.feed import Feeds
from service.guest_expiry import Guests
from service.mail.budget import MailBudget

EXTENSION = "scottenbury"


@dataclass(frozen=True)
class Container:
    """The use cases and what they stand on."""

    settings: Settings
    now: Callable[[], float]
    """Unix seconds."""
    redis: Client
    log: GameLog
    tokens: Tokens
    addresses: EmailAddresses
    players: Players
    games: Games
    sign_in: SignIn
    accounts: Accounts
    guests: Guests
    feeds: Feeds
    mail_preferences: MailPreferences


def build(settings: Settings, redis: Client, now: Callable[[], float] = time.time) -> Container:
    """The container over this Redis; `now` gives unix seconds."""
    log = GameLog(redis, now, settings.wait_replicas)
    idempotency = IdempotencyStore(redis, now)
    tokens = Tokens(redis, idempotency, settings.secret_key, now)
    budget = MailBudget(redis, current_caller, enabled=settings.rate_limits)
    addresses = EmailAddresses(redis, log, budget, settings.secret_key, settings.base_url, now)
    players = Players(redis, tokens, addresses, idempotency, settings.secret_key, now)
    games = Games(redis, log, players, settings, budget, now)
    sign_in = SignIn(redis, log, players, addresses, settings, now)
    mail_preferences = MailPreferences(redis, settings.secret_key, settings.base_url)
    accounts = Accounts(players, tokens, mail_preferences, games, now)
    guests = Guests(players, tokens, games, accounts, log, now)
    feeds = Feeds(redis, log, games)
    return Container(
        settings,
        now,
        redis,
        log,
        tokens,
        addresses,
        players,
        games,
        sign_in,
        accounts,
        guests,
        feeds,
        mail_preferences,
    )


def get_container() -> Container:
    """Those of the application that serves this request."""
    return cast(Container, current_app.extensions[EXTENSION])

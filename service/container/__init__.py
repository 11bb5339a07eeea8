"""Every use case and store of a process, built once. Nothing else constructs them.

A module for each part, from the bottom: `infrastructure`, `accounts`, `games`, `mail_in`.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from service.account_closure import Accounts, Guests
from service.container.accounts import PlayerServices, build_player_services
from service.container.games import build_games
from service.container.infrastructure import Infrastructure, build_infrastructure
from service.core.redis.client import Client, check_writable
from service.core.settings import Settings
from service.games import Games
from service.games.conversation.page_signs import PageSigns
from service.games.projections.feed import Feeds
from service.games.reading.overview import Overviews
from service.games.reading.snapshot import GameSnapshots

if TYPE_CHECKING:
    from service.accounts.openid import OpenIdSignIns
    from service.mail_in.intake import IncomingMail

EXTENSION = "scottenbury"


@dataclass(frozen=True, kw_only=True)
class Container(Infrastructure, PlayerServices):
    """The use cases and stores for views, commands and workers."""

    games: Games
    accounts: Accounts
    guests: Guests
    feeds: Feeds
    overviews: Overviews
    page_signs: PageSigns
    snapshots: GameSnapshots

    @cached_property
    def incoming_mail(self) -> "IncomingMail":
        """The use case of incoming mail: built on first use, as its words and patterns take 7
        MB."""
        from service.container.mail_in import build_incoming_mail

        return build_incoming_mail(self, self, self.games)

    @cached_property
    def open_id(self) -> "OpenIdSignIns | None":
        """The sign-in with an OpenID provider; None if no provider is set. Built on first use, as
        its libraries take 15 MB."""
        if self.settings.oidc_issuer is None:
            return None
        from service.container.open_id import build_open_id

        return build_open_id(self)

    def check_store(self) -> None:
        """Raise the error of Redis if it does not answer or takes no writes."""
        check_writable(self.redis)


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
    base = build_infrastructure(settings, redis, now, caller, monotonic)
    players = build_player_services(base)
    games = build_games(base, players)
    accounts, outbox = _build_accounts(base, players, games), base.log.outbox
    page_signs = PageSigns(redis, games.repository, players.presences, games.conversations)
    guests = Guests(
        players.players,
        players.registrations,
        players.identities,
        players.tokens,
        games,
        accounts,
        outbox,
        now,
    )
    return Container(
        **vars(base),
        **vars(players),
        games=games,
        accounts=accounts,
        guests=guests,
        feeds=Feeds(redis, base.log.events, games),
        overviews=Overviews(
            redis, base.log.events, games, players.players, players.presences, page_signs
        ),
        page_signs=page_signs,
        snapshots=GameSnapshots(
            redis, games, players.players, players.mail_preferences, players.presences, page_signs
        ),
    )


def get_container() -> Container:
    """The container of the application that serves this request."""
    container: Container = _application().extensions[EXTENSION]
    return container


@cache
def _application() -> Any:
    from flask import current_app  # here, as a worker needs none of it: 5 MB

    return current_app


def _build_accounts(base: Infrastructure, players: PlayerServices, games: Games) -> Accounts:
    return Accounts(
        base.redis,
        players.players,
        players.answer_addresses,
        players.tokens,
        players.mail_preferences,
        players.mail_signatures,
        players.channels,
        players.ledger,
        players.identities,
        players.presences,
        games,
        base.now,
    )

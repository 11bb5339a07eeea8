"""Everything that one process serves games with, put together once."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from flask import current_app

from service.addresses import Addresses
from service.connections import Client
from service.games import Games
from service.log import GameLog
from service.players import Players
from service.settings import Settings
from service.tokens import Tokens

EXTENSION = "scottenbury"


@dataclass(frozen=True)
class Services:
    """The use cases and what they stand on."""

    settings: Settings
    redis: Client
    log: GameLog
    tokens: Tokens
    addresses: Addresses
    players: Players
    games: Games


def build(settings: Settings, redis: Client, now: Callable[[], float] = time.time) -> Services:
    """The services over this Redis; `now` gives unix seconds."""
    log = GameLog(redis, now)
    tokens = Tokens(redis, settings.secret_key, now)
    addresses = Addresses(redis, log, settings.secret_key, settings.base_url, now)
    players = Players(redis, tokens, addresses, settings.secret_key, now)
    games = Games(redis, log, players, settings, now)
    return Services(settings, redis, log, tokens, addresses, players, games)


def services() -> Services:
    """Those of the application that serves this request."""
    return cast(Services, current_app.extensions[EXTENSION])

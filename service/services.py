"""Everything that one process serves games with, put together once."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from flask import current_app

from service.connections import Client
from service.games import Games
from service.log import GameLog
from service.players import Players
from service.settings import Settings

EXTENSION = "scottenbury"


@dataclass(frozen=True)
class Services:
    """The use cases and what they stand on."""

    settings: Settings
    redis: Client
    log: GameLog
    players: Players
    games: Games


def build(settings: Settings, redis: Client, now: Callable[[], float] = time.time) -> Services:
    """The services over this Redis; `now` gives unix seconds."""
    log = GameLog(redis, now)
    players = Players(redis, settings.secret_key, now)
    games = Games(redis, log, players, settings, now)
    return Services(settings, redis, log, players, games)


def services() -> Services:
    """Those of the application that serves this request."""
    return cast(Services, current_app.extensions[EXTENSION])

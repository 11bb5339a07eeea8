"""What a job works with: the use cases, the post, and the books that the workers keep."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from service import services
from service.addresses import Addresses
from service.connections import Client, connect
from service.games import Games
from service.guests import Guests
from service.log import GameLog
from service.mailbox import Mailbox
from service.players import Players
from service.settings import BadSetting, Settings
from service.sign_in import SignIn
from service.subscriptions import Subscriptions
from service.undelivered import Undelivered
from workers.leases import Leases
from workers.post import MailboxPost, Post, SmtpPost


@dataclass(frozen=True)
class Office:
    """Everything that delivers notices and minds the clocks. `now` gives unix seconds."""

    settings: Settings
    redis: Client
    log: GameLog
    games: Games
    players: Players
    addresses: Addresses
    sign_in: SignIn
    guests: Guests
    subscriptions: Subscriptions
    undelivered: Undelivered
    post: Post
    leases: Leases
    now: Callable[[], float]


def furnish(
    settings: Settings,
    redis: Client,
    now: Callable[[], float] = time.time,
    post: Post | None = None,
) -> Office:
    """An office over this Redis; mail goes where the settings say unless `post` is given."""
    use_cases = services.build(settings, redis, now)
    return Office(
        settings=settings,
        redis=redis,
        log=use_cases.log,
        games=use_cases.games,
        players=use_cases.players,
        addresses=use_cases.addresses,
        sign_in=use_cases.sign_in,
        guests=use_cases.guests,
        subscriptions=Subscriptions(redis, settings.secret_key, settings.base_url),
        undelivered=Undelivered(redis, now),
        post=post or _post(settings, redis, now),
        leases=Leases(now),
        now=now,
    )


@lru_cache(maxsize=1)
def own_office() -> Office:
    """The office of this process, furnished from the environment on first use."""
    settings = Settings.from_env()
    return furnish(settings, connect(redis_url(settings)))


def redis_url(settings: Settings) -> str:
    """Where the games are. Raises `BadSetting` where none is given."""
    if settings.redis_url is None:
        raise BadSetting("SCOTTENBURY_REDIS_URL must name the server; `scottenbury serve` has one.")
    return settings.redis_url


def _post(settings: Settings, redis: Client, now: Callable[[], float]) -> Post:
    if settings.smtp_url is None:
        return MailboxPost(Mailbox(redis, now))
    return SmtpPost(settings.smtp_url)

"""What a job works with: the use cases, the post, and the books that the workers keep."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from service import container
from service.accounts.email_addresses import EmailAddresses
from service.accounts.mail_preferences import MailPreferences
from service.accounts.players import Players
from service.accounts.sign_in import SignIn
from service.core.redis.client import Client, connect
from service.core.settings import BadSetting, Settings
from service.eventlog import GameLog
from service.games import Games
from service.guest_expiry import Guests
from service.mail.mailbox import Mailbox
from service.ops.dead_letters import DeadLetters
from workers.leases import Leases
from workers.mail.transport import MailboxPost, Post, SmtpPost


@dataclass(frozen=True)
class Office:
    """Everything that delivers notices and minds the clocks. `now` gives unix seconds."""

    settings: Settings
    redis: Client
    log: GameLog
    games: Games
    players: Players
    addresses: EmailAddresses
    sign_in: SignIn
    guests: Guests
    mail_preferences: MailPreferences
    dead_letters: DeadLetters
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
    use_cases = container.build(settings, redis, now)
    return Office(
        settings=settings,
        redis=redis,
        log=use_cases.log,
        games=use_cases.games,
        players=use_cases.players,
        addresses=use_cases.addresses,
        sign_in=use_cases.sign_in,
        guests=use_cases.guests,
        mail_preferences=MailPreferences(redis, settings.secret_key, settings.base_url),
        dead_letters=DeadLetters(redis, now),
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

"""What every job works with."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from service import container
from service.container import Container
from service.core.redis.client import Client, connect
from service.core.settings import BadSetting, Settings
from workers.channels.egress import Egress
from workers.leases import Leases
from workers.mail.mailer import MailboxMailer, Mailer, SmtpMailer, WatchingMailer


@dataclass(frozen=True)
class WorkerContext:
    """The use cases, the ways to send mail and requests, and this process's leases."""

    container: Container
    mailer: Mailer
    egress: Egress
    leases: Leases


def build_context(
    settings: Settings,
    redis: Client,
    now: Callable[[], float] = time.time,
    mailer: Mailer | None = None,
) -> WorkerContext:
    """Build the context over this Redis; mail goes where the settings say unless `mailer` is given.

    `now` gives unix seconds.
    """
    built = container.build(settings, redis, now)
    egress = Egress(
        settings.allowed_egress, lambda address: built.send_slots.may_connect(address, now())
    )
    return WorkerContext(built, mailer or _mailer(built), egress, Leases(now))


@lru_cache(maxsize=1)
def get_context() -> WorkerContext:
    """The context of this process, built from the environment on first use."""
    settings = Settings.from_env()
    return build_context(settings, connect(redis_url(settings)))


def redis_url(settings: Settings) -> str:
    """Where the games are. Raises `BadSetting` if the settings do not say."""
    if settings.redis_url is None:
        raise BadSetting("SCOTTENBURY_REDIS_URL must name the server; `scottenbury serve` has one.")
    return settings.redis_url


def _mailer(built: Container) -> Mailer:
    if built.settings.smtp_url is None:
        return MailboxMailer(built.mailbox)
    return WatchingMailer(SmtpMailer(built.settings.smtp_url), built.addresses.failing)

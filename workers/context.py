"""The objects that every job works with."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from service import container
from service.accounts.mail_preferences import MailChoice
from service.container import Container
from service.core.redis.client import Client, connect
from service.core.settings import BadSetting, Settings
from service.core.words import Words
from workers.leases import Leases
from workers.mail.mailer import MailboxMailer, Mailer, SmtpMailer, WatchingMailer

if TYPE_CHECKING:
    from workers.channels.egress import Egress
    from workers.thinking import Thinker


@dataclass(frozen=True)
class WorkerContext:
    """The use cases, the ways to send mail and requests, and this process's leases."""

    container: Container
    mailer: Mailer
    leases: Leases

    def words_of(self, choice: MailChoice) -> Words:
        """Return the words of the reader who made this choice; where nothing was chosen, those of
        English."""
        return self.container.languages.words(choice.language)

    @cached_property
    def egress(self) -> "Egress":
        """The sender of requests to players' channels. It is imported on first use, with its HTTP
        libraries."""
        from workers.channels.egress import Egress

        built = self.container
        return Egress(
            built.settings.allowed_egress,
            lambda address: built.send_limits.may_connect(address, built.now()),
        )

    @cached_property
    def thinker(self) -> "Thinker":
        """The process where slow bots think: started on first use."""
        from workers.thinking import Thinker

        return Thinker()

    @cached_property
    def weigher(self) -> "Thinker":
        """The process where turns of finished games are weighed: started on first use."""
        from workers.thinking import LONGEST_WEIGHING, WEIGHING, Thinker

        return Thinker(WEIGHING, LONGEST_WEIGHING)


def build_context(
    settings: Settings,
    redis: Client,
    now: Callable[[], float] = time.time,
    mailer: Mailer | None = None,
) -> WorkerContext:
    """Build the context over this Redis; mail goes where the settings say unless `mailer` is given.

    `now` gives unix seconds.
    """
    built = container.Container(settings, redis, now)
    if mailer is None:
        url = settings.smtp_url
        mailer = (
            MailboxMailer(built.mailbox)
            if url is None
            else WatchingMailer(SmtpMailer(url), built.addresses.failing)
        )
    return WorkerContext(built, mailer, Leases(now))


@lru_cache(maxsize=1)
def get_context() -> WorkerContext:
    """Return the context of this process, built from the environment on first use."""
    settings = Settings.from_env()
    return build_context(settings, connect(redis_url(settings)))


def redis_url(settings: Settings) -> str:
    """Return the URL of the games' Redis. Raises `BadSetting` if the settings do not name one."""
    if settings.redis_url is None:
        raise BadSetting("SCOTTENBURY_REDIS_URL must name the server; `scottenbury serve` has one.")
    return settings.redis_url

"""Builds the base of all other parts: Redis, the log, outages, counts."""

from collections.abc import Callable
from dataclasses import dataclass

from service.core.heartbeat import Heartbeat
from service.core.outage_ledger import OutageLedger
from service.core.redis.client import Client
from service.core.settings import Settings
from service.eventlog import EventLog, event_log
from service.eventlog.backlog import DelayCounts
from service.eventlog.dead_letters import DeadLetters
from service.mail.budget import MailBudget
from service.mail.mailbox import Mailbox


@dataclass(frozen=True, kw_only=True)
class Infrastructure:
    """The parts that depend on neither players nor the rules of games."""

    settings: Settings
    now: Callable[[], float]
    """Unix seconds."""
    redis: Client
    log: EventLog
    outages: OutageLedger
    heartbeat: Heartbeat
    dead_letters: DeadLetters
    delays: DelayCounts
    mailbox: Mailbox
    mail_budget: MailBudget


def build_infrastructure(
    settings: Settings,
    redis: Client,
    now: Callable[[], float],
    caller: Callable[[], str | None],
    monotonic: Callable[[], float],
) -> Infrastructure:
    """Build the base over this Redis; the arguments are those of `container.build`."""
    outages = OutageLedger(redis, now, monotonic)
    return Infrastructure(
        settings=settings,
        now=now,
        redis=redis,
        log=event_log(redis, now, settings.wait_replicas),
        outages=outages,
        heartbeat=Heartbeat(redis, now, settings.base_url, outages),
        dead_letters=DeadLetters(redis, now),
        delays=DelayCounts(redis),
        mailbox=Mailbox(redis, now),
        mail_budget=MailBudget(redis, caller, enabled=settings.rate_limits),
    )

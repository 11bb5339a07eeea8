"""How long notices take, as the metrics tell it."""

from service.core.redis.client import Client
from service.eventlog.outbox import Delays
from tests.support.clock import Clock
from tests.support.mail_server import MailServer
from tests.workers.delivering import deliver
from tests.workers.match import Match, begin
from workers.context import WorkerContext


def test_a_mail_counts_from_when_it_fell_due(match: Match, clock: Clock) -> None:
    match.play("R4@3")
    clock.time += 30
    for notice in match.context.container.log.outbox.claim(9, 60):
        deliver(match.context, notice)
    (mail,) = [one for one in match.context.container.delays.all() if one.channel == "mail"]
    assert mail == Delays("mail", "turn", {"60": 1}, 30.0)


def test_one_that_failed_counts_from_its_first_failure(
    smtp_context: WorkerContext, mailserver: MailServer, clock: Clock, redis: Client
) -> None:
    begin(smtp_context).play("R4@3")
    mailserver.to_mail = "451 later"
    outbox = smtp_context.container.log.outbox
    (notice,) = [one for one in outbox.claim(9, 60) if ".mail." in one]
    assert deliver(smtp_context, notice) == "postponed"
    assert smtp_context.container.delays.all() == []
    mailserver.to_mail = "250 OK"
    clock.time += 400
    (again,) = [one for one in outbox.claim(9, 60) if ".mail." in one]
    assert deliver(smtp_context, again) == "sent"
    (mail,) = smtp_context.container.delays.all()
    assert mail == Delays("mail", "turn", {"900": 1}, 400.0)


def test_what_is_dropped_is_not_counted(match: Match, clock: Clock) -> None:
    match.play("R4@3")
    claimed = match.context.container.log.outbox.claim(9, 60)
    match.context.container.games.resign(match.id, match.bob)
    for notice in claimed:
        deliver(match.context, notice)
    assert match.context.container.delays.all() == []

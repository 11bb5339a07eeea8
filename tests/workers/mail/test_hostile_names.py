"""Names stored by older versions, which a mail program would read again."""

import pytest

from service.core.redis.client import Client
from service.games import NewGame
from tests.support.mail_server import MailServer
from tests.workers.delivering import deliver
from tests.workers.match import begin, registered
from workers.context import WorkerContext

HEADER = "=?utf-8?b?eA0KUmVwbHktVG86YUBlLnZpbA==?="
NAMES = (HEADER, "win at http://e.vil", '"x, <a@e.vil>', "a\r\nBcc: a@e.vil")


def rename(redis: Client, player: str, name: str) -> None:
    """As an older version stored it."""
    redis.hset(f"st:{{{player}}}:player", "name", name)


@pytest.mark.parametrize("name", NAMES)
def test_it_becomes_no_header_and_no_link(
    smtp_context: WorkerContext, mailserver: MailServer, redis: Client, name: str
) -> None:
    context = smtp_context
    match = begin(context)
    rename(redis, match.ann, name)
    rename(redis, match.bob, name)
    match.play("R4@3")
    context.container.games.challenges.make(match.ann, match.bob, NewGame())
    context.container.games.create(match.ann, NewGame(opponent_email="guest@example.org"))
    due = [
        notice for notice in match.due() if ".mail." in notice and not notice.endswith(".expired")
    ]
    assert [deliver(context, notice) for notice in due] == ["sent"] * 3

    for mail in mailserver.mails:
        assert all(address.startswith("play+") for address in mail.get_all("Reply-To"))
        assert "Bcc" not in mail
        assert len(mail["To"].addresses) == 1
        assert mail["To"].addresses[0].addr_spec in ("bob@example.org", "guest@example.org")
        told = f"{mail['Subject']} {mail['To'].addresses[0].display_name}"
        told += "".join(part.get_content() for part in mail.iter_parts())
        assert "e.vil" not in told
        assert "=?" not in told


def test_first_contact_has_no_chosen_name_in_its_subject(
    smtp_context: WorkerContext, mailserver: MailServer
) -> None:
    context = smtp_context
    eve, bob = registered(context, "Eve"), registered(context, "Bob")
    for notice in context.container.log.outbox.pending():
        context.container.log.outbox.finish(notice.id)
    context.container.games.challenges.make(eve, bob, NewGame())
    context.container.games.create(eve, NewGame(opponent_email="guest@example.org"))
    listed = context.container.games.create(bob, NewGame(listed=True, first_player="creator"))
    context.container.games.join(listed.id, eve)
    for notice in list(context.container.log.outbox.pending()):
        deliver(context, notice.id)

    subjects = [mail["Subject"] for mail in mailserver.mails]
    assert len(subjects) == 3
    assert not any("Eve" in subject for subject in subjects)

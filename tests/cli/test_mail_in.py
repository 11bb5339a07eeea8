"""`scottenbury mail-in`."""

import pytest

from service.container import Container
from service.core.redis.client import Client
from service.mail_in.addresses import ReplyTo
from tests.cli.runner import run
from tests.service.mail_in.malformed import MALFORMED
from tests.support.settings import settings


@pytest.fixture
def container(redis: Client, monkeypatch: pytest.MonkeyPatch) -> Container:
    built = Container(settings(), redis)
    monkeypatch.setattr("service.cli.operator.open_store", lambda: built)
    return built


def test_it_keeps_a_mail_and_says_by_its_exit_code_what_became_of_it(container: Container) -> None:
    address = container.incoming_mail.addresses.write(ReplyTo("turn", "a" * 20, 7, "north"))
    mail = f"From: ada@example.org\nTo: Scottenbury <{address}>\n\nR7@3\n"

    assert run("mail-in", stdin=mail).exit_code == 0
    assert run("mail-in", "--to", address, "--from", "", stdin=mail).exit_code == 0
    assert len(list(container.log.outbox.pending())) == 1
    assert run("mail-in", "--to", "ada@example.org", stdin=mail).exit_code == 67
    assert run("mail-in", stdin="From: a@example.org\n\nR7@3\n").exit_code == 67
    assert run("mail-in", "--to", address, stdin=b"a\rb").exit_code == 65
    assert run("mail-in", "--to", address, stdin="x" * 3_000_000).exit_code == 65


@pytest.mark.parametrize("mail", MALFORMED.values(), ids=MALFORMED)  # type: ignore[arg-type]
def test_what_is_out_of_form_is_refused(container: Container, redis: Client, mail: bytes) -> None:
    address = container.incoming_mail.addresses.write(ReplyTo("turn", "a" * 20, 7, "north"))
    assert run("mail-in", "--to", address, stdin=mail).exit_code == 65
    assert list(redis.scan_iter("st:mail-in:*")) == []

"""Web, worker and commands with different secret keys: each says so, and does no harm."""

import os
from pathlib import Path

import pytest
from redis.exceptions import ConnectionError as Away

from service.container import Container
from service.core import key_fingerprint
from service.core.redis import failures
from service.core.redis.client import Client
from tests.cli.runner import run
from tests.support.ports import free_port
from tests.support.settings import settings

OTHER = "another key, as long as keys should be"
SAYS = "this store belongs to another secret key"


@pytest.fixture(autouse=True)
def _started(store: Container, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server has run on the store; what starts a worker only notes that it would."""
    assert key_fingerprint.claim(store.redis, settings().secret_key)
    monkeypatch.setattr("os.execv", lambda *args: print("started"))  # noqa: T201


@pytest.fixture
def another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", OTHER)
    monkeypatch.setenv("SCOTTENBURY_PORT", str(free_port()))


@pytest.mark.usefixtures("another_key")
@pytest.mark.parametrize("command", ["serve", "serve --web-only", "worker"])
def test_nothing_starts_with_another_key(command: str) -> None:
    ended = run(*command.split())
    assert ended.exit_code == 1
    assert SAYS in ended.output
    assert "`scottenbury new-key`" in ended.output
    assert OTHER not in ended.output


def test_a_worker_starts_with_the_same_key() -> None:
    assert run("worker").output == "started\n"


def test_the_doctor_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "ok       key of the store" in run("doctor", "--mail-wait", 0).output
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", OTHER)
    assert f"bad      key of the store: {SAYS}" in run("doctor", "--mail-wait", 0).output


@pytest.mark.usefixtures("another_key")
def test_a_key_that_was_changed_on_purpose_is_accepted() -> None:
    assert run("new-key").exit_code == 0
    assert run("worker").output == "started\n"


def test_after_that_the_former_key_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("SCOTTENBURY_SECRET_KEY", OTHER)
        run("new-key")
    assert SAYS in run("worker").output


def test_no_key_cannot_become_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCOTTENBURY_SECRET_KEY")
    assert run("new-key").exit_code == 1
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", settings().secret_key)
    assert run("worker").output == "started\n"


@pytest.mark.parametrize("key", [OTHER, ""])
def test_a_mail_server_keeps_the_mail_that_no_address_can_be_read_of(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", key)
    ended = run("mail-in", "--to", "play+x@games.example.org", stdin=b"Subject: x\r\n\r\nx")
    assert ended.exit_code == os.EX_TEMPFAIL
    assert SAYS in ended.output


@pytest.mark.usefixtures("another_key")
def test_a_backup_that_another_key_signs_says_so(tmp_path: Path) -> None:
    ended = run("backup", tmp_path / "games.jsonl")
    assert ended.exit_code == 0
    assert "signed with another secret key than the server's" in ended.output


def test_a_worker_waits_for_a_redis_that_is_away_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    answers = [Away("nobody there"), Away("nobody there"), True]

    def claim(redis: Client, secret_key: str) -> bool:
        answer = answers.pop(0)
        if isinstance(answer, Away):
            raise answer
        return answer

    monkeypatch.setattr(key_fingerprint, "claim", claim)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    monkeypatch.setattr(failures, "_last", {})
    assert run("worker").output == "started\n"
    url = os.environ["SCOTTENBURY_REDIS_URL"].partition("?")[0]
    assert [record.getMessage() for record in caplog.records] == [
        f"the worker waits: SCOTTENBURY_REDIS_URL ({url}): Redis cannot be reached."
        " Start Redis there, or correct host and port. (nobody there)"
    ]


def test_the_store_holds_nothing_of_the_key(store: Container) -> None:
    kept = str(store.redis.get("st:key-fingerprint"))
    assert len(kept) == 32
    assert settings().secret_key not in kept

"""The doctor finds what would lose games or silence notices, and says what to do."""

import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.core.heartbeat import Heartbeat, OutageLedger
from service.core.network import read_peers
from service.core.redis.client import Client, connect, servers
from service.eventlog import Notice, notice_id
from service.eventlog.outbox import DeadLetters
from service.ops.diagnosis import LITTLE_ROOM
from service.ops.doctor import (
    CLUSTER_AS_SERVER,
    examine,
    role,
    unknown_variables,
    warnings,
    weak_key,
)
from service.ops.mail_doctor import examine_mail, unread_mail
from service.ops.status import QUEUES, queue_named
from tests.support.clock import Clock
from tests.support.cluster import Node
from tests.support.event_logs import event_log
from tests.support.mail_server import MailServer
from tests.support.open_id_provider import CLIENT, OpenIdProvider
from tests.support.servers import SocketServer, bundled_binary, running
from tests.support.settings import settings
from tests.support.waiting import until

GAME = "abcdefghijklmnopqrst"
KEY = "k" * 32


@pytest.fixture
def clock(redis: Client) -> Clock:
    clock = Clock()
    Heartbeat(redis, clock).record("worker")
    return clock


@pytest.fixture
def configured(redis: Client) -> Iterator[Any]:
    """Change the server's configuration for one test."""
    before = {}

    def change(name: Any, value: Any) -> None:
        before.setdefault(name, redis.config_get(name)[name])
        redis.config_set(name, value)

    yield change
    for name, value in before.items():
        redis.config_set(name, value)
    # An append-only file that is turned on again is written in the background.
    until(lambda: redis.info("persistence")["aof_rewrite_in_progress"] == 0)


@pytest.fixture(autouse=True)
def _synced(configured: Any) -> None:
    """The server waits for the disk, as it should."""
    configured("appendfsync", "always")


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The names that cannot be looked up, and the error of each; all others are known."""
    unknown: dict[str, int] = {}
    really = socket.getaddrinfo

    def look_up(host: str, *others: Any, **more: Any) -> object:
        if host in unknown:
            raise socket.gaierror(unknown[host], "no")
        return [] if host.endswith((".test", ".org")) else really(host, *others, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return unknown


def states(redis: Any, clock: Any, **changes: Any) -> dict[str, str]:
    """What the doctor says of each subject; the name of a server is left out."""
    changes.setdefault("redis_url", f"unix://{redis.get_connection_kwargs()['path']}")
    sleep = changes.pop("sleep", lambda seconds: None)
    found = examine(settings(**{"secret_key": KEY, **changes}), redis, clock, sleep)
    return {diagnosis.subject.partition(" of /")[0]: diagnosis.state for diagnosis in found}


def test_a_server_in_order_has_nothing_bad(redis: Client, clock: Clock) -> None:
    found = states(redis, clock)
    assert set(found.values()) == {"ok", "warning"}
    assert found["rules"] == "ok"
    assert warnings(redis) == []


def test_whatever_is_not_in_order_comes_with_advice(redis: Client) -> None:
    url = f"unix://{redis.get_connection_kwargs()['path']}"
    found = list(examine(settings(secret_key="short", redis_url=url), redis, Clock()))
    assert all(bool(diagnosis.advice) == (diagnosis.state != "ok") for diagnosis in found)


@pytest.mark.parametrize(
    ("name", "value", "subject", "state"),
    [
        ("maxmemory-policy", "allkeys-lru", "eviction policy", "bad"),
        ("appendonly", "no", "append-only file", "bad"),
        ("appendfsync", "everysec", "append-only file", "warning"),
    ],
)
def test_a_redis_that_may_lose_games_is_told(
    redis: Client, clock: Clock, configured: Any, name: str, value: str, subject: str, state: str
) -> None:
    configured(name, value)
    assert states(redis, clock)[subject] == state
    (warning,) = warnings(redis)
    assert f"{name} " in warning


def test_a_redis_that_is_nearly_full_is_bad(redis: Client, clock: Clock, configured: Any) -> None:
    configured("maxmemory", redis.info("memory")["used_memory"] + 10_000)
    assert states(redis, clock)["memory"] == "bad"


def test_a_server_that_refuses_writes_is_bad(redis: Client, clock: Clock, configured: Any) -> None:
    assert "writes to" not in states(redis, clock)
    configured("min-replicas-to-write", 1)
    try:
        (found,) = [
            one
            for one in examine(settings(redis_url=None), redis, clock)
            if one.subject.startswith("writes to")
        ]
    finally:
        redis.config_set("min-replicas-to-write", 0)
    assert (found.state, found.says) == ("bad", "Redis has too few replicas")


def test_a_replica_is_bad(redis: Client, clock: Clock) -> None:
    with running(bundled_binary()) as server, connect(server.url) as other:
        other.execute_command("REPLICAOF", "127.0.0.1", "1")
        (found,) = role(servers(other)[0])
        assert (found.state, found.says) == ("bad", "it is a replica")
        assert any("replica" in line for line in warnings(other))


def test_a_node_of_a_cluster_that_is_given_as_a_server_is_told(
    clock: Clock, tmp_path: Path
) -> None:
    node = Node(bundled_binary(), tmp_path / "node")
    try:
        found = list(examine(settings(redis_url=node.url), node.redis, clock))
    finally:
        node.redis.close()
        node.kill()
    assert found == [CLUSTER_AS_SERVER]


def test_a_disk_with_little_room_is_bad(
    redis: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert states(redis, clock)["disk"] == "ok"
    usage = shutil.disk_usage(tmp_path)._replace(free=LITTLE_ROOM - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    assert states(redis, clock)["disk"] == "bad"


def test_a_full_disk_is_told_once_with_its_remedy(
    redis: Client, clock: Clock, configured: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    configured("appendfsync", "everysec")  # as `serve` has it while the disk is full
    configured("min-replicas-to-write", 1)
    usage = shutil.disk_usage(tmp_path)._replace(total=1 << 40, free=1 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    url = f"unix://{redis.get_connection_kwargs()['path']}"
    found = examine(settings(secret_key=KEY, redis_url=url), redis, clock, lambda seconds: None)
    (told,) = [one for one in found if one.state == "bad" and one.subject != "clocks of games"]
    assert told.subject.startswith("disk of /")
    assert told.says == "it is full, 1 MiB free"
    assert told.advice == "Make room: no move is accepted until 64 MiB are free."


@pytest.mark.parametrize(
    ("error", "state"), [(socket.EAI_NONAME, "bad"), (socket.EAI_AGAIN, "warning"), (None, "ok")]
)
def test_a_base_url_whose_name_leads_nowhere_is_told(
    redis: Client, clock: Clock, names: dict[str, int], error: int | None, state: str
) -> None:
    if error is not None:
        names["play.example.org"] = error
    assert states(redis, clock, base_url="https://play.example.org")["base URL"] == state


HERE = {"smtp_url": "smtp://127.0.0.1:1", "base_url": "http://127.0.0.1:8080"}
LAN = {"base_url": "https://stones.lan"}
PUBLIC = {"base_url": "https://stones.example.org"}


def behind(peers: str) -> dict[str, Any]:
    return {"auth_header": "RemoteUser", "auth_peers": read_peers(peers)}


@pytest.mark.parametrize(
    ("subject", "changes", "state"),
    [
        ("replicas", {}, None),
        ("replicas", {"wait_replicas": 1}, "bad"),
        ("queue", {"queue_redis_url": "unix:///nowhere/redis.sock"}, "bad"),
        ("queue", {"redis_url": "redis-cluster://a,b"}, "bad"),  # it needs one elsewhere
        ("sender of mail", {**HERE, "mail_from": "Scottenbury <scottenbury@localhost>"}, "warning"),
        ("links in mail", HERE, "warning"),
        ("push", {"base_url": "http://stones.example.org"}, "ok"),  # browsers have none there
        ("push", LAN, "warning"),
        ("push", {**LAN, "contact": "mailto:ada@example.org"}, "ok"),
        ("secret key", {"secret_key": "short"}, "warning"),
        ("registration", {}, "ok"),
        ("registration", PUBLIC, "warning"),
        ("registration", {**PUBLIC, "registration": "invited"}, "ok"),
        ("trusted header", {}, None),
        ("trusted header", behind("127.0.0.1, 172.18.0.0/24"), "ok"),
        ("trusted header", behind("172.16.0.0/12"), "warning"),
    ],
)
def test_what_is_said_of_settings(
    redis: Client, clock: Clock, subject: str, changes: dict[str, Any], state: str | None
) -> None:
    assert states(redis, clock, **changes).get(subject) == state


def test_no_worker_is_bad(redis: Client, clock: Clock) -> None:
    Heartbeat(redis, clock).stop("worker")
    assert states(redis, clock)["workers"] == "bad"


def test_a_silent_half_of_the_server_is_bad_for_clocks(redis: Client, clock: Clock) -> None:
    assert states(redis, clock)["clocks of games"] == "ok"
    ledger = OutageLedger(redis, clock)
    ledger.record_heartbeat("worker")
    assert states(redis, clock)["clocks of games"] == "bad"
    ledger.record_heartbeat("web")
    assert states(redis, clock)["clocks of games"] == "ok"


def test_a_half_of_the_server_that_still_starts_is_waited_for(redis: Client, clock: Clock) -> None:
    ledger, heartbeat = OutageLedger(redis, clock), Heartbeat(redis, clock)
    heartbeat.stop("worker")
    ledger.record_heartbeat("web")

    def start(seconds: float) -> None:
        heartbeat.record("worker")
        ledger.record_heartbeat("worker")

    started = states(redis, clock, sleep=start)
    assert (started["workers"], started["clocks of games"]) == ("ok", "ok")


def test_a_worker_that_has_gone_silent_is_bad(redis: Client, clock: Clock) -> None:
    clock.time += 60
    assert states(redis, clock)["workers"] == "bad"


def test_a_notice_that_waits_long_is_bad(redis: Client, clock: Clock) -> None:
    due = Notice(notice_id(GAME, 1, "player", "mail", "turn"), clock.time)
    event_log(redis).events.append(GAME, 0, ["1"], notices=[due])
    assert states(redis, clock)["due notices"] == "ok"
    clock.time += 600
    assert states(redis, clock)["due notices"] == "bad"


def test_a_notice_that_is_claimed_again_and_again_is_bad(redis: Client, clock: Clock) -> None:
    due = Notice(notice_id(GAME, 1, "player", "mail", "turn"), clock.time)
    log = event_log(redis, clock)
    log.events.append(GAME, 0, ["1"], notices=[due])
    for _ in range(5):
        assert log.outbox.claim(1, 60) == [due.id]
        clock.time += 60
    Heartbeat(redis, clock).record("worker")
    (backlog,) = [
        one
        for one in examine(settings(secret_key=KEY), redis, clock)
        if one.subject == "due notices"
    ]
    assert (backlog.state, backlog.says) == ("bad", "late (mail turn: 1, for 300 s)")

    log.outbox.claim(1, 60)
    log.outbox.finish(due.id)
    assert states(redis, clock)["due notices"] == "ok"


def test_a_notice_that_is_tried_again_later_does_not_count_as_late(
    redis: Client, clock: Clock
) -> None:
    due = Notice(notice_id(GAME, 1, "player", "mail", "turn"), clock.time)
    log = event_log(redis, clock)
    log.events.append(GAME, 0, ["1"], notices=[due])
    log.outbox.claim(1, 60)
    log.outbox.postpone(due.id, clock.time + 600)
    clock.time += 300
    assert states(redis, clock)["due notices"] == "ok"


def test_undelivered_mail_is_a_warning(redis: Client, clock: Clock) -> None:
    assert states(redis, clock)["delivery"] == "ok"
    DeadLetters(redis, clock).add("a notice", "nobody there")
    assert states(redis, clock)["delivery"] == "warning"


@pytest.mark.parametrize("name", QUEUES)
def test_a_job_that_waits_long_is_bad(
    redis: Client, clock: Clock, redis_server: SocketServer, name: Any
) -> None:
    clock.time = time.time()
    Heartbeat(redis, clock).record("worker")
    queue = queue_named(name, Redis.from_url(redis_server.url))
    queue.enqueue("workers.jobs.deliver", "a notice", clock.time)
    assert states(redis, clock)["queue"] == "ok"
    clock.time += 600
    assert states(redis, clock)["queue"] == "bad"


@pytest.mark.parametrize(
    ("base_url", "words", "is_unread"),
    [
        ("http://localhost:8080", "everybody at this machine reads all of it on /mailbox", False),
        ("https://stones.example", "reaches nobody", True),
        ("http://192.168.7.7:8080", "reaches nobody", True),
    ],
)
def test_it_is_said_who_reads_mail_without_a_mail_server(
    redis: Client, clock: Clock, base_url: str, words: str, is_unread: bool
) -> None:
    known = settings(base_url=base_url)
    (mail,) = (each for each in examine_mail(known, redis, clock) if each.subject == "mail")
    assert words in mail.says
    assert "SCOTTENBURY_SMTP_URL" in mail.advice
    assert unread_mail(known) == [mail.line()] * is_unread
    assert unread_mail(settings(base_url=base_url, smtp_url="smtp://mail.example")) == []


def test_a_mail_server_that_answers_is_in_order_and_one_that_does_not_is_bad(
    redis: Client, clock: Clock
) -> None:
    with MailServer() as server:
        url = server.url
        assert states(redis, clock, smtp_url=url)["mail server"] == "ok"
    assert states(redis, clock, smtp_url=url)["mail server"] == "bad"


def test_a_mailbox_that_nobody_fetches_or_that_fails_is_told(redis: Client, clock: Clock) -> None:
    url = "imaps://ada:secret@mail.example.org/INBOX"

    def told() -> tuple[str, str]:
        found = examine(settings(secret_key=KEY, imap_url=url), redis, clock)
        (one,) = [diagnosis for diagnosis in found if diagnosis.subject == "mail by IMAP"]
        return one.state, one.says

    assert "mail by IMAP" not in states(redis, clock)
    assert told() == ("warning", "never fetched")

    redis.hset("st:{imap}:state", mapping={"ok": str(clock.time), "kept": "2"})
    assert told() == ("ok", "kept: 2; not for us, or out of form: 0")
    clock.time += 3600
    assert told() == ("warning", "last fetched 3600 s ago")

    redis.hset("st:{imap}:state", mapping={"since": str(clock.time - 90), "error": "no"})
    assert told() == ("bad", "fails for 90 s: no")


def test_an_open_id_provider_has_to_answer_as_its_issuer(
    redis: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with OpenIdProvider(clock) as provider:

        def state() -> str:
            found = states(redis, clock, oidc_issuer=provider.issuer, oidc_client_id=CLIENT)
            return found["OpenID provider"]

        assert "OpenID provider" not in states(redis, clock)
        assert state() == "ok"
        provider.metadata = {"issuer": "https://evil.example"}
        assert state() == "bad"
        provider.status = 503
        assert state() == "bad"


def test_a_short_secret_key_is_told_and_not_shown() -> None:
    (told,) = weak_key(settings(secret_key="sesame"))
    assert "SCOTTENBURY_SECRET_KEY" in told
    assert "sesame" not in told
    assert weak_key(settings(secret_key=KEY)) == []


def test_a_mistyped_setting_is_named() -> None:
    (told,) = unknown_variables({"SCOTTENBURY_PROT": "8081"})
    assert (told.state, told.subject) == ("warning", "SCOTTENBURY_PROT")

"""Health, the counters, and what the dashboard and the alarms ask of them."""

import json
import re
from pathlib import Path

import pytest
import yaml
from flask.testing import FlaskClient

from service.api.endpoints import metrics
from service.container import Container
from service.core.errors import STORE_FAILURE
from service.core.heartbeat import Outage
from service.core.times import DAY
from service.core.words import Languages
from service.eventlog import Notice, NoticeParts, notice_id, parse_notice_id
from service.eventlog.outbox import LATE
from service.mail_in.store import MailInStore
from tests.support.catalogues import PO
from tests.support.clock import Clock
from tests.support.people import Person, Started
from tests.support.processes import ROOT

GAME = "a" * 20


@pytest.fixture(autouse=True)
def told_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test sees what has just been counted."""
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 0.0)


def test_the_process_is_up_and_can_serve(client: FlaskClient) -> None:
    assert client.get("/healthz").text == "ok\n"
    assert client.get("/readyz").text == "ok\n"


def test_requests_and_problems_are_counted(client: FlaskClient, ada: Person) -> None:
    ada.get("/me")
    client.get("/v1/me")
    told = client.get("/metrics")
    assert told.mimetype == "text/plain"
    assert 'scottenbury_requests_total{endpoint="account.me",method="GET",status="200"}' in (
        told.text
    )
    assert 'scottenbury_problems_total{code="unauthenticated"}' in told.text


def test_unknown_addresses_and_methods_share_one_counter(client: FlaskClient) -> None:
    client.get("/a-wild-guess")
    told = client.get("/metrics").text
    assert 'endpoint="unknown"' in told
    assert "a-wild-guess" not in told

    for number in range(50):
        client.open("/", method=f"MADE-UP-{number}")
    told = client.get("/metrics").text
    assert 'method="other",status="405"' in told
    assert "MADE-UP" not in told


def test_a_message_that_a_language_lacks_is_counted_by_language(
    client: FlaskClient, container: Container, tmp_path: Path
) -> None:
    (tmp_path / "de.po").write_text(PO.format(name="Deutsch", reviewed="by Eva, 2026"))
    container.languages = Languages(tmp_path)
    metrics.count_untranslated(container.languages)

    def counted() -> float:
        found = re.search(
            r'^scottenbury_untranslated_total\{language="de"\} (.+)$',
            client.get("/metrics").text,
            re.MULTILINE,
        )
        return float(found[1]) if found else 0.0

    before = counted()
    client.get("/v1/me")
    assert counted() == before
    client.get("/v1/me", headers={"Accept-Language": "de"})
    assert counted() == before + 2  # the title and the detail


def test_what_workers_said_in_english_is_counted_in_the_store(
    client: FlaskClient, container: Container
) -> None:
    container.untranslated.note("de")
    container.untranslated.save()
    container.untranslated.note("de")
    container.untranslated.save()
    container.untranslated.save()
    told = client.get("/metrics").text
    assert '\nscottenbury_untranslated_by_workers_total{language="de"} 2.0\n' in told


def test_counters_are_added_up_once_a_second_however_often_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, container: Container
) -> None:
    added_up = []
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 60.0)
    monkeypatch.setattr(metrics, "_cached", (float("-inf"), b""))
    monkeypatch.setattr(metrics, "generate_latest", lambda _: added_up.append(1) or b"counted 1\n")
    assert {metrics.text(container) for _ in range(5)} == {b"counted 1\n" * 2}
    assert len(added_up) == 2  # for the processes, and for the store


class TestNotices:
    """What workers have done and have to do, which the store counts."""

    def test_delays_are_told_by_channel_and_kind_and_name_nobody(
        self, client: FlaskClient, container: Container
    ) -> None:
        done = [
            (NoticeParts(GAME, 3, "p" * 16, channel, "turn"), seconds)
            for channel, seconds in (("mail", 0.4), ("mail", 70), ("hook-abc", 2), ("mail", 1e6))
        ]
        container.delays.add(done)
        told = client.get("/metrics").text
        name = 'scottenbury_notice_delay_seconds_bucket{channel="mail",kind="turn",le='
        for bound, number in (("1", 1), ("60", 1), ("300", 2), ("86400", 2), ("+Inf", 3)):
            assert f'{name}"{bound}"}} {number}.0' in told
        of_mail = '{channel="mail",kind="turn"}'
        assert f"scottenbury_notice_delay_seconds_count{of_mail} 3.0" in told
        assert f"scottenbury_notice_delay_seconds_sum{of_mail} 1.0000704e+06" in told
        assert 'channel="hook"' in told
        assert "abc" not in told
        assert "pppp" not in told

    def test_what_waits_is_counted(
        self, client: FlaskClient, container: Container, clock: Clock
    ) -> None:
        for number, due in enumerate((clock.time + 60, clock.time - 1, clock.time - 500)):
            notice = notice_id(GAME, number + 1, "p" * 16, "mail", "turn")
            container.log.outbox.add(Notice(notice, due))
        container.dead_letters.add("a", "b")
        container.dead_letters.record_failure("c")
        container.addresses.failing.mark("a@example.org", "550 no")
        expected = {
            "notices_due": 2,
            "notices_late": 1,
            "dead_letters": 1,
            "notices_failing": 1,
            "failing_addresses": 1,
        }
        for _ in range(2):
            told = client.get("/metrics").text
            for name, number in expected.items():
                assert f"\nscottenbury_{name} {number}.0\n" in told
            assert len(container.log.outbox.claim(9, 60)) in (2, 0)  # being worked on, still due

    def test_the_oldest_late_notice_of_each_kind_tells_its_age(
        self, client: FlaskClient, container: Container, clock: Clock
    ) -> None:
        for number, (age, kind) in enumerate(((300, "turn"), (900, "turn"), (200, "over"))):
            notice = notice_id(GAME, number + 1, "p" * 16, "mail", kind)
            container.log.outbox.add(Notice(notice, clock.time - age))
        told = client.get("/metrics").text
        oldest = 'scottenbury_oldest_notice_seconds{channel="mail",kind='
        assert f'{oldest}"turn"}} 900.0' in told
        assert f'{oldest}"over"}} 200.0' in told

    def test_an_alarm_sees_workers_deadlines_outages_mails_and_the_size_of_the_store(
        self, client: FlaskClient, container: Container, ada: Person, bob: Person, clock: Clock
    ) -> None:
        container.heartbeat.record("worker-1")
        MailInStore(container.redis).count("played")
        Started(ada, bob, clock={"days_per_move": 1})
        clock.time += DAY + LATE + 1
        told = client.get("/metrics").text
        assert "\nscottenbury_deadlines_overdue 1.0\n" in told
        assert "\nscottenbury_workers 0.0\n" in told  # silent for a day
        assert '\nscottenbury_mails_in_total{outcome="played"} 1.0\n' in told
        keys = re.search(r'^scottenbury_redis_keys{node="0"} (.+)$', told, re.MULTILINE)
        assert keys is not None
        assert float(keys[1]) == container.redis.dbsize()

    def test_without_the_store_the_rest_is_told(
        self, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(store: Container) -> None:
            raise STORE_FAILURE[0]("away")

        monkeypatch.setattr(metrics, "gauges", fail)
        told = client.get("/metrics")
        assert told.status_code == 200
        assert "scottenbury_requests_total" in told.text
        assert "scottenbury_notices_due" not in told.text


OPERATE = ROOT / "docs" / "operate"


def rules() -> dict[str, str]:
    """The query of each alert."""
    (group,) = yaml.safe_load((OPERATE / "alerts.yml").read_text())["groups"]
    return {rule["alert"]: rule["expr"] for rule in group["rules"]}


def panels() -> dict[str, str]:
    """The queries of each panel."""
    panels = json.loads((OPERATE / "dashboard.json").read_text())["panels"]
    return {
        panel["title"]: "\n".join(target["expr"] for target in panel["targets"]) for panel in panels
    }


def test_every_measure_asked_for_is_there_with_its_labels(
    client: FlaskClient, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 0.0)
    client.get("/v1/me")  # a request and a refusal to count
    turn = parse_notice_id(notice_id("a" * 20, 1, "p" * 16, "bot", "turn"))
    container.delays.add([(turn, 0.2)])
    lines = client.get("/metrics").text
    missing = []
    for name, queries in {**rules(), **panels()}.items():
        for measure, condition in re.findall(r"(scottenbury_\w+)(?:\{([^}]*)\})?", queries):
            family = re.sub(r"_(bucket|total)$", "", measure)
            if not re.search(rf"^# HELP {family}(_total)? ", lines, re.MULTILINE):
                missing.append((name, measure))
            for label in re.findall(r"(\w+)=", condition):
                if not re.search(rf"^{measure}\{{[^}}]*\b{label}=", lines, re.MULTILINE):
                    missing.append((name, label))
    assert len(panels()) > len(rules()) > 5
    assert missing == []


def test_an_append_is_timed_in_few_buckets(container: Container, game: Started) -> None:
    def timed() -> float:
        (family,) = metrics.APPENDS.collect()
        return sum(one.value for one in family.samples if one.name.endswith("_count"))

    before = timed()
    game.players["north"].post(f"{game.path}/resignation")
    assert timed() == before + 1
    (family,) = metrics.APPENDS.collect()
    assert sum(one.name.endswith("_bucket") for one in family.samples) == 10


def measures(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 0.0)
    lines = [line for line in client.get("/metrics").text.splitlines() if line[0] != "#"]
    return {name: float(number) for name, _, number in (line.rpartition(" ") for line in lines)}


def test_notices_are_counted_by_their_outcome(
    client: FlaskClient, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn, over = (
        parse_notice_id(notice_id("a" * 20, 1, "p" * 16, "mail", kind)) for kind in ("turn", "over")
    )
    container.delays.add([(turn, 3.0), (over, 400.0)], given_up=[turn])
    found = measures(client, monkeypatch)
    done = 'scottenbury_notices_done_total{channel="mail",outcome="%s"}'
    assert found[done % "sent"] == 2
    assert found[done % "dead-letter"] == 1
    late = 'scottenbury_notice_delay_seconds_count{channel="mail",kind="turn"}'
    assert found[late] == 1


def test_outages_are_owed_until_they_are_given_back(
    client: FlaskClient, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container.outages, "unapplied", lambda: [Outage(100, 190)])
    assert measures(client, monkeypatch)["scottenbury_outage_seconds_owed"] == 90

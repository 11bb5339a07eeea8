"""The alert rules and the dashboard for hosts ask for measures that `/metrics` has."""

import json
import re

import pytest
import yaml
from flask.testing import FlaskClient

from service.api.endpoints import metrics
from service.container import Container
from service.core.outage_ledger import Outage
from service.eventlog import notice_id, parse_notice_id
from tests.support.people import Started
from tests.support.processes import ROOT

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

"""The alert rules and the dashboard for hosts ask for measures that `/metrics` has."""

import json
import re

import pytest
import yaml
from flask.testing import FlaskClient

from service.api.endpoints import metrics
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
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 0.0)
    client.get("/v1/me")  # a request and a refusal to count
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

"""/healthz, /readyz and /metrics."""

import pytest
from flask.testing import FlaskClient

from service.api.endpoints import metrics
from tests.support.people import Person


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


def test_unknown_addresses_share_one_counter(client: FlaskClient) -> None:
    client.get("/a-wild-guess")
    told = client.get("/metrics").text
    assert 'endpoint="unknown"' in told
    assert "a-wild-guess" not in told


def test_counters_are_added_up_once_a_second_however_often_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    added_up = []
    monkeypatch.setattr(metrics, "CACHE_SECONDS", 60.0)
    monkeypatch.setattr(metrics, "_cached", (float("-inf"), b""))
    monkeypatch.setattr(metrics, "generate_latest", lambda _: added_up.append(1) or b"counted 1\n")
    assert {metrics.text() for _ in range(5)} == {b"counted 1\n"}
    assert len(added_up) == 1

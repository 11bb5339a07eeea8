"""/healthz, /readyz and /metrics."""

from tests.service.api.conftest import Person


def test_the_process_is_up_and_can_serve(client):
    assert client.get("/healthz").text == "ok\n"
    assert client.get("/readyz").text == "ok\n"


def test_requests_and_problems_are_counted(client, ada: Person):
    ada.get("/me")
    client.get("/v1/me")
    metrics = client.get("/metrics")
    assert metrics.mimetype == "text/plain"
    assert 'scottenbury_requests_total{endpoint="account.me",method="GET",status="200"}' in (
        metrics.text
    )
    assert 'scottenbury_problems_total{code="unauthenticated"}' in metrics.text


def test_unknown_addresses_share_one_counter(client):
    client.get("/a-wild-guess")
    metrics = client.get("/metrics").text
    assert 'endpoint="unknown"' in metrics
    assert "a-wild-guess" not in metrics

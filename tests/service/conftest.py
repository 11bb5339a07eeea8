"""A server under test, and players who talk to it: for all tests of the service."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask, Response, request, request_finished
from flask.testing import FlaskClient

from service.api.headers import HEADERS
from tests.service.api.declared import declared, declared_headers
from tests.support.application import app, client, container
from tests.support.people import Person, Started

__all__ = ["app", "client", "container"]  # fixtures


@pytest.fixture(autouse=True)
def _only_what_is_declared() -> Iterator[None]:
    """Whatever a test asks for: an operation declares each problem that it answers with, and each
    header that its clients are told of."""
    undeclared: set[str] = set()

    def note(sender: Flask, response: Response, **extra: Any) -> None:
        rule = request.url_rule
        if rule is None or not rule.rule.startswith("/v1/") or request.method == "OPTIONS":
            return
        carried = {name for name in HEADERS if name in response.headers}
        told = declared_headers(request.method, rule.rule, response.status_code)
        if not carried <= told:
            undeclared.add(f"{request.method} {rule.rule}: {sorted(carried - told)}")
        if response.status_code < 400:
            return
        answered = response.get_json()["code"]
        if answered not in declared(request.method, rule.rule, response.status_code):
            undeclared.add(f"{request.method} {rule.rule}: {response.status_code} {answered}")

    with request_finished.connected_to(note):
        yield
    assert not undeclared


@pytest.fixture
def ada(client: FlaskClient) -> Person:
    return Person(client, "Ada")


@pytest.fixture
def bob(client: FlaskClient) -> Person:
    return Person(client, "Bob")


@pytest.fixture
def eve(client: FlaskClient) -> Person:
    """Neither of the players."""
    return Person(client, "Eve")


@pytest.fixture
def game(ada: Person, bob: Person) -> Started:
    return Started(ada, bob)

"""A server under test, over an empty real Redis: fixtures that conftests take up.

All applications of a process share their routes and templates, which take longest to build.
"""

from collections.abc import Callable
from copy import copy
from functools import cache
from time import monotonic
from typing import NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.accounts import tokens
from service.api.application import Application
from service.container import EXTENSION, Container
from service.core.redis.client import Client
from service.server import app as server_app
from tests.support.clock import Clock
from tests.support.settings import settings


@pytest.fixture
def app(redis: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Flask:
    _pass_the_wait_of_a_revocation(monkeypatch)
    return server_app.create_app(settings(), redis, clock)


@pytest.fixture
def container(app: Flask) -> Container:
    found: Container = app.extensions[EXTENSION]
    return found


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Somebody without a token, or who is not signed in."""
    return app.test_client()


class Server(NamedTuple):
    """The parts of the server under test, for tests that need several."""

    app: Flask
    container: Container
    clock: Clock


@pytest.fixture
def server(app: Flask, container: Container, clock: Clock) -> Server:
    return Server(app, container, clock)


def _pass_the_wait_of_a_revocation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the time of the tokens' caches pass at once when a revocation waits for their end."""
    passed = [0.0]
    monkeypatch.setattr(tokens, "sleep", passed.append)
    monkeypatch.setattr(tokens, "monotonic", lambda: monotonic() + sum(passed))


def _shared(with_routes: Callable[[], Application]) -> Callable[[], Application]:
    made = cache(with_routes)

    def shared() -> Application:
        app = copy(made())
        app.extensions = {}
        app.checks, app.finishers, app.header_sources = [], [], []
        return app

    return shared


server_app.with_routes = _shared(server_app.with_routes)

"""The pages of a server, and a game to look at."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import EXTENSION, Container
from service.core.redis.client import Client
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.settings import settings
from tests.web.people import Browser, browser_of
from tests.web.shown import Shown, begin


@pytest.fixture
def clock() -> Clock:
    """Noon of a Saturday, 21 November 2026."""
    return Clock()


@pytest.fixture
def app(redis: Client, clock: Clock) -> Flask:
    return create_app(settings(), redis, clock)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def container(app: Flask) -> Container:
    found: Container = app.extensions[EXTENSION]
    return found


@pytest.fixture
def ann(app: Flask, container: Container) -> Browser:
    return browser_of(app, container, "Ann", "ann@example.org")


@pytest.fixture
def bob(app: Flask, container: Container) -> Browser:
    return browser_of(app, container, "Bob")


@pytest.fixture
def game(container: Container) -> Shown:
    return begin(container)

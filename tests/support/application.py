"""A server under test, over an empty real Redis: fixtures that conftests take up."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import EXTENSION, Container
from service.core.redis.client import Client
from service.server.app import create_app
from tests.support.clock import Clock
from tests.support.settings import settings


@pytest.fixture
def app(redis: Client, clock: Clock) -> Flask:
    return create_app(settings(), redis, clock)


@pytest.fixture
def container(app: Flask) -> Container:
    found: Container = app.extensions[EXTENSION]
    return found


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Somebody without a token, or who is not signed in."""
    return app.test_client()

"""The pages of a server, and a game to look at."""

import pytest
from flask import Flask

from service.container import Container
from tests.support.application import app, client, container, server
from tests.web.people import Browser, browser_of
from tests.web.shown import Shown, begin

__all__ = ["app", "client", "container", "server"]  # fixtures


@pytest.fixture
def ann(app: Flask, container: Container) -> Browser:
    return browser_of(app, container, "Ann", "ann@example.org")


@pytest.fixture
def bob(app: Flask, container: Container) -> Browser:
    return browser_of(app, container, "Bob")


@pytest.fixture
def game(container: Container) -> Shown:
    return begin(container)

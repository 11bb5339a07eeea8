"""The store that commands work on."""

from pathlib import Path

import pytest

from service.container import Container
from service.core.redis.client import Client
from tests.support.servers import SocketServer
from tests.support.settings import settings


@pytest.fixture
def environment(
    redis_server: SocketServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings of a server, as an operator's shell has them."""
    monkeypatch.setenv("SCOTTENBURY_REDIS_URL", redis_server.url)
    monkeypatch.setenv("SCOTTENBURY_DATA", str(tmp_path))
    monkeypatch.setenv("SCOTTENBURY_BASE_URL", "https://games.example.org")
    monkeypatch.setenv("SCOTTENBURY_SECRET_KEY", settings().secret_key)


@pytest.fixture
def store(environment: None, redis: Client) -> Container:
    """An empty store, which the environment names."""
    return Container(settings(), redis)

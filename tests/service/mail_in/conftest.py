"""The situations in which letters are written, put back for each test."""

from collections.abc import Iterator

import pytest

from tests.mail.position import Positions
from tests.service.mail_in.letter_situations import arrange
from tests.support.servers import SocketServer


@pytest.fixture(scope="module")
def positions(redis_server: SocketServer) -> Iterator[Positions]:
    """One store for all tests of a module."""
    kept = Positions(redis_server.url, arrange)
    yield kept
    kept.close()

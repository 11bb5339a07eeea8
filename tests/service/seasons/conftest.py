"""Clubs of any size, and one of six."""

from collections.abc import Callable

import pytest

from service.container import Container
from tests.service.seasons.club import Club
from tests.support.clock import Clock


@pytest.fixture
def club_of(container: Container, clock: Clock) -> Callable[[int], Club]:
    return lambda count: Club(container, clock, count)


@pytest.fixture
def club(club_of: Callable[[int], Club]) -> Club:
    return club_of(6)

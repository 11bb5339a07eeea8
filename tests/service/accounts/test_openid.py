"""Requests to an OpenID provider, which are few at once and end."""

from collections.abc import Iterator

import pytest
import requests

from service.accounts.openid import LONGEST_ANSWER, PATIENCE, BoundedAdapter, Turns
from tests.support.clock import Clock
from tests.support.open_id_provider import OpenIdProvider


@pytest.fixture
def provider(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenIdProvider]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with OpenIdProvider(clock) as provider:
        yield provider


class TestTurns:
    def test_one_after_the_other_are_all_served(self, clock: Clock) -> None:
        turns = Turns(1, clock)
        for _ in range(3):
            with turns.taken():
                pass

    def test_nobody_waits_for_one_that_takes_long(self, clock: Clock) -> None:
        turns = Turns(1, clock)
        with turns.taken():
            clock.time += PATIENCE
            with pytest.raises(requests.Timeout), turns.taken():
                pass

    def test_as_many_as_allowed_ask_at_once(self, clock: Clock) -> None:
        turns = Turns(2, clock)
        with turns.taken(), turns.taken():
            clock.time += PATIENCE
            with pytest.raises(requests.Timeout), turns.taken():
                pass

    def test_one_that_fails_makes_room(self, clock: Clock) -> None:
        turns = Turns(1, clock)
        with pytest.raises(requests.HTTPError), turns.taken():
            raise requests.HTTPError
        with turns.taken():
            pass


class TestAnswers:
    def test_that_take_too_long_are_read_no_further(self, provider: OpenIdProvider) -> None:
        late = iter([0.0, LONGEST_ANSWER + 1])
        session = requests.Session()
        session.mount("http://", BoundedAdapter(lambda: next(late)))
        with pytest.raises(requests.Timeout):
            session.get(f"{provider.issuer}/keys")

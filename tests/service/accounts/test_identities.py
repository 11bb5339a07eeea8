"""The identities that open an account, and requests to an OpenID provider, which are few at once
and end.
"""

from collections.abc import Iterator
from threading import Barrier, Thread

import pytest
import requests

from service.accounts.identities import Identities, Identity
from service.accounts.openid import LONGEST_ANSWER, PATIENCE, BoundedAdapter, Turns
from service.container import Container
from service.core.redis.client import Client
from tests.support.clock import Clock
from tests.support.open_id_provider import OpenIdProvider
from tests.support.settings import settings

ANN = "a" * 16
ISSUER = "https://sso.example.org"


@pytest.fixture
def identities(redis: Client) -> Identities:
    return Container(settings(), redis).identities


def test_of_two_removed_at_once_the_last_one_stays(identities: Identities) -> None:
    for subject in ("one", "two"):
        assert identities.link(ANN, Identity(ISSUER, subject), subject)
    begin, removed = Barrier(2), []

    def remove(link: str) -> None:
        begin.wait()
        removed.append(identities.unlink(ANN, link, may_be_last=False))

    threads = [Thread(target=remove, args=[linked.id]) for linked in identities.all_of(ANN)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(removed) == [False, True]
    assert len(identities.all_of(ANN)) == 1


def test_the_last_one_may_go_where_mail_leads_to_the_account_or_is_gone(
    identities: Identities,
) -> None:
    assert identities.link(ANN, Identity(ISSUER, "one"), "one")
    assert identities.unlink(ANN, "0" * 16, may_be_last=False)

    (linked,) = identities.all_of(ANN)
    assert identities.unlink(ANN, linked.id, may_be_last=True)
    assert identities.player_of(Identity(ISSUER, "one")) is None


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

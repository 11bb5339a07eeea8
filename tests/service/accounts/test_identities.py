"""The identities that open an account."""

from threading import Barrier, Thread

import pytest

from service.accounts.identities import Identities, Identity
from service.core.redis.client import Client

ANN = "a" * 16
ISSUER = "https://sso.example.org"


@pytest.fixture
def identities(redis: Client) -> Identities:
    return Identities(redis)


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


def test_the_last_one_may_go_where_mail_leads_to_the_account(identities: Identities) -> None:
    assert identities.link(ANN, Identity(ISSUER, "one"), "one")
    (linked,) = identities.all_of(ANN)
    assert identities.unlink(ANN, linked.id, may_be_last=True)
    assert identities.player_of(Identity(ISSUER, "one")) is None


def test_one_that_is_gone_already_is_no_last_one(identities: Identities) -> None:
    assert identities.link(ANN, Identity(ISSUER, "one"), "one")
    assert identities.unlink(ANN, "0" * 16, may_be_last=False)

"""A backup holds players' channels, what they were told, their private links, the addresses
that they answer from, and the sign-ins that open their accounts."""

import json
from typing import Any

import pytest

from service.accounts.email_addresses import AddressVerification
from service.accounts.identities import TRUSTED_HEADER, Identity
from service.container import Container
from service.eventlog import NoticeParts
from service.ops.key_snapshots import KeySnapshot, problem_of
from service.ops.restore import restore
from tests.support.backups import backup
from tests.support.channels import working_channel

GAME = "onrw65dumvxhs5dporxw"
KEY = "st:{mfzwizltorzwi4tf}:channels"


def test_they_are_the_same_elsewhere(store: Container, elsewhere: Container) -> None:
    ada = store.registrations.register("Ada").player.id
    target, off = {"url": "https://hooks.example.org/a"}, (GAME,)
    hook = working_channel(store, ada, "webhook", target, fallback=True, games_off=off)
    ntfy = working_channel(store, ada, "ntfy", {"url": "https://ntfy.sh", "topic": "stones"})
    store.channels.record_failure(ada, ntfy.id, "it answered 500", 60)
    store.channels.record_reached(ada, hook.id)
    store.channels.turn_off(ada, hook.id, "it answered 410")
    notice = NoticeParts(GAME, 7, ada, "mail", "turn")
    store.ledger.record(notice, "mail", "reached")
    store.ledger.record(notice, f"webhook-{hook.id}", "failed")
    gus = Identity(TRUSTED_HEADER, "gus")
    assert store.identities.link(ada, gus, "gus")
    links = store.private_links.renew(ada)
    store.answer_addresses.add(ada, "ada@example.com")
    assert store.answer_addresses.verify(AddressVerification(ada, "ada@example.com", 0))

    restore(elsewhere, backup(store))

    assert elsewhere.channels.all(ada) == store.channels.all(ada)
    assert elsewhere.channels.secret(ada, hook) == store.channels.secret(ada, hook)
    assert elsewhere.ledger.of_notice(notice) == store.ledger.of_notice(notice)
    assert elsewhere.private_links.of(ada) == links
    assert elsewhere.answer_addresses.is_confirmed(ada, "ada@example.com")
    assert elsewhere.identities.all_of(ada) == store.identities.all_of(ada)
    assert elsewhere.identities.player_of(gus) == ada


def details(**changes: Any) -> str:
    whole = {
        "type": "webhook",
        "name": "hook",
        "target": {"url": "https://hooks.example.org/"},
        "groups": ["turn"],
        "fallback": False,
        "games_off": [],
        "created": "2026-11-21T12:00:00Z",
        "serial": 0,
    }
    return json.dumps({**whole, **changes})


def problem(value: dict[str, str]) -> str | None:
    return problem_of(KeySnapshot(key=KEY, type="hash", value=value, expires=None))


def test_a_sound_channel_is_restored() -> None:
    off = '[1795262400.0, "it answered 410"]'
    assert problem({"ab2cd3ef": details(), "ab2cd3ef:off": off}) is None


@pytest.mark.parametrize(
    "value",
    [
        {"ab2cd3ef": "{"},
        {"../../x": details()},
        {"ab2cd3ef": details(type="carrier-pigeon")},
        {"ab2cd3ef": details(target={"url": "file:///etc/passwd"})},
        {"ab2cd3ef": details(target={"url": "https://a", "more": "x"})},
        {"ab2cd3ef": details(type="discord", target={"url": "https://evil.example/api"})},
        {"ab2cd3ef": details(groups=["all"])},
        {"ab2cd3ef": details(name="a\nb")},
        {"ab2cd3ef": details(serial="x")},
        {"ab2cd3ef:mystery": "1"},
        {"ab2cd3ef:off": '["yesterday", "x"]'},
        {"ab2cd3ef:pause": "soon"},
    ],
)
def test_what_is_no_channel_is_refused(value: dict[str, str]) -> None:
    assert problem(value) is not None

"""Secrets and signed links that open something for whoever holds them."""

from service.core.held_secrets import HeldSecrets, SignedLinks
from service.core.redis.client import Client


def test_a_secret_opens_once_what_it_stands_for_and_is_not_stored(redis: Client) -> None:
    secrets = HeldSecrets(redis, "st:thing:", 60)
    secret = secrets.make("a thing")
    (key,) = redis.keys()
    assert (secret in key, 0 < redis.ttl(key) <= 60) == (False, True)
    assert [secrets.meaning(secret), secrets.use(secret)] == ["a thing", "a thing"]
    assert [secrets.meaning(secret), secrets.use(secret)] == [None, None]


def test_a_secret_that_is_ended_opens_nothing(redis: Client) -> None:
    secrets = HeldSecrets(redis, "st:thing:", 60)
    secret, other = secrets.make("a thing"), secrets.make("another")
    secrets.end(secret)
    assert [secrets.meaning(secret), secrets.meaning(other)] == [None, "another"]


def test_a_signed_link_is_read_for_its_purpose_and_key_alone() -> None:
    links = SignedLinks("key", "verify", "https://example.org/verify")
    url = links.url("ann", 7)
    page, _, token = url.rpartition("/")
    assert (page, links.read(token)) == ("https://example.org/verify", ["ann", 7])
    for other in (SignedLinks("key", "other", page), SignedLinks("else", "verify", page)):
        assert other.read(token) is None
    assert links.read(f"{token}x") is None

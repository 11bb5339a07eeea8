"""Secrets and signed links that open something for whoever holds them."""

from service.core.held_secrets import HeldSecrets, SignedLinks
from service.core.redis.client import Client
from tests.support.commands import is_command


def test_a_secret_opens_once_what_it_stands_for_and_not_after_its_end(redis: Client) -> None:
    secrets = HeldSecrets(redis, "st:thing:", 60)
    secret = secrets.make("a thing")
    (key,) = redis.keys()
    assert (secret in key, 0 < redis.ttl(key) <= 60) == (False, True)
    assert [secrets.meaning(secret), secrets.use(secret)] == ["a thing", "a thing"]
    assert [secrets.meaning(secret), secrets.use(secret)] == [None, None]

    secret, other = secrets.make("a thing"), secrets.make("another")
    secrets.end(secret)
    assert [secrets.meaning(secret), secrets.meaning(other)] == [None, "another"]


def test_a_signed_link_is_read_for_its_purpose_and_key_alone() -> None:
    links = SignedLinks("key", "verify", "https://example.org/verify")
    page, _, token = links.url("ann", 7).rpartition("/")
    assert (page, links.read(token)) == ("https://example.org/verify", ["ann", 7])
    for other in (SignedLinks("key", "other", page), SignedLinks("else", "verify", page)):
        assert other.read(token) is None
    assert links.read(f"{token}x") is None


def test_no_end_of_a_signed_link_is_a_command() -> None:
    """Mail programs break long links anywhere, and answers quote them."""
    links = SignedLinks("key", "purpose", "https://example.org/page")
    for number in range(400):
        url = links.url(number)
        assert not any(is_command(url[-length:]) for length in range(1, 9)), url
        assert links.read(url.rpartition("/")[2].rstrip("~")) == [number]  # without the mark

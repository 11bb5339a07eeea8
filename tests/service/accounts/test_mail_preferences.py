"""Turning kinds of mail off by a signed link."""

from fakeredis import FakeRedis

from service.accounts.mail_preferences import MailPreferences, Subscription, guest

TURN = Subscription("ann", "turn")


def preferences(redis: FakeRedis, key: str = "key") -> MailPreferences:
    return MailPreferences(redis, key, "http://test")


def token(url: str) -> str:
    return url.rpartition("/")[2]


def test_every_kind_is_wanted_until_it_is_turned_off(fake_redis: FakeRedis) -> None:
    mine = preferences(fake_redis)
    assert mine.wanted(TURN)

    mine.turn_off(TURN)

    assert not mine.wanted(TURN)
    assert mine.wanted(Subscription("ann", "over"))
    assert mine.wanted(Subscription("bob", "turn"))


def test_a_kind_can_be_turned_on_again(fake_redis: FakeRedis) -> None:
    mine = preferences(fake_redis)
    mine.turn_off(TURN)

    mine.turn_on(TURN)

    assert mine.wanted(TURN)


def test_a_link_stands_for_its_subscription(fake_redis: FakeRedis) -> None:
    mine = preferences(fake_redis)

    url = mine.url(TURN)

    assert url.startswith("http://test/unsubscribe/")
    assert mine.read(token(url)) == TURN


def test_a_link_that_another_server_signed_stands_for_nothing(fake_redis: FakeRedis) -> None:
    forged = preferences(fake_redis, "another key").url(TURN)

    assert preferences(fake_redis).read(token(forged)) is None


def test_a_guest_is_known_by_address_however_it_is_written() -> None:
    assert guest("Ann@Example.org") == guest("ann@example.org") != guest("bob@example.org")

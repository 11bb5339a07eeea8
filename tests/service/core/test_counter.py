"""The counter of limits."""

from service.core.redis.client import Client, counted


def test_it_adds_up_until_the_time_since_the_first_count_is_over(redis: Client) -> None:
    assert [counted(redis, "st:thing", 60), counted(redis, "st:thing", 60, 5)] == [1, 6]
    redis.expire("st:thing", 10)
    counted(redis, "st:thing", 60)
    assert 0 < redis.ttl("st:thing") <= 10
    redis.delete("st:thing")
    assert counted(redis, "st:thing", 60) == 1

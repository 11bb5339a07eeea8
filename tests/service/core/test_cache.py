"""Caches in the process."""

from collections.abc import Callable
from threading import Event, Thread

import pytest
from cachetools import TTLCache

from service.core.cache import ThreadSafeCache, recently_used


def test_a_value_is_cached_under_its_key() -> None:
    cache: ThreadSafeCache[str, int] = recently_used(2)
    cache.put("one", 1)
    assert cache.get("one") == 1
    assert cache.get("two") is None


def test_the_least_recently_used_value_is_dropped_and_a_new_one_replaces_the_old() -> None:
    cache: ThreadSafeCache[str, int] = recently_used(2)
    cache.put("one", 1)
    cache.put("two", 2)
    cache.get("one")
    cache.put("three", 3)
    assert [cache.get(key) for key in ("one", "two", "three")] == [1, None, 3]

    cache.put("one", 11)
    assert cache.get("one") == 11


def test_a_value_too_large_for_the_cache_is_not_kept() -> None:
    cache: ThreadSafeCache[str, str] = recently_used(3, len)
    cache.put("one", "1")
    cache.put("one", "1111")
    assert cache.get("one") is None


def test_a_value_expires() -> None:
    now = 0.0
    cache: ThreadSafeCache[str, int] = ThreadSafeCache(TTLCache(2, ttl=60, timer=lambda: now))
    cache.put("one", 1)
    now = 59.0
    assert cache.get("one") == 1
    now = 60.0
    assert cache.get("one") is None


def test_those_who_ask_at_once_share_the_making() -> None:
    cache: ThreadSafeCache[str, object] = recently_used(2)
    made, found, asked = list[object](), list[object](), Event()

    def make() -> object:
        made.append(object())
        Thread(target=ask, args=(cache, make, found, asked)).start()
        asked.wait()
        return made[-1]

    found.append(cache.get_or_make("one", make))
    assert len(made) == 1
    assert cache.get_or_make("one", make) is made[0]


def ask(
    cache: ThreadSafeCache[str, object],
    make: Callable[[], object],
    found: list[object],
    asked: Event,
) -> None:
    asked.set()
    found.append(cache.get_or_make("one", make))


def test_a_making_that_fails_is_begun_again() -> None:
    cache: ThreadSafeCache[str, float] = recently_used(2)
    with pytest.raises(ZeroDivisionError):
        cache.get_or_make("one", lambda: 1 / 0)
    assert cache.get_or_make("one", lambda: 1.0) == 1.0

"""Caches in the process."""

from cachetools import TTLCache

from service.core.cache import ThreadSafeCache, recently_used


def test_a_value_is_cached_under_its_key() -> None:
    cache: ThreadSafeCache[str, int] = recently_used(2)
    cache.put("one", 1)
    assert cache.get("one") == 1
    assert cache.get("two") is None


def test_the_least_recently_used_value_is_dropped() -> None:
    cache: ThreadSafeCache[str, int] = recently_used(2)
    cache.put("one", 1)
    cache.put("two", 2)
    cache.get("one")
    cache.put("three", 3)
    assert [cache.get(key) for key in ("one", "two", "three")] == [1, None, 3]


def test_a_new_value_replaces_the_old_one() -> None:
    cache: ThreadSafeCache[str, int] = recently_used(2)
    cache.put("one", 1)
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

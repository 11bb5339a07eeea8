"""In-process caches of the library `cachetools`, made safe between threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from cachetools import Cache, LRUCache

Key = TypeVar("Key")
Value = TypeVar("Value")


class ThreadSafeCache(Generic[Key, Value]):
    """One of the caches of `cachetools`, behind a lock."""

    def __init__(self, cache: Cache[Key, Value]) -> None:
        self._cache = cache
        self._lock = threading.Lock()
        self._making: dict[Key, threading.Lock] = {}

    def get(self, key: Key) -> Value | None:
        """The value under this key, if it is still cached."""
        # Not `get` of the library, which looks everything up twice.
        with self._lock:
            try:
                return self._cache[key]
            except KeyError:
                return None

    def put(self, key: Key, value: Value) -> None:
        """Cache a value, unless it is too large for the whole cache."""
        with self._lock:
            try:
                self._cache[key] = value
            except ValueError:
                self._cache.pop(key, None)

    def get_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value under this key. If it is not cached, `make` returns it; those who ask for it
        meanwhile wait for the same."""
        if (value := self.get(key)) is not None:
            return value
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                if (value := self.get(key)) is None:
                    value = make()
                    self.put(key, value)
                return value
        finally:
            with self._lock:
                self._making.pop(key, None)

    def drop(self, key: Key) -> None:
        """Remove the value under this key, if there is one."""
        with self._lock:
            self._cache.pop(key, None)


def recently_used(
    size: int, weigh: Callable[[Value], float] | None = None
) -> ThreadSafeCache[Key, Value]:
    """A cache of the most recently used values: up to `size` of them, or of their total weight."""
    return ThreadSafeCache(LRUCache(size, weigh))

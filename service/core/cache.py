"""A small in-process cache of the values used most recently, safe between threads."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Keeps the values used last: `size` of them, or as many as `weigh` no more than that."""

    def __init__(self, size: int, weigh: Callable[[Value], int] = lambda value: 1) -> None:
        self._size = size
        self._weigh = weigh
        self._weight = 0
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        """The value under this key, where it is still remembered."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Key, value: Value) -> None:
        """Remember a value, and forget those unused for longest where it is too much."""
        with self._lock:
            self._forget(key)
            self._values[key] = value
            self._weight += self._weigh(value)
            while self._weight > self._size:
                self._forget(next(iter(self._values)))

    def drop(self, key: Key) -> None:
        """Forget the value under this key, if there is one."""
        with self._lock:
            self._forget(key)

    def _forget(self, key: Key) -> None:
        if (value := self._values.pop(key, None)) is not None:
            self._weight -= self._weigh(value)

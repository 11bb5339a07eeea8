"""Requests to a provider that may be slow, silent, or send without end.

Each occupies one of the web server's few threads. So together they leave one free, and each is
limited in seconds and bytes.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from time import monotonic
from typing import Any, Final

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse
from urllib3.exceptions import HTTPError

PATIENCE: Final = 1.0
"""Seconds for which a thread waits while others ask the provider."""
LONGEST: Final = 8.0
"""Seconds after which an answer is no longer read."""
LARGEST: Final = 256 * 1024
"""The most bytes of an answer."""
_CHUNK: Final = 16 * 1024


class Turns:
    """Limits the threads that ask the provider at once to `most`. `clock` gives seconds."""

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._clock = clock
        self._begun: list[float] = []
        self._ended = threading.Condition()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Take a turn while the context lasts. Raises `requests.Timeout` if all are taken, one of
        them for `PATIENCE` already."""
        begun = self._clock()
        with self._ended:
            while len(self._begun) >= self._most:
                left = min(begun, *self._begun) + PATIENCE - self._clock()
                if left <= 0 or not self._ended.wait(left):
                    raise requests.Timeout("others wait for the provider")
            begun = self._clock()
            self._begun.append(begun)
        try:
            yield
        finally:
            with self._ended:
                self._begun.remove(begun)
                self._ended.notify()


class BoundedAdapter(HTTPAdapter):
    """Reads each answer as a whole, within `LONGEST` seconds and `LARGEST` bytes.

    Raises `ValueError` for a larger one. The timeout of a request concerns the wait for the next
    bytes alone. `clock` gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock

    def send(self, *args: Any, **options: Any) -> requests.Response:
        """The answer, with its body in memory."""
        until = self._clock() + LONGEST
        answer = super().send(*args, **{**options, "stream": True})
        try:
            answer.raw = BytesIO(self._read(answer.raw, until))
        except HTTPError as error:
            raise requests.ConnectionError(error) from error
        return answer

    def _read(self, raw: HTTPResponse, until: float) -> bytes:
        content = b""
        with raw:
            while chunk := raw.read1(_CHUNK, decode_content=True):
                content += chunk
                if len(content) > LARGEST:
                    raise ValueError("an answer of the provider is too large")
                if self._clock() > until:
                    raise requests.Timeout("an answer of the provider does not end")
        return content

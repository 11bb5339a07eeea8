"""Requests to a provider that may be slow, or silent, or send without end.

Each request occupies one of the web server's few threads. So these requests always leave one thread
free, and each is limited in seconds and bytes.
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
"""Seconds for which a thread waits while others wait for the provider."""
LONGEST: Final = 8.0
"""Seconds after which a response is no longer read."""
LARGEST: Final = 256 * 1024
"""The most bytes of a response."""
_CHUNK: Final = 16 * 1024


class Turns:
    """Limits the threads that wait for the provider at once to `most`. `clock` returns seconds."""

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = most
        self._clock = clock
        self._begun: list[float] = []
        self._ended = threading.Condition()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Count this thread as waiting while the context lasts. Waits while `most` threads do.

        Raises `requests.Timeout` if one of them, or this thread, has waited for `PATIENCE`.
        """
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
    """Reads each response as a whole, within `LONGEST` seconds and `LARGEST` bytes.

    Raises `ValueError` for a larger one. The timeout of a request applies only to the wait for the
    next bytes. `clock` returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock

    def send(self, *args: Any, **options: Any) -> requests.Response:
        """Return the response, with its body in memory."""
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

"""The type of an operation's example."""

from collections.abc import Mapping
from typing import Final, NamedTuple

JSON: Final = "application/json"


class Example(NamedTuple):
    """An example of an operation: a request body, and the response body by media type.

    If responses of one type differ by status, the rarer one has a key like `201 application/json`.
    """

    body: object = None
    answers: Mapping[str, object] = {}

    def answer(self, status: str, mimetype: str) -> object:
        """Return the response body for this status and media type; None without one."""
        return self.answers.get(f"{status} {mimetype}", self.answers.get(mimetype))


def reply(answer: object, body: object = None) -> Example:
    """Return the example of an operation that responds with the JSON `answer` to `body`."""
    return Example(body, {JSON: answer})

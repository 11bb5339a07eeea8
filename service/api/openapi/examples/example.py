"""The type of an operation's example."""

from collections.abc import Mapping
from typing import Final, NamedTuple

JSON: Final = "application/json"


class Example(NamedTuple):
    """An example of an operation: a body, and the answer in each media type.

    If answers of one type differ by status, the rarer one has a key like `201 application/json`.
    """

    body: object = None
    answers: Mapping[str, object] = {}

    def answer(self, status: str, mimetype: str) -> object:
        """The answer with this status and media type."""
        return self.answers.get(f"{status} {mimetype}", self.answers.get(mimetype))


def reply(answer: object, body: object = None) -> Example:
    """The example of an operation that answers with JSON."""
    return Example(body, {JSON: answer})

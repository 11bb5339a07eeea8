"""Questions to Redis that may be asked together, in one round trip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from redis.exceptions import ResponseError

from service.core.redis.client import Client

Answer = TypeVar("Answer")
Further = TypeVar("Further")
Command = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Question(Generic[Answer]):
    """A question: the command to send, and what to make of the reply, which may be an error."""

    command: Command
    take: Callable[[Any], Answer]

    def then(self, further: Callable[[Answer], Further]) -> "Question[Further]":
        """The same question, with something made of its answer."""
        return Question(self.command, lambda reply: further(self.take(reply)))


def ask(redis: Client, question: Question[Answer]) -> Answer:
    """Ask one question."""
    send: Callable[..., Any] = redis.execute_command
    try:
        reply = send(*question.command)
    except ResponseError as error:
        reply = error
    return question.take(reply)


def replies(redis: Client, questions: Sequence[Question[Any]]) -> list[Any]:
    """What comes back for these questions, errors of single ones too, each for its `take`."""
    with redis.pipeline(transaction=False) as pipeline:
        for question in questions:
            pipeline.execute_command(*question.command)
        found: list[Any] = pipeline.execute(raise_on_error=False)
    return found

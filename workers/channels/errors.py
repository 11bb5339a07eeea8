"""The reasons why a message did not arrive, in our own words, and whether to try again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

LONGEST_WISH: Final = 6 * 60 * 60
"""The longest wait, in seconds, that a response may ask of us."""
_LATER: Final = (408, 409, 423, 425, 429)


class EgressFailed(Exception):
    """No response came. The text is our own, and contains nothing that the other side chose."""


class EgressBusy(EgressFailed):
    """Nothing was sent: too many requests go to this network address just now."""


@dataclass(frozen=True)
class Answer:
    """The head of an HTTP response. Its body is not read: nobody needs it, and it may have no
    end."""

    status_code: int
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def ok(self) -> bool:
        return 200 <= self.status_code < 300


class DeliveryError(Exception):
    """A message was not delivered.

    `why` is shown to the player. `is_permanent`: trying this message again is useless; `is_gone`:
    the channel's target no longer exists. `wait` is the pause, in seconds, that the other side asks
    for; `answer` is the status of its HTTP response, None if none came.
    """

    def __init__(
        self,
        why: str,
        *,
        answer: int | None = None,
        is_permanent: bool = False,
        is_gone: bool = False,
        wait: float = 0.0,
    ) -> None:
        super().__init__(why)
        self.why = why
        self.answer = answer
        self.is_permanent = is_permanent or is_gone
        self.is_gone = is_gone
        self.wait = wait


def check(answer: Answer, *, gone: tuple[int, ...] = (410,), strict: bool = False) -> None:
    """Raise `DeliveryError` unless this response accepts the message.

    `gone` lists the statuses that mean the target no longer exists. With `strict`, any other
    refusal is permanent too.
    """
    if answer.ok:
        return
    status, wait = answer.status_code, answer.headers.get("Retry-After", "")
    raise DeliveryError(
        f"it answered {status}"
        + (", a redirect, and none is followed" if 300 <= status < 400 else ""),
        answer=status,
        is_permanent=strict and 400 <= status < 500 and status not in _LATER,
        is_gone=status in gone,
        wait=min(int(wait), LONGEST_WISH) if wait.isascii() and wait.isdigit() else 0.0,
    )

"""What takes minutes is tried whole by `make test-all`, and a fixed share of it by `make test`."""

from collections.abc import Sequence
from typing import Final, TypeVar

from tests.engine.games import THOROUGHNESS

T = TypeVar("T")

IS_WHOLE: Final = THOROUGHNESS > 1
"""Whether this is `make test-all`."""


def share(cases: Sequence[T], every: int = 3) -> Sequence[T]:
    """All of these cases, or one of so many: always the same."""
    return cases if IS_WHOLE else cases[::every]

"""An example of each request and response, for the document."""

from functools import cache

from service.api.openapi.examples import account, games
from service.api.openapi.examples.game import Example


@cache
def by_operation() -> dict[str, Example]:
    """Return the examples by operation id."""
    return {**account.examples(), **games.examples()}

"""An example of each request and response, for the document."""

from functools import cache

from service.api.openapi.examples import (
    account,
    channels,
    clocks,
    games,
    messages,
    opponents,
)
from service.api.openapi.examples.example import Example


@cache
def by_operation() -> dict[str, Example]:
    """Return the examples by operation id."""
    return {
        **account.examples(),
        **games.examples(),
        **opponents.examples(),
        **clocks.examples(),
        **messages.examples(),
        **messages.settings_examples(),
        **channels.examples(),
    }

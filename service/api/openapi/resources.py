"""The groups of operations under `/v1`, in the order of the document."""

from service.api.endpoints import (
    account,
    catalogue,
    challenges,
    channels,
    clocks,
    games,
    history,
    messages,
    play,
    players,
    settings,
    stream,
    tokens,
)

BLUEPRINTS = (
    players.blueprint,
    account.blueprint,
    tokens.blueprint,
    settings.blueprint,
    channels.blueprint,
    catalogue.blueprint,
    challenges.blueprint,
    games.blueprint,
    clocks.blueprint,
    play.blueprint,
    messages.blueprint,
    history.blueprint,
    stream.blueprint,
)

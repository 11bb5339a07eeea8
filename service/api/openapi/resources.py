"""The groups of operations under `/v1`, in the order of the document."""

from service.api.endpoints import (
    account,
    catalogue,
    challenges,
    channels,
    game_endings,
    games,
    history,
    lobby,
    mail,
    messages,
    orders,
    play,
    players,
    seals,
    stream,
    tokens,
)

BLUEPRINTS = (
    players.blueprint,
    account.blueprint,
    tokens.blueprint,
    channels.blueprint,
    catalogue.blueprint,
    lobby.blueprint,
    challenges.blueprint,
    seals.blueprint,
    games.blueprint,
    game_endings.blueprint,
    play.blueprint,
    orders.blueprint,
    messages.blueprint,
    mail.blueprint,
    history.blueprint,
    stream.blueprint,
)

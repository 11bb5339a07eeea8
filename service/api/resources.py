"""The groups of operations under `/v1`, in the order in which the document tells of them."""

from service.api import (
    account,
    catalogue,
    challenges,
    games,
    history,
    leaving,
    lobby,
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
    catalogue.blueprint,
    lobby.blueprint,
    challenges.blueprint,
    seals.blueprint,
    games.blueprint,
    leaving.blueprint,
    play.blueprint,
    orders.blueprint,
    history.blueprint,
    stream.blueprint,
)

"""The groups of operations under `/v1`, in the order in which the document tells of them."""

from service.api import account, games, history, play, players, stream, tokens

BLUEPRINTS = (
    players.blueprint,
    account.blueprint,
    tokens.blueprint,
    games.blueprint,
    play.blueprint,
    history.blueprint,
    stream.blueprint,
)

"""The REST API, its documentation, and the endpoints for monitoring."""

from service.api import parsing, problems
from service.api.application import Application
from service.api.endpoints import (
    account,
    catalogue,
    challenges,
    channels,
    clocks,
    docs,
    games,
    history,
    mail_in,
    messages,
    metrics,
    play,
    players,
    seasons,
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
    seasons.blueprint,
)
"""The groups of operations under `/v1`, in the order of the document."""


def register(app: Application) -> None:
    """Serve the API under `/v1`, its documentation, health checks and metrics."""
    parsing.register_ids(app)
    problems.register(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix=parsing.PREFIX)
    app.register_blueprint(docs.blueprint)
    app.register_blueprint(metrics.blueprint)
    app.register_blueprint(mail_in.blueprint)

"""The groups of operations under `/v1`, in the order in which the document tells of them."""

from service.api import games, history, play, players

BLUEPRINTS = (players.blueprint, games.blueprint, play.blueprint, history.blueprint)

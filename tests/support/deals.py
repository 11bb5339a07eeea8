"""Deals of the day, played in a test."""

from service.container import Container
from service.games import StoredGame


def play_out(container: Container, game_id: str) -> StoredGame:
    """Let both players take the first legal action until the game is over."""
    stored = container.games.load(game_id)
    while (mover := stored.player_to_move()) is not None:
        legal = container.games.view(stored, mover).legal
        stored = container.games.play(game_id, mover, [legal[0]])
    return stored


def draw(container: Container, secret: str) -> None:
    """Let today have this secret."""
    day, now = container.games.daily.today(), int(container.now())
    container.redis.hset("st:{daily}:secrets", day.date, f"{secret} {now}")

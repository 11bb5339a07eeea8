"""A game that pages show."""

from typing import NamedTuple

from service.container import Container
from service.games import NewGame

SECRET = "5e" * 32


class Shown(NamedTuple):
    """A game and its two players."""

    id: str
    ann: str
    bob: str


def begin(container: Container, ann: str = "Ann", **options: object) -> Shown:
    """A game of Ann (north, who plays first) against Bob."""
    players = [container.players.register(name).player.id for name in (ann, "Bob")]
    wanted = NewGame(first_player="creator", salt="a", opponent=players[1], **options)  # type: ignore[arg-type]
    made = container.games.create(players[0], wanted, secret=SECRET)
    container.games.join(made.id, players[1], salt="b")
    return Shown(made.id, *players)

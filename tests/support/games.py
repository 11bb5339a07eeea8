"""Games with hands that a test chooses, written to the log as facts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

import engine
from engine import chain
from engine.cards import CLAN_CARDS, TACTIC_CARDS
from engine.chain import encode
from engine.events import RoundStarted
from service.container import Container
from service.core.times import timestamp

SECRET = "5e" * 32
MOMENT = "2026-11-21T12:00:00Z"
GAME = "abcdefghijklmnopqrst"

RED_RUN = {
    "north": ("R7", "R8", "R9", "O1", "O2", "O3"),
    "south": ("G1", "G3", "G5", "B2", "B4", "B6"),
}


def arranged(
    container: Container,
    players: Mapping[engine.Seat, str],
    hands: Mapping[str, Sequence[str]] = RED_RUN,
    deck: Sequence[str] = (),
    game_id: str = GAME,
    edition: str = "iello",
    tactic_deck: Sequence[str] = (),
    clock: Mapping[str, object] | None = None,
) -> str:
    """A game that north made and begins, with these hands and this top of the deck; its id.

    It has Tactic cards where the top of their deck is named.
    """
    dealt = [card for pair in zip(hands["north"], hands["south"], strict=True) for card in pair]
    top = [*dealt, *deck]
    order = [*top, *(card for card in CLAN_CARDS if card not in top)]
    tactic = [*tactic_deck, *(card for card in TACTIC_CARDS if card not in tactic_deck)]
    begun = _beginning(players, edition, tactics=bool(tactic_deck), clock=clock)
    events = [_with_decks(event, order, tactic) for event in begun]
    return stored(container, events, game_id)


def stored(container: Container, events: Sequence[engine.Event], game_id: str = GAME) -> str:
    """A game with these events, all of this moment, so that no clock has run out; its id."""
    at = timestamp(container.now())
    origin = {"at": at, "via": "api", "secret": SECRET, "previous": chain.NO_HASH}
    lines = chain.seal(map(encode, events), after=0, **origin)
    container.log.events.append(game_id, 0, [chain.canonical(line) for line in lines])
    return game_id


def played(
    container: Container, game_id: str, players: Mapping[engine.Seat, str], *turns: str
) -> None:
    """Take these turns, in action text, each by the player whose turn it is."""
    for turn in turns:
        mover = container.games.load(game_id).game.turn
        assert mover is not None, "the game is over"
        container.games.play(game_id, players[mover], turn.split())


def play_on(container: Container, game: str, turns: int | None = None) -> None:
    """Play so many times, or to the end: a claim that stands, else a card, the next of them all, so
    that they spread."""
    for _ in count() if turns is None else range(turns):
        stored = container.games.load(game)
        if stored.game.turn is None:
            return
        player = stored.game.players[stored.game.turn]
        assert player is not None
        legal = container.games.view(stored, player).legal
        claims = [text for text in legal if text.startswith("!")]
        chosen = claims[0] if claims else legal[stored.version * 7 % len(legal)]
        container.games.play(game, player, [chosen])


def _beginning(
    players: Mapping[engine.Seat, str],
    edition: str,
    tactics: bool,
    clock: Mapping[str, object] | None,
) -> list[engine.Event]:
    create = engine.CreateGame(
        player=players["north"],
        seat="north",
        edition=edition,
        tactics=tactics,
        expert=False,
        rounds=1,
        first_player="creator",
        secret=SECRET,
        salt="north's",
        terms={
            "clock": clock,
            "invited": None,
            "invited_by_mail": False,
            "listed": False,
            "private": False,
        },
    )
    game, created = engine.advance(None, create)
    return created + engine.decide(game, engine.JoinGame(players["south"], "south's"))


def _with_decks(event: engine.Event, clan: list[str], tactic: list[str]) -> engine.Event:
    if not isinstance(event, RoundStarted):
        return event
    return replace(event, clan=tuple(clan), tactic=tuple(tactic) if event.tactic else ())

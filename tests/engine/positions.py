"""Tables for tests: positions written the way players see them, and short ways to act."""

from engine import OTHER, Game, Seat, TakeTurn, advance, legal
from engine.cards import ALL_CLAN, CLAN_CARDS, bits
from engine.errors import RuleBroken
from engine.game import STONES, Stone, both
from engine.notation import requests_of
from engine.options import RULES_VERSION, options_for


def stone(
    text: str = "", owner: Seat | None = None, first: Seat = "north", version: int = 1
) -> Stone:
    """A Stone from `north's cards | south's cards | modes`; `first` laid all its cards first."""
    parts = [part.split() for part in f"{text}||".split("|")]
    sides: dict[Seat, list[str]] = {"north": parts[0], "south": parts[1]}
    table = Stone({"north": (), "south": ()})
    for mode in parts[2]:
        table = table.with_mode(mode)
    for seat in (first, OTHER[first]):
        for card in sides[seat]:
            version += 1
            table = table.with_card(seat, card, version)
    return table.claimed_by(owner) if owner else table


def position(
    stones: dict[int, str | Stone] | None = None,
    *,
    north: str = "",
    south: str = "",
    turn: Seat = "north",
    phase: str = "play",
    edition: str = "iello",
    tactics: bool = False,
    expert: bool = False,
    clan: str | None = None,
    tactic: str = "",
    discard: str = "",
    tactics_played: tuple[int, int] = (0, 0),
    jokers_played: tuple[int, int] = (0, 0),
    rounds: int = 1,
    rules_version: int = RULES_VERSION,
) -> Game:
    """A game in its first round, as the table stands. `clan` None: every card not seen is there."""
    placed = {n: s if isinstance(s, Stone) else stone(s) for n, s in (stones or {}).items()}
    table = tuple(placed.get(number, stone()) for number in STONES)
    face_up = bits(
        [card for here in table for side in here.sides.values() for card in side] + discard.split()
    )
    hands: dict[Seat, tuple[str, ...]] = {
        "north": tuple(north.split()),
        "south": tuple(south.split()),
    }
    hidden = bits(hands["north"] + hands["south"])
    rest = [card for card in CLAN_CARDS if not bits([card]) & (face_up | hidden)]
    deck = tuple(rest) if clan is None else tuple(clan.split())
    return Game(
        creator="north",
        edition=edition,
        tactics=tactics,
        expert=expert,
        rounds=rounds,
        first_player="creator",
        options=options_for(edition, tactics, expert, rules_version),
        rules_version=rules_version,
        commitment="",
        secret="00" * 32,
        terms={},
        players={"north": "ann", "south": "bob"},
        salts=both("salt"),
        visited=both(None),
        version=100,
        status="active",
        round=1,
        first="north",
        turn=turn,
        phase=phase,  # type: ignore[arg-type]
        stones=table,
        hands=hands,
        decks={"clan": deck, "tactic": tuple(tactic.split())},
        discard=tuple(discard.split()),
        unseen=ALL_CLAN & ~face_up,
        tactics_played=dict(zip(("north", "south"), tactics_played, strict=True)),
        jokers_played=dict(zip(("north", "south"), jokers_played, strict=True)),
    )


def play(game: Game, *turns: str) -> Game:
    """The game after these turns, each taken by whoever is to move."""
    for turn in turns:
        mover = game.turn
        assert mover is not None
        for request in requests_of(turn.split()):
            game, _ = advance(game, TakeTurn(mover, request))
    return game


def events_of(game: Game, turn: str) -> list[str]:
    """The types of the events that a turn makes."""
    assert game.turn is not None
    return [event.TYPE for event in advance(game, TakeTurn(game.turn, turn.split()))[1]]


def refusal(game: Game, turn: str) -> RuleBroken:
    """Why the player to move may not take this turn. Fails where the turn is allowed."""
    assert game.turn is not None
    try:
        advance(game, TakeTurn(game.turn, turn.split()))
    except RuleBroken as refused:
        return refused
    raise AssertionError(f"{turn} was allowed")


def options(game: Game, prefix: str) -> set[str]:
    """The legal actions that begin with `prefix`."""
    return {text for text in legal(game) if text.startswith(prefix)}

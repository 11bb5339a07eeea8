"""Positions for tests, written the way players see them, and short ways to act."""

from typing import Any

from engine import OTHER, SEATS, Game, Seat, TakeTurn, advance, legal
from engine.cards import ALL_CLAN, CLAN_CARDS, bits
from engine.errors import RuleBroken
from engine.game import STONES, Phase, Stone, both
from engine.notation import requests_of
from engine.options import RULES_VERSION, options_for

FULL = {
    number: f"R{number} O{number} Y{number} | G{number} B{number} P{number}"
    for number in range(1, 10)
}
"""The cards at every Stone when both sides are complete everywhere, as `stone` reads them."""


def stone(
    text: str = "", owner: Seat | None = None, first: Seat = "north", version: int = 1
) -> Stone:
    """A Stone from `north's cards | south's cards | modes`; `first` laid all its cards first."""
    parts = [part.split() for part in f"{text}||".split("|")]
    sides: dict[Seat, list[str]] = {"north": parts[0], "south": parts[1]}
    built = Stone({"north": (), "south": ()})
    for mode in parts[2]:
        built = built.with_mode(mode)
    for seat in (first, OTHER[first]):
        for card in sides[seat]:
            version += 1
            built = built.with_card(seat, card, version)
    return built.claimed_by(owner) if owner else built


def position(
    stones: dict[int, str | Stone] | None = None,
    *,
    north: str = "",
    south: str = "",
    clan: str | None = None,
    tactic: str = "",
    discard: str = "",
    tactics_played: tuple[int, int] = (0, 0),
    jokers_played: tuple[int, int] = (0, 0),
    turn: Seat = "north",
    phase: Phase = "play",
    **options: Any,
) -> Game:
    """A game in its first round. `clan` None: the Clan deck holds every card not placed elsewhere.

    `options` are those of `begun`.
    """
    game = begun(**options)
    placed = {n: s if isinstance(s, Stone) else stone(s) for n, s in (stones or {}).items()}
    game.stones = tuple(placed.get(number, stone()) for number in STONES)
    game.hands = {"north": tuple(north.split()), "south": tuple(south.split())}
    game.discard = tuple(discard.split())
    shown = [card for here in game.stones for side in here.sides.values() for card in side]
    game.unseen = ALL_CLAN & ~bits([*shown, *game.discard])
    elsewhere = {*shown, *game.discard, *game.hands["north"], *game.hands["south"]}
    rest = tuple(card for card in CLAN_CARDS if card not in elsewhere)
    game.decks = {
        "clan": rest if clan is None else tuple(clan.split()),
        "tactic": tuple(tactic.split()),
    }
    game.tactics_played = dict(zip(SEATS, tactics_played, strict=True))
    game.jokers_played = dict(zip(SEATS, jokers_played, strict=True))
    game.turn, game.phase = turn, phase
    return game


def begun(
    edition: str = "iello",
    tactics: bool = False,
    expert: bool = False,
    rounds: int = 1,
    rules_version: int = RULES_VERSION,
) -> Game:
    """A game between ann and bob whose first round has just begun, without any cards."""
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

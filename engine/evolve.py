"""From events to games. A fact is taken as it is and never judged again."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from engine.cards import (
    ALL_CLAN,
    BIT,
    COMBAT_MODES,
    DECK_OF,
    JOKER,
    OTHER,
    RECRUITER,
    STRATEGIST,
    Seat,
)
from engine.events import Event
from engine.game import EMPTY_STONE, STONES, Cards, Game, Stone, both
from engine.options import RULES_VERSIONS, Options


class UnknownEvent(Exception):
    """A type or version of event, or a version of the rules, that this program does not know."""


def evolve(game: Game | None, event: Event) -> Game:
    """The game after one more event; `game` stays as it is. The first event makes a game.

    Never fails on a log that `decide` made. Raises `UnknownEvent` on one of a later program.
    """
    if game is None:
        return begin(event)
    after = game.copy()
    apply(after, event)
    return after


def replay(events: Iterable[Event]) -> Game:
    """The game that a whole log tells. Raises `UnknownEvent`; `ValueError` for an empty log."""
    game: Game | None = None
    for event in events:
        if game is None:
            game = begin(event)
        else:
            apply(game, event)
    if game is None:
        raise ValueError("A log has at least one event.")
    return game


def begin(event: Event) -> Game:
    """The game that a `game_created` makes. Raises `UnknownEvent` for any other event."""
    if event.type != "game_created" or event.v != 1:
        raise UnknownEvent(f"A log begins with game_created v1, not {event.type} v{event.v}.")
    data = event.data
    if data["rules_version"] not in RULES_VERSIONS:
        raise UnknownEvent(f"Rules of version {data['rules_version']} are not known here.")
    creator: Seat = data["seat"]
    return Game(
        creator=creator,
        edition=data["edition"],
        tactics=data["tactics"],
        expert=data["expert"],
        rounds=data["rounds"],
        first_player=data["first_player"],
        options=Options(**data["options"]),
        rules_version=data["rules_version"],
        commitment=data["commitment"],
        secret=(event.private or {}).get("secret", ""),
        terms=data["terms"],
        players={**both(None), creator: data["player"]},
        salts={creator: data["salt"]},
        visited={creator: data["visited_scotland"]},
    )


def between_rounds(game: Game, ended: Event, version: int) -> Game:
    """The game after `ended`, a `round_ended` that is event number `version`, for the next round.

    `game` has not begun yet. All that a round leaves for those after it stands in its end: so a
    long match can be read from a round's start.
    """
    after = game.copy()
    after.version = version - 1
    apply(after, ended)
    return after


def apply(game: Game, event: Event) -> None:
    """Change `game` by one event. Only for a game that nobody else holds: see `evolve`."""
    change = _CHANGES.get((event.type, event.v))
    if change is None:
        raise UnknownEvent(f"An event {event.type} v{event.v} is not known here.")
    game.version += 1
    change(game, event)


def _player_joined(game: Game, event: Event) -> None:
    seat, data = _seat(event), event.data
    game.players = {**game.players, seat: data["player"]}
    game.salts = {**game.salts, seat: data["salt"]}
    game.visited = {**game.visited, seat: data["visited_scotland"]}


def _round_started(game: Game, event: Event) -> None:
    sealed: Mapping[str, Any] = event.private or {}
    clan, first = tuple(sealed["clan"]), event.data["first"]
    dealt = 2 * game.options.hand_size
    game.status = "active"
    game.round = event.data["round"]
    game.first = game.turn = first
    game.phase = "play"
    game.stones = (EMPTY_STONE,) * len(STONES)
    game.hands = {first: clan[0:dealt:2], OTHER[game.turn]: clan[1:dealt:2]}
    game.decks = {"clan": clan[dealt:], "tactic": tuple(sealed["tactic"])}
    game.discard = ()
    game.unseen = ALL_CLAN
    game.tactics_played = game.jokers_played = both(0)
    game.passed = game.stirred = False
    game.idle_turns = 0


def _card_played(game: Game, event: Event) -> None:
    seat, card, number = _seat(event), event.data["card"], event.data["stone"]
    _take_from_hand(game, seat, (card,))
    if card in COMBAT_MODES:
        _set_stone(game, number, game.stone(number).with_mode(card))
    else:
        _set_stone(game, number, game.stone(number).with_card(seat, card, game.version))
    game.unseen &= ~BIT.get(card, 0)
    if card not in BIT:
        _count_tactic(game, seat)
    if card == JOKER:
        game.jokers_played = {**game.jokers_played, seat: game.jokers_played[seat] + 1}
    game.phase = "finish"


def _ruse_played(game: Game, event: Event) -> None:
    seat, data = _seat(event), event.data
    ruse = data["card"]
    _take_from_hand(game, seat, (ruse,))
    _count_tactic(game, seat)
    game.discard = (*game.discard, ruse)
    game.phase = "return" if ruse == RECRUITER else "finish"
    if ruse != RECRUITER:
        owner = seat if ruse == STRATEGIST else OTHER[seat]
        _take_up(game, owner, seat, data["target"], data.get("to"))


def _take_up(game: Game, owner: Seat, seat: Seat, target: Mapping[str, Any], to: Any) -> None:
    """Move a card from `owner`'s side of a Stone to `seat`'s side of another, or discard it."""
    card, number = target["card"], target["stone"]
    _set_stone(game, number, game.stone(number).without_card(owner, card))
    if isinstance(to, int):
        _set_stone(game, to, game.stone(to).with_card(seat, card, game.version))
    else:
        game.discard = (*game.discard, card)


def _cards_recruited(game: Game, event: Event) -> None:
    seat, cards = _seat(event), tuple((event.private or {})["cards"])
    game.hands = {**game.hands, seat: game.hands[seat] + cards}
    game.decks = {
        "clan": game.decks["clan"][event.data["clan"] :],
        "tactic": game.decks["tactic"][event.data["tactic"] :],
    }
    if not game.returnable(seat):
        game.phase = "finish"


def _cards_returned(game: Game, event: Event) -> None:
    cards = tuple((event.private or {})["cards"])
    _take_from_hand(game, _seat(event), cards)
    decks = dict(game.decks)
    for card in cards:
        decks[DECK_OF[card]] = (*decks[DECK_OF[card]], card)
    game.decks = decks
    game.phase = "finish"


def _passed(game: Game, event: Event) -> None:
    game.passed = True
    game.phase = "finish"


def _stone_claimed(game: Game, event: Event) -> None:
    number = event.data["stone"]
    _set_stone(game, number, game.stone(number).claimed_by(_seat(event)))
    game.stirred = True


def _card_drawn(game: Game, event: Event) -> None:
    seat, deck = _seat(event), event.data["deck"]
    game.hands = {**game.hands, seat: (*game.hands[seat], *(event.private or {})["cards"])}
    game.decks = {**game.decks, deck: game.decks[deck][1:]}
    game.stirred = True


def _turn_ended(game: Game, event: Event) -> None:
    game.idle_turns = game.idle_turns + 1 if game.passed and not game.stirred else 0
    game.passed = game.stirred = False
    game.turn = event.data["next"]
    game.phase = "play"


def _nothing(game: Game, event: Event) -> None:
    """A fact whose effect stands in the `round_ended` after it."""


def _round_ended(game: Game, event: Event) -> None:
    game.scores = event.data["scores"]
    game.last_round = (event.data["winner"], event.data["reason"])
    game.turn = game.phase = None


def _game_ended(game: Game, event: Event) -> None:
    game.status = "finished"
    game.turn = game.phase = None
    game.winner = event.data["winner"]
    game.reason = event.data["reason"]
    game.secret = event.data["secret"]


def _game_aborted(game: Game, event: Event) -> None:
    game.status = "aborted"
    game.secret = event.data["secret"]


_CHANGES: Final[dict[tuple[str, int], Callable[[Game, Event], None]]] = {
    ("player_joined", 1): _player_joined,
    ("round_started", 1): _round_started,
    ("card_played", 1): _card_played,
    ("ruse_played", 1): _ruse_played,
    ("cards_recruited", 1): _cards_recruited,
    ("cards_returned", 1): _cards_returned,
    ("passed", 1): _passed,
    ("stone_claimed", 1): _stone_claimed,
    ("card_drawn", 1): _card_drawn,
    ("turn_ended", 1): _turn_ended,
    ("resigned", 1): _nothing,
    ("timed_out", 1): _nothing,
    ("round_ended", 1): _round_ended,
    ("game_ended", 1): _game_ended,
    ("game_aborted", 1): _game_aborted,
}

KNOWN: Final = {("game_created", 1), *_CHANGES}
"""The types and versions of events that this program knows."""


def _seat(event: Event) -> Seat:
    assert event.by is not None, f"{event.type} is a player's doing"
    return event.by


def _set_stone(game: Game, number: int, stone: Stone) -> None:
    game.stones = (*game.stones[: number - 1], stone, *game.stones[number:])


def _take_from_hand(game: Game, seat: Seat, cards: Cards) -> None:
    hand = list(game.hands[seat])
    for card in cards:
        hand.remove(card)
    game.hands = {**game.hands, seat: tuple(hand)}


def _count_tactic(game: Game, seat: Seat) -> None:
    game.tactics_played = {**game.tactics_played, seat: game.tactics_played[seat] + 1}

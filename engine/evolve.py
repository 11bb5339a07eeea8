"""From events to games. An event is applied as it is, and never judged again."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from engine.cards import ALL_CLAN, BIT, COMBAT_MODES, DECK_OF, JOKER, OTHER, STRATEGIST, Seat
from engine.errors import UnknownEvent
from engine.events import (
    CLOCK_EVENTS,
    CardDrawn,
    CardPlayed,
    CardsRecruited,
    CardsReturned,
    ClockEvent,
    Event,
    GameAborted,
    GameCreated,
    GameEnded,
    Passed,
    PlayerJoined,
    Resigned,
    RoundEnded,
    RoundStarted,
    RusePlayed,
    StoneClaimed,
    TimedOut,
    TurnEnded,
)
from engine.game import EMPTY_STONE, STONES, Cards, Game, Stone, both
from engine.notation import Banish, Move, Recruit


def evolve(game: Game | None, event: Event) -> Game:
    """The game after one more event. `game` is not changed; it is None for the first event.

    Never fails on a log that `decide` made. Raises `UnknownEvent` for an event that cannot occur
    there.
    """
    if game is None:
        return begin(event)
    after = game.copy()
    apply(after, event)
    return after


def replay(events: Iterable[Event]) -> Game:
    """The game after a whole log. Raises `UnknownEvent`, or ValueError for an empty log."""
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
    """The game that `event`, a `GameCreated`, makes. Raises `UnknownEvent` for any other event."""
    if not isinstance(event, GameCreated):
        raise UnknownEvent(f"A log begins with {GameCreated.TYPE}, not {event.TYPE}.")
    creator = event.seat
    return Game(
        creator=creator,
        edition=event.edition,
        tactics=event.tactics,
        expert=event.expert,
        rounds=event.rounds,
        first_player=event.first_player,
        options=event.options,
        rules_version=event.rules_version,
        commitment=event.commitment,
        secret=event.secret or "",
        terms=event.terms,
        players={**both(None), creator: event.player},
        salts={creator: event.salt},
        visited={creator: event.visited_scotland},
    )


def between_rounds(game: Game, ended: Event, version: int) -> Game:
    """The game after `ended`, a `RoundEnded` that is event number `version`, before the next round.

    `game` is the game before its first round. The end of a round holds everything that matters to
    later rounds, so a long match can be read from the start of its last round.
    """
    after = game.copy()
    after.version = version - 1
    apply(after, ended)
    return after


def apply(game: Game, event: Event) -> None:
    """Change `game` in place by one event. Only for a game that no other code holds: see
    `evolve`."""
    change = _CHANGES.get(type(event))
    if change is None:
        raise UnknownEvent(f"{event.TYPE} cannot follow another event.")
    game.version += 1
    change(game, event)


def _player_joined(game: Game, event: PlayerJoined) -> None:
    game.players = {**game.players, event.by: event.player}
    game.salts = {**game.salts, event.by: event.salt}
    game.visited = {**game.visited, event.by: event.visited_scotland}


def _round_started(game: Game, event: RoundStarted) -> None:
    assert event.clan is not None, "a round is folded with its decks"
    assert event.tactic is not None, "a round is folded with its decks"
    clan, first = event.clan, event.first
    dealt = 2 * game.options.hand_size
    game.status = "active"
    game.round = event.round
    game.first = game.turn = first
    game.phase = "play"
    game.stones = (EMPTY_STONE,) * len(STONES)
    game.hands = {first: clan[0:dealt:2], OTHER[first]: clan[1:dealt:2]}
    game.decks = {"clan": clan[dealt:], "tactic": event.tactic}
    game.discard = ()
    game.unseen = ALL_CLAN
    game.tactics_played = game.jokers_played = both(0)
    game.passed = game.claimed_or_drew = False
    game.idle_turns = 0


def _card_played(game: Game, event: CardPlayed) -> None:
    seat, card, number = event.by, event.card, event.stone
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


def _ruse_played(game: Game, event: RusePlayed) -> None:
    seat, action = event.by, event.action
    _take_from_hand(game, seat, (action.ruse,))
    _count_tactic(game, seat)
    game.discard = (*game.discard, action.ruse)
    match action:
        case Recruit():
            game.phase = "return"
            return
        case Banish(card, stone):
            _move_card(game, OTHER[seat], seat, card, stone, None)
        case Move(ruse, card, stone, to):
            _move_card(game, seat if ruse == STRATEGIST else OTHER[seat], seat, card, stone, to)
    game.phase = "finish"


def _move_card(game: Game, owner: Seat, seat: Seat, card: str, number: int, to: int | None) -> None:
    """Move a card from `owner`'s side of a Stone to `seat`'s side of another, or discard it."""
    _set_stone(game, number, game.stone(number).without_card(owner, card))
    if to is not None:
        _set_stone(game, to, game.stone(to).with_card(seat, card, game.version))
    else:
        game.discard = (*game.discard, card)


def _cards_recruited(game: Game, event: CardsRecruited) -> None:
    seat = event.by
    game.hands = {**game.hands, seat: game.hands[seat] + _shown(event.cards)}
    game.decks = {
        "clan": game.decks["clan"][event.clan :],
        "tactic": game.decks["tactic"][event.tactic :],
    }
    if not game.returnable(seat):
        game.phase = "finish"


def _cards_returned(game: Game, event: CardsReturned) -> None:
    cards = _shown(event.cards)
    _take_from_hand(game, event.by, cards)
    decks = dict(game.decks)
    for card in cards:
        decks[DECK_OF[card]] = (*decks[DECK_OF[card]], card)
    game.decks = decks
    game.phase = "finish"


def _passed(game: Game, event: Passed) -> None:
    game.passed = True
    game.phase = "finish"


def _stone_claimed(game: Game, event: StoneClaimed) -> None:
    _set_stone(game, event.stone, game.stone(event.stone).claimed_by(event.by))
    game.claimed_or_drew = True


def _card_drawn(game: Game, event: CardDrawn) -> None:
    seat, deck = event.by, event.deck
    game.hands = {**game.hands, seat: game.hands[seat] + _shown(event.cards)}
    game.decks = {**game.decks, deck: game.decks[deck][1:]}
    game.claimed_or_drew = True


def _turn_ended(game: Game, event: TurnEnded) -> None:
    game.idle_turns = game.idle_turns + 1 if game.passed and not game.claimed_or_drew else 0
    game.passed = game.claimed_or_drew = False
    game.turn = event.next
    game.phase = "play"


def _nothing(game: Game, event: Resigned | TimedOut) -> None:
    """Change nothing: the `RoundEnded` that follows has the effect."""


def _no_rule(game: Game, event: ClockEvent) -> None:
    """Change nothing: the host counts the time."""


def _round_ended(game: Game, event: RoundEnded) -> None:
    game.scores = event.scores
    game.turn = game.phase = None


def _game_ended(game: Game, event: GameEnded) -> None:
    game.status = "finished"
    game.turn = game.phase = None
    game.winner = event.winner
    game.reason = event.reason
    game.secret = event.secret


def _game_aborted(game: Game, event: GameAborted) -> None:
    game.status = "aborted"
    game.secret = event.secret


_CHANGES: Final[dict[type[Event], Callable[[Game, Any], None]]] = {
    PlayerJoined: _player_joined,
    RoundStarted: _round_started,
    CardPlayed: _card_played,
    RusePlayed: _ruse_played,
    CardsRecruited: _cards_recruited,
    CardsReturned: _cards_returned,
    Passed: _passed,
    StoneClaimed: _stone_claimed,
    CardDrawn: _card_drawn,
    TurnEnded: _turn_ended,
    Resigned: _nothing,
    TimedOut: _nothing,
    RoundEnded: _round_ended,
    GameEnded: _game_ended,
    GameAborted: _game_aborted,
    **dict.fromkeys(CLOCK_EVENTS, _no_rule),
}


def _shown(cards: Cards | None) -> Cards:
    assert cards is not None, "events are folded with the cards they hide from others"
    return cards


def _set_stone(game: Game, number: int, stone: Stone) -> None:
    game.stones = (*game.stones[: number - 1], stone, *game.stones[number:])


def _take_from_hand(game: Game, seat: Seat, cards: Cards) -> None:
    hand = list(game.hands[seat])
    for card in cards:
        hand.remove(card)
    game.hands = {**game.hands, seat: tuple(hand)}


def _count_tactic(game: Game, seat: Seat) -> None:
    game.tactics_played = {**game.tactics_played, seat: game.tactics_played[seat] + 1}

"""From commands to events: the events of a command, or `RuleBroken`."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from engine.cards import BANSHEE, BIT, OTHER, RECRUITER, SEATS, Deck, Seat
from engine.clocks import clock_event
from engine.commands import (
    Abandon,
    ClockCommand,
    Command,
    CreateGame,
    JoinGame,
    Resign,
    TakeTurn,
    TimeOut,
)
from engine.errors import N_, RuleBroken, illegal
from engine.events import (
    CardDrawn,
    CardPlayed,
    CardsRecruited,
    CardsReturned,
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
from engine.evolve import apply, begin
from engine.game import Game
from engine.notation import (
    Action,
    Banish,
    Claim,
    Draw,
    End,
    Move,
    Pass,
    Play,
    Recruit,
    Return,
    read_request,
)
from engine.options import FIRST_PLAYERS, MAX_ROUNDS, RULES_VERSIONS, options_for
from engine.rules import (
    check_claim,
    check_destination,
    check_draw,
    check_end,
    check_pass,
    check_play,
    check_recruit,
    check_return,
    check_room,
    check_ruse,
    check_target,
    claimable_stones,
    drawable_decks,
)
from engine.shuffle import commitment, decks, first_by_lot, seed

TURNS_TO_STALEMATE: Final = 4
POINTS_FOR_THE_WINNER: Final = 5


def decide(game: Game | None, command: Command) -> list[Event]:
    """The events of `command`. Raises `RuleBroken`.

    `game` is None for `CreateGame`, and is never changed.
    """
    return advance(game, command)[1]


def advance(game: Game | None, command: Command) -> tuple[Game, list[Event]]:
    """The game after `command`, and the events of the command. Raises `RuleBroken`."""
    if isinstance(command, CreateGame):
        created = _created(command)
        return begin(created), [created]
    if game is None:
        raise RuleBroken("game-not-started", "no-game", "There is no such game.")
    draft = _Draft(game.copy())
    _DECISIONS[type(command)](draft, command)
    return draft.game, draft.events


class _Draft:
    """The events of a command so far, and the game after them."""

    __slots__ = ("events", "game")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        apply(self.game, event)
        self.events.append(event)


# Creating, joining and leaving a game


def _created(command: CreateGame) -> GameCreated:
    version = command.rules_version
    if version not in RULES_VERSIONS:
        raise RuleBroken(
            "bad-game",
            "rules-version",
            "Rules of version %(version)s are not known here.",
            places={"version": version},
        )
    options = options_for(command.edition, command.tactics, command.expert, version)
    if not 1 <= command.rounds <= MAX_ROUNDS:
        raise RuleBroken(
            "bad-game",
            "rounds",
            "A match has 1 to %(most)s rounds, not %(rounds)s.",
            31,
            places={"most": MAX_ROUNDS, "rounds": command.rounds},
        )
    if command.first_player not in FIRST_PLAYERS:
        raise RuleBroken(
            "bad-game",
            "first-player",
            "The first player is one of %(choices)s.",
            2,
            places={"choices": ", ".join(FIRST_PLAYERS)},
        )
    _check_date(command.visited)
    return GameCreated(
        by=command.seat,
        player=command.player,
        seat=command.seat,
        edition=command.edition,
        tactics=command.tactics,
        expert=command.expert,
        rounds=command.rounds,
        first_player=command.first_player,
        rules_version=version,
        options=options,
        commitment=commitment(command.secret),
        salt=command.salt,
        visited_scotland=command.visited,
        terms=command.terms,
        secret=command.secret,
    )


def _check_date(visited: str | None) -> None:
    if visited is not None and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", visited):
        raise RuleBroken("bad-game", "visited-scotland", "Write the date like 2026-05-31.", 2)


def _join(draft: _Draft, command: JoinGame) -> None:
    game = draft.game
    if game.over:
        raise game_over(game)
    if game.status != "open":
        raise RuleBroken("seat-taken", "seat-taken", "Both seats of this game are taken.")
    if command.player in game.players.values():
        raise RuleBroken("seat-taken", "own-game", "You are already in this game.")
    _check_date(command.visited)
    draft.record(PlayerJoined(OTHER[game.creator], command.player, command.salt, command.visited))
    _start_round(draft, _first_player(draft.game))


def _first_player(game: Game) -> Seat:
    """The seat that begins the first round (ruling 2)."""
    creator, joiner = game.creator, OTHER[game.creator]
    if game.first_player == "creator":
        return creator
    if game.first_player == "opponent":
        return joiner
    mine, theirs = game.visited[creator], game.visited[joiner]
    if game.first_player == "scotland" and mine and theirs and mine != theirs:
        return creator if mine > theirs else joiner
    return first_by_lot(_seed(game))


def _seed(game: Game) -> bytes:
    return seed(game.secret, game.salts[game.creator], game.salts[OTHER[game.creator]])


def _start_round(draft: _Draft, first: Seat) -> None:
    game = draft.game
    number = game.round + 1
    shuffled = decks(_seed(game), number, game.options.tactics)
    draft.record(RoundStarted(number, first, tuple(shuffled["clan"]), tuple(shuffled["tactic"])))


def _resign(draft: _Draft, command: Resign) -> None:
    _check_active(draft.game)
    draft.record(Resigned(command.seat))
    _end_round(draft, OTHER[command.seat], "resignation")


def _time_out(draft: _Draft, command: TimeOut) -> None:
    _check_turn(draft.game, command.seat)
    draft.record(TimedOut(command.seat))
    _end_round(draft, OTHER[command.seat], "time-out")


def _record_clock_event(draft: _Draft, command: ClockCommand) -> None:
    _check_active(draft.game)
    draft.record(clock_event(draft.game, command))


def _abandon(draft: _Draft, command: Abandon) -> None:
    game = draft.game
    if game.over:
        raise game_over(game)
    if game.status == "open":
        draft.record(GameAborted(command.by, game.secret))
    else:
        _end_game(draft, _leader(game.scores), "agreement")


# The end of a round, and of a match (rulings 29 to 31)


def _end_round(draft: _Draft, winner: Seat | None, reason: str) -> None:
    game = draft.game
    points = {seat: len(game.stones_of(seat)) for seat in SEATS}
    if winner is not None:
        points[winner] = POINTS_FOR_THE_WINNER
    scores = {seat: game.scores[seat] + points[seat] for seat in SEATS}
    first = game.first
    assert first is not None, "a round that ends has begun"
    draft.record(RoundEnded(game.round, winner, reason, points, scores))
    if game.round < game.rounds:
        _start_round(draft, winner or OTHER[first])
    else:
        # In a single round a stalemate is a draw, even if one player has claimed more Stones.
        _end_game(draft, winner if game.rounds == 1 else _leader(scores), reason)


def _leader(scores: Mapping[Seat, int]) -> Seat | None:
    if scores["north"] == scores["south"]:
        return None
    return max(SEATS, key=scores.__getitem__)


def _end_game(draft: _Draft, winner: Seat | None, reason: str) -> None:
    game = draft.game
    draft.record(GameEnded(None, winner, reason, game.scores, game.secret))


# A turn


def _take_turn(draft: _Draft, command: TakeTurn) -> None:
    actions = read_request(command.actions)
    _check_turn(draft.game, command.seat)
    round_ = draft.game.round
    before: Action | None = None
    for action in actions:
        if draft.game.round != round_ or draft.game.turn != command.seat:
            raise _too_late(before)
        _ACTIONS[type(action)](draft, command.seat, action)
        before = action
    _finish_turn(draft)


def _too_late(before: Action | None) -> RuleBroken:
    if isinstance(before, Claim):
        message = N_("The claim to Stone %(stone)s wins the round: nothing can follow it.")
        return illegal("after-the-round", message, 20, stone=before.stone)
    return illegal("after-the-turn", "The turn has ended: nothing can follow it.", 5)


def _check_active(game: Game) -> None:
    if game.over:
        raise game_over(game)
    if game.status == "open":
        raise RuleBroken("game-not-started", "game-not-started", "The second seat is still empty.")


def _check_turn(game: Game, seat: Seat) -> None:
    if game.turn != seat:
        _check_active(game)
        raise RuleBroken("not-your-turn", "not-your-turn", "It is the opponent’s turn.")


def game_over(game: Game) -> RuleBroken:
    """The refusal of any command after the end of a game."""
    places = {"reason": game.reason or game.status}
    return RuleBroken("game-over", "game-over", "This game is over: %(reason)s.", places=places)


def _play(draft: _Draft, seat: Seat, action: Play) -> None:
    check_play(draft.game, seat, action)
    draft.record(CardPlayed(seat, action.card, action.stone))


def _move(draft: _Draft, seat: Seat, action: Move) -> None:
    game = draft.game
    check_ruse(game, seat, action.ruse)
    check_target(game, seat, action.ruse, action.card, action.stone)
    if action.to is not None:
        check_destination(game, action)
        check_room(game, seat, action.to)
    draft.record(RusePlayed(seat, action))


def _banish(draft: _Draft, seat: Seat, action: Banish) -> None:
    check_ruse(draft.game, seat, BANSHEE)
    check_target(draft.game, seat, BANSHEE, action.card, action.stone)
    draft.record(RusePlayed(seat, action))


def _recruit(draft: _Draft, seat: Seat, action: Recruit) -> None:
    check_ruse(draft.game, seat, RECRUITER)
    check_recruit(draft.game, action)
    clan, tactic = draft.game.decks["clan"], draft.game.decks["tactic"]
    cards = clan[: action.clan] + tactic[: action.tactic]
    draft.record(RusePlayed(seat, action))
    draft.record(CardsRecruited(seat, action.clan, action.tactic, cards))


def _return(draft: _Draft, seat: Seat, action: Return) -> None:
    check_return(draft.game, seat, action)
    clan = sum(card in BIT for card in action.cards)
    draft.record(CardsReturned(seat, clan, len(action.cards) - clan, action.cards))


def _pass(draft: _Draft, seat: Seat, action: Pass) -> None:
    check_pass(draft.game, seat)
    draft.record(Passed(seat))


def _claim(draft: _Draft, seat: Seat, action: Claim) -> None:
    verdict = check_claim(draft.game, seat, action.stone)
    assert verdict.mine is not None, "a claim that stands has a complete side"
    draft.record(StoneClaimed(seat, action.stone, verdict.reason, verdict.mine, verdict.theirs))
    if (reason := _won_by(draft.game.stones_of(seat))) is not None:
        _end_round(draft, seat, reason)


def _won_by(held: list[int]) -> str | None:
    """The reason why a player with these Stones wins (ruling 29); None if they do not."""
    if any(number + 1 in held and number + 2 in held for number in held):
        return "three-adjacent"
    return "five-stones" if len(held) >= 5 else None


def _draw(draft: _Draft, seat: Seat, action: Draw) -> None:
    check_draw(draft.game, seat, action.deck)
    _draw_and_end(draft, seat, action.deck)


def _end(draft: _Draft, seat: Seat, action: End) -> None:
    check_end(draft.game, seat)
    _end_turn(draft, seat)


def _draw_and_end(draft: _Draft, seat: Seat, deck: Deck) -> None:
    draft.record(CardDrawn(seat, deck, draft.game.decks[deck][:1]))
    _end_turn(draft, seat)


def _end_turn(draft: _Draft, seat: Seat) -> None:
    draft.record(TurnEnded(seat, OTHER[seat]))
    if draft.game.idle_turns == TURNS_TO_STALEMATE:
        _end_round(draft, None, "stalemate")


def _finish_turn(draft: _Draft) -> None:
    """Draw, or end the turn, if there is no other choice left."""
    game, seat = draft.game, draft.game.turn
    if game.phase != "finish" or seat is None or claimable_stones(game, seat):
        return
    if not (draws := drawable_decks(game, seat)):
        _end_turn(draft, seat)
    elif len(draws) == 1:
        _draw_and_end(draft, seat, draws[0])


_DECISIONS: Final[dict[type[Command], Callable[[_Draft, Any], None]]] = {
    JoinGame: _join,
    TakeTurn: _take_turn,
    Resign: _resign,
    TimeOut: _time_out,
    Abandon: _abandon,
    **dict.fromkeys(get_args(ClockCommand), _record_clock_event),
}

_ACTIONS: Final[dict[type[Action], Callable[[_Draft, Seat, Any], None]]] = {
    Play: _play,
    Move: _move,
    Banish: _banish,
    Recruit: _recruit,
    Return: _return,
    Claim: _claim,
    Draw: _draw,
    Pass: _pass,
    End: _end,
}

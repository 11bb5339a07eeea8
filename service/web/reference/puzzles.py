"""Puzzles: can this Stone be claimed?

A puzzle is made from a seed: a number or a date. The same seed always makes the same puzzle. The
first twenty numbers increase in difficulty, and so do the days of a week.

Cards laid elsewhere (`keys`) each remove one way to beat the claim. If the claim is to fail, the
last of them is left out of the board.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from itertools import count
from typing import Final, NamedTuple, TypeVar

from flask import abort, render_template, request

import engine
from engine.cards import ALL_CLAN, CLAN_CARDS, SEATS, bits
from engine.claims import judge, side_size
from engine.formations import COLOR, COLOR_RUN, RUN, THREE_OF_A_KIND
from engine.game import STONES
from engine.shuffle import shuffled
from service.container import get_container
from service.core.words import Words
from service.text.claim_words import ClaimState, claim_states
from service.web.blueprint import blueprint
from service.web.language import reader_words
from service.web.reference.judge import OPPONENT, YOU, SetStone, board_of, set_up
from service.web.words import read_date

T = TypeVar("T")


class Level(NamedTuple):
    """The difficulty of a puzzle, as numbers of cards: of `keys` (see the module), on the other
    side (`theirs`), and of cards elsewhere that change nothing (`idle`)."""

    keys: range
    theirs: int
    idle: int
    tactics: bool = False


LEVELS: Final = (
    Level(range(1, 2), 2, 3),
    Level(range(2, 4), 2, 6),
    Level(range(2, 5), 1, 8),
    Level(range(4, 8), 1, 12),
    Level(range(3, 9), 2, 12, tactics=True),
)
_OF_WEEKDAY: Final = (0, 0, 1, 2, 2, 3, 4)
_TO_A_LEVEL: Final = 4
"""The number of numbered puzzles of one level, before the next level begins."""
_MOST: Final = 999_999
_LISTED: Final = 12
"""The number of puzzles of the last level in the list below a puzzle: that level has no end."""
_RANKS: Final = (COLOR_RUN, COLOR_RUN, THREE_OF_A_KIND, COLOR, RUN)
_TWISTS: Final = (("", "JOK"), ("", "SPY"), ("", "SHB"), ("MUD", ""), ("MUD", "JOK"))
"""Combat Modes on the Stone and an Elite Troop on the other side, for the hardest puzzles."""


class Puzzle(NamedTuple):
    """A board, the Stone to decide about, and the level from 1."""

    game: engine.Game
    stone: int
    level: int

    def claim_state(self, words: Words) -> ClaimState:
        """Return the solution, with its reasons or a counterexample."""
        return claim_states(words, self.game, YOU)[self.stone]


@lru_cache(maxsize=64)
def puzzle_of(seed: str) -> Puzzle | None:
    """Return the puzzle of a seed, `7` or `2026-11-22`; None for any other text."""
    level = _level(seed)
    if level is None:
        return None
    digest = sha256(f"can this be claimed:{seed}".encode()).digest()
    for attempt in count():
        board = _attempt(digest, attempt, LEVELS[level], stands=digest[0] % 2 == 0)
        if board is not None:
            return Puzzle(*board, level + 1)
    raise AssertionError("count() does not end")


def _level(seed: str) -> int | None:
    if seed.isascii() and seed.isdecimal() and not seed.startswith("0"):
        number = int(seed[: len(str(_MOST)) + 1])
        return min((number - 1) // _TO_A_LEVEL, len(LEVELS) - 1) if number <= _MOST else None
    day = read_date(seed)
    return None if day is None else _OF_WEEKDAY[day.weekday()]


def numbers_of(level: int) -> range:
    """Return the numbers of the puzzles of a level (from 1) that the list below a puzzle shows."""
    first = (level - 1) * _TO_A_LEVEL + 1
    return range(first, first + (_TO_A_LEVEL if level < len(LEVELS) else _LISTED))


def _attempt(
    digest: bytes, attempt: int, level: Level, *, stands: bool
) -> tuple[engine.Game, int] | None:
    """Return a board on which the claim succeeds (`stands`) or fails, and the Stone's number.

    None if the cards of this attempt make no such board.
    """

    def first(options: Sequence[T], label: str) -> T:
        return shuffled(options, digest, f"{label}:{attempt}")[0]

    order = shuffled(CLAN_CARDS, digest, f"cards:{attempt}")
    mode, troop = first(_TWISTS, "twist") if level.tactics else ("", "")
    modes = tuple(mode.split())
    mine = _formation(first(_RANKS, "rank"), order, side_size(modes))
    theirs = _beginning([card for card in order if card not in mine], level.theirs)
    theirs = (*theirs[:-1], troop) if troop else theirs
    keys: list[str] = []
    while True:
        unseen = ALL_CLAN & ~bits((*mine, *theirs, *keys))
        verdict = judge(mine, theirs, unseen, "mine", modes)
        if verdict.stands or len(keys) >= level.keys.stop:
            break
        keys.append(min(verdict.counterexample or (), key=order.index))
    if not verdict.stands or len(keys) not in level.keys:
        return None
    hidden = set() if stands else {keys.pop()}
    idle = [card for card in order if card not in {*mine, *theirs, *keys, *hidden}]
    number = first(STONES, "stone")
    stones = _spread([*keys, *idle[: level.idle]], number, digest, attempt)
    stones[number] = SetStone(" ".join(mine), " ".join(theirs), mode)
    game = set_up(stones, tactics=level.tactics)
    stands_now = game.stone(number).verdict(YOU, game.unseen).stands
    return (game, number) if stands_now == stands else None


def _formation(rank: int, order: Sequence[str], size: int) -> tuple[str, ...]:
    """Return a formation of `rank`: with the first card of `order`, or near its strength."""
    color, strength = order[0][0], int(order[0][1])
    low = min(strength, 10 - size)
    run = range(low, low + size)
    if rank == COLOR_RUN:
        cards = [f"{color}{each}" for each in run]
    elif rank == RUN:
        cards = [next(card for card in order if int(card[1]) == each) for each in run]
    elif rank == THREE_OF_A_KIND:
        cards = [card for card in order if int(card[1]) == strength][:size]
    else:
        cards = [card for card in order if card[0] == color][:size]
    return tuple(cards)


def _beginning(order: Sequence[str], length: int) -> tuple[str, ...]:
    """Return an unfinished side: the first card of `order`, and others that may form a formation
    with it."""
    color, strength = order[0][0], int(order[0][1])
    near = [
        card
        for card in order[1:]
        if (card[0] == color and abs(int(card[1]) - strength) < 3) or int(card[1]) == strength
    ]
    return (order[0], *near[: length - 1])


def _spread(cards: Sequence[str], but: int, digest: bytes, attempt: int) -> dict[int, SetStone]:
    """Return the cards laid on the other Stones, at most three on each side."""
    free = [(number, seat) for number in STONES if number != but for seat in SEATS] * 3
    places = shuffled(free, digest, f"places:{attempt}")
    lying = list(zip(places, cards, strict=False))

    def side(place: tuple[int, engine.Seat]) -> str:
        return " ".join(card for where, card in lying if where == place)

    return {number: SetStone(side((number, YOU)), side((number, OPPONENT))) for number in STONES}


@blueprint.get("/puzzles", defaults={"seed": None})
@blueprint.get("/puzzles/<seed>")
def puzzle(seed: str | None) -> str:
    """Show a puzzle, and the verdict on the reader's answer in the URL.

    Without a seed, show the puzzle of the day in UTC.
    """
    today = datetime.fromtimestamp(get_container().now(), UTC).date().isoformat()
    seed = seed or today
    shown = puzzle_of(seed) or abort(404)
    answer = request.args.get("answer")
    answered = answer if answer in ("yes", "no") else None
    words = reader_words()
    solution = shown.claim_state(words)
    game, marked = shown.game, [(shown.stone, card) for card in solution.beaten_by]
    if answered and marked:
        game = _with_counter_example(shown, solution.beaten_by)
    return render_template(
        "puzzle.html",
        seed=seed,
        number=int(seed) if seed.isdecimal() else None,
        today=today,
        stone=shown.stone,
        level=shown.level,
        levels=len(LEVELS),
        numbers={level: numbers_of(level) for level in range(1, len(LEVELS) + 1)},
        effects=_tactic_cards(shown),
        claim_state=solution,
        answered=answered,
        is_right=answered == ("yes" if solution.claimable else "no"),
        waiting=0,  # how many games wait is for other pages: this one takes no store
        **board_of(words, game, marked=marked, asked=shown.stone),
    )


def _tactic_cards(puzzle: Puzzle) -> list[str]:
    """Return the Tactic cards on the Stone that is asked about."""
    stone = puzzle.game.stone(puzzle.stone)
    laid = (*stone.modes, *stone.sides[OPPONENT], *stone.sides[YOU])
    return [card for card in laid if card not in CLAN_CARDS]


def _with_counter_example(puzzle: Puzzle, beaten_by: Iterable[str]) -> engine.Game:
    game, stones = puzzle.game.copy(), list(puzzle.game.stones)
    for card in beaten_by:
        place = puzzle.stone - 1
        stones[place] = stones[place].with_card(OPPONENT, card, game.version)
    game.stones = tuple(stones)
    return game

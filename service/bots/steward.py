"""The three weaker bots (any card anywhere, strong sides without a plan, and a bit of both), and
the bot `steward`.

The steward builds formations where they count and claims whatever is proved. It evaluates the
position after each card it could play, from what it can see, and plays the best. It looks no
further than its own turn.
"""

import random
from functools import lru_cache
from typing import Final, Literal

from engine import View
from engine.cards import ALL_CLAN, BIT, BLIND_MANS_BLUFF, bits
from engine.claims import judge, side_size
from engine.formations import strongest
from engine.notation import Action, Claim, Draw, Play, Recruit, Return, parse
from service.bots.position import (
    Position,
    StoneSides,
    position_in,
    reachable_value,
    side_value,
    stone_weights,
)


def any_action(view: View, rng: random.Random) -> str:
    """Choose one of the actions that `view` lists as legal, at random. It claims only by luck."""
    return rng.choice(view.legal)


def now_and_then(view: View, rng: random.Random) -> str:
    """Play one card in five anywhere, the others where the side may become strongest; claim all."""
    if rng.random() < 0.2 and not any(text.startswith("!") for text in view.legal):
        return any_action(view, rng)
    return strongest_side(view, rng)


def strongest_side(view: View, rng: random.Random) -> str:
    """Claim a provable Stone; otherwise play where the best formation still possible is
    strongest."""
    actions = [(text, parse(text)) for text in view.legal]
    if claims := [text for text, action in actions if isinstance(action, Claim)]:
        return claims[0]
    seat = view.seat
    assert seat is not None, "a bot plays"
    shown = [card for stone in view.stones for card in (*stone.north, *stone.south)]
    unseen = ALL_CLAN & ~bits([*shown, *view.discard])

    def promise(action: Action) -> tuple[int, int]:
        if not (isinstance(action, Play) and action.card in BIT):
            return (-1, 0)
        stone = view.stones[action.stone - 1]
        cards, modes = (*stone.side(seat), action.card), tuple(stone.modes)
        best = strongest(cards, side_size(modes), unseen & ~BIT[action.card], "BMB" in modes)
        return (-1, 0) if best is None else (best.rank, best.total)

    return max((promise(action), rng.random(), text) for text, action in actions)[2]


TACTIC_COST: Final = 0.15
"""The least gain for which a Tactic card is played now rather than later."""
RECRUITER_GAIN: Final = 0.1
"""The expected gain of three new cards."""
ENOUGH_TACTICS: Final = 1
"""The number of Tactic cards to hold: a hand full of them lacks the Clan cards to play."""


def choose(view: View, rng: random.Random) -> str:
    """Return the action to take, in action text: always one that `view` lists as legal."""
    return rated(view, rng)[0][1]


def rated(view: View, rng: random.Random) -> list[tuple[float, str]]:
    """The actions worth considering with the values of their positions, the best first; if a claim
    is legal, that claim alone."""
    actions = [(text, parse(text)) for text in view.legal]
    if claims := [text for text, action in actions if isinstance(action, Claim)]:
        return [(0.0, claims[0])]
    position = position_in(view)
    # Equal actions are chosen between at random, so that games differ.
    drawn = [(_rating(view, position, action), rng.random(), text) for text, action in actions]
    return [(value, text) for value, _, text in sorted(drawn, reverse=True)]


def _rating(view: View, position: Position, action: Action) -> float:
    match action:
        case Draw(deck):
            return float(deck == ("tactic" if _wants_tactics(view) else "clan"))
        case Recruit(clan, _):
            return evaluate(position) + RECRUITER_GAIN + 0.01 * clan - TACTIC_COST
        case Return(cards):
            left = position.without(cards)
            return evaluate(left) - max(0, _tactics(left) - ENOUGH_TACTICS) * TACTIC_COST
        case _:
            after = position.after(action)
            return evaluate(after) - TACTIC_COST * (_tactics(position) - _tactics(after))


def _wants_tactics(view: View) -> bool:
    assert view.seat is not None, "a bot plays"
    return view.hands[view.seat].tactic < ENOUGH_TACTICS


def _tactics(position: Position) -> int:
    return sum(card not in BIT for card in position.hand)


def evaluate(position: Position) -> float:
    """The value of the position for its player: higher is better."""
    hand = bits(position.hand)
    weights = stone_weights(tuple(stone.owner for stone in position.stones))
    return sum(
        weight * _stone_value(stone, hand, position.unseen)
        for weight, stone in zip(weights, position.stones, strict=True)
        if stone.owner is None
    )


@lru_cache(maxsize=1 << 17)
def _stone_value(stone: StoneSides, hand: int, unseen: int) -> float:
    """The value of a Stone, from -1, lost, to 1, won."""
    size, bluff = stone.size, BLIND_MANS_BLUFF in stone.modes
    if len(stone.mine) == size:
        first: Literal["mine", "theirs"] = "mine" if stone.mine_first else "theirs"
        # Cards in this hand will not turn up on the other side, though they prove nothing.
        if judge(stone.mine, stone.theirs, unseen, first, stone.modes).stands:
            return 1.0
    mine = side_value(stone.mine, size, bluff, hand, unseen)
    theirs = side_value(stone.theirs, size, bluff, 0, unseen)
    settled = len(stone.theirs) == size
    if settled and reachable_value(stone.mine, size, bluff, hand | unseen) <= theirs:
        return -1.0
    return mine - theirs

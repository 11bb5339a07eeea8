"""The three weaker bots: any card anywhere, strong sides without a plan, and a bit of both."""

import random

from engine import View
from engine.cards import ALL_CLAN, BIT, bits
from engine.claims import side_size
from engine.formations import strongest
from engine.notation import Action, Claim, Play, parse


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

"""The bot `steward`: builds formations where they count and claims whatever is proved.

It weighs each card it could play by how the Stones would stand afterwards, as far as it can see,
and plays the best. It thinks no further than its own turn.
"""

import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

from engine.cards import BIT, BLIND_MANS_BLUFF, bits
from engine.claims import judge
from engine.notation import Action, Claim, Draw, Recruit, Return, parse
from service.bots.evaluation import outlook, reach
from service.bots.position import Lane, Table, table_of

TACTIC_COST: Final = 0.15
"""What a Tactic card must gain to be worth playing now rather than later."""
RECRUITING: Final = 0.1
"""What three new cards are thought to gain."""
WEIGHTS: Final = (0.85, 0.95, 1.05, 1.1, 1.1, 1.1, 1.05, 0.95, 0.85)
"""What the Stones are worth, from the first: those in the middle stand in more threes."""
TACTICS_TO_HOLD: Final = 1
"""How many Tactic cards are enough: a hand of them lacks the Clan cards to play."""


def choose(view: Mapping[str, Any], chance: random.Random) -> str:
    """The action to take, in action text: always one that `view` lists as legal."""
    legal: list[str] = view["legal"]
    actions = [(text, parse(text)) for text in legal]
    claims = [text for text, action in actions if isinstance(action, Claim)]
    if claims:
        return claims[0]
    table = table_of(view)
    # Among equals by lot, so that no game is like another.
    return max((_weight(view, table, action), chance.random(), text) for text, action in actions)[2]


def _weight(view: Mapping[str, Any], table: Table, action: Action) -> float:
    match action:
        case Draw(deck):
            return float(deck == "tactic") if _wants_tactics(view) else float(deck == "clan")
        case Recruit(clan, _):
            return standing(table) + RECRUITING + 0.01 * clan - TACTIC_COST
        case Return(cards):
            return standing(table.without(cards)) - _surplus(table.without(cards))
        case _:
            after = table.after(action)
            return standing(after) - TACTIC_COST * _tactics_spent(table, after)


def _wants_tactics(view: Mapping[str, Any]) -> bool:
    return bool(view["hands"][view["seat"]]["tactic"] < TACTICS_TO_HOLD)


def _surplus(table: Table) -> float:
    """How much worse it is to keep more Tactic cards than can soon be played."""
    return max(0, sum(card not in BIT for card in table.hand) - TACTICS_TO_HOLD) * TACTIC_COST


def _tactics_spent(before: Table, after: Table) -> int:
    tactics = [sum(card not in BIT for card in table.hand) for table in (before, after)]
    return tactics[0] - tactics[1]


def standing(table: Table) -> float:
    """How all Stones stand for this player: higher is better."""
    hand = bits(table.hand)
    return sum(
        weight * _odds(lane, hand, table.coming)
        for weight, lane in zip(_weights(table.lanes), table.lanes, strict=True)
        if lane.owner is None
    )


@lru_cache(maxsize=1 << 10)
def _neighbours(owners: tuple[str | None, ...]) -> tuple[float, ...]:
    weights = list(WEIGHTS)
    for low in range(7):
        three = owners[low : low + 3]
        held = {owner for owner in three if owner is not None}
        if len(held) == 1:
            for place in range(low, low + 3):
                weights[place] += 0.35 * sum(owner is not None for owner in three)
    return tuple(weights)


def _weights(lanes: tuple[Lane, ...]) -> tuple[float, ...]:
    """What each Stone is worth: more where it would make three with others of one owner."""
    return _neighbours(tuple(lane.owner for lane in lanes))


@lru_cache(maxsize=1 << 17)
def _odds(lane: Lane, hand: int, coming: int) -> float:
    """How a Stone stands: from -1, lost, to 1, won."""
    size, bluff = lane.size, BLIND_MANS_BLUFF in lane.modes
    if len(lane.mine) == size:
        first: Literal["mine", "theirs"] = "mine" if lane.mine_first else "theirs"
        # What is in this hand will not turn up opposite, though it is no proof.
        if judge(lane.mine, lane.theirs, coming, first, lane.modes).stands:
            return 1.0
    mine = outlook(lane.mine, size, bluff, hand, coming)
    theirs = outlook(lane.theirs, size, bluff, 0, coming)
    if len(lane.theirs) == size and reach(lane.mine, size, bluff, hand | coming) <= theirs:
        return -1.0
    return mine - theirs

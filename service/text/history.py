"""What happened in a game, in sentences: one a turn, told from the lines of a record.

The lines may be redacted: what the reader may not see is told without the cards.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from engine import Seat
from engine.cards import BANSHEE, RECRUITER, STRATEGIST, in_order, name

Line = Mapping[str, Any]
Names = Mapping[str, str]

DECK_TITLES = {"clan": "Clan", "tactic": "Tactic"}

FORMATIONS = {
    "color-run": "colour run",
    "three-of-a-kind": "three of a kind",
    "color": "colour",
    "run": "run",
    "sum": "sum",
}
REASONS = {
    "three-adjacent": "with three adjacent Stones",
    "five-stones": "with five Stones",
    "stalemate": "by stalemate",
    "resignation": "by resignation",
    "time-out": "on time",
    "agreement": "by agreement",
}


class Told(NamedTuple):
    """A sentence, and the last event that it tells of: its number and when it happened."""

    seq: int
    at: str
    text: str


def tell(lines: Iterable[Line], names: Names) -> list[Told]:
    """The sentences for these lines, in order. `names` says what to call each seat."""
    return [
        Told(group[-1]["seq"], group[-1]["at"], text)
        for group in _sentences(lines)
        if (text := _sentence(group, names))
    ]


def _sentences(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """The lines in groups of what one player did in a row; all other facts stand alone."""
    group: list[Line] = []
    for line in _without_last_round_end(lines):
        together = line["type"] in _DEEDS and group and group[-1]["by"] == line["by"]
        if group and not (together and group[-1]["type"] in _DEEDS):
            yield group
            group = []
        group.append(line)
        if line["type"] == "turn_ended":
            yield group
            group = []
    if group:
        yield group


def _without_last_round_end(lines: Iterable[Line]) -> Iterator[Line]:
    """The end of the game says all that the end of its last round does."""
    nothing: Line = {"type": None}
    for line, following in pairwise([*lines, nothing]):
        if not (line["type"] == "round_ended" and following["type"] == "game_ended"):
            yield line


def _sentence(group: list[Line], names: Names) -> str:
    first = group[0]
    if first["type"] in _FACTS:
        return _FACTS[first["type"]](first, names)
    deeds = [_DEEDS[line["type"]](line["data"], line["private"] or {}) for line in group]
    told = [change for change in deeds if change]
    return f"{names[first['by']]} {listed(told)}." if told else ""


def listed(items: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, end = [*items] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


def counted(clan: int, tactic: int) -> str:
    """How many cards of which deck: `2 Clan cards and 1 Tactic card`."""
    counts = {"clan": clan, "tactic": tactic}
    return listed(
        f"{count} {DECK_TITLES[deck]} card{'s' if count > 1 else ''}"
        for deck, count in counts.items()
        if count
    )


# What a player did: a verb and its objects


def _played(data: Line, private: Line) -> str:
    return f"played {name(data['card'])} on Stone {data['stone']}"


def _ruse(data: Line, private: Line) -> str:
    ruse = data["card"]
    if ruse == RECRUITER:
        return f"played the Recruiter, drawing {counted(**data['draws'])}"
    card, stone = name(data["target"]["card"]), data["target"]["stone"]
    if ruse == BANSHEE or data["to"] == "x":
        return f"discarded {card} from Stone {stone} with the {name(ruse)}"
    verb = "moved" if ruse == STRATEGIST else "took"
    return f"{verb} {card} from Stone {stone} to Stone {data['to']} with the {name(ruse)}"


def _recruited(data: Line, private: Line) -> str:
    cards = private.get("cards")
    return f"found {_cards(cards)}" if cards else ""


def _returned(data: Line, private: Line) -> str:
    cards = private.get("cards")
    what = _cards(cards) if cards else counted(**data)
    return f"put {what} under the deck" + ("s" if data["clan"] and data["tactic"] else "")


def _passed(data: Line, private: Line) -> str:
    return "passed"


def _claimed(data: Line, private: Line) -> str:
    mine = data["mine"]
    return f"claimed Stone {data['stone']} ({FORMATIONS[mine['rank']]}, {mine['total']})"


def _drew(data: Line, private: Line) -> str:
    cards = private.get("cards")
    return f"drew {_cards(cards)}" if cards else f"drew a {DECK_TITLES[data['deck']]} card"


def _resigned(data: Line, private: Line) -> str:
    return "resigned"


def _turn_ended(data: Line, private: Line) -> str:
    return ""


def _cards(cards: Iterable[str]) -> str:
    return listed(name(card) for card in in_order(cards))


_DEEDS: dict[str, Callable[[Line, Line], str]] = {
    "card_played": _played,
    "ruse_played": _ruse,
    "cards_recruited": _recruited,
    "cards_returned": _returned,
    "passed": _passed,
    "stone_claimed": _claimed,
    "card_drawn": _drew,
    "resigned": _resigned,
    "turn_ended": _turn_ended,
}


# What happened to the game


def _created(line: Line, names: Names) -> str:
    return f"{names[line['by']]} made the game."


def _joined(line: Line, names: Names) -> str:
    return f"{names[line['by']]} sat down."


def _round_started(line: Line, names: Names) -> str:
    data = line["data"]
    return f"Round {data['round']} began. First to play: {names[data['first']]}."


def _timed_out(line: Line, names: Names) -> str:
    return f"{names[line['data']['seat']]} ran out of time."


def _round_ended(line: Line, names: Names) -> str:
    data = line["data"]
    result = outcome(data["winner"], data["reason"], names)
    return f"Round {data['round']}: {result} {score(data['scores'], names)}"


def _game_ended(line: Line, names: Names) -> str:
    return outcome(line["data"]["winner"], line["data"]["reason"], names)


def _aborted(line: Line, names: Names) -> str:
    return "The game was called off."


_FACTS: dict[str, Callable[[Line, Names], str]] = {
    "game_created": _created,
    "player_joined": _joined,
    "round_started": _round_started,
    "timed_out": _timed_out,
    "round_ended": _round_ended,
    "game_ended": _game_ended,
    "game_aborted": _aborted,
}


def outcome(winner: str | None, reason: str | None, names: Names) -> str:
    """How a round or game ended: `Bob won with five Stones.`"""
    how = f" {REASONS[reason]}" if reason else ""
    return f"{names[winner]} won{how}." if winner else f"A draw{how}."


def score(scores: Mapping[Seat, int], names: Names) -> str:
    """The points: `Ann 5, Bob 2.`"""
    return ", ".join(f"{names[seat]} {points}" for seat, points in scores.items()) + "."

"""A game view as text: the board in nine columns, the hands and the decks. At most 72 columns wide.

The reader is below; for a spectator, south is. Stones run 1 to 9 from the left for everybody.
"""

from collections.abc import Mapping, Sequence

from engine import Seat, SeenStone, View
from service.core.words import N_, Words

Names = Mapping[str, str]
FORMER = N_("A former player")
"""What stands for the name of a player whose account is deleted."""

WIDTH = 72
_LABEL, _COLUMN = 12, 6


def seat_names(players: Mapping[Seat, str | None], names: Names) -> dict[str, str]:
    """The name for each seat, given the names by player id: the player's name, or `North` and
    `South` for a free seat. The name under `FORMER` is that of players who are gone."""
    former = names.get(FORMER, FORMER)
    return {
        seat: names.get(player) or former if player else seat.capitalize()
        for seat, player in players.items()
    }


def sides(view: View) -> tuple[Seat, Seat]:
    """The seat above the Stones and the seat below, for this reader."""
    return ("south", "north") if view.seat == "north" else ("north", "south")


def board_lines(words: Words, view: View, names: Names) -> list[str]:
    """The nine Stones with the cards on either side, and the meaning of the marks."""
    rule = _row("", ["---"] * len(view.stones))
    upper, middle, lower = _parts(words, view, names)
    lines = [*upper, rule, *middle, rule, *lower]
    for seat, mark in zip(sides(view), "^v", strict=True):
        held = ", ".join(str(stone.number) for stone in view.stones if stone.owner == seat)
        if held:
            # Note: the meaning of the mark before it; %(stones)s is such as "3, 5"
            claimed = words.say("claimed by %(name)s: %(stones)s", name=names[seat], stones=held)
            lines.append(f"{mark}  {claimed}")
    if any(stone.completed_first for stone in view.stones):
        # Note: the meaning of a mark before it
        first = words.say("this side was completed first, which wins between equals")
        lines.append(f"*  {first}")
    return lines


def board_rows(words: Words, view: View, names: Names) -> list[str]:
    """The nine Stones in fewer lines: without rules and without the meaning of the marks."""
    return [row for part in _parts(words, view, names) for row in part]


def _parts(words: Words, view: View, names: Names) -> tuple[list[str], list[str], list[str]]:
    """The rows above the Stones, those of the Stones, and those below."""
    above, below = sides(view)
    stones = view.stones
    marks = {above: "^", below: "v", None: " "}
    numbers = [f"{marks[stone.owner]}{stone.number}{marks[stone.owner]}" for stone in stones]
    height = max(len(stone.modes) for stone in stones)
    modes = [[(stone.modes[i : i + 1] or [""])[0] for stone in stones] for i in range(height)]
    # Note: at most 11 letters, before the numbers of the Stones
    stone_label = words.say("Stone")
    # Note: at most 11 letters, before the Combat Modes on the Stones
    mode_label = words.say("Mode")
    mode_rows = [_row("" if i else mode_label, row) for i, row in enumerate(modes)]
    return (
        _card_rows(stones, above, names[above])[::-1],
        [_row(stone_label, numbers), *mode_rows],
        _card_rows(stones, below, names[below]),
    )


def hand_and_deck_lines(words: Words, view: View, names: Names) -> list[str]:
    """The reader's hand, the sizes of the other hand and of the decks, and the discard."""
    above, below = sides(view)
    lines = [hand_line(words, view, seat, names) for seat in (below, above)]
    lines.append(_deck_line(words, view))
    if view.discard:
        # Note: followed by the codes of cards
        begin = words.say("In the discard:")  # in no f-string: there it would not be collected
        lines += wrapped(f"{begin} ", view.discard)
    return lines


def _deck_line(words: Words, view: View) -> str:
    clan, tactic = view.decks["clan"], view.decks["tactic"]
    if view.tactics:
        message = N_("In the decks: %(clan)s Clan and %(tactic)s Tactic cards.")
        return words.say(message, clan=clan, tactic=tactic)
    return words.plural(
        "In the decks: %(number)s Clan card.", "In the decks: %(number)s Clan cards.", clan
    )


def deck_words(words: Words, view: View) -> str:
    """Return the numbers of cards left in the decks: `40 Clan and 9 Tactic cards to draw`."""
    clan, tactic = view.decks["clan"], view.decks["tactic"]
    if view.tactics:
        message = N_("%(clan)s Clan and %(tactic)s Tactic cards to draw")
        return words.say(message, clan=clan, tactic=tactic)
    return words.plural("%(number)s Clan card to draw", "%(number)s Clan cards to draw", clan)


def hand_line(words: Words, view: View, seat: Seat, names: Names) -> str:
    """A hand: its cards if the reader may see them, else the number from each deck."""
    cards = hand_words(words, view, seat)
    if view.seat == seat:
        # Note: %(cards)s is a list of codes
        return words.say("Your hand: %(cards)s", cards=cards)
    # Note: %(cards)s is a list of codes, or such as "5 Clan cards"
    return words.say("%(name)s’s hand: %(cards)s", name=names[seat], cards=cards)


def hand_words(words: Words, view: View, seat: Seat) -> str:
    """The cards of a hand if the reader may see them, else the number from each deck."""
    hand = view.hands[seat]
    if hand.cards is not None:
        # Note: a hand without cards
        return "  ".join(hand.cards) or words.say("empty")
    if hand.tactic:
        # Note: a hand: "7 cards, 1 of them Tactic"
        message = N_("%(all)s cards, %(tactic)s of them Tactic")
        return words.say(message, all=hand.clan + hand.tactic, tactic=hand.tactic)
    return words.plural("%(number)s Clan card", "%(number)s Clan cards", hand.clan)


def board_text(words: Words, view: View, names: Names) -> str:
    """Board, hands and decks as one text, for a terminal or a mail."""
    lines = board_lines(words, view, names)
    return "\n".join([*lines, "", *hand_and_deck_lines(words, view, names)])


def wrapped(label: str, items: Sequence[str]) -> list[str]:
    """`items` after a label, on as many lines as needed; the later ones are indented."""
    lines, line = [], label
    for place, item in enumerate(items):
        text = item + ("  " if place < len(items) - 1 else "")
        if len(line) + len(text.rstrip()) > WIDTH - 2 and line.strip():
            lines.append(line.rstrip())
            line = "    "
        line += text
    return [*lines, line.rstrip()]


def _row(label: str, cells: Sequence[str]) -> str:
    short = label if len(label) < _LABEL else label[: _LABEL - 2] + "~"
    return (short.ljust(_LABEL) + "".join(cell.center(_COLUMN) for cell in cells)).rstrip()


def _card_rows(stones: Sequence[SeenStone], seat: Seat, name: str) -> list[str]:
    """A side's cards, the first played nearest to the Stones. `*` marks the side completed first. A
    name that is too long loses what stands in brackets behind it: "Steward (bot)"."""
    name = name if len(name) < _LABEL else name.rpartition(" (")[0] or name
    height = max(1, *(len(stone.side(seat)) for stone in stones))
    rows = [[_card(stone, seat, place) for stone in stones] for place in range(height)]
    return [_row(name if place == 0 else "", row) for place, row in enumerate(rows)]


def _card(stone: SeenStone, seat: Seat, place: int) -> str:
    cards = stone.side(seat)
    if place >= len(cards):
        return "." if place == 0 else ""
    first = stone.completed_first == seat and place == len(cards) - 1
    return f" {cards[place]}*" if first else cards[place]

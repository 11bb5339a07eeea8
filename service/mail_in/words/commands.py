"""The grammar of answers: every command is a whole line.

No library tells reliably what of a mail its writer wrote: what protects is that nothing else is
understood, and that no line of our own mails can be read as a command (`docs/mail.md` lists them).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine import RuleBroken, parse
from engine.cards import CLAN_CARDS, NAMES, read_card
from engine.notation import Action, Claim, Draw, End, Pass
from service.core.durations import DAY, HOUR
from service.mail_in.addresses.reply_addresses import Offered
from service.mail_in.reading.html_text import HIDDEN
from service.mail_in.reading.lines import MESSAGE, Line
from service.text.card_names import full_name

Word = Literal["show", "help", "resign", "claim the win", "agree", "accept", "decline"]

_OFFERED: Final[Mapping[Offered, str]] = {
    "pause": "pause(?: the clock)?|pausing(?: the clock)?",
    "abandonment": "abandon(?:ing|ment)?(?: it| (?:the|this|our) game)?",
}
_ABOUT: Final = "|".join(f"(?P<{about}>{form})" for about, form in _OFFERED.items())
_FORMS: Final[Mapping[Word, str]] = {
    "show": "show",
    "help": "help",
    "resign": "resign",
    "claim the win": "(?:i )?claim (?:(?:the|a|my) )?(?:win|victory|game|round)(?: on time)?"
    "|claim (?:on )?time|win on time",
    "agree": f"(?:i )?agree|(?:i )?(?:agree (?:to|with)|accept)(?: (?:the|a))? (?:{_ABOUT})",
    "accept": "accept",
    "decline": f"decline|(?:decline|refuse)(?: (?:the|a|to))? (?:{_ABOUT})",
}
WORDS: Final = tuple(_FORMS)
"""Each stands alone in a mail, on its first line."""
FIRST_ONLY: Final = ("pass", "end")
"""Actions that are ordinary words: they count only as the first line."""
LONGEST_TURN: Final = 20
"""No turn has more actions."""


@dataclass(frozen=True, slots=True)
class WholeTurn:
    """Actions to take, in action text: all or none; and below them a `message` to the other player.

    There may be a message alone, in one or several lines.
    """

    actions: tuple[str, ...]
    message: str = ""


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A single word, whichever way it was put; for `accept as NAME` the name; and what it is about,
    of all that is offered, where the writer says it."""

    word: Word
    name: str | None = None
    about: Offered | None = None


@dataclass(frozen=True, slots=True)
class Gift:
    """More time for the other player, in seconds."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Unread:
    """Lines that are no command, or may not stand where they do: nothing is done."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Empty:
    """There is nothing above the quotation."""


Answer = WholeTurn | AskedWord | Gift | Unread | Empty

_CARDS_BY_NAME: Final = {full_name(card).lower(): card for card in CLAN_CARDS} | {
    name.lower(): card for card, name in NAMES.items()
}
_PLAY: Final = re.compile(
    r"play (?:the )?(?P<card>.{2,20}?) (?:at|on|to) (?:stone )?(?P<stone>[1-9])"
)
_CLAIM: Final = re.compile(r"claim (?:stones? )?(?P<stones>[1-9](?:(?:, ?| (?:and )?)[1-9])*)")
_DRAW: Final = re.compile(r"draw (?:a )?(?P<deck>clan|tactics?)(?: card)?")
_SAY: Final = re.compile(rf"{MESSAGE.pattern} ?(?P<text>\S.*)", re.IGNORECASE)
_GIVE: Final = re.compile(
    r"(?:i )?give (?:(?:him|her|them|my opponent) )?(?P<count>[1-9]\d{0,3}|an?|another|one|two"
    r"|three)(?: more)? (?P<unit>hour|day|week)s?(?: more)?"
)
_COUNTS: Final = {"a": 1, "an": 1, "another": 1, "one": 1, "two": 2, "three": 3}
_UNITS: Final = {"hour": HOUR, "day": DAY, "week": 7 * DAY}
_ACCEPT: Final = re.compile(r"accept as (?P<name>.{1,80})", re.IGNORECASE)


def read_commands(lines: Sequence[Line]) -> Answer:
    """What the writer of these lines wants."""
    if not lines:
        return Empty()
    if hidden := tuple(line for line in lines if HIDDEN in line.text):
        return Unread(hidden)
    if (wish := _wish(lines[0]) or _gift(lines[0])) is not None:
        return Unread(tuple(lines[1:])) if len(lines) > 1 else wish
    # A long message is cut into lines on its way: what stands below one is never played.
    place = next((at for at, line in enumerate(lines) if MESSAGE.match(line.text)), len(lines))
    of_turn, said = lines[:place], [_SAY.fullmatch(line.text) for line in lines[place:]]
    found = [_actions(line, first=place == 0) for place, line in enumerate(of_turn)]
    unread = [line for line, actions in zip(of_turn, found, strict=True) if not actions]
    unread += [line for line, text in zip(lines[place:], said, strict=True) if text is None]
    if unread:
        return Unread(tuple(unread))
    turn = tuple(str(action) for actions in found for action in actions)
    if len(turn) > LONGEST_TURN:
        return Unread(tuple(lines[LONGEST_TURN:] or lines))
    return WholeTurn(turn, "\n".join(text["text"] for text in said if text))


def commands_among(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Those of these lines that would play something if they stood alone in an answer."""
    found = ((line, read_commands([line])) for line in lines)
    return tuple(line for line, asked in found if isinstance(asked, WholeTurn) and asked.actions)


def _wish(line: Line) -> AskedWord | None:
    text = _bare(line.text).rstrip("!")
    if (found := _ACCEPT.fullmatch(line.text.rstrip())) is not None:
        return AskedWord("accept", found["name"])
    for word, form in _FORMS.items():
        if (found := re.fullmatch(form, text)) is not None:
            named = found.groupdict()
            return AskedWord(word, about=next((one for one in _OFFERED if named.get(one)), None))
    return None


def _gift(line: Line) -> Gift | None:
    found = _GIVE.fullmatch(_bare(line.text).rstrip("!"))
    if found is None:
        return None
    count = _COUNTS.get(found["count"]) or int(found["count"])
    return Gift(count * _UNITS[found["unit"]])


def _actions(line: Line, *, first: bool) -> list[Action]:
    """The actions of one line, in words or in action text; none where it is no command."""
    text = _bare(line.text)
    if (found := _PLAY.fullmatch(text)) is not None:
        card = read_card(found["card"].upper()) or _CARDS_BY_NAME.get(found["card"])
        return _parsed([f"{card}@{found['stone']}"]) if card else []
    if (found := _CLAIM.fullmatch(text)) is not None:
        return [Claim(int(stone)) for stone in re.findall("[1-9]", found["stones"])]
    if (found := _DRAW.fullmatch(text)) is not None:
        return [Draw("clan" if found["deck"] == "clan" else "tactic")]
    actions = _parsed(text.split())
    ordinary = all(isinstance(action, Pass | End) for action in actions)
    return [] if ordinary and not first else actions


def _parsed(tokens: Sequence[str]) -> list[Action]:
    try:
        return [parse(token) for token in tokens]
    except RuleBroken:
        return []


def _bare(text: str) -> str:
    """The line without case, and without the full stop that people end a line with."""
    return text.lower().rstrip(".,; ")

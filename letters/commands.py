"""Reads the lines of an answer together: they ask for a turn, a message, or a single word.

No library can reliably separate a mail writer's own words. What protects players is that nothing
but the grammar is understood, and that no line of our own mails can be read as a command.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, get_args

from engine.notation import Claim, End, Pass
from letters import languages
from letters.grammar import Dependent, Gift, Item, items_of
from letters.mail.html_text import HIDDEN
from letters.mail.lines import Line
from letters.mail.phrases import (
    OF_WRITER,
    PRAISE,
    SMILEYS,
    is_named,
    is_polite,
    takes_back,
    without_address,
)
from letters.patterns import HALF, unmarked
from letters.taught import ENGLISH, MESSAGE, in_english, language_of
from letters.wishes import GLADLY, AskedWord, Wish
from letters.words import words

FIRST_ONLY: Final = ("pass", "end")
"""Actions that are ordinary words: they count only as the first line."""
LONGEST_TURN: Final = 20
"""Most actions of a turn."""


@dataclass(frozen=True, slots=True)
class WholeTurn:
    """Actions to take, in action text, all or none; and a `message` to the other player, below them
    or alone, in one or several lines.

    `dependent` are commands that depend on the position after the actions: to claim whatever can be
    claimed, and to end the turn.
    """

    actions: tuple[str, ...]
    message: str = ""
    dependent: tuple[Dependent, ...] = ()

    @property
    def is_move(self) -> bool:
        """Whether there is more than a message."""
        return bool(self.actions or self.dependent)

    def without_claims(self) -> "WholeTurn":
        """Return the turn without what it claims."""
        actions = tuple(each for each in self.actions if not each.startswith("!"))
        dependent = tuple(each for each in self.dependent if not each.startswith("claim"))
        return WholeTurn(actions, self.message, dependent)


@dataclass(frozen=True, slots=True)
class Unread:
    """Lines that are no command, or are out of place: nothing is done.

    `above` is the turn in the lines above, if all of these are below it; else None.
    """

    lines: tuple[Line, ...]
    above: WholeTurn | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Lines that take back what the others ask for, or put it off; a line of the subject has number
    0."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The two forms of a mail, plain and HTML, ask for different things."""


@dataclass(frozen=True, slots=True)
class Empty:
    """An answer with nothing above the quotation."""


Answer = WholeTurn | AskedWord | Gift | Wish | Unread | TakenBack | Contradiction | Empty

_ONLY_DONE: Final = WholeTurn((), dependent=("done",))
_SAY: Final = re.compile(rf"{MESSAGE.pattern} ?(?P<text>\S.*)", re.IGNORECASE)
_ANSWERS: Final = ([AskedWord("yes")], [AskedWord("no")])
_PRAISING: Final = languages.any_of(words("phrases", "praising"))
_COMPLIMENT: Final = re.compile(
    rf"(?<!\w)(?:(?:{_PRAISING}) |(?:{'|'.join(map(re.escape, PRAISE))}) ?,)",
    re.IGNORECASE,
)
"""Matches praise of a turn, as a sentence, or joined to what follows."""
_SHORT_CLAIM: Final = re.compile(r"[cC] ?[1-9]")
_BARE: Final = re.compile(r"[\W\d_]+")
_TELL: Final = re.compile(
    r"(?P<turn>[^:]+[.!,;]) (?:and )?(?:please )?tell (?P<whom>\w+): ?(?P<text>\S.*)", re.IGNORECASE
)
_WHOM: Final = ("him", "her", "them")
_GOES_ON: Final = re.compile(rf"(?:(?<=[\s,;])(?:{languages.JOINS})|, then|\+)[\s.,…]*$")
_MAY_END: Final = re.compile(r"(?:then|dann|puis|poi|luego|dan|plus)[\s.,…]*$")
"""Matches joining words that may end a sentence too: "R7 at 3 then"."""
_BRACKETS: Final = re.compile(r"\((?:that is[:,]? )?(?P<text>[^()]*)\)\.?", re.IGNORECASE)
_ACCEPT: Final = re.compile(
    rf"{GLADLY}(?:i(?: will|'ll)? )?(?:(?:gladly|happily) )?"
    r"accept(?: (?:the|your|this) (?:invitation|invite|challenge))? as:? (?P<name>.{1,80})",
    re.IGNORECASE,
)
_AFTER_NAME: Final = re.compile(r"[,.!]+ +(?=\S)|,$|(?<=\w{2})[.!]+$| (?=(?:please|thanks?)\b)")
_ABBREVIATIONS: Final = re.compile(
    r"(?<!\w)(?:[^\W\d_]|dr|mr|mrs|ms|st|prof|mme|jr|sr)\.|, (?=(?:[js]r|ph\.?d|md|esq|i+)\.?$)",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[,;:?!…](?=\s|$)|\.(?=\s)|\.\.|(?<!\w)-+(?!\w)|[()]")
_SHORT_VERB: Final = re.compile("['’](?:s|m|ve|d|ll|re)$")
_NO_NAMES: Final = frozenset(words("phrases", "no_names").split())
_NOT_IN_NAMES: Final = frozenset(words("phrases", "not_in_names").split())


def read_commands(lines: Sequence[Line], names: Collection[str] = ()) -> Answer:
    """Return what these lines ask for. `names`, in lower case, may be greeted or signed with."""
    if not lines:
        return Empty()
    lines = _rejoined([each for line in lines for each in _parted(line, names)])
    if hidden := tuple(line for line in lines if HIDDEN in line.text):
        return Unread(hidden)
    # Programs cut a long message into lines: whatever is below a message is never played.
    place = beginning_of_message(lines)
    alone = len(lines) == 1
    read = [
        _items(line, names, first=at == 0, alone=alone) for at, line in enumerate(lines[:place])
    ]
    read = _finished(lines, read)
    if read == [None] and len(lines) == 1:
        return Unread(tuple(lines))
    lines, read = _without_repetitions(lines, read, names)
    place = len(read)
    said = _said(lines[place:])
    if (word := _word(lines, read)) is not None:
        return word
    unread = [line for line, items in zip(lines, read, strict=False) if not _is_of_turn(items)]
    unread += [line for line, text in zip(lines[place:], said, strict=True) if text is None]
    if any("no claim" in (items or ()) for items in read) and _claims_something(read):
        return Unread(tuple(lines))
    turn = _turn(read, list(filter(None, said)))
    if len(turn.actions) > LONGEST_TURN:
        return Unread(tuple(lines[LONGEST_TURN:] or lines))
    if unread:
        is_below = [*lines[-len(unread) :]] == unread and turn.is_move
        return Unread(tuple(unread), turn if is_below else None)
    if turn == _ONLY_DONE:
        return Unread(tuple(lines))
    return turn


def message_below(lines: Sequence[Line]) -> str | None:
    """Return the message at the end of these lines, empty for none; None if other lines are below
    it, or perhaps nobody sees it."""
    said = _said(lines[beginning_of_message(lines) :])
    message = "\n".join(filter(None, said))
    return message if all(said) and HIDDEN not in message else None


def messages_in(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return what these lines say to the other player, wherever they stand."""
    return tuple(filter(None, _said(lines)))


def beginning_of_message(lines: Sequence[Line]) -> int:
    """Return the index of the first line that is passed on; the number of lines if none is."""
    return next((at for at, line in enumerate(lines) if MESSAGE.match(line.text)), len(lines))


def _said(lines: Sequence[Line]) -> list[str | None]:
    """Return what each line says to the other player; None for a line that is no message."""
    said = (_SAY.fullmatch(line.text) for line in lines)
    return [text and text["text"] for text in said]


def _finished(lines: Sequence[Line], read: Sequence[list[Item] | None]) -> list[list[Item] | None]:
    """Return what was read in each line; None for a line that goes on ("R7 at 3 and") although no
    turn follows."""
    below = [*read[1:], None]
    return [
        None if _goes_on(line.text.casefold()) and not _is_of_turn(next_items) else items
        for line, items, next_items in zip(lines, read, below, strict=False)
    ]


def _goes_on(text: str) -> bool:
    match = _GOES_ON.search(text)
    if match is None:
        return False
    begins_sentence = text[: match.start()].rstrip()[-1:] in (".", "!", ",")
    return begins_sentence or match[0][0] == "," or _MAY_END.fullmatch(match[0]) is None


def _rejoined(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, with two kinds joined: lines that name the card and the Stone of one play
    ("Card: R7"), and short claims with the line above, as they are read only behind a play."""
    joined: list[Line] = []
    for line in lines:
        half, before = (
            HALF.fullmatch(line.text),
            HALF.fullmatch(joined[-1].text) if joined else None,
        )
        if half and before and half.lastgroup != before.lastgroup:
            card, stone = sorted((before, half), key=lambda match: match.lastgroup or "")
            joined[-1] = joined[-1]._replace(text=f"{card[0]} / {stone[0]}")
        elif joined and _SHORT_CLAIM.fullmatch(line.text):
            joined[-1] = joined[-1]._replace(text=f"{joined[-1].text}, {line.text}")
        else:
            joined.append(line)
    return joined


def _parted(line: Line, names: Collection[str]) -> list[Line]:
    """Return the line; as two lines if it ends in words for the other player: "R7 at 3. Tell Bo:
    hi"."""
    match = None if MESSAGE.match(line.text) else _TELL.fullmatch(line.text)
    if match is None or not (
        match["whom"].lower() in _WHOM or is_named(match["whom"].lower(), names)
    ):
        return [line]
    return [line._replace(text=match["turn"]), line._replace(text=f"say: {match['text']}")]


def commands_among(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return those lines that would play something if they were the whole answer."""
    answers = ((line, read_commands([line])) for line in lines)
    return tuple(line for line, asked in answers if isinstance(asked, WholeTurn) and asked.is_move)


def _items(line: Line, names: Collection[str], *, first: bool, alone: bool) -> list[Item] | None:
    """Return the commands of a line. Of another language's words, which may be ordinary ones, those
    that are alone in their mail count only where the line is the whole answer."""
    items = _in_any_language(line.text, names, first=first, alone=alone)
    if items is None and alone and (rest := without_address(line.text, names)) != line.text:
        items = _in_any_language(rest, names, first=first, alone=True)
        is_told = items == [AskedWord("resign")] and OF_WRITER.match(rest) is None
        items = items if _is_word(items) and not is_told else None  # "Hi Ben, resign" tells Ben
    # "Yes, that was a good move" answers the other player.
    return None if items in _ANSWERS and _COMPLIMENT.search(line.text) else items


def _in_any_language(
    text: str, names: Collection[str], *, first: bool, alone: bool
) -> list[Item] | None:
    items = _in_english(text, names, first=first)
    if items is not None:
        is_english = _is_word(items) and in_english(unmarked(text)) is None
        return _said_in(ENGLISH, items) if is_english else items
    if (english := in_english(unmarked(text))) is None:
        return None
    items = _in_english(english, names, first=first)
    if alone and items and (language := language_of(unmarked(text))) is not None:
        return _said_in(language, items)
    return items if alone or _is_of_turn(items) else None


def _said_in(language: str, items: list[Item]) -> list[Item]:
    """Return the items, with the language in which a word among them was said."""
    return [
        replace(item, language=language) if isinstance(item, AskedWord) else item for item in items
    ]


def _in_english(text: str, names: Collection[str], *, first: bool) -> list[Item] | None:
    if first and (match := _ACCEPT.fullmatch(text.rstrip())) is not None:
        name = _named(match["name"], names)
        return [AskedWord("accept", name)] if _may_be_name(name) else None
    items = items_of(text, names)
    if items and all(isinstance(item, Pass | End) for item in items):
        return items if first and _BARE.sub("", text).lower() in FIRST_ONLY else None
    return items


def _named(text: str, names: Collection[str]) -> str:
    """Return the name at the beginning of the text, without a courtesy behind it: "Cy, thanks!"."""
    text = SMILEYS.sub("", text).strip()
    for mark in _AFTER_NAME.finditer(text):
        if is_polite(text[mark.end() :], names):
            return unmarked(text[: mark.start()])
    return unmarked(text)


def _may_be_name(text: str) -> bool:
    """Whether these words can be a name, and say nothing about when or how the writer accepts, as
    in "accept as soon as possible". Words with a capital letter may stand in any name."""
    first, *others = (text.lower() if text.isupper() and " " in text else text).split() or [""]
    if _SHORT_VERB.sub("", first) in _NO_NAMES or _SENTENCE.search(_ABBREVIATIONS.sub("", text)):
        return False
    goes_on = (word in _NOT_IN_NAMES or (word.islower() and takes_back(word)) for word in others)
    return first != "" and text.split()[-1] not in ("and", "und", "et") and not any(goes_on)


def _is_word(items: list[Item] | None) -> bool:
    """Whether these are a single-word command and nothing else."""
    return items is not None and len(items) == 1 and isinstance(items[0], AskedWord)


def _word(
    lines: Sequence[Line], read: Sequence[list[Item] | None]
) -> AskedWord | Gift | Wish | Unread | None:
    """Return the single-word command on the first line, or `Unread` with the lines below it if
    there are any; None if the first line is no such command."""
    match read[0] if read else None:
        case [AskedWord(name=str(name)) as word] if all(_signs(line, name) for line in lines[1:]):
            return word
        case [word] if isinstance(word, AskedWord | Gift | Wish):
            return word if len(lines) == 1 else Unread(tuple(lines[1:]))
        case _:
            return None


def _signs(line: Line, name: str) -> bool:
    """Whether the line is this name, or its first part."""
    return line.text.casefold().rstrip(" .") in (name.casefold(), name.casefold().split()[0])


def _is_of_turn(items: list[Item] | None) -> bool:
    words = AskedWord | Gift | Wish
    return bool(items) and not any(isinstance(item, words) for item in items or ())


def _without_repetitions(
    lines: Sequence[Line], read: list[list[Item] | None], names: Collection[str]
) -> tuple[list[Line], list[list[Item] | None]]:
    """Return the lines, and what was read in them, without lines in brackets that only repeat
    others."""
    asked = [item for items in read for item in items or ()]
    repeated = set[int]()
    for at, line in enumerate(lines[: len(read)]):
        if read[at] is None and (match := _BRACKETS.fullmatch(line.text)) is not None:
            items = items_of(match["text"], names)
            if items and all(item in asked for item in items):
                repeated.add(at)
    remaining = [items for at, items in enumerate(read) if at not in repeated]
    return [line for at, line in enumerate(lines) if at not in repeated], remaining


def _claims_something(read: Sequence[list[Item] | None]) -> bool:
    items = [item for each in read for item in each or ()]
    return any(item in ("claim all", "claim both") or isinstance(item, Claim) for item in items)


def _turn(read: Sequence[list[Item] | None], said: Sequence[str]) -> WholeTurn:
    items = [item for each in read if _is_of_turn(each) for item in each or ()]
    dependent: list[Dependent] = [each for each in get_args(Dependent) if each in items]
    actions = tuple(str(item) for item in items if not isinstance(item, str))
    return WholeTurn(actions, "\n".join(said), tuple(dependent))

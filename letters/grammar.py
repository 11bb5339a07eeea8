"""The grammar of one line: which commands a line consists of.

It is closed: a line is read from its beginning to its end as commands, courtesies and joining
words, and any other word makes it no command. Nothing is guessed here: `guesses.py` guesses what an
unclear line may mean.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from engine import RuleBroken, parse
from engine.notation import Action, Claim, Draw, Play, Return
from letters import languages, patterns
from letters.inert import COMMAND_WORDS
from letters.languages import NUMBERS, ORDINALS, any_of
from letters.mail.phrases import (
    GREETINGS,
    HERALDS,
    OTHER,
    PRAISE,
    begins_phrase,
    is_writers_name,
    phrase_at,
)
from letters.mail.sign_offs import is_signed_closing
from letters.patterns import (
    BULLET,
    NUMBER,
    QUOTED,
    card_of,
    normalized,
    number_of,
    ruse_at,
    stone_of,
)
from letters.wishes import (
    BOUNDARY,
    LANGUAGE_NAMES,
    AskedWord,
    Wish,
    asked_word_at,
    language_asked,
    wish_of,
    word_of_question,
)
from letters.words import words

Dependent = Literal["claim all", "claim both", "done"]
"""Commands that depend on the position after the rest of the turn."""
NoClaim = Literal["no claim"]
"""A statement of the writer's that nothing is to be claimed."""


@dataclass(frozen=True, slots=True)
class Gift:
    """A gift of time to the other player, in seconds."""

    seconds: int


Item = Action | Dependent | NoClaim | AskedWord | Gift | Wish

_LONGEST: Final = 300
"""Most characters of a line of commands."""

_JOINS: Final = re.compile(
    r"(?:[,;.。、]|!(?![1-9])){0,4}\s*(?:[-/|](?=\s)\s*)?"
    rf"(?:(?:then[.!](?=\s|$)|(?:{languages.JOINS})(?=,?\s|$)),?\s*)?"
)
_THANKS: Final = re.compile(r"[,.]? ?(?:please|thanks|thank you|thx)[.!]?")
DONE: Final = re.compile(
    r"(?:(?:and |i'm |i am )?done|that(?:'?s| is) (?:all|it)|end (?:of )?(?:my |the )?turn|finished)"
    r"(?: from me)?(?: for (?:now|today|me|this (?:turn|time|go)|my (?:turn|go)))?"
)
_REASONS_TO_GIVE: Final = words("phrases", "reasons_to_give")
GIVE: Final = re.compile(
    r"(?:i(?:'ll| will|'d like to| would like to)? )?give "
    r"(?:(?P<whom>him|her|them|my opponent|[^\W\d_]{1,40}) )?"
    r"(?P<count>[1-9]\d{0,3}|an?|another|one|two|three)(?: more)? (?P<unit>hour|day|week)s?"
    rf"(?: more)?(?:[,;]? (?:{_REASONS_TO_GIVE}))?"
)
_ACTION: Final = re.compile(r"(?=\S*[@!+:-]|pass|end)[^\s“”„«»`\[\]]{2,24}")
_WORD: Final = re.compile(r"[^\s,;.!:。、]+")
_CORE: Final = re.compile(
    rf"[\d@+:]|![1-9]|-\w|(?<![a-z])(?:(?:{'|'.join(sorted(COMMAND_WORDS))}|{any_of({**NUMBERS, **ORDINALS})}"
    rf"|that(?:['’]?s| is) (?:all|it|right|correct|the one|what i meant?)|that one|go ahead|please do"
    rf"|(?:i['’]m|i am|count me) in|(?:what|how) (?:can|do|does|should)|was (?:kann|muss|soll) ich"
    r"|whose (?:turn|go|move)|is it my (?:turn|go|move)"
    r"|(?:can|could|may|might|shall|would) (?:i|we|you)(?: please)? (?:have|play|go|get|do|see|show me|send me)"
    r"(?: a look at)? (?:(?:a |my )?rematch|one more|another|again|(?:the|my) (?:board|position|cards|hand))"
    r"|(?:sure|of course|certainly),? (?:that|this|it)(?: is|['’]?s) (?:me|my)"
    rf"|exactly so|in (?:{LANGUAGE_NAMES}))(?:ing|s)?(?![a-z])|{languages.CLAIMS}|{languages.CLAIMS_IT}|recruiter|have both"
    rf"|{languages.DRAWS})"
)
_ANSWER: Final = re.compile(r"^(?:my |the )?answer(?: is)?: (?=“)")
"""Matches an introduction of our own words in our own quotation marks."""
_REQUEST: Final = re.compile(
    r"(?P<first>please )?(?:could|can|would|will) you (?P<asks>please |kindly )?"
    r"(?P<what>(?:play|put|place|lay) [^?]+)(?P<mark>\?|$)(?P<rest>[^?]*)"
)
"""Matches a question that is a request if it says "please"; without a question mark, only if
"please" is at its beginning or its end."""
_OTHER_REQUEST: Final = re.compile(
    rf"(?:(?:{languages.PLEASES}),? )?(?:{languages.ASKS}) (?P<what>[^?]+)\?(?P<rest>[^?]*)"
)
_PLEASE: Final = re.compile(rf",? ?(?<!\w)(?:{languages.PLEASES})(?: mal)?(?!\w)")
_NUMBERS: Final = re.compile(rf"(?<![^\W\d_]){NUMBER}(?!\w)")
"""Matches numbers of Stones, but not the "one" in "stone"."""
_COUNTS: Final = {"a": 1, "an": 1, "another": 1, "one": 1, "two": 2, "three": 3}
_UNITS: Final = {"hour": 3600, "day": 86_400, "week": 7 * 86_400}
_WHOM: Final = (None, "him", "her", "them", "my opponent")


def may_hold(text: str) -> bool:
    """Whether this text, in plain form, may hold a command: it has one of the words or signs of
    which every command needs at least one."""
    return _CORE.search(text.lower()) is not None


def items_of(line: str, names: Collection[str] = ()) -> list[Item] | None:
    """Return the commands of the line, in its order; None if it holds none, or anything else.

    The line is in plain form. `names`, in lower case, may occur in it as in a greeting.
    """
    if not may_hold(line):
        return None
    text = normalized(line)
    if not text or len(text) > _LONGEST:
        return None
    if _ANSWER.match(text) is not None:
        text = re.sub("”[,;.]", "”", _ANSWER.sub("", text))
    asked = _REQUEST.fullmatch(text) if "please" in text else None
    is_request = asked and (asked["first"] or asked["asks"] or asked["what"].endswith("please"))
    if asked and (asked["mark"] or is_request):
        text = f"{asked['what']}. {asked['rest']}".strip()
    if (in_language := language_asked(text)) is not None:
        return [in_language]
    if "?" in text:
        word = word_of_question(text)
        return [word] if word else _requested(text, names)
    return _scanned(text, names, is_whole=True)


def _requested(text: str, names: Collection[str]) -> list[Item] | None:
    """Return the play, with its claims, for which a question asks politely, in any of the
    languages; None if it does not."""
    asked = _OTHER_REQUEST.fullmatch(text)
    if asked is None or _PLEASE.search(text) is None:
        return None
    what = _PLEASE.sub("", asked["what"]).strip(" ,")
    items = _scanned(f"{what}. {asked['rest']}".strip(), names, is_whole=True) or []
    is_play = bool(items) and isinstance(items[0], Play)
    return items if is_play and all(isinstance(each, Play | Claim) for each in items) else None


def spans_of_commands(text: str, names: Collection[str] = ()) -> Iterator[tuple[int, int]]:
    """Yield the beginning and end of each command about cards and Stones in a text in lower case,
    whatever words are around it. "Clan" alone is no command."""
    end, before = 0, list[Item]()
    for word in re.finditer(r"(?<!\w)[\w!+-]", text):
        step = (
            None
            if word.start() < end
            else _clause(text, word.start(), before, names, is_among=True)
        )
        if step is not None and not re.fullmatch(r"[^\W\d]+", text[word.start() : step[1]]):
            before += step[0]
            end = step[1]
            yield word.start(), end


def _scanned(text: str, names: Collection[str], *, is_whole: bool) -> list[Item] | None:
    bullet = BULLET.match(text) if is_whole else None
    place = bullet.end() if bullet else 0
    read: list[Item] = []
    while place < len(text):
        step = _quoted(text, place, names) or _repeated(text, place, read) if is_whole else None
        step = step or _clause(text, place, read, names) or _courtesy(text, place, names)
        if step is None:
            return None
        items, place = step
        read += items
        if place < len(text) and (joins := _JOINS.match(text, place)) is not None:
            place = joins.end()
    return read or None


def _quoted(text: str, place: int, names: Collection[str]) -> tuple[list[Item], int] | None:
    """Read the commands in quotation marks at `place`. Return them and the place after the marks.

    None if there are none, or if text other than thanks follows without a space.
    """
    match = QUOTED.match(text, place)
    if match is None or match.lastgroup is None:
        return None
    if text[match.end() : match.end() + 1].strip() and not _THANKS.fullmatch(text, match.end()):
        return None
    items = _scanned(match[match.lastgroup].strip(), names, is_whole=False)
    return None if items is None else (items, match.end())


def _repeated(text: str, place: int, before: list[Item]) -> tuple[list[Item], int] | None:
    """Read commands in brackets that repeat those before them or add claims, and return the added
    ones and their end."""
    closed = text.find(")", place)
    if not before or text[place] != "(" or closed < 0:
        return None
    items = _scanned(text[place + 1 : closed].strip(), (), is_whole=False)
    added = [item for item in items or () if item not in before]
    is_read = items and all(isinstance(item, Claim) for item in added)
    return (added, closed + 1) if is_read else None


def _courtesy(text: str, place: int, names: Collection[str]) -> tuple[list[Item], int] | None:
    """Read words of courtesy, up to the next mark, or a closing and the writer's name at the end.
    Return no commands and the end of these words; None if there are none."""
    first = _WORD.match(text, place)
    is_signed = place and is_signed_closing(text[place:].strip(" .!"), names)
    if is_signed and not is_writers_name(text.partition(",")[0], names):
        return [], len(text)
    if first is None or not (names or begins_phrase(first[0].casefold())):
        return None
    words = list(_WORD.finditer(text[place : place + 80]))[:7]
    said = [word[0].casefold() for word in words]
    length = phrase_at(said, 0, names)
    if not length or re.search("[;.!:]", text[place : place + words[length - 1].end()]):
        return None
    end = place + words[length - 1].end()
    phrase = " ".join(said[:length])
    if (phrase in HERALDS and may_hold(text[:place])) or (
        phrase in PRAISE and text[end : end + 1] == "," and may_hold(text[end:])
    ):
        return None  # of another turn, or of this as if another had played it
    is_greeting = any(" ".join(said[:count]) in GREETINGS for count in range(1, length + 1))
    is_name = not phrase_at(said, 0, ())
    # "Ben: play R7 at 3" is what Ben says, and "Ben R7 at 3" may be.
    if is_name and not text[:place].strip() and re.match(r":| \w", text[end:]):
        return None
    if text[end : end + 1] == ":":
        return ([], end + 1) if is_greeting else None  # "your move: R7 at 3" tells of another's
    is_said_of = re.match(r" \w", text[end:]) and not phrase_at(said, length, names)
    # "best move R7 at 3" and "love R7 at 3" praise it.
    return None if is_said_of and not is_greeting and not is_name else ([], end)


def is_courtesy(line: str, place: int = 0) -> bool:
    """Whether words of courtesy begin at this index of a line in lower case."""
    return _courtesy(line, place, ()) is not None


def _clause(
    text: str, place: int, before: list[Item], names: Collection[str], *, is_among: bool = False
) -> tuple[list[Item], int] | None:
    """Read the command that begins at this index, and return its items and its end; None if none
    does. With `is_among`, only commands about cards are read, as other words surround them."""
    of_cards = (_play, _ruse, _claim, _no_claim, _draw, _return)
    readers = (*of_cards, _action) if is_among else (_wish, *of_cards, _word, _gift, _done, _action)
    for read in readers:
        step = read(text, place, before, names)
        if step is not None and BOUNDARY.match(text, step[1]):
            return step
    return None


_Read = tuple[list[Item], int] | None


def _wish(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    if re.search(r"\w\w", text[:place]):
        return None
    wish = wish_of(text[place:])
    return ([wish], len(text)) if wish is not None else None


def _play(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    match = patterns.PLAY.match(text, place) or patterns.STONE_FIRST.match(text, place)
    match = match or (None if before else patterns.BARE_PLAY.match(text, place))
    if match is None or (card := card_of(match["card"])) is None:
        return None
    groups = match.groupdict()
    if (named := groups.get("named")) and card_of(named) != card:
        return None
    return [Play(card, stone_of(groups["stone"] or groups["named_stone"]))], match.end()


def _ruse(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    ruse = ruse_at(text, place, names)
    return ([ruse[0]], ruse[1]) if ruse else None


def _claim(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    if (closed := patterns.STONE_CLAIMED.match(text, place)) is not None:
        stones = _NUMBERS.findall(closed["stones"])
        return [Claim(number_of(stone)) for stone in stones], closed.end()
    forms = (patterns.CLAIM, patterns.TAKE_STONE, patterns.IS_MINE, patterns.BOTH_CLAIMS)
    match = next(filter(None, (form.match(text, place) for form in forms)), None)
    if any(isinstance(item, Play) for item in before):
        match = match or patterns.CLAIM_BEHIND_A_PLAY.match(text, place)
    groups = match.groupdict() if match else {"it": "it"}
    if match is None and (match := patterns.CLAIM_IT.match(text, place)) is None:
        return None
    if groups.get("it"):
        if before and isinstance(before[-1], Claim):  # "I take stone 8, that one's mine"
            return [], match.end()
        played = [item for item in before if isinstance(item, Play)]
        return ([Claim(played[-1].stone)], match.end()) if len(played) == 1 else None
    if groups.get("all"):
        return ["claim all"], match.end()
    if groups.get("both") and not groups.get("stones"):
        return ["claim both"], match.end()
    if nth := groups.get("nth"):
        return [Claim(stone_of(nth))], match.end()
    stones = _NUMBERS.findall(groups["stones"] or groups.get("stone") or "")
    claims = [Claim(number_of(stone)) for stone in stones]
    return [claim for claim in claims if claim not in before], match.end()


def _no_claim(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    match = patterns.NO_CLAIM.match(text, place)
    return (["no claim"], match.end()) if match else None


def _draw(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    match = patterns.DRAW.match(text, place)
    if match is None:
        return None
    return [Draw("clan" if match["deck"] == "clan" else "tactic")], match.end()


def _return(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    match = patterns.RETURN.match(text, place)
    if match is None:
        return None
    cards = [card_of(match[name]) for name in ("one", "other") if match[name]]
    return [Return(tuple(card for card in cards if card))], match.end()


def _word(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    if re.search(r"\w\w", text[:place]):
        return None  # "please accept" may go on in many ways
    word = asked_word_at(text, place)
    return ([word[0]], word[1]) if word else None


def _gift(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    match = GIVE.match(text, place)
    if match is None:
        return None
    whom, says_who = match["whom"], match[0].startswith("i")
    is_to_other = OTHER + (whom or "") in names or (says_who and whom == "you")
    if whom not in _WHOM and not is_to_other:
        return None
    if re.search(r"\w\w", text[:place]) and not says_who:
        return None  # "Hi Ben, give 2 days" asks Ben
    count = _COUNTS.get(match["count"]) or int(match["count"])
    return [Gift(count * _UNITS[match["unit"]])], match.end()


def _done(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    match = DONE.match(text, place)
    return (["done"], match.end()) if match else None


def _action(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    action = action_at(text, place)
    return ([action[0]], action[1]) if action else None


def action_at(text: str, place: int) -> tuple[Action, int] | None:
    """Return the action in action text that begins at this index of a line, and its end; None if
    none does."""
    match = _ACTION.match(text, place)
    if match is None:
        return None
    token = match[0].rstrip(".,;") if len(match[0]) > 2 else match[0]
    token = token[:-1] if token.endswith("!") and len(token) > 2 else token
    try:
        return parse(token), place + len(token)
    except RuleBroken:
        return None

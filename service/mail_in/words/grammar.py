"""The grammar of one line: which commands it is made of, if of nothing else.

It is closed: a line is read from its beginning to its end as commands, courtesies and what joins
them, and a word that is none of these makes it no command. Nothing is guessed here; what a line
may have meant is for `guesses.py`.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from engine import RuleBroken, parse
from engine.cards import CLAN_CARDS, NAMES, TACTIC_CARDS, read_card
from engine.notation import Action, Claim, Draw, Play, Return
from service.core.durations import DAY, HOUR
from service.mail_in.reading.phrases import SMILEYS, phrase_at
from service.mail_in.words import languages
from service.mail_in.words.languages import NUMBERS, ORDINALS
from service.mail_in.words.single_words import BOUNDARY, AskedWord, asked_word_at
from service.mail_in.words.wishes import Wish, wish_of
from service.text.card_names import CLANS
from service.text.inert import COMMAND_WORDS

Standing = Literal["claim all", "done"]
"""Commands that depend on the game as it stands once the rest is played."""
NoClaim = Literal["no claim"]
"""The writer says that nothing is to be claimed."""


@dataclass(frozen=True, slots=True)
class Gift:
    """More time for the other player, in seconds."""

    seconds: int


Item = Action | Standing | NoClaim | AskedWord | Gift | Wish

_COLOURS: Final = {name.lower(): letter for letter, name in CLANS.items()} | languages.COLOURS
_ANY_COLOUR: Final = "|".join(sorted(_COLOURS, key=len, reverse=True))
_BY_NAME: Final = {NAMES[card].lower(): card for card in TACTIC_CARDS if card in NAMES}
_LONGEST: Final = 300
"""Characters of a line of commands."""

_NUMBER: Final = f"(?:[1-9]|{'|'.join(NUMBERS)})"
_CODE: Final = r"(?:[roygbp][ -]?[1-9]|[1-9][roygbp])"
_MY: Final = rf"(?:(?:the|my|{languages.ARTICLES}) )?"
_CARD: Final = (
    rf"{_MY}(?:{_CODE}|(?:{_ANY_COLOUR})[ -]?{_NUMBER}"
    rf"|{_NUMBER} (?:of )?(?:{_ANY_COLOUR})s?|(?:{'|'.join(map(re.escape, _BY_NAME))})"
    r"(?: card)?|jok|spy|shb|bmb|mud)"
)
_STONE: Final = (
    rf"(?:{_MY}(?:(?:stone|{languages.STONES})[ -])?(?:no\.? ?|nr\.? ?|number )?#?(?P<open>\()?(?P<stone>{_NUMBER})"
    rf"(?(open)\))|(?:the )?(?P<nth>{'|'.join(ORDINALS)}) stone)"
)
_LEAD: Final = (
    r"(?:(?:please|pls|just|yes|i do|i|i'll|i will|i'd like to|i would like to|i want to|let's|let us|let me|ok|okay|so"
    r"|alright|now|well|hmm|first|then|and|also|i think i'll|i'm going with|i am going with|going with"
    r"|i go with|bitte|por favor|my (?:move|turn|answer)(?: is)?|here(?:'s| is) my (?:move|turn))[:,]?\s){0,8}"
)
_VERB: Final = (
    rf"(?:(?:play|paly|plya|put|place|lay|set|move"
    rf"|(?:i'm |i am )?(?:playing|putting|placing|laying)|{languages.PLAYS})(?:: ?| ){_MY})?"
)
_AT: Final = (
    r"(?: ?(?:@|->|=>|→|>) ?| (?:goes )?(?:at|on|to)(?: |(?=[1-9]))"
    rf"| (?:onto|in|into|over at|{languages.AT}) |,? (?=stone ))"
)
_JOINS: Final = re.compile(
    r"(?:[,;.。、]|!(?![1-9])){0,4}\s*"
    rf"(?:(?:then[.!](?=\s|$)|(?:and then|and|then|&|\+|{languages.JOINS})(?=\s|$))\s*)?"
)
_BULLET: Final = re.compile(r"(?:[-*•·–◦▪●+]|[a-z]\)) |\d{1,2}[.)] ?")
_QUOTED: Final = re.compile(
    r"“(?P<a>[^“”\"]{1,120})”|„(?P<b>[^„“”]{1,120})[“”]|\"(?P<c>[^\"]{1,120})\"|'(?P<d>[^']{1,120})'"
    r"|‘(?P<e>[^‘’]{1,120})’|«\s?(?P<f>[^«»]{1,120}?)\s?»|`(?P<g>[^`]{1,120})`"
    r"|\*\*(?P<h>[^*]{1,120})\*\*|\*(?P<i>[^*]{1,120})\*|_(?P<j>[^_]{1,120})_"
    r"|\[(?P<k>[^\[\]]{1,120})\]"
)
_THANKS: Final = re.compile(r"[,.]? ?(?:please|thanks|thank you|thx)[.!]?")
_STONES: Final = rf"#?{_NUMBER}(?:(?:, ?(?:and )?| ?[&+] ?| and | )(?:stone )?#?{_NUMBER}(?!\w))*"

_PLAY: Final = re.compile(
    rf"{_LEAD}{_VERB}(?:(?P<named>{_CARD}),? (?:{languages.THAT_IS})[,:]? )?(?P<card>{_CARD})"
    rf"{_AT}{_STONE}(?: (?:{languages.PLAYED_AT_THE_END})(?!\w))?"
)
_STONE_FIRST: Final = re.compile(
    rf"{_LEAD}(?:on |at )?stone (?P<stone>{_NUMBER}): (?P<card>{_CARD})"
)
_NO_CLAIM: Final = re.compile(
    r"(?:i (?:don't|do not|won't|will not) (?:want to )?claim|no claims?|not claiming)"
    r"(?: anything| any stones?| it)?(?: yet| now| for now)?"
)
_STONE_CLAIMED: Final = re.compile(
    rf"{_LEAD}{_MY}(?:{languages.STONES}) (?P<stone>{_NUMBER})"
    rf" (?:{languages.CLAIMED_AT_THE_END})(?!\w)"
)
_CLAIM: Final = re.compile(
    rf"{_LEAD}(?:claim(?:ing)?|{languages.CLAIMS}):? (?:(?P<all>all|everything|all stones|all of them|them all)"
    rf"|(?P<it>it|that(?: one| stone)?|this(?: one| stone)?)|{_MY}(?:(?:stones?|{languages.STONES}) )?(?:no\.? ?)?(?P<stones>{_STONES})"
    rf"|the (?P<nth>{'|'.join(ORDINALS)}) stone)"
)
_CLAIM_IT: Final = re.compile(
    rf"{_LEAD}(?P<it>(?:{languages.CLAIMS_IT})(?!\w)|claim(?:ing)?(?=(?:,? please)?[.!]?$))"
)
"""The Stone of the one play on the line is meant, without its number."""
_DRAW: Final = re.compile(
    rf"{_LEAD}(?:(?:draw|take):? (?:from )?(?:a |an |one |the )?(?P<deck>clan|tactics?)"
    r"(?: card| deck)?|(?P<bare>clan|tactics?)(?: card| deck)?)"
)
_RETURN: Final = re.compile(
    rf"{_LEAD}(?:return|put back) (?P<one>{_CARD})(?:(?:,? and |, ?)(?P<other>{_CARD}))?"
)
_DONE: Final = re.compile(
    r"(?:(?:and |i'm |i am )?done|that(?:'s| is) (?:all|it)|end (?:my |the )?turn|finished)"
)
_GIVE: Final = re.compile(
    r"(?:i )?give (?:(?P<whom>him|her|them|my opponent|[^\W\d_]{1,40}) )?"
    r"(?P<count>[1-9]\d{0,3}|an?|another|one|two|three)(?: more)? (?P<unit>hour|day|week)s?"
    r"(?: more)?"
)
_ACTION: Final = re.compile(r"[^\s“”„«»`\[\]]{2,24}")
_FIRST_SIGNS: Final = (
    rf"(?:{_CARD}|[a-z]{{3}}:|![1-9]|\+ ?[ct]|-\w\w|[a-z]{{3}}@"
    rf"|(?:{languages.ARTICLES}|{languages.PLAYS}|{languages.CLAIMS}|{languages.STONES})(?!\w))"
)
_FIRST_WORDS: Final = (
    rf"(?:{'|'.join(sorted(COMMAND_WORDS))}|the|my|that|please|i|let|ok|so|now|well|hmm|first|then|and"
    r"|also|going|here|a|on|could|would|can|will|just|not|yes|no)"
)
_BEFORE_FIRST: Final = r"\W{0,2}(?:(?:\d{1,2}[.)]|[a-z]\)) )?\W?"
_BEGINNING: Final = re.compile(f"{_BEFORE_FIRST}(?:{_FIRST_SIGNS}|{_FIRST_WORDS})")
_BEGINNING_OF_WORDS: Final = re.compile(
    rf"{_BEFORE_FIRST}(?:{_FIRST_SIGNS}|{_FIRST_WORDS}(?:ing|s|ay)?(?![^\W\d_]))"
)
_CORE: Final = re.compile(
    rf"[\d@+:]|![1-9]|-\w|(?<![a-z])(?:(?:{'|'.join(sorted({*COMMAND_WORDS, *NUMBERS, *ORDINALS}))}"
    rf"|that(?:['’]s| is) (?:all|it))(?:ing|s)?(?![a-z])|{languages.CLAIMS}|{languages.CLAIMS_IT})"
)
_REQUEST: Final = re.compile(
    r"(?:could|can|would|will) you (?P<asks>please |kindly )?(?P<what>(?:play|put|place|lay) [^?]+)"
    r"(?P<mark>\?|$)(?P<rest>[^?]*)"
)
"""A question that is a request, where it says "please"; at its beginning, if it has no mark."""
_LONE_MARK: Final = re.compile(r" (?=[!;:,.](?:\s|$))")
"""A space before a mark, as French has it."""
_DICTATED: Final = re.compile(r" (?:period|full stop)(?!\S)")
_COUNTS: Final = {"a": 1, "an": 1, "another": 1, "one": 1, "two": 2, "three": 3}
_UNITS: Final = {"hour": HOUR, "day": DAY, "week": 7 * DAY}
_WHOM: Final = (None, "him", "her", "them", "my opponent")


def may_begin(text: str, *, is_whole: bool) -> bool:
    """Whether a line of commands may begin like this text, in plain form, wherever it is broken, or,
    if its words are `is_whole`, between words: with a command, or with words of courtesy before
    one. Other texts begin so as well."""
    line = text.lower().replace("’", "'")
    beginning = _BEGINNING_OF_WORDS if is_whole else _BEGINNING
    return beginning.match(line) is not None or _courtesy(line, 0, ()) is not None


def may_hold(text: str) -> bool:
    """Whether this text, in plain form, has a word or sign without which there is no command."""
    return _CORE.search(text.lower()) is not None


def items_of(line: str, names: Collection[str] = ()) -> list[Item] | None:
    """The commands of the line, in its order; None where anything else stands in it, or nothing.

    The line is in plain form. `names` may stand in it as in a greeting, in lower case.
    """
    if not may_hold(line):
        return None
    text = SMILEYS.sub(" ", line).replace("’", "'")
    text = " ".join(text.split()) if text != line else text
    if not text or len(text) > _LONGEST:
        return None
    text = _LONE_MARK.sub("", _DICTATED.sub(".", text.lower()))
    asked = _REQUEST.fullmatch(text) if "please" in text else None
    if asked is not None and (asked["mark"] or asked["asks"]):
        text = f"{asked['what']}. {asked['rest']}".strip()
    return None if "?" in text else _scanned(text, names, is_whole=True)


def _scanned(text: str, names: Collection[str], *, is_whole: bool) -> list[Item] | None:
    bullet = _BULLET.match(text) if is_whole else None
    place = bullet.end() if bullet else 0
    found: list[Item] = []
    while place < len(text):
        step = _quoted(text, place, names) or _repeated(text, place, found) if is_whole else None
        step = step or _clause(text, place, found, names) or _courtesy(text, place, names)
        if step is None:
            return None
        items, place = step
        found += items
        if place < len(text) and (joins := _JOINS.match(text, place)) is not None:
            place = joins.end()
    return found or None


def _quoted(text: str, place: int, names: Collection[str]) -> tuple[list[Item], int] | None:
    """Commands in quotation marks, beside which nothing is written but thanks."""
    found = _QUOTED.match(text, place)
    if found is None or found.lastgroup is None:
        return None
    if text[found.end() : found.end() + 1].strip() and not _THANKS.fullmatch(text, found.end()):
        return None
    items = _scanned(found[found.lastgroup].strip(), names, is_whole=False)
    return None if items is None else (items, found.end())


def _repeated(text: str, place: int, before: list[Item]) -> tuple[list[Item], int] | None:
    """Commands in brackets that say once more what stands before them."""
    closed = text.find(")", place)
    if not before or text[place] != "(" or closed < 0:
        return None
    items = _scanned(text[place + 1 : closed].strip(), (), is_whole=False)
    return ([], closed + 1) if items and all(item in before for item in items) else None


def _courtesy(text: str, place: int, names: Collection[str]) -> tuple[list[Item], int] | None:
    """Words of courtesy, up to the next mark."""
    words = list(re.finditer(r"[^\s,;.!:。、]+", text[place : place + 80]))[:7]
    length = phrase_at([word[0] for word in words], 0, names)
    if not length or words[0].start() or re.search("[,;.!:]", _between(text, place, words, length)):
        return None
    end = place + words[length - 1].end()
    is_name = not phrase_at([word[0] for word in words], 0, ())
    # "Ben: play R7 at 3" is what Ben says, and "Ben R7 at 3" may be.
    if is_name and not text[:place].strip() and re.match(r":| \w", text[end:]):
        return None
    if text[end : end + 1] != ":":
        return [], end
    return None if is_name else ([], end + 1)


def _between(text: str, place: int, words: list[re.Match[str]], length: int) -> str:
    return text[place : place + words[length - 1].end()]


def _clause(
    text: str, place: int, before: list[Item], names: Collection[str]
) -> tuple[list[Item], int] | None:
    """One command that begins here."""
    for read in (_wish, _play, _claim, _no_claim, _draw, _return, _word, _gift, _done, _action):
        found = read(text, place, before, names)
        if found is not None and BOUNDARY.match(text, found[1]):
            return found
    return None


_Read = tuple[list[Item], int] | None


def _wish(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    if re.search(r"\w\w", text[:place]):
        return None
    wish = wish_of(text[place:])
    return ([wish], len(text)) if wish is not None else None


def _play(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    if (first := _STONE_FIRST.match(text, place)) is not None:
        card = card_of(first["card"])
        return ([Play(card, number_of(first["stone"]))], first.end()) if card else None
    found = _PLAY.match(text, place)
    card = found and card_of(found["card"])
    if found is None or not card or (found["named"] and card_of(found["named"]) != card):
        return None
    return [Play(card, _stone(found))], found.end()


def _claim(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    if (closed := _STONE_CLAIMED.match(text, place)) is not None:
        return [Claim(number_of(closed["stone"]))], closed.end()
    found = _CLAIM.match(text, place) or _CLAIM_IT.match(text, place)
    if found is None:
        return None
    if found["it"]:
        played = [item for item in before if isinstance(item, Play)]
        return ([Claim(played[-1].stone)], found.end()) if len(played) == 1 else None
    if found["all"]:
        return ["claim all"], found.end()
    if found["nth"]:
        return [Claim(ORDINALS[found["nth"]])], found.end()
    stones = re.findall(_NUMBER, found["stones"])
    return [Claim(number_of(stone)) for stone in stones], found.end()


def _no_claim(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    found = _NO_CLAIM.match(text, place)
    return (["no claim"], found.end()) if found else None


def _draw(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    found = _DRAW.match(text, place)
    if found is None:
        return None
    deck = found["deck"] or found["bare"]
    return [Draw("clan" if deck == "clan" else "tactic")], found.end()


def _return(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    found = _RETURN.match(text, place)
    if found is None:
        return None
    cards = [card_of(found[name]) for name in ("one", "other") if found[name]]
    return [Return(tuple(card for card in cards if card))], found.end()


def _word(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    if re.search(r"\w\w", text[:place]):
        return None  # "please accept" may go on in many ways
    found = asked_word_at(text, place)
    return ([found[0]], found[1]) if found else None


def _gift(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    found = _GIVE.match(text, place)
    if found is None or (found["whom"] not in _WHOM and found["whom"] not in names):
        return None
    count = _COUNTS.get(found["count"]) or int(found["count"])
    return [Gift(count * _UNITS[found["unit"]])], found.end()


def _done(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    found = _DONE.match(text, place)
    return (["done"], found.end()) if found else None


def _action(text: str, place: int, before: list[Item], names: Collection[str]) -> _Read:
    found = _ACTION.match(text, place)
    if found is None:
        return None
    token = found[0].rstrip(".,;") if len(found[0]) > 2 else found[0]
    token = token[:-1] if token.endswith("!") and len(token) > 2 else token
    try:
        return [parse(token)], place + len(token)
    except RuleBroken:
        return None


def card_of(text: str) -> str | None:
    """The code of a card, however it is called; None for what is called like none."""
    words = re.sub(rf"^(?:the|my|{languages.ARTICLES}) |(?: card)$", "", text)
    if words in _BY_NAME:
        return _BY_NAME[words]
    if (found := re.fullmatch(rf"({_NUMBER}) (?:of )?({_ANY_COLOUR})s?", words)) is not None:
        words = f"{found[2]} {found[1]}"
    if (found := re.fullmatch(rf"({_ANY_COLOUR})[ -]?({_NUMBER})", words)) is not None:
        words = f"{_COLOURS[found[1]]}{number_of(found[2])}"
    code = read_card(re.sub("[ -]", "", words).upper())
    return code if code in CLAN_CARDS or code in TACTIC_CARDS else None


def number_of(text: str) -> int:
    """The number that is written so, in figures or as a word."""
    return NUMBERS.get(text) or int(text)


def _stone(found: re.Match[str]) -> int:
    return ORDINALS[found["nth"]] if found["nth"] else number_of(found["stone"])

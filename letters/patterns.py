"""Patterns of cards, Stones, decks and what is done with them, made of the words of `languages`;
and a reader of the four Ruses in words: "Strategist: move R7 from 3 to 5", "Recruiter: two clan,
one tactic". At the end stands what makes a line fit to be matched.

They match lines in lower case; their named groups hold what they found.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from engine import cards
from engine.cards import CLAN_CARDS, CLANS, NAMES, STRATEGIST, TACTIC_CARDS, TRAITOR, read_card
from engine.notation import Banish, Move, Recruit, Ruse
from letters import languages, taught
from letters.languages import NUMBERS, ORDINALS, ROMAN, VERBS, any_of
from letters.mail.phrases import SMILEYS, is_named

COLOURS: Final = {name.lower(): letter for letter, name in CLANS.items()} | languages.COLOURS
RUSES: Final = any_of("|".join(NAMES[card].lower() for card in cards.RUSES))
_BY_NAME: Final = {
    name.lower(): card
    for card in TACTIC_CARDS
    if card in NAMES
    for name in (NAMES[card], *taught.names_of(NAMES[card]))
}

NUMBER: Final = f"(?:[1-9]|{any_of(NUMBERS)})"
CODE: Final = r"(?:[roygbp][ -]?[1-9]|[1-9][roygbp])"
_OF: Final = "(?:of |de |di |in |en )?"
_COLOUR: Final = f"(?:{any_of(COLOURS)})"
MY: Final = rf"(?:(?:{languages.ARTICLES}) |l')?"
CARD: Final = (
    rf"{MY}(?:(?:{languages.CARDS}) )?(?:{CODE}|{_COLOUR}(?: card)?[ -]?{NUMBER}"
    rf"|(?!one (?!of )){NUMBER} {_OF}{_COLOUR}s?|(?:{any_of(_BY_NAME)})(?: card)?"
    r"|jok|spy|shb|bmb|mud)"
)
_A: Final = f"(?:{languages.STONES})"
_NTH: Final = f"(?:{any_of(ORDINALS)})"
_ENDS_IN_MIDDLE: Final = re.compile(rf"(?:{languages.MIDDLE_STONE})$")
_NTH_STONE: Final = f"{MY}{_NTH} {_A}"
_MIDDLE_STONE: Final = rf"{MY}(?:{languages.MIDDLE_STONE})(?! ?[#\d(])"
_NO: Final = r"(?:no\.? ?|nr\.? ?|number |nummer |numéro |número |numero )?"
_A_STONE: Final = (
    rf"(?:{MY}(?:{_A}(?: ?: ?|[ -]?))?{_NO}#?(?:\({NUMBER}\)|{NUMBER}|{any_of(ROMAN)})(?!\w)"
    rf"|{MY}(?:first {_A},? {_NO}1|middle {_A},? {_NO}5|last {_A},? {_NO}9)(?!\w)|{_NTH_STONE}"
    rf"|{_MIDDLE_STONE})"
)


def stone(name: str = "stone") -> str:
    """Return the pattern of a Stone, as a group of this name, whose text `stone_of` reads."""
    return f"(?P<{name}>{_A_STONE})"


LEAD: Final = rf"(?:(?:{any_of(languages.LEADS)})(?:[:,]|\.\.\.| -)?\s){{0,8}}"
"""Matches words before a command that do not change its meaning."""
TAIL: Final = rf"(?:,? (?:{languages.TAILS})(?!\w|\.\.)){{0,3}}"
VERB: Final = (
    rf"(?:(?:{languages.VERBS}|{languages.CARDS})(?:: ?| (?:(?:{languages.BETWEEN}),? )?))?"
)
AT: Final = (
    rf"(?: ?(?:@|->|=>|→|>) ?"
    rf"|(?:,|\.\.\.)? (?:(?:goes|going|down|geht|va|gaat) )?(?:{languages.AT})(?: |(?=[1-9]))"
    rf"| (?:for|für|pour|para|per|voor|för) (?={MY}(?:{_A}|{_NTH}) )"
    rf"| ?(?! ?\. ?\.)(?:[-,.;:/] ?){{0,2}}(?={MY}{_A}(?![^\W\d_])|{_NTH_STONE}|{_MIDDLE_STONE}))"
)
_BESIDE: Final = rf"(?: (?:next to|beside|joins|to join|to) {CARD}(?: and {CARD})?)"
PLAY: Final = re.compile(
    rf"{LEAD}{VERB}(?:(?P<named>{CARD}),? (?:{languages.THAT_IS})[,:]? )?(?P<card>{CARD})"
    rf"(?: from my hand|{_BESIDE})?(?:,? (?:{languages.BETWEEN})(?!\w))?{AT}{stone()}"
    rf"(?: (?:{languages.VERBS_AT_THE_END})(?!\w))?{TAIL}"
)
STONE_FIRST: Final = re.compile(
    rf"{LEAD}(?:(?:(?:{languages.AT}) )?(?P<stone>{_A_STONE})(?: please)?: "
    rf"|(?:(?:{languages.AT}) )?(?P<named_stone>(?:{MY}{_A} {_NO}|#){NUMBER}"
    rf"|{_NTH_STONE}|{_MIDDLE_STONE})"
    rf"(?:, ?| gets | - | )){LEAD}{VERB}(?P<card>{CARD})(?!{AT}{_A_STONE}){TAIL}"
)
BEGINNING_OF_BARE_PLAY: Final = re.compile(
    rf"{LEAD}{VERB}(?P<card>{CODE})(?: | ?[-/] ?|: ?|, )(?P<stone>[1-9])"
)
BARE_PLAY: Final = re.compile(
    rf"{BEGINNING_OF_BARE_PLAY.pattern}"
    r"(?=[.!]*$|[.,;!]* (?:[+&] )?(?:(?:and|then|also|i) )*(?:claim|c ?[1-9]))"
)
"""Matches a play by the card's code with only a space or a mark before the Stone's number: at the
end of a line, or before a claim."""
HALF: Final = re.compile(
    rf"(?P<card>(?:{languages.VERBS}|{languages.CARDS})(?:: ?| ){CARD})[.,;]?"
    rf"|(?P<stone>(?:{languages.STONES})(?:: ?| ){_NO}{NUMBER})[.,;]?",
    re.IGNORECASE,
)
"""Matches half of a play that is written on two lines: its card, or its Stone."""

NO_CLAIM: Final = re.compile(
    rf"(?:(?:i know )?i (?:could|can) claim (?:it|(?:stone )?{NUMBER}),?"
    r" but i (?:don't|won't|will not)"
    r"|i (?:don't|do not|won't|will not) (?:want to )?claim|no claims?|not claiming)"
    r"(?: anything| any stones?| it)?(?: yet| now| for now| today| this time| this turn)?"
)
_AND: Final = "(?:and|und|et|y|e|en)"
_STONES: Final = (
    rf"#?{NUMBER}(?!\w)(?:(?:, ?(?:{_AND} )?| ?[&+/] ?| {_AND} | )(?:then )?"
    rf"(?:the |die |den |la |el |il |le |de )?(?:(?:{_A}|number|nummer) )?#?{NUMBER}(?!\w))*"
)
_IT: Final = (
    r"(?:it|(?:that|this)(?: one| stone)?|the stone|den stein|la borne|la piedra|la pietra"
    r"|la pedra|de steen)(?![ \w]*[1-9])"
)
_ALL: Final = (
    r"(?:(?:all|everything|whatever)(?: of (?:it|them))?(?: (?:i|we) can(?: claim)?)?"
    r"|all (?:the )?stones(?: i can)?|them all|alles|alle(?: (?:die )?steine)?"
    r"|tout|toutes(?: les bornes)?|todo|tutto)(?!\w)"
)
_BOTH: Final = (
    r"(?:(?:them )?both|(?:the|my|those|these) two|both of (?:them|those|these|the)|beide|les deux"
    r"|las dos|ambas|entrambe)"
    r"(?: (?:of )?(?:(?:the|my|those) )?(?:(?:full|finished|complete|completed|ready) )?"
    r"(?:stones?|steine|bornes|piedras|pietre|stenen))?(?![ \w]*[1-9])(?!\w)"
)
_SEVERAL: Final = "stones|stenen|steine|bornes|pierres|piedras|pietre|pedras"
CLAIM: Final = re.compile(
    rf"{LEAD}(?:(?:{languages.CLAIMS}):?"
    r"|^claims:|(?:(?<=[.,;!)/|–-] )|(?<=and )|(?<=plus ))claims:?) (?:on |at |for )?"
    rf"(?:(?P<all>{_ALL})|(?P<both>{_BOTH})(?![ \w]*[(,:] ?#?[1-9])|(?P<it>{_IT})"
    rf"|(?:both )?(?:{_BOTH}(?: ?\(|[,:] ))?{MY}(?:two )?(?:(?:{_SEVERAL}|{_A}) )?{_NO}"
    rf"(?P<stones>{_STONES})\)?"
    rf"|(?P<nth>{_NTH_STONE}|{_MIDDLE_STONE})){TAIL}"
)
STONE_CLAIMED: Final = re.compile(
    rf"{LEAD}(?:{MY}(?:{_SEVERAL}|{_A}) )?(?P<stones>{_STONES})"
    rf" (?:{languages.CLAIMED_AT_THE_END})(?!\w)"
)
TAKE_STONE: Final = re.compile(
    rf"{LEAD}(?:{languages.TAKES}) (?:(?P<it>(?:the|that|this) stone(?! [\d(]))"
    rf"|(?:that stone \(|(?:both )?{MY}(?:{_SEVERAL}|{_A}) |both (?={NUMBER} and ))"
    rf"(?P<stones>{_STONES})\)?)(?!\w){TAIL}"
    rf"|{LEAD}(?:{languages.TAKES}|have) (?P<both>{_BOTH}){TAIL}"
)
_TWO: Final = rf"#?{NUMBER}(?:,? {_AND} |, ?| ?[&+/] ?)#?{NUMBER}"
CLAIM_BEHIND_A_PLAY: Final = re.compile(
    rf"(?:and )?c ?(?P<stone>[1-9])(?!\w)"
    rf"|{LEAD}(?P<takes>(?:{languages.TAKES}|have|having):? )?(?P<stones>{_TWO})"
    rf"(?(takes)| (?:{languages.IS_MINE}))(?!\w)"
)
"""Matches claims that are read only behind a play, as their numbers may mean other things
elsewhere: "c5", "I take 5 and 8"."""
BOTH_CLAIMS: Final = re.compile(
    rf"{LEAD}(?P<both>both (?:of )?(?:(?:the|my) )?claims)(?::? ?\(?(?P<stones>{_STONES})\)?)?"
)
IS_MINE: Final = re.compile(
    rf"{LEAD}(?:{MY}(?:{_SEVERAL}|{_A}) {_NO}(?P<stones>{_STONES})"
    r"|(?P<it>(?:that|this|the) (?:one|stone)|it|that))"
    rf"(?: (?:{languages.IS_MINE})|'s mine)(?: now)?(?!\w)"
)
CLAIM_IT: Final = re.compile(
    rf"{LEAD}(?:(?:{languages.CLAIMS_IT})(?!\w)|claim(?:ing)?(?=(?:,? please)?[.!]?$))"
)
"""Matches a claim, without a number, of the Stone of the only play on the line."""
_DECK_NOUNS: Final = any_of("card|deck|pile|stack|karte|stapel|kaart|kort|carte|carta|kortlek")
_ONE: Final = r"(?:an?|one|1|the|my|another|die|eine|den|vom|une|la|una|le|uma|een|ett|et)"
DECK: Final = (
    rf"(?:{_ONE} )?(?:new |next )?(?:(?:{_DECK_NOUNS}) )?(?:(?:{languages.FROM}) )?(?:{_ONE} )?"
    rf"(?:(?:{_DECK_NOUNS}) (?:{languages.FROM}) )?"
    r"(?P<deck>clan|tactics?|tactical|taktik|tactique|táctica|tattica|tactiek)"
    rf"(?:[ -]?(?:{_DECK_NOUNS})){{0,2}}"
)
DRAW: Final = re.compile(rf"{LEAD}(?:(?:{languages.DRAWS}):? )?{DECK}(?!\w){TAIL}")
RETURN: Final = re.compile(
    rf"{LEAD}(?:return|returning|put back|putting back|give back|(?P<put>put)):? (?P<one>{CARD})"
    rf"(?:(?:,? (?:{_AND}|&) |, ?)(?P<other>{CARD}))?"
    r"(?(put) back)(?: to (?:the|their) decks?)?"
)


def card_of(text: str) -> str | None:
    """Return the code of the card with this name or code; None if there is none."""
    words = re.sub(rf"^{MY}(?:(?:{languages.CARDS}) )?", "", text)
    words = re.sub(r" card(?=$|[ -])", "", words)
    if words in _BY_NAME:
        return _BY_NAME[words]
    if (match := re.fullmatch(rf"({NUMBER}) {_OF}({_COLOUR}?)s?", words)) is not None:
        words = f"{match[2]} {match[1]}"
    if (match := re.fullmatch(rf"({_COLOUR})[ -]?({NUMBER})", words)) is not None:
        words = f"{COLOURS[match[1]]}{number_of(match[2])}"
    code = read_card(re.sub("[ -]", "", words).upper())
    return code if code in CLAN_CARDS or code in TACTIC_CARDS else None


def number_of(text: str) -> int:
    """Return the number that this text is, in figures or as a word."""
    return NUMBERS.get(text) or ROMAN.get(text) or int(text)


def stone_of(text: str) -> int:
    """Return the number of the Stone that this text names."""
    if (nth := re.search(rf"({_NTH}) \w+$", text)) is not None:
        return ORDINALS[nth[1]]
    if _ENDS_IN_MIDDLE.search(text) is not None:
        return 5
    return number_of(re.split(r"[ #.:(-]|(?<=[^\W\d])(?=\d)", text.rstrip(")"))[-1])


_GOES: Final = "(?:goes|geht|kommt|va)"
_PLAYED_THERE: Final = re.compile(
    rf"(?<!\w)(?:(?:{languages.VERBS})\s(?P<card>{CARD})(?: {_GOES})?\s(?:{languages.THERE})"
    rf"|(?:{languages.VERBS}) (?:{languages.THERE}) (?P<behind>{CARD})"
    rf"|(?:{languages.THERE}) (?:(?:i|i'll) )?(?:(?:{languages.VERBS})|{_GOES}) (?P<last>{CARD})"
    rf"|(?P<first>{CARD}) {_GOES} (?:{languages.THERE}))(?!\w)"
)


def placed_there(text: str) -> str | None:
    """Return a text in lower case with the Stone before a play "there" in place of that word:
    "claim 4 and play my G7 there"; None if there are several."""
    if (match := _PLAYED_THERE.search(text)) is None:
        return text
    before, behind = text[: match.start()], text[match.end() :]
    named = re.finditer(rf"(?<!\w){_A_STONE}", re.sub(rf"(?<!\w){CARD}(?!\w)", " ", before))
    match [*{stone_of(each[0]) for each in named}]:
        case []:
            return text
        case [stone]:
            card = next(filter(None, match.groups()))
            return f"{before}play {card} at {stone}{behind}"
    return None


_NAMES: Final = ("str", "ban", "tra", "rec")
"""The first letters of the Ruses' names, which are also their short forms."""
_MOST_DRAWN: Final = 3
_COUNTS: Final = {"a": 1, "an": 1, "one": 1, "1": 1, "two": 2, "2": 2, "three": 3, "3": 3, "all": 3}
_JOIN: Final = r"(?:[,;]|:)?(?: -| >)?(?: and)?(?: then)?(?: i| i'll| i will)?(?: to| with it)? "


_BEFORE: Final = rf"{LEAD}(?:(?:{VERBS}|with|using):? )?(?:(?:the|my|a) )?"
BEGINNING_OF_RUSE: Final = re.compile(rf"{_BEFORE}(?:{'|'.join(_NAMES)})")


def _named(ruse: str) -> str:
    """Return the pattern of the Ruse's name and of the words between it and its target."""
    return rf"{_BEFORE}(?:{ruse})(?: card)?{_JOIN}"


def _counted(number: int) -> str:
    deck = rf"(?P<d{number}>clan|tactics?)(?: (?:cards?|decks?))?"
    return rf"(?:(?P<n{number}>{any_of(_COUNTS)}) )?{deck}"


_WHOSE: Final = r"(?:on )?(?:(?P<whose>their|his|her|(?P<name>[^\W_]{1,40})'s) )?"
_AWAY: Final = (
    "(?:discard|discarding|throw away|throw out|trash|bin|get rid of|kill|destroy|banish)"
)
_MOVE: Final = (
    "(?:move|moving|shift|shifting|take|taking|put|bring|bringing|steal|stealing|grab|swap|send)"
)
_FROM_STONE: Final = rf"(?: (?:from|off|of) |{AT}){stone()}"
_TO_STONE: Final = rf"(?:,? (?:and )?(?:put it|over|across))?{AT}{stone('to')}"
_DISCARDED: Final = (
    r"(?:,? (?:to|onto|into) (?:the )?discards?(?: pile)?|,? (?:and )?discard(?: it)?)"
)

_STRATEGIST: Final = re.compile(
    _named("strategist|str")
    + rf"(?:(?P<away>{_AWAY}) |{_MOVE} )?(?P<card>{CARD}){_FROM_STONE}"
    + rf"(?(away)|(?:{_DISCARDED}|{_TO_STONE}))"
)
_BANSHEE: Final = re.compile(
    _named("banshee|ban") + rf"(?:{_AWAY} )?{_WHOSE}(?P<card>{CARD}){_FROM_STONE}"
)
_TRAITOR: Final = re.compile(
    _named("traitor|tra") + rf"(?:{_MOVE} )?{_WHOSE}(?P<card>{CARD}){_FROM_STONE}{_TO_STONE}"
)
_RECRUITER: Final = re.compile(
    _named("recruiter|rec")
    + r"(?:(?:draw|take|drawing|taking|for):? )?"
    + rf"(?:{_counted(1)}(?:(?:,? (?:and|&|\+) |, ?| \+ ){_counted(2)})?|(?P<code>[ct]{{1,3}}))"
)


def ruse_at(text: str, place: int, names: Collection[str]) -> tuple[Ruse, int] | None:
    """Return the Ruse that is written at this index of a line in lower case, and its end; None if
    there is none. `names`, in lower case, may name the owner of a card ("Bo's R7")."""
    if not any(name in text for name in _NAMES):
        return None
    for pattern in (_STRATEGIST, _BANSHEE, _TRAITOR):
        if (match := pattern.match(text, place)) is None:
            continue
        card, at = card_of(match["card"]), stone_of(match["stone"])
        if card is None:
            return None
        name = None if pattern is _STRATEGIST else match["name"]
        if name is not None and not is_named(name, names):
            return None
        if pattern is _BANSHEE:
            return Banish(card, at), match.end()
        to = stone_of(match["to"]) if match["to"] else None
        return Move(STRATEGIST if pattern is _STRATEGIST else TRAITOR, card, at, to), match.end()
    match = _RECRUITER.match(text, place)
    if match is None:
        return None
    drawn = match["code"] or "".join(
        deck[0] * _COUNTS.get(match[f"n{number}"] or "1", 1)
        for number in (1, 2)
        if (deck := match[f"d{number}"])
    )
    if not 0 < len(drawn) <= _MOST_DRAWN:
        return None
    return Recruit(drawn.count("c"), drawn.count("t")), match.end()


BULLET: Final = re.compile(r"(?:[-*•·–◦▪●+]|[a-z]\)) |\d{1,2}[.)] ?")
QUOTED: Final = re.compile(
    r"“(?P<a>[^“”\"]{1,120})”|„(?P<b>[^„“”]{1,120})[“”]|\"(?P<c>[^\"]{1,120})\"|'(?P<d>[^']{1,120})'"
    r"|‘(?P<e>[^‘’]{1,120})’|«\s?(?P<f>[^«»]{1,120}?)\s?»|`(?P<g>[^`]{1,120})`"
    r"|\*\*(?P<h>[^*]{1,120})\*\*|\*(?P<i>[^*]{1,120})\*|_(?P<j>[^_]{1,120})_"
    r"|\[(?P<k>[^\[\]]{1,120})\]"
)
_PICTURES: Final = {ord("➡"): "->", 0xFE0F: ""} | {
    ord(picture): f"{colour} "
    for pictures, colour in zip(
        ("🔴🟥", "🟠🟧", "🟡🟨", "🟢🟩", "🔵🟦", "🟣🟪"),
        ("red", "orange", "yellow", "green", "blue", "purple"),
        strict=True,
    )
    for picture in pictures
}
_OF_SMILEYS: Final = frozenset(":;=^<")
"""Characters of which each ASCII smiley has at least one."""
_GLUED: Final = (
    (re.compile(r"(?<!\w)(play|claim|lay|put|place)(?=(?:[roygbp] ?)?[1-9](?!\w))"), r"\1 "),
    (
        re.compile(r"(?<!\w)((?:(?:play|lay|put) ?)?[roygbp][1-9])(at|on|to|in)(?=[1-9](?!\w))"),
        r"\1 \2 ",
    ),
)
"""Patterns of commands without a space between words and codes ("claim5", "R7at3"), and what
replaces them."""
_LONE_MARK: Final = re.compile(r" (?=[!;:,.](?:\s|$))")
"""Matches a space before a punctuation mark, as in French."""
_STRETCHED: Final = re.compile(r"(?<=[a-z]{2})([a-hj-z])\1{2,}")
"""Matches letters drawn out, as in "yayyyy"; "iii" is a number."""
_DICTATED: Final = re.compile(r" (?:period|full stop)(?!\S)")


def unmarked(line: str) -> str:
    """Return a line in plain form without a bullet, and without quotation marks around it."""
    bullet = BULLET.match(line)
    text = line[bullet.end() :] if bullet else line
    quoted = QUOTED.fullmatch(text.rstrip(" .!"))
    return quoted[quoted.lastgroup].strip() if quoted and quoted.lastgroup else text


@lru_cache(1000)
def normalized(line: str) -> str:
    """Return a line in plain form as the patterns read it: in lower case, without smileys."""
    text = line
    if not line.isascii() or not _OF_SMILEYS.isdisjoint(line):
        text = SMILEYS.sub(" ", line.translate(_PICTURES)).replace("’", "'").replace("¡", "")
        text = " ".join(text.split()) if text != line else text
    lower = _STRETCHED.sub(r"\1", text.lower())
    for glued, apart in _GLUED:
        lower = glued.sub(apart, lower)
    return _LONE_MARK.sub("", _DICTATED.sub(".", lower))

"""Recognises lines with which people sign: names, initials, job titles, companies, telephone
numbers.

No word counts as a name that could say no, doubt, put off or jest. Players choose any name, so
somebody who writes to "Typo" or "As If" could otherwise not take a turn back in these words. If a
usual name is an ordinary word too, the server asks.

Only listed given names, and the names of the writer and their opponents, count as names. No word is
a name by its looks alone: "Regards, Typo".
"""

import re
from collections.abc import Collection
from typing import Final

from engine.cards import CLANS
from letters.mail.given_names import is_given_name
from letters.mail.phrases import CLOSINGS, OTHER, SMILEYS, surely_takes_back, takes_back
from letters.words import words

_ORDINARY: Final = words("sign_offs", "ordinary")
_OF_GAME: Final = words("sign_offs", "of_game")
"""Words that play a turn, take it back or change it."""
_WORDS: Final = frozenset([*_ORDINARY.split(), *_OF_GAME.split()])
_FORMS: Final = re.compile(
    r".*\d.*|\w{3,}(?:ing|n't)|\w{4,}(?:ally|ably|edly|ently|ously|ately|ibly)"
)
"""Matches English words that the list does not hold, and codes with figures."""


def may_be_name(text: str) -> bool:
    """Whether these words, in plain form, can mean nothing but a name."""
    words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text.casefold())
    return not takes_back(text) and not any(map(_is_ordinary, words))


def _is_ordinary(word: str) -> bool:
    if len(word) == 1:  # the first letter of a name
        return word == "i" or word.isdigit()
    return word in _WORDS or _FORMS.fullmatch(word) is not None


_CLAN: Final = "|".join(CLANS.values())
_ABOUT_GAME: Final = re.compile(
    r"(?<!\w)(?:above|sorry|mov(?:e|es|ed|ing)|turns?|play\w*|games?|cards?|claim\w*|stones?"
    rf"|resign\w*|chang(?:e|ed|ing)|prefer|make it|(?:{_CLAN}) (?:one|[1-9]))(?!\w)",
    re.IGNORECASE,
)
"""Matches words that ask for something in the game, and cards by their names."""
_CLUB: Final = re.compile(r"games? (?:club|society|group)", re.IGNORECASE)
_LINK: Final = re.compile(r"https?://\S+|<?(?:mailto:)?\S+@\S+\.\w\S*>?|www\.\S+|pgp 0x\w+", re.I)
_MOTTO: Final = re.compile(r"\"[^\"]*\"")
_KISSES: Final = re.compile(r"(?: [xX]+)+$")
_MOST_INITIALS: Final = 3
_ONE_LETTER_WORDS: Final = frozenset("aeikosuvyzà")
_TITLES: Final = frozenset(["mr", "mrs", "ms", "miss", "dr", "prof", "herr", "frau", "mme"])
_FORMAL: Final = re.compile(r"[^\W\d_][^\d_,;:!?]{2,60}")
_OFFICES: Final = words("sign_offs", "offices")
_PLACES: Final = words("sign_offs", "places")
_OFFICE_WORDS: Final = frozenset(_OFFICES.split())
_PLACE_WORDS: Final = frozenset(_PLACES.split())
"""Words that are ordinary words too: they count only together with a longer number, or in a line
that has another sign of a company."""
_SMALL_WORDS: Final = "of and the am im an der dem auf zum zur rd th st nd"
_BUSINESS_WORDS: Final = _OFFICE_WORDS | _PLACE_WORDS | frozenset(_SMALL_WORDS.split())
_PUNCTUATION: Final = re.compile(r"[!?\"“”;=>@#]")
_POSTCODE: Final = re.compile(
    r"(?<!\w)(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|\d{5} (?=[^\W\d_a-z])|\d{4} [A-Z]{2}(?!\w))"
)
_STREET: Final = re.compile(r"[^\W\d_a-z]\w{3,20}(?:str|straße|strasse|gasse|platz|straat|laan)")
_STREET_AND_NUMBER: Final = re.compile(
    r"[^\W\d_a-z][^\W\d_]{2,20}(?:str\.|straße|strasse|gasse) \d{1,3}[a-z]?"
)
_BETWEEN_PARTS: Final = re.compile(r" +[·•|] +")
"""Matches marks between the parts of a signature in one line."""
_CARD: Final = re.compile(rf"(?<!\w)[{''.join(CLANS)}][1-9](?!\w)", re.IGNORECASE)
_STONE: Final = re.compile(r"(?<![\w.])[1-9](?!\w)")
_LONG_NUMBER: Final = re.compile(r"(?<!\w)\d{2,}")
_PHONE_LABEL: Final = (
    r"(?:(?:[tmf]|t[eé]l|phone|mobile|mob|cell|fax|office|direct|handy|fon)[.: ]{0,3})"
)
_ONE_PHONE: Final = rf"{_PHONE_LABEL}?[+(]?\d[\d ()./+-]{{7,24}}(?: ?(?:ext|x)\.? ?\d{{1,5}})?"
_PHONE: Final = re.compile(
    rf"{_ONE_PHONE}(?:(?: ?[|/·•,] ?| (?={_PHONE_LABEL})){_ONE_PHONE}){{0,2}}", re.IGNORECASE
)
"""Matches one to three telephone numbers."""
_NO_PHONE: Final = re.compile(
    r"[-.]{2,}|(?<!\d)\d{1,2}[-./]\d{1,2}[-./]\d{2,4}(?!\d)|\d{4}-\d\d-\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[-./]20\d\d(?!\d)|(?:(?<!\d)\d ){3}"
)
_FEWEST_DIGITS: Final = 6
_MOST_NAMES: Final = 4
_PARTICLE_WORDS: Final = "af da de del della den der di dos du la le ten ter van von zu"
_PARTICLES: Final = frozenset(_PARTICLE_WORDS.split())
_DEGREE_WORDS: Final = "ba bsc esq frcs frics jp jr llb ma mba mbe mrics msc obe phd rgn riba rn sr"
_DEGREES: Final = frozenset(_DEGREE_WORDS.split())
"""Degrees and titles that may follow a name."""
_BESIDE_NAMES: Final = _PARTICLES | _DEGREES


def is_sign_off(line: str, names: set[str]) -> bool:
    """Whether a line below a command is the writer's name or initials: "A. K.", "Ada Moore
    (Mrs)"."""
    return _is_initials(line, names) or _is_formal_name(line, names)


def is_listed_sign_off(line: str, names: Collection[str]) -> bool:
    """Whether a line below a command is a listed given name, alone or after a closing, and not the
    other player's: "Inga", "LG Heike"."""
    return _is_full_name(line, names) or is_signed_closing(line, names)


def is_signed_closing(line: str, names: Collection[str]) -> bool:
    """Whether the line is a closing followed by a listed given name, or by initials of the
    writer's: "LG Heike", "Love, A."."""
    words = line.split()
    parts = [
        (" ".join(words[:at]), " ".join(words[at:]))
        for at in range(max(len(words) - _MOST_NAMES, 1), len(words))
    ]
    return any(
        closing.casefold().rstrip(",.! ") in CLOSINGS
        and (_is_full_name(name, names) or _are_initials_below(closing, name, names))
        for closing, name in parts
    )


def _are_initials_below(closing: str, name: str, names: Collection[str]) -> bool:
    """Whether initials of the writer's follow a closing; "love a" may go on instead."""
    is_apart = closing.endswith(",") or name.casefold() not in _ONE_LETTER_WORDS
    return is_apart and _is_initials(name, names)


def is_of_business(line: str) -> bool:
    """Whether a line below a closing is a job title, a company or a postal address.

    Such a line holds a word like "manager" or "street", or a postcode. All its other words are
    names or numbers that cannot mean a card or a Stone.
    """
    text = _CLUB.sub("", line)
    words = re.findall(r"[^\W\d_]+", text)
    folded = {word.casefold() for word in words}
    is_placed = bool(folded & _PLACE_WORDS) or any(map(_STREET.fullmatch, words))
    is_address = _POSTCODE.search(line) is not None
    if not (folded & _OFFICE_WORDS or is_address or (is_placed and _LONG_NUMBER.search(line))):
        return False
    names = [word for word in words if len(word) > 1 and word.casefold() not in _BUSINESS_WORDS]
    return (
        not any(words.search(text) for words in (_ABOUT_GAME, _CARD, _PUNCTUATION))
        and (is_address or _STONE.search(line) is None)
        and not takes_back(line)
        and all(map(_may_be_of_firm, names))
    )


def _may_be_of_firm(word: str) -> bool:
    return word[0].isupper() and (may_be_name(word) or word.endswith("ing"))


def is_of_game(line: str) -> bool:
    """Whether a line asks for something in the game, or names a card."""
    return _ABOUT_GAME.search(line) is not None


def is_phone_number(line: str) -> bool:
    """Whether a line holds nothing but one to three telephone numbers.

    A date is not one, nor three single digits in a row, nor digits with `--` or `..` among them.
    """
    is_number = _PHONE.fullmatch(line) is not None and _NO_PHONE.search(line) is None
    return is_number and sum(character.isdigit() for character in line) >= _FEWEST_DIGITS


def is_signature(line: str, names: set[str]) -> bool:
    """Whether a line below two dashes is only a signature: a name, a company, an address, a link or
    a motto in quotation marks. Any other words could say something of the turn."""
    parts = _BETWEEN_PARTS.split(line)
    if len(parts) > 1:
        others = (each for each in parts if _STREET_AND_NUMBER.fullmatch(each) is None)
        return all(is_signature(each, names) for each in others)
    text = _LINK.sub(" ", line).strip(" ,|·-")
    is_motto = _MOTTO.search(text) is not None and not surely_takes_back(text)
    text = _MOTTO.sub(" ", text).strip(" ,|·-") if is_motto else text
    is_name = is_sign_off(text, names) or is_listed_sign_off(text, names)
    is_name = is_name or _is_with_family_name(text, names)
    return not text or is_name or is_of_business(text) or is_phone_number(text)


def _is_with_family_name(text: str, names: set[str]) -> bool:
    first, *others = text.split() or [""]
    may_be = (word[0].isupper() and word.isalpha() and not word.endswith("ed") for word in others)
    return (
        first.casefold() in names
        and len(others) < _MOST_NAMES
        and all(may_be)
        and may_be_name(text)
    )


def _is_initials(line: str, names: Collection[str]) -> bool:
    """Whether a line holds nothing but initials of these names: "A.", "A. K." or "AK x"."""
    text = _KISSES.sub("", line)
    letters = re.sub(r"[. -]", "", text).casefold()
    is_short = 0 < len(letters) <= _MOST_INITIALS and _initials_of(names).issuperset(letters)
    return is_short and may_be_name(text)


def _is_formal_name(text: str, names: set[str]) -> bool:
    """Whether a line is the writer's name with a title, a degree or an initial: "Ada M." or "Ada
    Moore (Mrs)"."""
    words = re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text.casefold())
    if _FORMAL.fullmatch(text) is None or not names.intersection(words):
        return False
    return (names | _TITLES | _DEGREES | _initials_of(names)).issuperset(words)


def _initials_of(names: Collection[str]) -> set[str]:
    own = (name for name in names if not name.startswith(OTHER))
    return {word[0] for name in own for word in name.split()}


def _is_full_name(text: str, names: Collection[str]) -> bool:
    """Whether the text is a listed given name, which others or names of the writer may follow."""
    plain = _KISSES.sub("", SMILEYS.sub(" ", text).strip()).casefold()
    words = [word.rstrip(".,") for word in plain.split()]
    while words and words[0] in _TITLES:
        words = words[1:]
    return (
        0 < len(words) <= _MOST_NAMES
        and is_given_name(words[0])
        and all(_is_part_of_name(word, names) for word in words[1:])
        and not any(OTHER + word in names for word in words if word not in names)
    )


def _is_part_of_name(word: str, names: Collection[str]) -> bool:
    return word in names or word in _BESIDE_NAMES or is_given_name(word)

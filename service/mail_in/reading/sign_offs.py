"""Lines with which people sign: names, initials, titles, firms and telephone numbers.

What may be a name is a closed list of given names and the names of the writer and those they play
with. By its looks alone no word is one: "Regards, Typo".
"""

import re
from typing import Final

from service.mail_in.reading.given_names import is_given_name
from service.mail_in.reading.names import may_be_name
from service.mail_in.reading.phrases import OTHER, SMILEYS, is_polite
from service.mail_in.reading.taking_back import takes_back
from service.text.card_names import CLANS

_CLAN: Final = "|".join(CLANS.values())
_OF_GAME: Final = re.compile(
    r"(?<!\w)(?:above|sorry|mov(?:e|es|ed|ing)|turns?|play\w*|games?|cards?|claim\w*|stones?"
    rf"|resign\w*|chang(?:e|ed|ing)|prefer|make it|(?:{_CLAN}) (?:one|[1-9])"
    rf"|(?<!.)[{''.join(CLANS)}][1-9](?!.))(?!\w)",
    re.IGNORECASE,
)
"""Words by which a line wants something of the game, and cards by their names. By its code a card
counts alone only: rooms and places are called B4 too."""
_CLUB: Final = re.compile(r"games? (?:club|society|group)", re.IGNORECASE)
_MOTTO: Final = re.compile(r"\"[^\"]*\"")
_KISSES: Final = re.compile(r"(?: [xX]+)+$")
_MOST_INITIALS: Final = 3
_TITLES: Final = frozenset(["mr", "mrs", "ms", "miss", "dr", "prof", "herr", "frau", "mme"])
_FORMAL: Final = re.compile(r"[^\W\d_][^\d_,;:!?]{2,60}")
_BUSINESS: Final = """
abteilung accountant accounting accounts achats adviser advisor afdeling ag allee analyst architect
assistant associate association avda avenida avenue bank bd boulevard buchhaltung builders building
bv cadre calle captain cel cellulare centre chairman chairperson chairwoman charity chemin chief
church clerk close club college comptable consultant contable coordinator corso cottage council
court crescent dean departamento department dept designer developer directeur director directrice
direttore direttrice dock drive editor einkauf engineer engineering estate estates estimator ev
executive ext farm fax finance flat floor fon foods freight gasse gerente geschäftsführer
geschäftsführerin gmbh gracht group gsm gérant gérante hall handy head headteacher hon honorary
hospital house hr impasse inc ingegnere ingeniera ingeniero ingénieur ingénieure insurance it kg
laan lane law lead lecturer leiter leiterin librarian library limited llp logistics ltd manager
managing marketing medewerker mill mob mobile móvil nurse nv office officer ohg operations parish
park partner partners paseo payable payroll phd phone piazza place platz plaza plc plein plumbing
practice president principal product professor programme project property receivable representative
research responsabile responsable road roofing room rue sa sales sarl sas school secretary senior
service services shipping sl society solicitor solutions spa specialist square srl str straat
strasse straße street studio suite supervisor support surveyor systems teacher team technician tel
telefon telefono telefoon teléfono terrace transport treasurer trust trustee tél téléphone ufficio
ug union unit university ventes verein vertrieb via viale way weg
"""
_BUSINESS_WORDS: Final = frozenset(
    [*_BUSINESS.split(), *["of", "and", "the", "am", "im", "an", "der", "dem", "auf", "zum", "zur"]]
)
_PUNCTUATION: Final = re.compile(r"[!?\"“”;=>@#]")
_ADDRESS: Final = re.compile(
    r"(?<!\w)(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|\d{5} (?=[^\W\d_a-z])|\d{4} [A-Z]{2}(?!\w)"
    r"|[^\W\d_a-z]\w{3,20}(?:str\.|straße|strasse|gasse|platz|straat|laan)(?!\w))"
)
"""Postcodes and streets."""
_PHONE_LABEL: Final = (
    r"(?:(?:[tmf]|t[eé]l|phone|mobile|mob|cell|fax|office|direct|handy|fon)[.: ]{0,3})"
)
_ONE_PHONE: Final = rf"{_PHONE_LABEL}?[+(]?\d[\d ()./+-]{{7,24}}(?: ?(?:ext|x)\.? ?\d{{1,5}})?"
_PHONE: Final = re.compile(
    rf"{_ONE_PHONE}(?:(?: ?[|/·•,] ?| (?={_PHONE_LABEL})){_ONE_PHONE}){{0,2}}", re.IGNORECASE
)
"""Telephone numbers."""
_MOST_NAMES: Final = 4
_PARTICLE_WORDS: Final = "af da de del della den der di dos du la le ten ter van von zu"
_PARTICLES: Final = frozenset(_PARTICLE_WORDS.split())
_DEGREE_WORDS: Final = "ba bsc esq frcs frics jp jr llb ma mba mbe mrics msc obe phd rgn riba rn sr"
_DEGREES: Final = frozenset(_DEGREE_WORDS.split())
"""They may stand behind a name."""


def is_sign_off(line: str, names: set[str]) -> bool:
    """Whether a line below a command is the writer's name or its first letters, or somebody's whose
    given name is listed, alone or behind a closing: "A. K.", "Ada Moore (Mrs)", "LG Heike"."""
    forms = (_is_initials, _is_formal_name, _is_signed_closing)
    return _is_full_name(line, names) or any(is_form(line, names) for is_form in forms)


def is_of_business(line: str) -> bool:
    """Whether a line below a closing is a title, a firm or an address: it holds a word of such or a
    postcode, and nothing else but names, numbers and abbreviations."""
    words = re.findall(r"[^\W\d_]+", line)
    rest = [word for word in words if word.casefold() not in _BUSINESS_WORDS]
    names = [word for word in rest if len(word) > 1 and word not in ("rd", "th", "st", "nd")]
    is_listed = not {word.casefold() for word in words}.isdisjoint(_BUSINESS.split())
    return (
        (is_listed or _ADDRESS.search(line) is not None)
        and _OF_GAME.search(line) is None
        and _PUNCTUATION.search(line) is None
        and not takes_back(line)
        and all(word[0].isupper() and may_be_name(word) for word in names)
    )


def is_phone_number(line: str) -> bool:
    """Whether a line holds nothing but telephone numbers."""
    return _PHONE.fullmatch(line) is not None


def is_signature(line: str) -> bool:
    """Whether a line below two dashes is no more than a signature: outside quotation marks it takes
    nothing back and does not speak of the game, and it asks nothing."""
    text = _CLUB.sub(" ", _MOTTO.sub(" ", line))
    return not takes_back(text) and _OF_GAME.search(text) is None and "?" not in line


def _is_initials(line: str, names: set[str]) -> bool:
    """Whether a line holds nothing but first letters of known names: "A.", "A. K." or "AK x"."""
    text = _KISSES.sub("", line)
    letters = re.sub(r"[. -]", "", text).casefold()
    initials = {word[0] for name in names for word in name.split()} - {OTHER}
    is_short = 0 < len(letters) <= _MOST_INITIALS and initials.issuperset(letters)
    return is_short and may_be_name(text)


def _is_formal_name(text: str, names: set[str]) -> bool:
    """Whether a line is the writer's name with a title, or with a part of it as a letter: "Ada M."
    or "Ada Moore (Mrs)"."""
    words = re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text.casefold())
    if _FORMAL.fullmatch(text) is None or not names.intersection(words):
        return False
    others = (
        names | _TITLES | _DEGREES | {word[0] for name in names for word in name.split()} - {OTHER}
    )
    return others.issuperset(words)


def _is_signed_closing(line: str, names: set[str]) -> bool:
    words = line.split()
    return any(
        is_polite(" ".join(words[:-count]), names)
        and _is_full_name(" ".join(words[-count:]), names)
        for count in range(1, min(_MOST_NAMES, len(words)))
    )


def _is_full_name(text: str, names: set[str]) -> bool:
    """Whether the text is a listed given name, and perhaps others, names of the writer or first
    letters behind it."""
    plain = _KISSES.sub("", SMILEYS.sub(" ", text).strip()).rstrip(" !").casefold()
    words = [word.rstrip(".,") for word in plain.split()]
    while words and words[0] in _TITLES:
        words = words[1:]
    return (
        0 < len(words) <= _MOST_NAMES
        and is_given_name(words[0])
        and all(_is_part_of_name(word, names) for word in words[1:])
        and may_be_name(text)
    )


def _is_part_of_name(word: str, names: set[str]) -> bool:
    return len(word) == 1 or word in names | _PARTICLES | _DEGREES or is_given_name(word)

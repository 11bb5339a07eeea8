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
from letters.mail.phrases import CLOSINGS, OTHER, SMILEYS
from letters.mail.taking_back import surely_takes_back, takes_back

_ORDINARY: Final = """
a aber about above across adesso after afternoon afterwards again against ago agora ahora ainda albo
ale all alleen allora almost alone alors already als also although altijd am an anche ancora and
anders another antes any anybody anyone anything anywhere apart apesar appena après após are around
as aside ask asked asking at att até au auch aucun aunque aus aussi autocorrect autre av avait avant
avec away ayer až bad badly bar bara bare barely be because been before behalve beinahe being below
beneath beside besides better between bevor beyond bez bientôt bijna bis blague blagues bluff
bluffing both brincadeira broma bromeo bugia but by bye byl być było can cannot case casi certainly
chance che chi chissà choose chyba ci clearly co com come comme como con consider considered
considering contra contre contro così could cuando czy dal damals dan dann dans dare das dass dat
daydream debatable decide demnächst denn depends depois dersom desde después det did die different
dit dla do does doing dommage donde done door dopo doubt doubtful doubtless doubts dove down dream
dreaming dreams dreamt du due dunno during där då e each een eerder efter eher eigenlijk eight
eighth ein eine einst either ela ele eller else em en enough entre era es essere est et ett etter
etwa even evening event eventually ever every everybody everyone everything exactly fake
falls false fantasy far fast faux feet few fiction fifth figuratively finally fino first five flying
fool foolish foot for formerly forse four fourth fra friday from från früher fun funny further för
före før game gdy gdyby geen gegen gestern get gisteren give go going gone gonna good got grap
grapje guess guessing had hadde hade half han hardly has have having he help her here hers heute
hier hij him his hoe hoffentlich hoje hon hopefully hoping how however hoy hun hvis hvor hypothesis
hypothetical hätte i ich idag idea ideally ieri igår ihr ik il illegal imaginary imagine imagined
immer impossible in indien ingen inget innan inside intet into invalid io irgendwann irony is issue
it its jadis jag jak jamás je jeg jest jestli jeśli ještě jeżeli jusque just już já kan kanske
kanskje kaum kdo kdy kdyby když keep kiedy kiedyś kind know known ktoś kunde kunne könnte las last
late lately least leave left les less lest let liar lie lies like likely literally little lo logo
lol look lorsque los lub luego lying lögn ma maar magari mais make makes manchmal many mas me
meanwhile med mehr men meno menos mens mentira mentre merely met mi midnight mientras mieux might
mince mine minus misschien mist monday month months more moreover morning most mostly move moved
może možná much must my myself måske möglich möglicherweise möjligen na naar nachher nad nada nadie
nay near nearly nebo neither nergens nessuno nesten next niemals niemand niente niets nikdo nikt
nine ninguém ninth nirgends nirgendwo nobody nonsense noon nor notwithstanding nous now nowhere nur
nächste nächstes när nästan når ob obviously och od odd oder of off often og oggi ogni også ohne om
omdat on once onder one only ontem onto ooit op opposite oppure option optional or other others
otherwise ou ought our out outside over own où par para parfois past pela pelo pending perchance
perché perish permitting pero personne però peut peut-être plaisanterie play played playing plays
plus po pod poi pois pokud pondering por porque possible possibly pour pourquoi practice prank
prawie presque presto pretend previously prima probabilmente probablement probablemente probably
pronto proposal proposed provided provisional proč przed przez psych pues puis purely put på před
quand quando quase quasi que quello quelque quelquefois quem question questo qui quite quizá quizás
quién quoi quote quoted raczej random rarely ready really recommends reverse rien right rubbish
rumour s said salvo same sans sarcasm sarcastic satire saturday sauf say saying says scarcely scherz
scherzavo scherzo se second sedan seems según sein seit seldom sem senza ser serait seria seriously
sería seulement seven seventh several shall she should si siden sie sike silly simply sin since sino
sinon six sixth się sjov ska skal skoro skulle skämt skämtar sleep snad snart so sob sobald sobre
sollte som some somebody someday somehow someone something sometime sometimes somewhere sondern soon
sopra sorry sotto sous spaß spoof spøk statt still straks strange su such suggest suggested suggests
sunday suppose supposed supposedly supposing sur sure syke sì só tak tal talvez también também
tampoco tard tarde te tegen tell tempted tempting ten tentative tenzij ter test tested testing
testweise też than that the their theirs them themselves then theoretical theory there therefore
these they think thinking third this those though thought thoughts three through throughout thursday
thus til till to today toen together tonight too tot toward tra tranne trial trick trolling trop
trots trotz try trying tuesday tussen two tylko typo typos tôt uden uit um uma un una und under une
ungern unlike unlikely unsinn untrue up upon us useless usually utan uten už v vad vague vandaag var
ved vem vers versus vez via vid vielleicht vil ville voor vor voudrais vs vtip være včera w waarom
wahrscheinlich wann wanneer wants war warum was wat watch way wczoraj we weather wednesday week
weekend weeks weil wel well wenn wer were what whatever when whenever where whereas wherever whether
which while who whoever whom whose why wie wieso wij willing wink wird wish wishes with within
without witz wonder wondering worse worst would würde y ya year years yesterday yo you your yours
yourself z za zal ze zero zij zonder zou zu zut är être żart żartuję że že žertuji
"""
_OF_GAME: Final = """
accept accepted amend back board card cards change changed claim claimed claims clan concede
conceded correct deck decline declined discard discarded draw drawn draws drop edit end ended erase
exchange fix fold game games hand mulligan pass passed pause paused quash reconsidered renege
replace replay reset resign resigned resigns restart resume rethink retry revise revised scout show
stone stones surrender swap swapped switch tactic tactics take taken turn turns undone veto yes
"""
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
_TITLES: Final = frozenset(["mr", "mrs", "ms", "miss", "dr", "prof", "herr", "frau", "mme"])
_FORMAL: Final = re.compile(r"[^\W\d_][^\d_,;:!?]{2,60}")
_OFFICES: Final = """
abteilung accountant accounting accounts achats adviser advisor afdeling analyst architect assistant
associate association buchhaltung bv chairman chairperson chairwoman clerk college comptable
consultant contable coordinator council departamento department dept designer developer directeur
director directrice direttore direttrice editor einkauf engineer engineering estimator executive
gerente geschäftsführer geschäftsführerin gmbh gérant gérante headteacher hospital inc ingegnere
ingeniera ingeniero ingénieur ingénieure insurance kg lecturer leiter leiterin librarian limited llp
logistics ltd manager medewerker nurse officer ohg partners payroll phd plc plumbing president
principal professor property representative responsabile responsable roofing sarl school secretary
society solicitor solicitors specialist supervisor surveyor teacher technician treasurer trustee
ufficio university verein vertrieb
"""
_PLACES: Final = """
allee avda avenida avenue bank bd boulevard builders building calle captain centre charity chemin
chief church close club corso cottage court crescent dean dock drive estate estates ext farm fax
finance flat floor foods freight gasse gracht group hall handy head hon honorary house hr impasse
laan lane law lead managing marketing mill mob mobile office operations parish park partner paseo
phone piazza place platz plaza plein practice product programme project receivable research road
room rue sales senior service services shipping solutions square str straat strasse straße street
studio suite support systems team tel telefon telefono telefoon teléfono terrace transport trust tél
téléphone union unit via viale way weg
"""
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
    """Whether the line is a closing followed by a listed given name: "LG Heike"."""
    words = line.split()
    parts = [(words[:at], words[at:]) for at in range(max(len(words) - _MOST_NAMES, 1), len(words))]
    return any(
        " ".join(closing).casefold().rstrip(",.! ") in CLOSINGS
        and _is_full_name(" ".join(name), names)
        for closing, name in parts
    )


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


def is_phone_number(line: str) -> bool:
    """Whether a line holds nothing but one to three telephone numbers.

    A date is not one, nor three single digits in a row, nor digits with `--` or `..` among them.
    """
    is_number = _PHONE.fullmatch(line) is not None and _NO_PHONE.search(line) is None
    return is_number and sum(character.isdigit() for character in line) >= _FEWEST_DIGITS


def is_signature(line: str, names: set[str]) -> bool:
    """Whether a line below two dashes is only a signature: a name, a company, an address, a link or
    a motto in quotation marks. Any other words could say something of the turn."""
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


def _is_initials(line: str, names: set[str]) -> bool:
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


def _initials_of(names: set[str]) -> set[str]:
    return {word[0] for name in names for word in name.split()} - {OTHER}


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

"""Decides which words may be ignored as a name: none that could say no, doubt, put off or jest.

Players choose any name, so somebody who writes to "Typo" or "As If" could otherwise not take a turn
back in these words. If a usual name is an ordinary word too, the server asks.
"""

import re
from typing import Final

from letters.mail.taking_back import takes_back

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

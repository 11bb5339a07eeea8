"""The words of a turn in the languages for which the English grammar is enough.

The lists hold only forms that state what the writer does, or ask for it: questions and conditions
begin with words that are not listed.
"""

import re
from collections.abc import Mapping
from typing import Final

from letters.words import keyed, words


def any_of(words: Mapping[str, object] | str) -> str:
    """Return a pattern of these words, the longest first."""
    listed = words.replace("\n", "|").strip("|").split("|") if isinstance(words, str) else words
    return "|".join(map(re.escape, sorted(listed, key=len, reverse=True)))


def _counted(rows: str) -> dict[str, int]:
    """Return the words of all rows, each with its place in its row, from 1. A slash separates
    several forms; "-" leaves a place empty."""
    return {
        word: number
        for row in rows.split("\n")
        for number, forms in enumerate(row.split(), 1)
        for word in forms.split("/")
        if word != "-"
    }


def _spread(table: Mapping[str, str]) -> dict[str, str]:
    return {word: letter for letter, words in table.items() for word in words.split()}


NUMBERS: Final[Mapping[str, int]] = _counted(words("languages", "numbers"))
"""Numbers by their words: without articles, and without words that mean something else in another
language, like the Danish "to"."""
ROMAN: Final[Mapping[str, int]] = _counted("- ii iii iv - vi vii viii ix")
"""Roman numbers, only for Stones, and without those that are a single letter."""
ORDINALS: Final[Mapping[str, int]] = _counted(words("languages", "ordinals"))
COLOURS: Final = _spread(keyed(words("languages", "colours")))
"""Letters of the clans by the words for their colours, in the forms used next to a number."""
ARTICLES: Final = any_of(words("languages", "articles"))
CARDS: Final = any_of("card|karte|carte|carta|kaart|kort|karta")
AT: Final = any_of(words("languages", "at"))
THERE: Final = any_of(words("languages", "there"))
"""Words that stand for a Stone named before."""
MIDDLE: Final = any_of(words("languages", "middle"))
"""Words that may mean the fifth of the nine Stones."""
MIDDLE_STONE: Final = any_of(words("languages", "middle_stone"))
"""Words that name the fifth of the nine Stones."""
BESIDE: Final = any_of(words("languages", "beside"))
"""Words before a card beside which another is laid."""
STONES: Final = any_of("""\
stone|stein|grenzstein|borne|pierre|piedra|pietra|steen|grenssteen|pedra|sten|kamień|kámen""")
VERBS: Final = any_of(words("languages", "verbs"))
BETWEEN: Final = any_of(words("languages", "between"))
"""Courtesies and joining words that may stand between a card and its Stone."""
ASKS: Final = any_of(words("languages", "asks"))
"""Words with which a question begins that is a request where it says one of `PLEASES`."""
REQUESTS: Final = any_of(words("languages", "requests"))
"""Words with which a question begins that asks for leave to play."""
PLEASES: Final = any_of(words("languages", "pleases"))
VERBS_AT_THE_END: Final = any_of("legen|spielen|setzen|leggen|spelen|zetten")
"""German and Dutch verbs that follow the Stone."""
LEADS: Final = words("languages", "leads")
"""Words that may precede a command, in any number."""
TAILS: Final = any_of("""\
it is|now|then|dann|alors|donc|today
this time|this turn|for this turn|for my turn|for my move|from me|from my hand
it goes|as my move|as well|too|for me|für mich|pour moi|if you please|which completes it
completing it|to complete it""")
"""Words that may follow a command."""
CLAIMS: Final = any_of("""\
claim|claiming|ich beanspruche|beanspruche|beanspruche ich|ich claime|claime|ich fordere|fordere
fordere ich|je revendique|revendique|revendiquer|je réclame|réclame|réclamer|reclamo|reclamar
rivendico|reivindico|reivindicar|ik claim|ik eis""")
CLAIMS_IT: Final = any_of("""\
je la revendique|je le revendique|ich beanspruche ihn|ich beanspruche den|beanspruche ihn
beanspruche den|la reclamo|lo reclamo
la rivendico|lo rivendico|ik claim hem|ik claim die""")
"""Words that claim the Stone of the play before them."""
TAKES: Final = any_of("""\
take|taking|win|winning|grab|grabbing|ich nehme|nehme|ich nehme mir|nehme mir|ich hole mir|hole mir
je prends|prends|mi prendo|prendo|tomo|me llevo|ik neem|neem|ik pak|pak
jag tar|jeg tar|jeg tager""")
"""Verbs that claim a Stone only if the word for "Stone" follows: cards are taken as well."""
IS_MINE: Final = any_of("""\
is mine|is now mine|are mine|are now mine|are both mine|belongs to me|belong to me|gehört mir
gehören mir|ist meiner|est à moi|sont à moi|es mía|son mías|è mia|sono mie|é minha|is van mij
zijn van mij
är min|er min""")
CLAIMED_AT_THE_END: Final = any_of("beanspruchen|claimen|opeisen")
DRAWS: Final = any_of("""\
draw|take|pick|pick up|grab|get|drawing|taking|picking|picking up|ich ziehe|ziehe|je pioche|pioche
je tire|robo|tomo|pesco|compro|pego|ik trek|ik pak|jag drar|jeg trekker|jeg trækker""")
FROM: Final = any_of("from|off|of|vom|von|aus|de|du|des|del|di|da|do|van|uit|från|fra")
JOINS: Final = any_of("""\
and then|and|n|'n|then|&|+|and with that|with that|after that|afterwards|plus|and to|und danach
und dann|und|danach|dann|et puis|et|puis|ensuite|y|y luego|luego|e|e poi|poi|en|en dan|och|og""")
THAT_IS: Final = (
    r"that is|i\.?e\.?|czyli|d\. ?h\.|das heißt|soit|c'est-à-dire|es decir|cioè|oftewel"
)
"""Words between a card's name and its code."""

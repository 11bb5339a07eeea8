"""The words of a play and a claim in the languages that need no other grammar than English.

Only forms that state what the writer does, or ask for it, are listed: a question or a condition
begins with a word that stands nowhere here.
"""

from collections.abc import Mapping
from typing import Final


def _spread(table: Mapping[str, str]) -> dict[str, str]:
    return {word: letter for letter, words in table.items() for word in words.split()}


NUMBERS: Final[Mapping[str, int]] = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), 1
    )
}
ORDINALS: Final = {
    word: number
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"), 1
    )
}
COLOURS: Final = _spread(
    {
        "R": "rot rote roten rouge rojo roja rosso rossa rood rode vermelho vermelha röd röda rød"
        " røde czerwona czerwoną červená červenou красная красную 赤",
        "O": "orange orangene naranja arancione laranja oranje oransje pomarańczowa pomarańczową"
        " oranžová oranžovou",
        "Y": "gelb gelbe gelben jaune amarillo amarilla giallo gialla amarelo amarela geel gele gul"
        " gula gule żółta żółtą žlutá žlutou",
        "G": "grün grüne grünen vert verte verde groen groene grön gröna grøn grønn zielona zieloną"
        " zelená zelenou",
        "B": "blau blaue blauen bleu bleue azul blu blauw blauwe blå blåa niebieska niebieską modrá"
        " modrou",
        "P": "lila violett violette violetten violet morado morada viola roxo roxa paars paarse"
        " fioletowa fioletową fialová fialovou",
    }
)
"""The letters of the clans, by their colours; in each language as they stand beside a number."""
ARTICLES: Final = (
    "die|der|das|den|dem|meine|meinen|le|la|les|mon|ma|el|mi|il|lo|mio|mia|de|het|mijn|min|mitt"
)
AT: Final = "a|an|auf|zu|zum|bei|sur|à|en|sobre|su|sulla|alla|op|bij|aan|naar|em|på|vid|til|till|na"
STONES: Final = "stein|grenzstein|borne|pierre|piedra|pietra|steen|pedra|sten|kamień|kámen"
PLAYS: Final = (
    "ich spiele|ich lege|ich setze|spiele|lege|je joue|je pose|je place|je mets|joue|pose"
    "|juego|pongo|coloco|quiero jugar|gioco|metto|jogo|ik speel|ik leg|jag spelar|jag lägger"
    "|jeg spiller|jeg legger|gram|zagrywam|hraju"
)
PLAYED_AT_THE_END: Final = "legen|spielen|setzen|leggen|spelen"
"""A verb that German and Dutch put behind the Stone."""
CLAIMS: Final = (
    "ich beanspruche|beanspruche|je revendique|revendique|reclamo|rivendico|reivindico|ik claim"
    "|ik eis"
)
CLAIMS_IT: Final = (
    "je (?:la|le) revendique|ich beanspruche (?:ihn|den)|(?:la|lo) reclamo|(?:la|lo) rivendico"
    "|ik claim (?:hem|die)"
)
"""The Stone of the play before them."""
CLAIMED_AT_THE_END: Final = "beanspruchen|claimen|opeisen"
JOINS: Final = "und danach|und dann|und|danach|dann|et puis|et|puis|ensuite|y|e|en|och|og"
THAT_IS: Final = (
    r"that is|i\.?e\.?|czyli|d\. ?h\.|das heißt|soit|c'est-à-dire|es decir|cioè|oftewel"
)
"""Between a card's name and its code."""

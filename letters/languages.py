"""The words of a turn in the languages for which the English grammar is enough.

The lists hold only forms that state what the writer does, or ask for it: questions and conditions
begin with words that are not listed.
"""

import re
from collections.abc import Mapping
from typing import Final


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


NUMBERS: Final[Mapping[str, int]] = _counted("""\
one two three four five six seven eight nine
eins zwei/zwo drei vier fünf sechs sieben acht neun
- deux trois quatre cinq six sept huit neuf
uno dos tres cuatro cinco seis siete ocho nueve
uno due tre quattro cinque sei sette otto nove
- dois/duas três quatro cinco seis sete oito nove
één twee drie vier vijf zes zeven acht negen
etta två/tvåa tre/trea fyra fem/femma sex/sexa sju/sjua åtta nio/nia
- - tre - fem seks syv/sju otte/åtte -
jeden dwa trzy cztery pięć sześć siedem osiem dziewięć
- dva tři čtyři pět šest sedm osm devět
- deuce""")
"""Numbers by their words: without articles, and without words that mean something else in another
language, like the Danish "to"."""
ROMAN: Final[Mapping[str, int]] = _counted("- ii iii iv - vi vii viii ix")
"""Roman numbers, only for Stones, and without those that are a single letter."""
ORDINALS: Final[Mapping[str, int]] = _counted("""\
first second third fourth fifth sixth seventh eighth ninth
1st 2nd 3rd 4th 5th 6th 7th 8th 9th
ersten/erste zweiten/zweite dritten/dritte vierten/vierte fünften/fünfte sechsten/sechste \
siebten/siebte/siebenten achten/achte neunten/neunte
1. 2. 3. 4. 5. 6. 7. 8. 9.
première/premier deuxième/seconde/second troisième quatrième cinquième sixième septième huitième \
neuvième
1ère/1re 2e/2ème 3e/3ème 4e/4ème 5e/5ème 6e/6ème 7e/7ème 8e/8ème 9e/9ème
primera segunda tercera cuarta quinta sexta séptima octava novena
prima seconda terza quarta quinta sesta settima ottava nona
primeira segunda terceira quarta quinta sexta sétima oitava nona
1ª 2ª 3ª 4ª 5ª 6ª 7ª 8ª 9ª
eerste tweede derde vierde vijfde zesde zevende achtste negende
första andra tredje fjärde femte sjätte sjunde åttonde nionde
første anden/andre tredje fjerde femte sjette syvende/sjuende ottende/åttende niende""")
COLOURS: Final = _spread(
    {
        "R": "rot rote roten rouge rojo roja rosso rossa rood rode vermelho vermelha röd röda rød"
        " røde czerwona czerwoną červená červenou красная красную 赤",
        "O": "orange orangene orangenen naranja arancione laranja oranje oransje pomarańczowa"
        " pomarańczową oranžová oranžovou",
        "Y": "yel gelb gelbe gelben jaune amarillo amarilla giallo gialla amarelo amarela geel gele"
        " gul gula gule żółta żółtą žlutá žlutou",
        "G": "grn grün grüne grünen vert verte verde groen groene grön gröna grøn grønn grønne"
        " zielona zieloną zelená zelenou",
        "B": "blau blaue blauen bleu bleue azul blu blauw blauwe blå blåa niebieska niebieską modrá"
        " modrou",
        "P": "pur lila violett violette violetten violet morado morada viola roxo roxa paars paarse"
        " fioletowa fioletową fialová fialovou",
    }
)
"""Letters of the clans by the words for their colours, in the forms used next to a number."""
ARTICLES: Final = any_of("""\
the|my|this|that|a|an|die|der|das|den|dem|eine|einen|meine|meinen|meiner|le|la|les|las|los|l'|une|mon|ma
el|mi|il|lo|mio|il mio|la mia|mia|o|a|meu|o meu|minha|a minha|de|het|mijn|min|mitt|den""")
CARDS: Final = any_of("card|karte|carte|carta|kaart|kort|karta")
AT: Final = any_of("""\
at|on|upon|to|onto|in|into|by|over at|over on|over to|down on|up on|on top of|in front of|on to
a|an|auf|zu|zum|bei|vor|sur|à|en|devant|sobre|su|sulla|alla|op|bij|aan|naar|em|na|à|ao
på|vid|ved|til|till|na|al|a la|à la|en la|sur la|na k""")
STONES: Final = any_of("""\
stone|stein|grenzstein|borne|pierre|piedra|pietra|steen|grenssteen|pedra|sten|kamień|kámen""")
VERBS: Final = any_of("""\
play|paly|plya|try|trying|put|place|lay|set|move|drop|dump|throw|toss|stick|slap|pop|send|add|use
choose|pick
put down|lay down|drop down|go with|go for|commit|playing|putting|placing|laying|setting|moving
dropping|dumping|throwing|tossing|sticking|slapping|popping|sending|adding|using|choosing|picking
putting down|laying down|going with|going for
ich spiele|ich lege|ich setze|spiele ich|lege ich|setze ich|nehme ich|spiele|lege|setze|je joue
je pose|je place|je mets|joue|pose|mets
jouer|poser|placer|mettre|juego|pongo|coloco|jugar|poner|colocar|gioco|metto|giocare|mettere
posare|jogo|jogar|pôr|ik speel|ik leg|ik zet|speel|leg|jag spelar|jag lägger|jag sätter|spela|lägga
jeg spiller|jeg legger|jeg lægger|jeg setter|spille|legge|lægge|gram|zagrywam|kładę|hraju|dávám""")
VERBS_AT_THE_END: Final = any_of("legen|spielen|setzen|leggen|spelen|zetten")
"""German and Dutch verbs that follow the Stone."""
LEADS: Final = """\
please|pls|plz|kindly|hereby|just|go|we|we'll|im|ill|id like|id like to|im going to
yes|i|i do|i'll|i will|i shall|i'm|i am|i'd like|i'd like to
i would like to|i'd also like to|i would also like to|i also want to
i should like to|i wish to|i also wish to|i also would like to|i would like|i want to|i want
i'm going to|i am going to|i'm gonna|gonna
let's|let us|let me|ok|okay|so|alright|right|great|now|well|hmm|hm|first|then|and|also|finally
i think i'll|it's|it is|it'll be|it will be|make it|this time|this turn|today|for my turn
for this turn|for my move|for my go|i've decided|i've decided to|i have decided to|i've decided on
decision|final answer|exactly that|here you go
here goes nothing|i think i will|i think i'm going to
my move|my turn|my answer|my play|my go|my choice|my move is|my turn is|my answer is|my play is
my choice is|my move for today|my move today|my move this time|my move now|my move will be
here's my move|here is my move|here's my turn|here is my turn|here's my play|here goes|here we go
my card|my card is|my card for today|today's move|today's move is|my turn today|mine is
quick one|quick one today|just a quick one|yawn|sigh|phew|ps|p.s.|btw|hi its me|hi it's me
this time it's|this time i'll|this time it is|so it's|answer
as my turn|as my move|my turn is as follows|my move is as follows
turn|next move|my next move|my next move is|the move|the turn|for me
außerdem|ausserdem|zusätzlich|de plus|aussi|además|también|inoltre|anche|ook|verder
bitte|also|dann|nun|jetzt|diesmal|ich möchte|ich will|ich nehme|mein zug|mein zug ist|hier mein zug
alors|bon|pour moi|je voudrais|je veux|je vais|ce sera|mon coup|voici mon coup|por favor|entonces
bueno|vale
quiero|voy a|me gustaría|mi jugada|mi jugada es|mi turno|allora|bene|vorrei|voglio|la mia mossa
la mia mossa è|então|quero|vou|a minha jogada|minha jogada|minha jogada é|dan|nu|ik wil|ik wil graag
ik ga|mijn zet|mijn zet is|mijn beurt|jag vill|jag ska|mitt drag|mitt drag är|jeg vil|jeg skal
mitt trekk|mit træk|mój ruch|můj tah"""
"""Words that may precede a command, in any number."""
TAILS: Final = any_of("""\
it is|now|then|today|this time|this turn|for this turn|for my turn|for my move|from me|from my hand
it goes|as my move|as well|too|for me|if you please|which completes it|completing it
to complete it""")
"""Words that may follow a command."""
CLAIMS: Final = any_of("""\
claim|claiming|ich beanspruche|beanspruche|beanspruche ich|ich claime|claime|ich fordere|fordere
fordere ich|je revendique|revendique|revendiquer|je réclame|réclame|réclamer|reclamo|reclamar
rivendico|reivindico|reivindicar|ik claim|ik eis""")
CLAIMS_IT: Final = any_of("""\
je la revendique|je le revendique|ich beanspruche ihn|ich beanspruche den|la reclamo|lo reclamo
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

"""Greetings, closings and courtesies, in full: none is a command.

The lists are closed, and no phrase has a gap for any word: a pattern that takes any word takes
"stop" as well. A line that is not listed here counts as not understood, and the server asks about
it.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final


def _listed(text: str) -> frozenset[str]:
    return frozenset(phrase.strip().casefold() for phrase in re.split(r"[|\n]", text) if phrase)


GREETINGS: Final = _listed("""\
hiya|heya|howdy|hallöchen|hallihallo|hallo ihr lieben|huhu|hi|hello|hey|dear|good morning|good afternoon|good evening|good day|greetings|morning|evening|yo
dear opponent|hi opponent|hello opponent|dear sir|dear madam|dear sirs|dear sir or madam|dear scottenbury
hi there|hello there|hey there|hi again|hello again|dear all|hi all|hello all|hi everyone
hallo|guten morgen|guten tag|guten abend|moin|moin moin|servus|grüß dich|grüss dich|grüß gott
liebe|lieber|liebes|sehr geehrte|sehr geehrter|sehr geehrter mitspieler|lieber mitspieler|liebe mitspielerin|tach|grüezi|hallo zusammen
bonjour|bonsoir|salut|coucou|cher|chère|chers|bonjour à tous
hola|buenos días|buenos dias|buenas tardes|buenas noches|buenas|querido|querida|estimado|estimada
ciao|buongiorno|buonasera|salve|caro|cara|buon pomeriggio|gentile
olá|oi|bom dia|boa tarde|boa noite|caro|cara|prezado|prezada
hoi|hoi hoi|goedemorgen|goedemiddag|goedenavond|goedendag|goeiemorgen|beste|geachte|dag
hej|hejsan|god morgon|god kväll|god dag|tjena|tja|kära|käre|god morgen|god aften|goddag|kære
heisann
hei|god kveld|kjære|moi|terve|hyvää huomenta|hyvää päivää|hyvää iltaa|huomenta|moikka|rakas|hyvä
cześć|witam|dzień dobry|dobry wieczór|hej hej|drogi|droga|szanowny|szanowna|siema
ahoj|dobrý den|dobré ráno|dobrý večer|čau|milý|milá|vážený|vážená|dobrý deň|dobré ráno|čauko
szia|sziasztok|jó reggelt|jó napot|jó estét|kedves|helló|üdvözlöm|szervusz
bună|bună ziua|bună dimineața|bună seara|salutare|dragă|stimate|stimată|buna|buna ziua
merhaba|selam|günaydın|iyi günler|iyi akşamlar|sevgili|sayın|selamlar
γεια|γεια σου|γεια σας|καλημέρα|καλησπέρα|χαίρετε|αγαπητέ|αγαπητή
привет|здравствуйте|здравствуй|добрый день|добрый вечер|доброе утро|дорогой|дорогая|приветствую
привіт|вітаю|добрий день|доброго дня|добрий вечір|доброго ранку|дорогий
здравей|здравейте|добър ден|добро утро|добър вечер|скъпи|привет
שלום|שלום לך|היי|הי|בוקר טוב|ערב טוב|צהריים טובים|יקר
مرحبا|مرحبًا|السلام عليكم|أهلا|أهلاً|صباح الخير|مساء الخير|تحية طيبة|عزيزي|عزيزتي|سلام|درود
با سلام
こんにちは|こんばんは|おはようございます|おはよう|お世話になっております|お世話になります|お疲れ様です
안녕하세요|안녕|안녕하십니까|반갑습니다|你好|您好|早上好|下午好|晚上好|大家好|早安|午安|晚安|嗨
chào|xin chào|chào bạn|chào anh|chào chị|สวัสดี|สวัสดีค่ะ|สวัสดีครับ|หวัดดี
halo|hai|selamat pagi|selamat siang|selamat sore|selamat malam|नमस्ते|नमस्कार|हेलो
bok|dobar dan|dobro jutro|dobra večer|zdravo|pozdrav|dragi|draga|živjo|dober dan|dobro jutro
tere|tere hommikust|tere päevast|labas|laba diena|labas rytas|sveiki|sveiks|labdien|labrīt
bon dia|bona tarda|bona nit|dia dhuit|dia duit|dia dhuit a|kaixo|egun on|góðan dag|hæ|halló|halla
""")

CLOSINGS: Final = _listed("""\
thanks|many thanks|thanks much|much obliged|thanks a lot|thanks again|thanks so much|thank you|thank you very much|thx
ta|ty
thanks for running this|thank you for running this|thanks for hosting|thanks for hosting this
thanks for organising this|thanks for organizing this|thanks for doing this|thanks for all this
thanks for everything|thanks for this|thanks for the reminder|thank you for the reminder
thanks for your move|thank you for your move|thanks for the move|thanks for the mail|thanks for your mail|thanks for your patience|thank you for your patience
thanks for waiting|thank you for waiting|thanks for the quick reply|thanks for your help
thank you for everything|thank you for this|thanks for the fun|thanks everyone|thanks all
thank you ever so much|thanks ever so much|thank you kindly|thanks a bunch|thanks a million
ta very much|thank you very much indeed|thank you and good game|thanks and good game|cheers then
thank you in advance|thanks in anticipation|thanks for playing|thank you for playing|bye then|bye now|byee|toodles|ttfn|laters|later gator|tara
love to all|much love|all my love|big hug|big hugs|a big hug|yours ever|as ever|ever yours|fondly
thank you so much|thanks in advance|thanks and regards|thanks for the game|thank you for the game
cheers|regards|best regards|kind regards|warm regards|best|best wishes|all the best|warmly|yours
yours sincerely|sincerely|yours faithfully|yours truly|with kind regards|warmest regards|cordially
many regards|all best|kindest regards|love|lots of love|hugs|bye|bye bye|bye for now|goodbye|cya
see you|see you soon|see you later|talk soon|talk to you soon|speak soon|until next time|so long
take care|with best wishes|respectfully|lg|vg|mfg|bg|br|kr|rgds|brgds|x|xx|xxx|xo|xoxo
danke|danke schön|vielen dank|danke dir|herzlich|herzliche grüsse|besten dank|gruß|gruss|grüße|grüsse|viele grüße
viele grüsse
schöne grüße|schöne grüsse|liebe grüße|liebe grüsse|beste grüße|herzliche grüße|herzlichst|tschüss
mit freundlichen grüßen|mit freundlichen grüssen|mit besten grüßen|mit lieben grüßen|bis bald
tschüß
freundliche grüße|freundliche grüsse|mit freundlichem gruß|bis dann|bis später|alles gute|dein
deine
merci|merci beaucoup|merci bien|mille mercis|merci d'avance|cordialement|bien cordialement
amicalement|bien à toi|bien à vous|à bientôt|a bientôt|à plus|bises|bisous|sincères salutations
amitiés|salutations|meilleures salutations|cdlt|au revoir|à demain
gracias|muchas gracias|mil gracias|un beso|besitos|saludos|saludos cordiales|un saludo|cordiales saludos|un abrazo
abrazos|atentamente|besos|hasta luego|hasta pronto|adiós|cordialmente|atte|gracias de antemano
grazie|grazie mille|molte grazie|saluti|cordiali saluti|distinti saluti|un saluto|un caro saluto
a presto|un abbraccio|baci|un bacio|bacioni|tanti baci|ciao ciao|tanti saluti|cari saluti|a dopo|arrivederci|grazie in anticipo
obrigado|obrigada|muito obrigado|muito obrigada|abraço|abraços|um abraço|atenciosamente|beijos|att
cumprimentos|com os melhores cumprimentos|melhores cumprimentos|até logo|até breve|grato|grata
bedankt|dank je|dank je wel|dankjewel|dank u|hartelijk dank|groet|groeten|groetjes
hartelijke groet
met vriendelijke groet|met vriendelijke groeten|vriendelijke groet|vriendelijke groeten|tot ziens
mvg|gr|liefs|tot snel|met hartelijke groet|alvast bedankt|hartelijke groeten|tot later
tack|tack så mycket|tusen tack|tack på förhand|vänliga hälsningar|med vänliga hälsningar
hälsningar
med vänlig hälsning|vänligen|mvh|hej då|ha det|bästa hälsningar|med bästa hälsningar|kram|kramar
tak|mange tak|tusind tak|hilsen|venlig hilsen|med venlig hilsen|de bedste hilsner|mange hilsner|kh
kærlig hilsen|bedste hilsner|vh|på gensyn|på forhånd tak|knus|hav det godt|vi ses
takk|tusen takk|mange takk|vennlig hilsen|med vennlig hilsen|beste hilsen|hilsener|ha det bra|klem
kiitos|kiitoksia|paljon kiitoksia|kiitos paljon|terveisin|ystävällisin terveisin|terveiset|terkuin
parhain terveisin|t|yst terv|hei hei|nähdään
dziękuję|dzięki|dziękuję bardzo|wielkie dzięki|pozdrawiam|pozdrowienia|z poważaniem|serdecznie
z pozdrowieniami|serdecznie pozdrawiam|do usłyszenia|do widzenia|na razie|pozdrawiam serdecznie
díky|děkuji|děkuju|moc díky|s pozdravem|zdravím|hezký den|s přáním hezkého dne|mějte se
na shledanou
ďakujem|vďaka|s pozdravom|pekný deň|dovidenia|ďakujem pekne
köszönöm|köszi|üdv|üdvözlettel|tisztelettel|szívélyes üdvözlettel|köszönettel|puszi|viszlát
mulțumesc|mersi|mulțumesc mult|multumesc|cu stimă|cu respect|cu drag|o zi bună|toate cele bune
teşekkürler|teşekkür ederim|çok teşekkürler|saygılarımla|sevgiler|saygılar|iyi çalışmalar
hoşça kal
ευχαριστώ|ευχαριστώ πολύ|με εκτίμηση|φιλικά|χαιρετισμούς|χαιρετισμοί|φιλιά
спасибо|большое спасибо|с уважением|всего доброго|всего хорошего|удачи|спс|до свидания|пока|ваш
ваша
благодарю|с наилучшими пожеланиями|до встречи
дякую|щиро дякую|з повагою|усього найкращого|гарного дня|до побачення|на все добре
благодаря|много благодаря|поздрави|с уважение|сърдечни поздрави|всичко добро|хубав ден
תודה|תודה רבה|בברכה|בכבוד רב|להתראות|בהצלחה|יום טוב
شكرا|شكرًا|شكرا جزيلا|شكراً|مع تحياتي|تحياتي|مع خالص التحيات|مع السلامة|مع التحية|ممنون|متشکرم
با تشکر
با احترام|مرسی|سپاس
ありがとうございます|ありがとう|よろしくお願いします|よろしくお願いいたします|よろしくお願い致します|以上
宜しくお願いします|宜しくお願いいたします|宜しくお願い致します|どうぞよろしくお願いします|では|それでは
감사합니다|고맙습니다|감사해요|고마워|드림|올림|수고하세요|안녕히 계세요
谢谢|謝謝|多谢|多謝|非常感谢|谢谢你|祝好|此致|敬礼|敬礼!|此致敬礼|敬上|顺祝商祺|祝 順心|祝順心|祝順利|再见|再見|感谢
cảm ơn|cám ơn|cảm ơn bạn|cảm ơn nhiều|trân trọng|thân ái|thân mến|tạm biệt
ขอบคุณ|ขอบคุณค่ะ|ขอบคุณครับ|ขอบคุณมาก|ขอบคุณมากค่ะ|ขอบคุณมากครับ|ด้วยความนับถือ|ค่ะ|ครับ
terima kasih|makasih|terima kasih banyak|salam|hormat saya|salam hangat|sampai jumpa
धन्यवाद|शुक्रिया|सादर|आपका|salutacions|gràcies|moltes gràcies|atentament|cordialment|fins aviat
hvala|hvala lijepa|lijep pozdrav|srdačan pozdrav|lp|pozdrav|lep pozdrav|hvala lepa
lepo pozdravljeni
aitäh|tänan|lugupidamisega|parimat|ačiū|pagarbiai|iki|paldies|ar cieņu|visu labu
slán|go raibh maith agat|le gach dea-ghuí|eskerrik asko|agur|ondo izan|takk fyrir|kveðja
bestu kveðjur
""")
"""A name may follow a closing; on the same line below a command, only a listed name or the
writer's."""

COURTESIES: Final = _listed("""\
two things|zwei dinge|twee dingen|deux choses|dos cosas|due cose|graag|gerne|でお願いします|お願いします
please|pls|plz|good luck|have fun|have a nice day|have a good day|have a great day|have a good one
have a nice evening|have a nice weekend|have a good weekend|have a great weekend|have a lovely day
have a good evening|have a lovely weekend|enjoy your day|enjoy the weekend|good night|nice day
hope you are well|i hope you are well|hope you're well|hope all is well|hope this finds you well
i hope this finds you well|hope you are doing well|lovely weather today|your turn|over to you
your move|you're up|here you go|here is my move|here's my move|here is my turn|here's my turn
my move|exactly that|exactly|just that|final answer|the move|the game|the turn|anyway|right then
oh|ooh|oooh|ah|aha|wow|yay|hooray|hurray|woohoo|gotta run|gotta go|gotta dash|got to run|got to go|must dash|must run|must go
talk later|speak later|have to run|byee|ta da|phew|fingers crossed|wish me luck
lovely|nice|nice one|great|excellent|brilliant|super
perfect|fun|this is fun|what fun|nice move|good move|great move
here goes|here goes nothing|your go|ur turn|ur go|you're next|sorry for keeping you waiting|désolé pour le retard
sorry für die verspätung|entschuldige die verspätung|désolée pour le retard|scusa il ritardo
sorry voor het wachten|sorry voor de late reactie|sorry dat het even duurde|perdona la tardanza|perdón por el retraso|scusa per il ritardo|scusate il ritardo
sorry für die späte antwort|entschuldigung für die verspätung|entschuldige die späte antwort|désolé pour l'attente|désolée pour l'attente
perdón por la tardanza|desculpa a demora
only just saw this|sorry only just saw this|sorry just saw this|just seen this|sorry for the delay|sorry about the delay|sorry for the late reply|sorry for the slow reply
apologies for the delay|sorry to keep you waiting|sorry for the wait|sorry i'm late|sorry i am late
my turn|here it is|this is my move|this is my turn|happy christmas|merry christmas|happy new year
happy easter|happy holidays|happy birthday|gl|gg|glhf|gl hf|sorry|for me
my answer|my reply|ha|ugh|ouch|mate|matey|buddy|my friend|old friend|old boy|old chap|nicely played
nice play|good play|good one|sneaky|very sneaky|cheeky|clever|very clever|clever move|clever one
nasty move|sneaky move|what a move|i saw that coming|saw that coming|i saw that one coming|hard one
tough one|tricky one|first time doing this|here's mine|here is mine|and now me
schöner zug|guter zug|starker zug|toller zug|gut gespielt|schön gespielt|hier meiner|hier kommt meiner
hier kommt mein zug|jetzt ich|nun ich|auf geht's|los geht's|bien joué|joli coup|beau coup|à moi
à mon tour|voici mon coup|voilà mon coup|c'est parti|stp|buena jugada|bien jugado|qué jugada|ahora yo
me toca|mi turno|mi jugada|bella mossa|che mossa|ben giocato|bel colpo|ora io|ora tocca a me|la mia mossa
ecco la mia mossa|goede zet|mooie zet|goed gespeeld|leuk gespeeld|mooi gespeeld|maar nu ik|nu ik
daar gaan we|daar gaat ie|hier de mijne|mijn zet|mijn beurt
hab ein schönes wochenende|hab einen schönen tag|hab einen schönen abend|habt ein schönes wochenende
schönen tag|schönen tag noch|schönen abend|schönen abend noch|schönes wochenende|viel glück|bitte
einen schönen tag|gute nacht|frohe weihnachten|viel spaß|gutes spiel|hier mein zug
hier ist mein zug
schönen gruß|und|and|et|y|e|och|og
bonne journée|bonne soirée|bon week-end|bonne chance|bonne nuit|s'il te plaît|s'il vous plaît|svp
buen día|buena suerte|suerte|por favor|feliz día|que tengas un buen día|buen fin de semana
buona giornata|buona serata|buona fortuna|per favore|buon fine settimana|buon weekend
boa sorte|tenha um bom dia|bom fim de semana|um bom dia
fijne dag|fijne avond|fijn weekend|veel succes|alsjeblieft|alstublieft|aub|prettige dag|prettig weekend
ha en bra dag|ha en fin dag|lycka till|trevlig helg|trevlig kväll|ha en god dag|god weekend
held og lykke
god helg|lykke til|ha en fin kveld|hyvää päivänjatkoa|hyvää viikonloppua|onnea
miłego dnia|miłego wieczoru|powodzenia|proszę|miłego weekendu|hezký večer|hodně štěstí|prosím
szép napot|szép estét|sok szerencsét|jó éjszakát|o seară bună|noroc|te rog
iyi akşamlar|iyi günler|iyi şanslar|lütfen|iyi geceler|καλή τύχη|καλή συνέχεια|παρακαλώ
хорошего дня|хорошего вечера|пожалуйста|хороших выходных|гарного вечора|будь ласка
좋은 하루 되세요|좋은 하루 보내세요|행운을 빌어요|祝你好运|祝您愉快|祝你愉快|请|請|頑張ってください
hari yang menyenangkan|semoga berhasil|lijep dan|sretno|lep dan|srečno|chúc một ngày tốt lành
""")
"""Phrases that may be written next to a command, or alone."""

HERALDS: Final = _listed("""\
here is my move|here's my move|here is my turn|here's my turn|my move|my turn|my answer|my reply
here it is|this is my move|this is my turn|here's mine|here is mine|and now me|here goes|here you go
hier mein zug|hier ist mein zug|hier meiner|hier kommt meiner|hier kommt mein zug|jetzt ich|nun ich
à moi|à mon tour|voici mon coup|voilà mon coup|ahora yo|me toca|mi turno|mi jugada|ora io
ora tocca a me|la mia mossa|ecco la mia mossa|maar nu ik|nu ik|daar gaan we|daar gaat ie|hier de mijne
mijn zet|mijn beurt|two things|zwei dinge|twee dingen|deux choses|dos cosas|due cose
""")
"""Courtesies that announce a turn: after one, they announce another that is missing."""
PRAISE: Final = _listed("""\
nice move|good move|great move|nasty move|sneaky move|clever move|what a move|nice play|good play
nicely played|schöner zug|guter zug|starker zug|toller zug|gut gespielt|schön gespielt|bien joué
joli coup|beau coup|buena jugada|bien jugado|qué jugada|bella mossa|che mossa|ben giocato|bel colpo
goede zet|mooie zet|goed gespeeld|leuk gespeeld|mooi gespeeld
""")
"""Courtesies that may be said of the turn that stands next to them."""
_CALLS: Final = _listed(
    "your turn|your move|your go|over to you|you're up|you're next|happy birthday"
)
_CALLED: Final = GREETINGS | _CALLS
"""Phrases that speak to the person whose name follows."""
_SIGNED_WITH: Final = re.compile(
    r"regard|wish|yours|sincer|love|gr[uü](?:ß|ss)|herzlich|hilsen|hälsning|saludo|abra[zç]|beso|salut"
    r"|cordial|groet|bises|bisous|amiti|atentam|kram|knus|klem|warm|respect|pozdr|üdv|liefs|fondly"
    r"|^(?:lg|vg|mfg|mvg|gr|br|kr|bg|rgds|brgds|att|atte|cdlt|kh|vh|mvh)$"
)
"""Matches closings behind which people put their own names only."""
_JOINS: Final = frozenset(["und", "and", "et", "y", "e", "och", "og"])
"""Courtesies only together with others: alone they announce words that are missing."""

_ADDRESSED: Final = _listed("""\
robot|mr robot|dear robot|little robot|bot|server|computer|machine|referee|mate|mates|matey|pal
buddy|chum|dude|man|old chap|old boy|old friend|old bean|my friend|my dear|dear|darling|love|honey
folks|guys|lads|ladies|boss|partner|neighbour|mein lieber|meine liebe|mein freund|meister|mon ami
mon vieux|mon cher|ma chère|amigo|amiga|tío|amico|amica|vriend|maat
""")
"""Forms of address for the other player, or this server, after a greeting or thanks."""

_RELATIVES: Final = _listed("""\
grandad|granddad|grandpa|grandma|gran|granny|nan|nana|dad|mum|mom|aunty|auntie|uncle|oma|opa|mama|papa
""")
_AROUND_NAMES: Final = ("様", "さん", "님", "씨", "先生", "小姐", "さま", "-san")
"""Titles that some languages put after a name."""
OTHER: Final = "@"
"""Prefix of another player's name. Players choose any name, so it is certainly a name only after a
greeting: "Redo" alone may be a command."""
EVERYBODY: Final = ("all", "there", "everyone", "everybody", "team", "friend")
_LONGEST: Final = 7
"""Most words of a phrase."""
_BETWEEN: Final = re.compile(r"(?:[\s,、،~]|(?<!\S)-+(?!\S))+")
_PARTS: Final = re.compile(r"[;.!:。؛·…()/]+")
SMILEYS: Final = re.compile(
    r"[:;=]['-]?[)DPp3*]+(?!\w)|\^\^|<3(?!\w)"
    "|[😀-😅😇-😎😏🙂🤗😘😺👍👌👋👏🙌🙏💪🤝🤞✌✊🎉🎊🍀🌞🌻🌹🎲🃏❤💚💙💛🧡💜☺☀☕✅✔🥳🥰🤓😋😻🙈🙉🙊🤭🥱🤩😚😙🤠🫶🙋💕-💞"
    "🖤🤍♥💐🌷🌸🌺🌼🌱🌿🌲🌳🍁🍂🌈🌧🌦⛅☁❄⛄☃☔🌊🏖🌟⭐✨🔥💥🎄🎅🎁🎂🍰🧁🍪🍫🍵🫖🍷🍺🍻🥂🏆🥇🎯🎵🎶🐶🐱🐕🐈🐰🐝🦋🐣🐧🦊🐻"
    "🚂🚆🚌🚗🚲✈⛵🏠🏡📬💌][🏻-🏿]?"
)
"""Friendly ones only: a thumb may point down, and a sign may say no."""


def is_polite(line: str, names: Collection[str]) -> bool:
    """Whether the line holds nothing but such phrases and these names (in lower case)."""
    phrases = [*_phrases(line, names)]
    return None not in phrases and (not phrases or not _JOINS.issuperset(phrases))


def calls(text: str) -> bool:
    """Whether the text greets somebody, or says that it is their turn."""
    return text.casefold().strip(" ,.!") in _CALLED


def is_signed_with(text: str) -> bool:
    """Whether the text is a closing behind which people put their own names only."""
    closing = text.casefold().strip(" ,.!")
    return closing in CLOSINGS and _SIGNED_WITH.search(closing) is not None


def announces(line: str, names: Collection[str]) -> bool:
    """Whether a polite line announces a turn: "Here's mine:"."""
    return not HERALDS.isdisjoint(phrase or "" for phrase in _phrases(line, names))


def is_leave(line: str, names: Collection[str]) -> bool:
    """Whether a polite line takes leave or is the writer's name, so that a signature may follow:
    "Thanks Ben", not "Sorry"."""
    ends = CLOSINGS.union(names)
    phrases = [phrase or "" for phrase in _phrases(line, names)]
    return any(phrase in ends or phrase.rpartition(" ")[0] in CLOSINGS for phrase in phrases)


_APOLOGY: Final = re.compile(
    r"(?:(?:i'm |i am )?(?:so |very |really )?sorry|apologies)"
    r" (?:(?:that )?(?:this|it) (?:took|has taken) (?:me )?(?:so long|a while|(?:a|two|three|a few) days?"
    r"|longer)|for (?:being|answering|replying) (?:so )?late|for the (?:delay|silence|wait|(?:late|slow) (?:reply|answer)))"
    r"(?:(?:, | - |: )(?:we had (?:visitors|guests|family over|friends over)"
    r"|(?:i was|i've been) (?:away|ill|sick|busy|travelling|traveling|on holiday)"
    r"|(?:the|my) (?:cat|dog|kids|children|baby|family) (?:was|were) (?:ill|sick|poorly|at home)"
    r"|(?:it was )?(?:a )?(?:long|busy|crazy|hectic) (?:day|week|month)|(?:work|life) got in the way))?",
    re.IGNORECASE,
)
"""Matches an apology for a late answer, with the common reasons."""


def without_apology(line: str) -> str:
    """Return the line without an apology for a late answer at its beginning."""
    match = _APOLOGY.match(line.replace("’", "'"))
    if match is None or line[match.end() : match.end() + 1] not in ("", ".", "!"):
        return line
    return line[match.end() :].lstrip(".! ")


def begins_phrase(word: str) -> bool:
    """Whether a polite phrase may begin with this word. Phrases that begin with a player's name
    are left out."""
    return word in _FIRST_WORDS


def phrase_at(words: list[str], place: int, names: Collection[str]) -> int:
    """Return the number of words from index `place` on that form one phrase or name; 0 if none
    do."""
    if not names and place < len(words) and not begins_phrase(words[place]):
        return 0
    for length in range(min(_LONGEST, len(words) - place), 0, -1):
        phrase = " ".join(words[place : place + length])
        if phrase in names or phrase in EVERYBODY:
            return length
        if phrase in _PHRASES:
            is_called = phrase in _CALLED
            if is_called and _own_name_at(words, place + length, names):
                return 0  # somebody else speaks to the writer
            is_addressed = phrase in _TO_SOMEBODY
            return length + (_other_at(words, place + length, names) if is_addressed else 0)
        if length == 2 and _introduces(words[place : place + 2], names):
            return length
        if length == 1 and any(
            phrase.endswith(after) and is_named(phrase.removesuffix(after), names)
            for after in _AROUND_NAMES
        ):
            return 1
    greeted = place + _other_at(words, place, names)  # "Ben 你好"
    is_greeted = place < greeted < len(words) and words[greeted] in GREETINGS
    return greeted + 1 - place if is_greeted else 0


def _introduces(words: list[str], names: Collection[str]) -> bool:
    """Whether the writer introduces themselves: "Ada here", "Oma hier". "Carol here" may mean
    another person."""
    name, here = words
    return here in ("here", "hier") and (name in names or name in _RELATIVES)


def _own_name_at(words: list[str], place: int, names: Collection[str]) -> bool:
    called = (" ".join(words[place : place + length]) for length in (1, 2, 3))
    return any(is_writers_name(name, names) for name in called)


def _other_at(words: list[str], place: int, names: Collection[str]) -> int:
    """Return the number of words from index `place` on that name or address another player; 0 if
    none do."""
    for length in range(min(_LONGEST, len(words) - place), 0, -1):
        called = " ".join(words[place : place + length])
        if OTHER + called in names or called in _ADDRESSED:
            return length
    return 0


def is_writers_name(name: str, names: Collection[str]) -> bool:
    """Whether this is a name of the writer, and nobody else's whom they may greet."""
    return name in names and OTHER + name not in names


def is_named(word: str, names: Collection[str]) -> bool:
    """Whether this is a name of the writer or of another player."""
    return word in names or OTHER + word in names


def _phrases(line: str, names: Collection[str]) -> Iterator[str | None]:
    """Yield the phrases of the line; yield None and stop at the first words that are not a
    phrase."""
    for part in _PARTS.split(SMILEYS.sub(" ", line).casefold()):
        words = [word for word in _BETWEEN.split(part) if word]
        place = 0
        while place < len(words):
            length = phrase_at(words, place, names)
            yield " ".join(words[place : place + length]) if length else None
            if not length:
                return
            place += length


_PHRASES: Final = GREETINGS | CLOSINGS | COURTESIES
_TO_SOMEBODY: Final = (
    GREETINGS
    | {closing for closing in CLOSINGS - {"best", "all best"} if not _SIGNED_WITH.search(closing)}
    | {"good luck", "over to you", "your turn", "your move", "your go", "nice move", "good move"}
    | {"sorry"}
)
_FIRST_WORDS: Final = frozenset(phrase.split(" ")[0] for phrase in (*_PHRASES, *EVERYBODY))

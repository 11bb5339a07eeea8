"""Recognises words that take a turn back, or put it off, in the languages that answers come in.

They need no grammar: if the writer's own text holds one of them, nothing is played, and the answer
asks. A false alarm costs a mail, an unintended turn costs the game.
"""

import re
from collections.abc import Collection
from typing import Final

_WORDS: Final = """
not|n't|dont|wont|cant|no|nope|nah|never|none|nothing|stop|wait|waiting|hold|halt|hang|undo|cancel
cancelled|canceled|ignore|disregard|forget|retract|revoke|withdraw|recall|scrap|scratch|void
delete
instead|rather|unless|except|until|postpone|delay|later|tomorrow|yet|maybe|perhaps|kidding|joke
joking|mistake|mistakenly|accident|accidentally|oops|whoops|wrong|error|correction|actually|unsure
meant|mean|undecided|reconsider|changed my mind|change my mind|changed mind|second thought|second thoughts
take back|take it back|take that back|take this back|taking back|taking it back|taking that back|took back
redo|rewind|think again|think about it|not sure|my bad|too soon
too early|by accident|on reflection|draft|skip|make that|i prefer|i'd prefer|jk|j/k|don´t|dont't|aborted|abort|recalled|reject|rejected
regret|if
nicht|nein|nee|ne|doch|warte|warten|halt|stopp|kein|keine|falsch|versehentlich|irrtum|irrtümlich
vergiss|ignorieren|ignoriere|anders überlegt|später|morgen|lieber|stattdessen|zurück|abbrechen
storno|erst mal|noch nicht|doch nicht|verworfen|moment|quatsch|vertippt|ungültig
pas|non|attends|attendez|attendre|annule|annuler|annulez|jamais|changé d'avis|change d'avis|erreur
oublie|oubliez|ignore|ignorez|plutôt|plus tard|demain|arrête|stop|finalement|par erreur
no|espera|espere|esperen|cancela|cancelar|nunca|ignora|ignore|olvida|olvídalo|mejor|cambié
cambiado
de idea|de opinión|error|equivoqué|equivocado|mañana|más tarde|todavía
aspetta|aspetti|annulla|annullare|mai|ignora|cambiato idea|errore|sbagliato|lascia|domani
più tardi
anzi|invece|fermo|fermi
não|nao|espera|espere|aguarde|cancela|cancelar|nunca|ignora|mudei|errado|engano|esquece|amanhã
niet|nee|wacht|wachten|toch|annuleer|annuleren|nooit|negeer|vergeet|vergis|bedacht|morgen|later
nie|czekaj|poczekaj|jednak|anuluj|nigdy|zignoruj|pomyłka|rozmyśliłem|rozmyśliłam|jutro|zaczekaj
inte|ej|nej|vänta|ångrar|ångrade|avbryt|aldrig|strunta|glöm|fel|imorgon|senare|ändrat
ikke|nei|vent|ombestemt|fortryder|annuller|avbryt|aldri|aldrig|glem|feil|forkert|senere|i morgen
älä|ei|odota|peru|peruuta|sittenkään|unohda|väärin|virhe|huomenna|myöhemmin
počkej|počkejte|čekej|čekejte|radši|raději|zruš|zrušit|nikdy|zapomeň|omyl|omylem|zítra|později
počkaj|čakaj|nie|zajtra|neskôr|nehraj|nehrajte|zruš
várj|várjon|mégsem|mégse|nem|ne|töröld|mégis|tévedés|holnap|később|felejtsd
stai|așteaptă|asteapta|nu|anulează|răzgândit|greșeală|mâine|uită|ignoră|mai târziu
dur|durun|bekle|bekleyin|vazgeçtim|hayır|değil|iptal|yanlış|yanlışlıkla|yarın|unut|sonra
περίμενε|περιμένετε|όχι|μην|μη|δεν|άλλαξα|ακύρωσε|ακύρωση|λάθος|ξέχνα|αύριο|αργότερα
стоп|нет|не|подожди|подождите|погоди|передумал|передумала|отмена|отмени|ошибка|ошибся|ошиблась
забудь|забудьте|завтра|позже|случайно|рано
ні|не|зачекай|зачекайте|почекай|скасуй|скасувати|передумав|передумала|помилка|забудь|пізніше
чакай|изчакай|не|недей|отмени|грешка|размислих|забрави|утре
čekaj|čekajte|ipak|ne|nemoj|poništi|greška|sutra|kasnije|predomislio|predomislila
počakaj|ne|ni|prekliči|napaka|jutri|ära|oota|ei|tühista|viga|palauk|palaukite|ne|atšauk|klaida
pagaidi|nē|atcel|kļūda|khoan|đừng|không|chờ|hủy|nhầm|tunggu|jangan|tidak|batal|batalkan|salah
nanti
besok|salah kirim|espera|atura|cancel·la|itxaron|stad|ekki|bíddu|hætta
"""
_STEMS: Final = """
nevermind|nvm|retract|withdraw|withdrew|revert|strike|striking|struck|belay|rescind|cancel|scrap
postpon|pausing|paused|pausier|reconsider|disregard|remove|removing|annul|anul|aborting|aborted
rückgängig|zurück|gestrichen|streich|widerr|abbruch|abgebrochen|vergess|nichts|stornier|verschieb
oups|upps|huch|annulation|suspend|retir|ritir|geannuleer|intrek|ingetrok|cofam|cofn|wycof|odwoł
ångra|ångrat|angre|angret|fortryd|fortrudt|avslå|perutt|peruut|perun|zruš|ruším|stornuj|visszavon
renunț|renunt|vazgeç|ακυρ|отмен|отзыв|відмін|скасов|скасу|оттегл|odustaj|poništ|prekli|atsauc|atšauk
"""
"""Beginnings of words."""
_PARTS: Final = """
לא|רגע|חכה|חכי|עצור|בטל|טעות|אל ת|מחר|שכח
لا |لا$|انتظر|انتظري|توقف|إلغاء|ألغ|خطأ|ليس|غدا|صبر کن|نکن|نه |نه$|لغو
待って|待った|やめ|やっぱり|取り消|取消|キャンセル|間違|ません|ないで|中止|無視|保留|まだ
잠깐|잠시|취소|아니|말고|하지 마|하지마|기다려|실수|무시|나중에|아직
等一下|等等|先不|不要|别|別|取消|错了|錯了|撤回|算了|忽略|改变主意|改變主意|不|沒|没
อย่า|ไม่|เดี๋ยว|รอ|ยกเลิก|ผิด|ยัง|रुको|रुकिए|नहीं|मत |रद्द|गलती
🚫|❌|👎|⛔|🛑|✋|❎|✖|🙅
"""


def _pattern() -> re.Pattern[str]:
    words = {word.strip() for line in _WORDS.split("\n") for word in line.split("|")} - {""}
    parts = {part for line in _PARTS.split("\n") for part in line.split("|") if part.strip()}
    stems = {stem for line in _STEMS.split("\n") for stem in line.split("|") if stem}
    first = "".join({re.escape(word[0]) for word in words | stems})
    inside = "|".join(part.replace(" ", r"\s") for part in sorted(parts, key=len, reverse=True))
    # "No. 1" is a number, "no virus" what scanners say, "Greenwich Mean Time" a clock's, and
    # "7. Mai 2024" a date.
    # No part begins with a letter of ASCII, of which most texts are.
    return re.compile(
        rf"(?<!\w)(?=[{first}])(?!no(?:\. ?\d| virus)|mean time|(?:(?<=\d )|(?<=\d\. )|(?<=\d de ))mai\.?(?: de)? 20\d\d)(?:{_any_of(words)}(?!\w)|{_any_of(stems)})"
        rf"|n['’´]t(?!\w)|(?![\x00-\x7f])(?:{inside})",
        re.IGNORECASE,
    )


def _any_of(words: Collection[str]) -> str:
    """Return a pattern of these words, grouped by their first letter: a plain list of so many would
    be tried from its beginning to its end at each word of a text."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[0], []).append(re.escape(word[1:]))
    forms = (f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in rests.items())
    return f"(?:{'|'.join(forms)})"


_TAKES_BACK: Final = _pattern()
_STRONG: Final = re.compile(
    r"(?<!\w)(?:(?:do not|don'?t|never) (?:play|do|claim)|ignore (?:this|that|it|my|the)|please ignore|changed my"
    r" mind|take (?:this|that|it)(?: all)? back|cancel (?:this|that|it|my)|scratch that|undo"
    r"|i meant|typo|(?:not|n't)(?: yet)? decided|(?:only|just) (?:joking|kidding)|not th(?:is|at) one|never ?mind)(?!\w)",
    re.IGNORECASE,
)


def takes_back(line: str) -> bool:
    """Whether the line holds a word that takes something back, or puts it off."""
    return _TAKES_BACK.search(_straight(line)) is not None


def surely_takes_back(text: str) -> bool:
    """Whether the text certainly takes something back. This is for a message to the other player, a
    subject, or the head of another mail, which may hold "no" in many languages."""
    return _STRONG.search(_straight(text)) is not None


def _straight(line: str) -> str:
    return line.replace("’", "'")

"""What stands in answers in many languages and is no command: words of mail programs and people.

No list is ever whole; a line that is not known here is one that was not understood.
"""

import re
from typing import Final

FROM: Final = re.compile(
    r"""\*?(from|von|de|da|van|från|fra|od|ot|от|від|lähettäjä|kimden|gönderen|feladó|expéditeur|
    remitente|mittente|afzender|avsändare|afsender|nadawca|odesílatel|отправитель|από|מאת|من|
    发件人|寄件者|差出人|送信者|보낸\ ?사람)\s?\*?\s?:""",
    re.IGNORECASE | re.VERBOSE,
)
"""How the head of another mail names its sender."""

WROTE: Final = re.compile(
    r"""(wrote|writes|schrieb|geschrieben|a\ écrit|écrit|escribi[óo]|escreveu|ha\ scritto|schreef|
    skrev|skreiv|napsal(\(a\)|a)?|napísal(\(a\)|a)?|napisał(\(a\)|a)?|kirjoitti|yazdı|írta|
    a\ scris|написал(\(а\)|а)?|пишет|написав|έγραψε|写道|寫道|書きました|のメール|
    님이\ 작성|작성|כתב(ה)?|كتب)""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a line that introduces a quotation says that somebody wrote it."""

PRODUCT: Final = re.compile(
    r"""((sent|sent\ securely)\ (from|with|via|using)\ (my\ |the\ )?.{2,60}
    |get\ outlook\ for\ (ios|android|mac).{0,60}
    |(von\ meinem|gesendet\ (von|mit|über)|diese\ nachricht\ wurde\ von\ meinem)\ .{2,80}
    |envoyé\ (de|depuis|avec|à\ partir)\ .{2,60}
    |enviado\ (desde|do|de|a\ partir|pelo|com)\ .{2,60}
    |inviato\ (da|dal|con)\ .{2,60}
    |(verzonden|verstuurd)\ (vanaf|met|via|vanuit)\ .{2,60}
    |skickat\ från\ .{2,60}|sendt\ fra\ .{2,60}|lähetetty\ .{2,60}
    |wysłan[eoy]\ z\ .{2,60}|odesláno\ z\ .{2,60}|отправлено\ (с|из)\ .{2,60}
    |.{0,30}(iphone|ipad|android)から送信|发自我的.{2,30}|나의\ .{2,30}에서\ 보냄
    |iphone'?umdan\ gönderildi|נשלח\ מה.{2,30}|أ?ُ?رسلت?\ من\ .{2,30})""",
    re.IGNORECASE | re.VERBOSE,
)
"""What phones and programs sign with."""

GREETING: Final = re.compile(
    r"""((hi|hello|hey|dear|hallo|hoi|hei|hej|ciao|hola|olá|oi|bonjour|bonsoir|salut|moin|servus|
    cześć|witam|ahoj|dobrý\ den|szia|bună|merhaba|selam|γεια|привет|здравствуйте|привіт|вітаю)
    (\ (there|all|\w{1,20}))?
    |你好|您好|こんにちは|こんばんは|안녕하세요|שלום|مرحبا)""",
    re.IGNORECASE | re.VERBOSE,
)

SIGN_OFF: Final = re.compile(
    r"""((many\ )?thanks(\ (a\ lot|again))?|thank\ you|thx|cheers|regards|(best|kind|warm)\ regards|
    best(\ wishes)?|good\ luck|have\ fun|yours|bye|danke|gru(ß|ss)|grü(ß|ss)e|viele\ grü(ß|ss)e|
    (mit\ )?(freundlichen|besten)\ grü(ß|ss)en|liebe\ grü(ß|ss)e|mfg|lg|vg|merci|cordialement|
    gracias|saludos|un\ saludo|obrigad[oa]|abraços|grazie|saluti|(met\ vriendelijke\ )?groet(en)?|
    bedankt|tack|(med\ )?vänliga\ hälsningar|tak|takk|(venlig\ |med\ vennlig\ )?hilsen|mvh|kiitos|
    terveisin|dzięki|dziękuję|pozdrawiam|díky|děkuji|s\ pozdravem|köszönöm|üdv|üdvözlettel|
    mulțumesc|teşekkürler|saygılarımla|ευχαριστώ|спасибо|с\ уважением|дякую|谢谢|謝謝|
    ありがとうございます|よろしくお願いします|감사합니다|תודה|شكرا)""",
    re.IGNORECASE | re.VERBOSE,
)

"""Recognises header fields, and lines that programs and companies add to a mail: none is a command.

The patterns list their words, as in `phrases`: one that allowed any words would also accept a line
that says "stop".
"""

import re
from functools import cache
from typing import Final

from letters.mail.taking_back import takes_back

_DEVICES: Final = r"""
    (iphone|ipad|ipod|apple\ watch|vision\ pro|galaxy(\ [\w+]{1,12}){0,2}|samsung(\ galaxy)?(\ \w{1,12})?
    |pixel(\ \w{1,6})?|android|huawei(\ \w{1,12})?|xiaomi(\ \w{1,12})?|oneplus|nokia|motorola|fairphone
    |blackberry(\ \d+)?|windows\ phone|mobile|phone|smartphone|tablet|mobile\ phone|mobile\ device
    |android\ (device|phone|tablet|mobiltelefon|ger[äa]t)|(小米|华为|oppo|vivo)?手机|handy|smartphone|mac|macbook)"""
_PROGRAMS: Final = r"""
    (outlook|mail|yahoo\ mail|yahoo|gmail|inbox|proton\s?mail|tuta(nota)?(\ mail)?|spark(\ mail)?
    |bluemail|k-9\ mail|thunderbird|fairemail|aqua\ ?mail|edison(\ mail)?|typeapp|superhuman|newton
    |mailspring|airmail|sparrow|windows\ mail|mail\ orange|orange\ mail|canary|hey|fastmail|zoho\ mail|gmx(\ mail)?|web\.de(\ mail)?|libero\ mail
    |seznam(\ email)?|aol|icloud|mail\.ru|nine|mymail|boxer|shortwave|mimestream|betterbird|samsung\ email
    |workspace\ one\ boxer|aol\ mobile\ mail|t-online(\ mail)?|freenet\ mail|naver|onet\ poczta)"""
_SYSTEM: Final = r"(ios|android|mac|macos|windows(\ 1[01])?|iphone|ipad|mobile|the\ web)"
_ANY: Final = rf"({_DEVICES}|{_PROGRAMS})"
_WITH: Final = rf"(\ (for|on|f[üu]r|auf|pour|para|per|dla|voor|för|til|pro|для|using)\ {_SYSTEM})?"
_PRODUCTS: Final = rf"""(
    (sent|sent\ securely)\ (from|with|via|using|by)\ (my\ |the\ |an?\ )?{_ANY}
        (\ (wireless\ device|smartphone|device|phone|tablet|app|secure\ email|mobile))?
        (\ on\ the\ [\w&]{{1,12}}\ network)?{_WITH}(\ with\ {_ANY})?
        ([.,;]?\ (please\ )?(excuse|pardon|forgive)\ (my\ |the\ |any\ )?(brevity|typos|spelling))?
    |yahoo\ mail\ (on|for)\ {_SYSTEM}|sent\ via\ \w{{1,12}}\ email\ app
    |sent\ from\ my\ [\w-]{{1,12}}(\ [345]g)?(\ lte)?\ (device|phone|smartphone|mobile|tablet)
    |get\ {_PROGRAMS}{_WITH}|{_PROGRAMS}{_WITH}\ (beziehen|herunterladen)
    |(skaffa|hämta|få|hent|hanki|download|obter\ o|obtener|obtenir|télécharger|ottieni|scarica|pobierz
        |získat|letöltés:?|pobierz\ aplikację)\ {_PROGRAMS}{_WITH}
    |{_PROGRAMS}{_WITH}\ (beziehen|downloaden|letöltése|edinin|indir|を入手|を入手する)
    |secured\ with\ {_PROGRAMS}
    |von\ (meinem|meiner|meinem/meiner|meinem\ mobilen)\ ({_ANY}|windows\ 1[01]-gerät
        |android-(gerät|handy|smartphone))\ (aus\ )?gesendet
    |gesendet\ (von|mit|über|aus)\ (der\ |dem\ |meinem\ |meiner\ )?{_ANY}(\ (e-mail|app))?{_WITH}
    |diese\ nachricht\ wurde\ von\ meinem\ (android[ -](gerät|mobiltelefon)|{_DEVICES})\ mit\ {_PROGRAMS}\ gesendet
    |envoyé\ (de|depuis|avec|à\ partir\ de)\ (mon\ |ma\ |l['’]application\ )?(appareil\ )?{_ANY}{_WITH}
    |enviado\ (desde|do|de|a\ partir\ do|pelo|com|mediante|con)\ (mi\ |meu\ |minha\ |o\ |el\ )?
        (dispositivo\ )?{_ANY}{_WITH}
    |enviat\ (des\ del|des\ de)\ (meu\ |el\ meu\ )?{_ANY}
    |inviato\ (da|dal|con|dalla)\ (mio\ |il\ mio\ )?(dispositivo\ )?{_ANY}{_WITH}
    |(verzonden|verstuurd)\ (vanaf|met|via|vanuit|van)\ (mijn\ |de\ )?{_ANY}{_WITH}
    |skickat\ från\ (min\ |mitt\ )?{_ANY}{_WITH}|(sendt|sent)\ fra\ (min\ |mitt\ )?{_ANY}{_WITH}
    |lähetetty\ (iphonesta|ipadista|iphonestani|ipadistani|{_ANY}-?(sta|stä|laitteesta)?)
    |wysłan[eoy]\ z\ ((mojego\ )?(iphone'?a|ipada)|urządzenia\ {_DEVICES}|{_ANY}){_WITH}
    |odesláno\ z(e)?\ (mého\ )?(iphonu|ipadu|aplikace\ {_PROGRAMS}|{_ANY})
    |odoslané\ z\ (môjho\ )?(iphonu|ipadu|{_ANY})
    |elküldve\ (az?\ )?({_ANY})[\ -]?(omr[óo]l|emr[őo]l|ról|ről|amról)
    |trimis\ de\ pe\ {_ANY}(-ul)?(\ meu)?|στάλθηκε\ από\ το\ {_ANY}(\ μου)?
    |отправлено\ (с|из|с\ моего)\ ({_ANY}|почты\ mail\.ru|мобильной\ яндекс\ почты|яндекс\ почты){_WITH}
    |надіслано\ (з|із)\ (мого\ )?{_ANY}|изпратено\ от\ (моя\ )?{_ANY}
    |poslano\ (s|z|sa)\ (mog\ |mojega\ )?{_ANY}(a|-a)?
    |iphone'?umdan\ gönderildi|ipad'?imden\ gönderildi|{_ANY}\ cihazımdan\ gönderildi
    |(iphone|ipad|android)から送信|发自我的\s?{_ANY}|從我的\s?{_ANY}\s?傳送|从我的\s?{_ANY}\s?发送
    |나의\ {_ANY}에서\ 보냄|내\ {_ANY}에서\ 보냄|נשלח\ מה-?{_ANY}(\ שלי)?
    |أ?ُ?رسلت?\ من\ (جهاز\ |الـ\ ?)?{_ANY}(\ الخاص\ بي)?|đã\ gửi\ từ\ {_ANY}(\ của\ tôi)?
    |ส่งจาก\s?{_ANY}(\s?ของฉัน)?|dikirim\ dari\ {_ANY}(\ saya)?|मेरे\ {_ANY}\ से\ भेजा\ गया
    |yahoo\ mail:\ search,\ organize,\ conquer)"""
_LONGEST_PRODUCT: Final = 120
_LINKS: Final = re.compile(r"[\[\]]|[<(]?\s?https?://[^\s>)]+\s?[>)]?|®|™")


def is_product(line: str) -> bool:
    """Whether a phone or a program signs with this line, unchanged: "Sent from my iPhone"."""
    text = " ".join(_LINKS.sub("", line).split()).rstrip(".:! ")
    if len(text) > _LONGEST_PRODUCT:
        return False
    return _products().fullmatch(text) is not None


@cache
def _products() -> re.Pattern[str]:
    """Return the pattern of these lines. It is compiled with the first mail, as it takes 4 MB."""
    return re.compile(_PRODUCTS, re.IGNORECASE | re.VERBOSE)


_BOILERPLATE: Final = re.compile(
    r"""(\[?(external|caution|warning)\]?[:!]?\ )?this\ (e-?mail|message)\ (originated|came)\ from
        \ outside\ (of\ )?(the|your|our)\ organi[sz]ation
    |(caution|warning|notice)[:!]?\ this\ (e-?mail|message)\ (was|has\ been)\ sent\ from
        \ (outside\ (of\ )?(the|your|our)\ organi[sz]ation|an?\ (external|mobile)\ [a-z]{4,12})
    |(the|its|this)\ (content|information)s?\ (is|are|may\ be)\ (strictly\ )?confidential
        (;\ if\ you\ are\ not\ the\ intended\ (recipient|addressee),?\ you\ (must|may|should)\ not
        (\ [a-z]{3,12}(\ (up)?on)?(,?\ or|,|)){1,6}\ (it|this\ (e-?mail|message)))?
    |if\ you\ (have\ )?received?\ (it|this(\ (e-?mail|message))?)\ in\ error,?\ please
        (\ (delete|destroy)\ (it|this\ (e-?mail|message))|\ (notify|inform|tell)\ the\ sender
        |\ immediately|,?\ and){1,4}
    |any\ (views|opinions)(\ expressed|\ presented)?\ are\ (solely\ )?those\ of\ the\ (author|sender)
    |registered\ (office\ )?in\ england(\ (and|&)\ wales)?(,?\ (company\ )?(no|number)(\.?\ \d{4,10})?)?
    |if\ you\ are\ not\ the\ intended\ recipient,?\ please\ (delete|destroy)\ (it|this\ (e-?mail|message))
    |(p\ )?please\ consider\ the\ environment\ before\ printing\ this\ (e-?mail|message)
    |(scanned|checked)\ (for\ viruses(\ by\ \w{1,20})?|by\ (mcafee|avast|avg|norton|eset|sophos
        |kaspersky|bitdefender|mimecast|mailscanner|symantec|clamav)(\ (antivirus|security))?)
    |do\ not\ click\ (on\ )?(any\ )?links\ or\ open\ (any\ )?attachments\ unless\ you
        \ (recogni[sz]e|know|trust)\ the\ sender(\ and\ know\ (that\ )?the\ content\ is\ safe)?
    |this\ (e-?mail|message)(\ and\ any\ (attachments?|files\ transmitted\ with\ it))?\ (is|are)
        \ (strictly\ )?confidential(\ and\ intended\ (solely|only)\ for\ the\ addressee(\(s\)|s)?
        |\ and\ may\ (also\ )?be\ (legally\ )?privileged)?
    |if\ you\ are\ not\ the\ intended\ recipient,?\ please\ (notify|inform|tell)\ the\ sender
        (\ immediately)?\ and\ (delete|destroy)\ (this|the)\ (message|e-?mail)(\ from\ your\ system)?
    |diese\ (e-mail|nachricht)\ enthält\ vertrauliche\ informationen
    |wenn\ sie\ nicht\ der\ richtige\ adressat\ sind,\ informieren\ sie\ bitte\ (sofort\ )?den\ absender
        \ und\ vernichten\ sie\ diese\ (e-)?mail
    |this\ (e-?mail|message)\ has\ been\ (scanned|checked)\ for\ viruses[\w\ ]{0,40}
    |(avast:?\ (antivirus:?\ )?)?(virus-?free|virenfrei|sans\ virus|libre\ de\ virus|senza\ virus
        |privo\ di\ virus|virusvrij)(\.?\ ?www\.(avast|avg|norton)\.com)?|<\#[\w-]{20,40}>""",
    re.IGNORECASE | re.VERBOSE,
)
"""Sentences that mail systems and companies add."""
_OF_COMPANIES: Final = re.compile(
    r"confidential|recipient|addressee|virus|liab|disclos|attachment|registered|vat|\d{4}|(?<!\w)(?:ltd"
    r"|limited|llp|plc|gmbh|hrb|company|law|legal|copyright|monitored|secure|privacy|policy)(?!\w)"
    r"|vertraulich|haftung|geschäftsführer|amtsgericht",
    re.IGNORECASE,
)
"""Matches words in other sentences of companies, but not in sentences about a game."""
LIST_FOOTER: Final = re.compile(r"[\w ]{1,40} mailing list -- \S+@\S+")
"""Matches the first line that a mailing list adds below a mail."""
_SENTENCE: Final = re.compile(r"(?<=[.!])\s+")


def is_boilerplate(line: str) -> bool:
    """Whether the line is a notice of a mail system, such as "This email is confidential."

    Its first sentence is one that mail systems add. Others must have words of companies, be no
    question, and revoke no turn ("scrap that").
    """
    first, *others = (sentence.rstrip(".! ") for sentence in _SENTENCE.split(line))
    if _BOILERPLATE.fullmatch(first) is None:
        return False
    own = [each for each in others if _BOILERPLATE.fullmatch(each) is None]
    own = [each for each in own if not is_link(each)]
    return all(_OF_COMPANIES.search(each) and not takes_back(each) for each in own) and not any(
        "?" in each for each in own
    )


def is_link(line: str) -> bool:
    """Whether the line is a link and nothing else."""
    return line.casefold().startswith(("https://", "http://", "www.")) and " " not in line


FIELD: Final = re.compile(r"\*?[^\W\d][^\d:\"<@]{0,24}\s?:\*?(?=\s|$|\")")
"""Matches the beginning of a header field in a copy of another mail."""

FROM: Final = re.compile(
    r"""\*?(from|von|de|da|van|från|fra|od|ot|от|від|lähettäjä|kimden|gönderen|feladó|expéditeur|
    remitente|mittente|afzender|avsändare|afsender|nadawca|odesílatel|отправитель|από|מאת|من|
    发件人|寄件者|差出人|送信者|보낸\ ?사람)\s?\*?\s?:""",
    re.IGNORECASE | re.VERBOSE,
)
"""Matches the header field that names the sender, in many languages."""

WROTE: Final = re.compile(
    r"""(wrote|writes|schrieb|geschrieben|a\ écrit|écrit|escribi[óo]|escreveu|ha\ scritto|schreef
    |skrev|skreiv|napsal(\(a\)|a)?|napísal(\(a\)|a)?|napisał(\(a\)|a)?|kirjoitti|yazdı|írta|pisze
    |a\ scris|написал(\(а\)|а)?|пишет|пише|написа|написав|έγραψε|写道|寫道|書きました|のメール
    |님이\ 작성|작성|כתב(/?ה)?|كتب|đã\ viết|เขียนว่า|menulis|ने\ लिखा|va\ escriure|napisao|rašė
    |kirjutas|نوشت|bywa)""",
    re.IGNORECASE | re.VERBOSE,
)
"""Matches the verb of an attribution line ("On … X wrote:"), in many languages."""

"""Answers as mail programs write them: our own words in their structure."""

from collections.abc import Callable
from email.message import EmailMessage
from typing import Final

from letters.mail.lines import WriterFacts
from letters.mail.quotation import Ours

OURS: Final = Ours("play@example.org", "example.org", "scottenbury")
"""How copies of our mails name us."""
KNOWN: Final = WriterFacts({"Ada", "Ada Lovelace", "Lovelace"}, ours=OURS)
"""What is known of the writer."""
QUOTED: Final = ("Bob played B4 on Stone 5.", "", "R7@3", "claim 4", "show")
"""The mail that is answered. Real mails hold no commands: these would be misplayed if they were
read."""

ATTRIBUTIONS: Final = {
    "gmail-en": "On Sat, Nov 21, 2026 at 7:00 PM Scottenbury <play@example.org> wrote:",
    "gmail-en-wrapped": (
        "On Sat, Nov 21, 2026 at 7:00 PM Scottenbury <\nplay+tnabcdefgh-a@example.org> wrote:"
    ),
    "gmail-de": "Am Sa., 21. Nov. 2026 um 19:00 Uhr schrieb Scottenbury <\nplay@example.org>:",
    "gmail-fr": "Le sam. 21 nov. 2026 à 19:00, Scottenbury <play@example.org> a écrit :",
    "gmail-es": "El sáb, 21 nov 2026 a las 19:00, Scottenbury (<play@example.org>) escribió:",
    "gmail-pt": "Em sáb., 21 de nov. de 2026 às 19:00, Scottenbury <play@example.org>\nescreveu:",
    "gmail-it": "Il sab 21 nov 2026 alle ore 19:00 Scottenbury <\nplay@example.org> ha scritto:",
    "gmail-nl": "Op za 21 nov 2026 om 19:00 schreef Scottenbury <play@example.org>:",
    "gmail-pl": "sob., 21 lis 2026 o 19:00 Scottenbury <play@example.org> napisał(a):",
    "gmail-sv": "Den lör 21 nov. 2026 kl 19:00 skrev Scottenbury <play@example.org>:",
    "gmail-da": "Den lør. 21. nov. 2026 kl. 19.00 skrev Scottenbury <play@example.org>:",
    "gmail-cs": "so 21. 11. 2026 v 19:00 odesílatel Scottenbury <play@example.org> napsal:",
    "gmail-ru": "сб, 21 нояб. 2026 г. в 19:00, Scottenbury <play@example.org>:",
    "gmail-ja": "2026年11月21日(土) 19:00 Scottenbury <play@example.org>:",
    "gmail-zh": "Scottenbury <play@example.org> 于2026年11月21日周六 19:00写道:",
    "gmail-tr": "Scottenbury <play@example.org>, 21 Kas 2026 Cmt, 19:00 tarihinde şunu yazdı:",
    "gmail-hu": "Scottenbury <play@example.org> ezt írta (2026. nov. 21., Szo, 19:00):",
    "apple": "On 21 Nov 2026, at 19:00, Scottenbury <play@example.org> wrote:",
    "thunderbird": "On 11/21/26 19:00, Scottenbury wrote:",
    "thunderbird-de": "Am 21.11.26 um 19:00 schrieb Scottenbury:",
    "mutt": "On Sat, Nov 21, 2026 at 07:00:00PM +0000, Scottenbury wrote:",
    "k9": "On 21 November 2026 19:00:00 UTC, Scottenbury <play@example.org> wrote:",
    "yahoo": "On Saturday, November 21, 2026 at 07:00 PM, Scottenbury <play@example.org> wrote:",
    "proton": "On Saturday, November 21st, 2026 at 19:00, Scottenbury <play@example.org> wrote:",
    "fastmail": "On Sat, 21 Nov 2026, at 7:00 PM, Scottenbury wrote:",
    "gmx": "Gesendet: Samstag, 21. November 2026 um 19:00 Uhr\nVon: play@example.org",
}
"""What stands above the quotation."""

UNMARKED: Final = {
    "outlook": (
        "-----Original Message-----\nFrom: Scottenbury <play@example.org>\n"
        "Sent: Saturday, November 21, 2026 7:00 PM\nTo: Ada\nSubject: Scottenbury\n"
    ),
    "outlook-de": (
        "-----Ursprüngliche Nachricht-----\nVon: Scottenbury <play@example.org>\n"
        "Gesendet: Samstag, 21. November 2026 19:00\nAn: Ada\nBetreff: Scottenbury\n"
    ),
    "outlook-web": (
        "________________________________\nFrom: Scottenbury <play@example.org>\n"
        "Sent: Saturday, November 21, 2026 7:00 PM\nTo: Ada <ada@example.org>\n"
    ),
    "outlook-fr": "De : Scottenbury <play@example.org>\nEnvoyé : samedi 21 novembre 2026 19:00\n",
    "outlook-es": "De: Scottenbury <play@example.org>\nEnviado: sábado, 21 de noviembre\n",
    "outlook-it": "Da: Scottenbury <play@example.org>\nInviato: sabato 21 novembre 2026\n",
    "outlook-nl": "Van: Scottenbury <play@example.org>\nVerzonden: zaterdag 21 november\n",
    "outlook-sv": "Från: Scottenbury <play@example.org>\nSkickat: den 21 november 2026\n",
    "outlook-ru": "От: Scottenbury <play@example.org>\nОтправлено: 21 ноября 2026 г.\n",
    "outlook-ja": "差出人: Scottenbury <play@example.org>\n送信日時: 2026年11月21日\n",
    "outlook-bold": "*From:* Scottenbury <play@example.org>\n*Sent:* Saturday\n",
    "gmail-marks-lost": "On Sat, Nov 21, 2026 at 7:00 PM Scottenbury <play@example.org> wrote:\n",
    "apple-marks-lost": "Am 21.11.2026 um 19:00 schrieb Scottenbury <play@example.org>:\n",
}
"""What stands above a quotation without marks."""

SIGNATURES: Final = {
    "none": "",
    "dashes": "\n-- \nAda Lovelace\nclaim 7",
    "dashes-without-space": "\n--\nAda Lovelace",
    "iphone": "\nSent from my iPhone",
    "iphone-de": "\nVon meinem iPhone gesendet",
    "iphone-fr": "\nEnvoyé de mon iPhone",
    "iphone-es": "\nEnviado desde mi iPhone",
    "iphone-it": "\nInviato da iPhone",
    "iphone-nl": "\nVerstuurd vanaf mijn iPhone",
    "iphone-ja": "\niPhoneから送信",
    "outlook-ios": "\nGet Outlook for iOS<https://aka.ms/o0ukef>",
    "android": "\nSent from Outlook for Android<https://aka.ms/AAb9ysg>",
    "samsung": "\nSent from my Galaxy",
    "yahoo": "\nSent from Yahoo Mail on Android",
    "k9": "\nSent from my Android device with K-9 Mail. Please excuse my brevity.",
    "gmx": "\nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.",
    "polite": "\nThanks,\nAda",
    "polite-de": "\nViele Grüße\nAda",
}


def quoted(lines: tuple[str, ...] = QUOTED, mark: str = "> ") -> str:
    """The lines with marks."""
    return "\n".join(f"{mark}{line}".rstrip() for line in lines)


def mail(
    text: str, change: Callable[[EmailMessage], object] = lambda message: None, **headers: str
) -> bytes:
    """A mail of Ada's with this text."""
    message = EmailMessage()
    message["From"] = "Ada Lovelace <ada@example.org>"
    message["To"] = "play@example.org"
    message["Subject"] = "Re: Scottenbury"
    message["Message-ID"] = "<1@example.org>"
    message.set_content(text)
    for name, value in headers.items():
        del message[name.replace("_", "-")]
        message[name.replace("_", "-")] = value
    change(message)
    return message.as_bytes()

"""Recognises mails that no person wrote: nobody answers them, or two machines would go on for
ever."""

import re
from email.message import Message
from typing import Final

from letters.mail.headers import decoded

HOPS: Final = 50
"""A mail that passed more servers than this goes in circles."""
_BULK: Final = re.compile(r"bulk|junk|list|auto[-_]?reply", re.IGNORECASE)
_ROBOTS: Final = re.compile(
    r"(mailer-?daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+._-].*)?@", re.IGNORECASE
)
_AUTO_HEADERS: Final = ("X-Autoreply", "X-Autorespond", "X-Auto-Response", "X-Mail-Autoreply")
_LIST_HEADERS: Final = (
    "List-Id",
    "List-Unsubscribe",
    "List-Post",
    "Mailing-List",
    "X-Mailing-List",
)
_OURS: Final = "X-Scottenbury-Game"
_AWAY: Final = re.compile(
    r"""\s*(auto(matic|mated)?[ -]?(reply|response)|auto:|out\ of\ (the\ )?office|
    automatische\ antwort|abwesen|abwesenheit|r[ée]ponse\ automatique|absence\ du\ bureau|
    respuesta\ autom[áa]tica|fuera\ de\ la\ oficina|risposta\ automatica|resposta\ autom[áa]tica|
    automatisch\ antwoord|afwezig|autosvar|automatiskt\ svar|automaattinen\ vastaus|
    automatyczna\ odpowied|automatick[áa]\ odpov|автоматический\ ответ|автоответ|
    自动回复|自動回覆|自動応答|자동\ ?회신|undeliver|delivery\ status|mail\ delivery\ fail|
    returned\ mail|failure\ notice|unzustellbar)""",
    re.IGNORECASE | re.VERBOSE,
)


def reason(message: Message, sender: str | None) -> str | None:
    """Return why this mail is not from a person, as the label that counts it; None if it is from a
    person."""
    if message.get_content_type() == "multipart/report":
        return "bounce"
    if message[_OURS] is not None or len(message.get_all("Received", [])) > HOPS:
        return "loop"
    if str(message.get("Return-Path", "")).strip() == "<>":
        return "bounce"
    if any(message[name] is not None for name in _LIST_HEADERS):
        return "list"
    submitted = str(message.get("Auto-Submitted", "no")).partition(";")[0].strip().lower()
    answers = any(message[name] is not None for name in _AUTO_HEADERS)
    bulk = _BULK.fullmatch(str(message.get("Precedence", "")).strip())
    away = _AWAY.match(decoded(str(message.get("Subject", ""))))
    if submitted != "no" or answers or bulk or away or (sender and _ROBOTS.match(sender)):
        return "automatic"
    return None

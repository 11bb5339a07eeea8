"""Two mail programs, and what their users know of a game from the text of their mails alone."""

import html
import quopri
import re
import textwrap
from collections.abc import Callable
from email.message import EmailMessage
from itertools import count

from tests.workers.mail.correspondence import text_of

Program = Callable[[EmailMessage, list[str], str, str], bytes]
"""Writes an answer to a mail: these commands, from this address, with this Message-ID."""

_numbers = count()


def outlook(mail: EmailMessage, commands: list[str], email: str, message_id: str) -> bytes:
    """HTML alone, above an unmarked copy of the mail."""
    page = mail.get_body(("html",))
    assert page is not None
    lines = "".join(
        f'<p class="MsoNormal"><span lang="EN-GB">{html.escape(line)}<o:p></o:p></span></p>\n'
        for line in commands
    )
    body = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang="EN-GB">'
        f'<div class="WordSection1">{lines}<p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">'
        "<b>From:</b> Scottenbury<br><b>Sent:</b> 21 November 2026 19:00</p></div>"
        f"{page.get_content()}</div></body></html>"
    )
    head = _head(mail, email, message_id, "RE")
    kind = 'text/html; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable'
    return _sealed(f"{head}Content-Type: {kind}\n\n", quopri.encodestring(body.encode()))


def thunderbird(mail: EmailMessage, commands: list[str], email: str, message_id: str) -> bytes:
    """Text in `format=flowed`, between the parts of the mail that it answers."""
    said, _, rest = text_in(mail).partition("What you can do:")
    own = "\n".join(_flowed(line) for line in commands)
    body = (
        f"On 21/11/2026 20:00, Scottenbury wrote:\n{_quoted(said)}\n\n{own}\n\n"
        f"{_quoted(f'What you can do:{rest}')}\n-- \nBob\n"
    )
    kind = "text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 8bit"
    head = _head(mail, email, message_id, "Re")
    return _sealed(f"{head}Content-Type: {kind}\n\n", body.encode())


def _head(mail: EmailMessage, email: str, message_id: str, prefix: str) -> str:
    return (
        f"From: {email}\nTo: {mail['Reply-To']}\nSubject: {prefix}: {mail['Subject']}\n"
        f"Message-ID: <{message_id}>\nIn-Reply-To: {mail['Message-ID']}\nMIME-Version: 1.0\n"
    )


def _sealed(head: str, body: bytes) -> bytes:
    return (head.encode() + body).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _quoted(text: str) -> str:
    return "\n".join(f"> {part}" for line in text.split("\n") for part in _flowed(line).split("\n"))


def _flowed(line: str) -> str:
    return " \n".join(textwrap.wrap(line, 60) or [""])


class Player:
    """Somebody who plays from mails: fills the Stones in order, with a strong or a weak hand."""

    def __init__(self, email: str, program: Program, strong: bool) -> None:
        self.email, self.program, self.strong = email, program, strong
        self.answered: set[int] = set()
        """The steps that were answered: two mails may show the same one."""

    def answer(self, mail: EmailMessage) -> bytes | None:
        """What to answer to a mail; None where there is nothing to do, or it was answered."""
        step = re.search(r"The board at step (\d+)", text_in(mail))
        rows = section(text_in(mail), "What you can do")
        if not rows or not mail["Reply-To"] or step is None or int(step[1]) in self.answered:
            return None
        self.answered.add(int(step[1]))
        commands = self._commands(text_in(mail), rows)
        return self.program(mail, commands, self.email, f"{next(_numbers)}@example.org")

    def _commands(self, text: str, rows: list[str]) -> list[str]:
        claims = [
            f"claim {row[6]}"
            for title in ("Claims", "Claims, once you have played")
            for row in section(text, title)
            if re.match(r"Stone \d\. Yours", row)
        ]
        if any(row.startswith("You may draw") for row in rows):
            return claims or _draw(text)
        if any("you may end the turn" in row for row in rows):
            return claims or ["end"]
        if any("you may pass" in row for row in rows):
            return ["pass"]
        if any("back under their decks" in row for row in rows):
            hand = section(text, "The cards")[0].removeprefix("Your hand: ").split()
            return [f"-{hand[0]},{hand[1]}"]
        # A claim may win: what follows it is to be seen first.
        ruses = [action for row in rows if (action := _ruse(row))]
        return ruses[:1] or self._play(rows, claims or _draw(text))

    def _play(self, rows: list[str], then: list[str]) -> list[str]:
        plays = [
            (card, int(stones[0]))
            for row in rows
            if (found := re.fullmatch(r"(.+) on Stones? ([\d, and]+)", row))
            for card in re.split(", | and ", found[1])
            if (stones := re.findall(r"\d", found[2]))
        ]
        special = [play for play in plays if len(play[0]) > 2]
        rank = sorted(plays, key=lambda play: (play[1], play[0][1] if len(play[0]) == 2 else "0"))
        lowest = [play for play in rank if play[1] == rank[0][1]]
        if special:  # what it does to the claims has to be seen first
            return [f"play {special[0][0]} at {special[0][1]}"]
        card, stone = lowest[-1 if self.strong else 0]
        return [f"play {card} at {stone}", *then]


_CODES = {"Strategist": "STR", "Traitor": "TRA", "Banshee": "BAN"}


def _draw(text: str) -> list[str]:
    """From which deck to draw: every third time from that of the Tactic cards."""
    step = re.search(r"The board at step (\d+)", text)
    decks = re.search(r"In the decks: (\d+) Clan and (\d+) Tactic", text)
    assert step is not None
    assert decks is not None
    if decks[2] != "0" and (int(step[1]) % 3 == 0 or decks[1] == "0"):
        return ["draw tactic"]
    return ["draw clan"] if decks[1] != "0" else []


def _ruse(row: str) -> str | None:
    """The first thing that a Ruse can do, in action text."""
    if row.startswith("Recruiter"):
        return "REC:CCC"
    if found := re.match(r"Banshee: discard (.+?) on Stone (\d)", row):
        return f"BAN:{_code(found[1])}@{found[2]}"
    if found := re.match(r"(\w+): (.+?) from Stone (\d) to (Stone (\d)|the discard)", row):
        return f"{_CODES[found[1]]}:{_code(found[2])}@{found[3]}>{found[5] or 'x'}"
    return None


def _code(card: str) -> str:
    named = {"Joker": "JOK", "Spy": "SPY", "Shield-Bearer": "SHB"}
    return named.get(card, card)


def text_in(mail: EmailMessage) -> str:
    """The text of a mail that came by SMTP."""
    return text_of(mail).replace("\r\n", "\n")


def section(text: str, title: str) -> list[str]:
    """The rows of a part of a mail, those that were wrapped in one piece again."""
    found = re.search(rf"(?m)^{re.escape(title)}:\n((?:\| ?.*\n)+)", text)
    if found is None:
        return []
    lines = [line.removeprefix("|").removeprefix(" ") for line in found[1].splitlines()]
    rows: list[str] = []
    for line in lines:
        if rows and line.startswith("  "):
            rows[-1] += f" {line.strip()}"
        else:
            rows.append(line)
    return rows

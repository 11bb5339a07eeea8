"""Two mail programs, and what their users know of a game from the text of their mails alone."""

import html
import quopri
import re
import textwrap
from collections.abc import Callable
from email.message import EmailMessage
from itertools import count, takewhile

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
    said, _, rest = text_in(mail).partition("Open the game:")
    own = "\n".join(_flowed(line) for line in commands)
    body = (
        f"On 21/11/2026 20:00, Scottenbury wrote:\n{_quoted(said)}\n\n{own}\n\n"
        f"{_quoted(f'Open the game:{rest}')}\n-- \nBob\n"
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
        self.answered: set[str] = set()
        """The turns that were answered, by their address: two mails may show the same one."""

    def answer(self, mail: EmailMessage) -> bytes | None:
        """What to answer to a mail; None where there is nothing to do, or it was answered."""
        text, turn = text_in(mail), str(mail["Reply-To"])
        is_mine = "Your turn" in text.split("\n") or "\nYour turn · " in text
        is_mine = is_mine or "your turn" in text.partition("\n")[0]
        if not is_mine or not mail["Reply-To"] or turn in self.answered:
            return None
        self.answered.add(turn)
        return self.program(mail, self._commands(text), self.email, f"{next(_numbers)}@example.org")

    def _commands(self, text: str) -> list[str]:
        claims = re.findall(r"(?m)^\| Stone (\d)\. Yours", text)
        claimed = [f"claim {stone}" for stone in claims]
        if "You may draw from" in text:
            return claimed or self._draw(text)
        if "you may end the turn" in text:
            return claimed or ["end"]
        if "you may pass" in text:
            return ["pass"]
        hand = _hand(text)
        if "back under their decks" in text:
            return [f"-{hand[0]},{hand[1]}"]
        # A claim may win: what follows it is to be seen first.
        board = Board(text)
        if "You cannot play your Tactic cards" not in text:
            for ruse in hand:
                if f"the {_RUSES.get(ruse, '-')}" not in text and (action := board.ruse(ruse)):
                    return [action]
        return self._play(text, board, claimed or self._draw(text))

    def _play(self, text: str, board: "Board", then: list[str]) -> list[str]:
        stone = board.room()[0]
        clan = sorted((card for card in _hand(text) if len(card) == 2), key=lambda card: card[1])
        special = (
            []
            if "You cannot play" in text
            else [card for card in _hand(text) if card in ("SPY", "SHB", "BMB", "MUD")]
        )
        if special:  # what it does to the claims has to be seen first
            return [f"play {special[0]} at {stone}"]
        return [f"play {clan[-1 if self.strong else 0]} at {stone}", *then]

    def _draw(self, text: str) -> list[str]:
        """From which deck to draw: every third time from that of the Tactic cards."""
        decks = re.search(r"(\d+) Clan and (\d+) Tactic cards to draw", text)
        assert decks is not None
        if decks[2] != "0" and (len(self.answered) % 3 == 0 or decks[1] == "0"):
            return ["draw tactic"]
        return ["draw clan"] if decks[1] != "0" else []


_RUSES = {"STR": "Strategist", "TRA": "Traitor", "BAN": "Banshee", "REC": "Recruiter"}


def _hand(text: str) -> list[str]:
    found = re.search(r"(?m)^\| Your hand: (.*)$", text)
    assert found is not None
    return found[1].split()


class Board:
    """The Stones as the drawing in a mail shows them."""

    def __init__(self, text: str) -> None:
        drawn = next(part for part in text.split("\n\n") if "\n| Stone  " in part)
        rows = [line.removeprefix("| ") for line in drawn.split("\n")]
        at = next(place for place, row in enumerate(rows) if row.startswith("Stone  "))
        below = list(takewhile(re.compile("You  |Mode| ").match, rows[at + 1 :]))
        mine = next(place for place, row in enumerate(below) if row.startswith("You  "))
        self.free = [not set("^v") & set(_cell(rows[at], stone)) for stone in range(9)]
        self.modes = _columns(below[:mine])
        self.mine, self.theirs = _columns(below[mine:]), _columns(rows[:at])

    def room(self) -> list[int]:
        """The Stones with room on one's own side."""
        return [
            stone + 1
            for stone in range(9)
            if self.free[stone] and len(self.mine[stone]) < (4 if "MUD" in self.modes[stone] else 3)
        ]

    def ruse(self, card: str) -> str | None:
        """The first thing that this Ruse can do, in action text."""
        if card == "REC":
            return "REC:CCC"
        if card == "STR":
            return next((f"STR:{own}@{stone}>x" for own, stone in self._on(self.mine)), None)
        if card == "BAN":
            return next((f"BAN:{their}@{stone}" for their, stone in self._on(self.theirs)), None)
        if card == "TRA":
            taken = [(their, stone) for their, stone in self._on(self.theirs) if len(their) == 2]
            return next((f"TRA:{one}@{stone}>{self.room()[0]}" for one, stone in taken), None)
        return None

    def _on(self, side: list[list[str]]) -> list[tuple[str, int]]:
        return [(card, at + 1) for at in range(9) if self.free[at] for card in side[at]]


def _cell(row: str, stone: int) -> str:
    return row[12 + 6 * stone : 18 + 6 * stone].strip()


def _columns(rows: list[str]) -> list[list[str]]:
    """The cards of each Stone."""
    cells = [[_cell(row, stone).strip("*") for row in rows] for stone in range(9)]
    return [[cell for cell in column if cell not in ("", ".")] for column in cells]


def text_in(mail: EmailMessage) -> str:
    """The text of a mail that came by SMTP."""
    return text_of(mail).replace("\r\n", "\n")

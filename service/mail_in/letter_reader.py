"""Reads a mail as a player's letter, with the names that it may hold and the lines that the player
signs with. Every mail that may ask for something is read here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from letters.commands import Unread, read_commands
from letters.letter import Letter, read_letter
from letters.mail.lines import NOTHING_SENT, Line, WriterFacts, plain_form
from letters.mail.phrases import OTHER, takes_back
from letters.mail.quotation import Ours, SentWords
from letters.mail.sign_offs import may_be_name
from service.accounts.mail_state import MailSignatures
from service.accounts.player import Player
from service.accounts.players import Players
from service.mail_in.message import IncomingMessage


@dataclass(frozen=True, slots=True)
class LetterReader:
    """Reads mails as letters."""

    players: Players
    signatures: MailSignatures
    ours: Ours

    def read(
        self,
        message: IncomingMessage,
        player: Player | None,
        at_table: Iterable[str] = (),
        sent: SentWords = NOTHING_SENT,
    ) -> Letter:
        """Read the mail of this player, None for somebody without an account.

        `at_table` holds the ids of the game's players, whom the letter may greet. `sent` holds the
        words of the mail that it answers.
        """
        others_at_table = {each for each in at_table if player is None or each != player.id}
        others = [each.name for each in self.players.by_id(others_at_table).values()]
        own = [message.name, self.ours.name]
        own += [player.name] if player else _names_in_address(message.sender or "")
        signature = self.signatures.of(player.id) if player else ()
        greeted = {
            name for name in _names([self.ours.name, *others]) if may_be_name(plain_form(name))
        }
        names = _names(own) | {OTHER + name for name in greeted}
        facts = WriterFacts(names, {*signature}, self.ours, sent)
        return read_letter(message.body, message.subject, facts)


def _names_in_address(address: str) -> list[str]:
    """Return the words of an address before its @, for somebody of whom no name may be known. None
    is a word that takes something back."""
    words = re.findall(r"[^\W\d_]{2,}", address.partition("@")[0])
    return [word for word in words if not takes_back(word)]


def _names(names: Iterable[str]) -> set[str]:
    """Return these names and the parts of them, without any that reads as a command: a player
    called "Pass" does not sign with it."""
    parts = {part for name in names for part in (name, *name.split())}
    read = ((part, read_commands([Line(1, plain_form(part))])) for part in parts if part)
    return {part for part, commands in read if isinstance(commands, Unread)}

"""Carries out answers to mails that ask readers to confirm an address: a `yes` counts like the
link."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from letters.single_words import AskedWord
from service.accounts.answer_addresses import AnswerAddresses
from service.accounts.email_addresses import LINK_LIFE, AddressVerification
from service.accounts.player import Player
from service.accounts.players import Players
from service.mail_in import outcome, sentences
from service.mail_in.addresses.sent_mail import SentMail, SentMailAddresses, Use
from service.mail_in.letter_reader import LetterReader
from service.mail_in.message import IncomingMessage
from service.mail_in.outcome import Dropped, Outcome
from service.mail_in.senders import Senders


class AddressQuestion(NamedTuple):
    """The question of a mail: may we send mail to an address (`confirm`), or may its player answer
    from there (`answer`)?"""

    use: Use
    mail: SentMail


class Confirmations:
    """Writes the reply addresses of such mails, and carries out the answers. `now` gives unix
    seconds."""

    def __init__(
        self,
        addresses: Mapping[Use, SentMailAddresses],
        players: Players,
        answer_addresses: AnswerAddresses,
        senders: Senders,
        letters: LetterReader,
        now: Callable[[], float],
    ) -> None:
        self._addresses = addresses
        self._players = players
        self._answer_addresses = answer_addresses
        self._senders = senders
        self._letters = letters
        self._now = now

    def write(self, use: Use, player: str, email: str, since: int) -> str | None:
        """Return the reply address of a mail that asks at `since` (unix seconds); None if this
        server takes no mail."""
        return self._addresses[use].write(player, email, since)

    def read(self, address: str) -> AddressQuestion | None:
        """Return the question that a reply address belongs to; None unless this server wrote the
        address."""
        for use, addresses in self._addresses.items():
            if (mail := addresses.read(address)) is not None:
                return AddressQuestion(use, mail)
        return None

    def answer(self, question: AddressQuestion, message: IncomingMessage) -> Outcome:
        """Carry out an answer to this question, and return its outcome. Idempotent. Raises
        `Dropped`."""
        player = self._players.find(question.mail.of)
        email = player and self._email(question, player)
        if player is None or email is None:
            raise Dropped("gone")
        if message.sender != email.lower():
            raise Dropped("stranger")
        if self._senders.is_forged(message):
            raise Dropped("forged")
        expires = question.mail.sent + LINK_LIFE
        result = Outcome("refused", outcome.NOTE, email=email, sentences=(sentences.SAY_YES,))
        if self._letters.read(message, player).answer != AskedWord("yes"):
            return result
        claim = AddressVerification(player.id, email, expires)
        verify = {"confirm": self._players.verify, "answer": self._answer_addresses.verify}
        if expires <= self._now() or not verify[question.use](claim):
            return result._replace(sentences=(sentences.ASKED_LONG_AGO,))
        return result._replace(label="confirmed", sentences=(sentences.CONFIRMED[question.use],))

    def _email(self, question: AddressQuestion, player: Player) -> str | None:
        """Return the e-mail address that was asked about; None if it is not the player's any
        more."""
        emails = [player.email, player.pending]
        if question.use == "answer":
            emails = [address.email for address in self._answer_addresses.all_of(player.id)]
        mark, marked = question.mail.mark, self._addresses[question.use].mark
        return next((one for one in emails if one and marked(one) == mark), None)

"""Explains in our answers why a letter was unclear."""

from typing import Final

from letters.commands import Contradiction, Empty, TakenBack, Unread
from letters.letter import Letter, OpenQuestion
from service.mail_in import sentences
from service.mail_in.message import IncomingMessage

_PROBLEMS: Final = {"encrypted": sentences.ENCRYPTED, "unreadable": sentences.UNREADABLE}


def of_unclear(letter: Letter, message: IncomingMessage) -> tuple[str, ...]:
    """Return sentences that say what is wrong with a mail that asks for nothing clear."""
    match letter.answer:
        case Unread() as unread:
            return sentences.of_unread(unread, letter.question)
        case TakenBack(lines):
            return sentences.of_taken_back(lines)
        case Contradiction():
            return (sentences.CONTRADICTION,)
    if message.is_given_up:
        return sentences.SEND_AGAIN
    said = _PROBLEMS.get(message.body.problem or "", sentences.NO_COMMAND)
    if isinstance(letter.question, OpenQuestion):
        return (said, sentences.of_question(letter.question))
    return (said,)


def of_offer(letter: Letter, message: IncomingMessage) -> tuple[str, ...]:
    """Return sentences that say what is wrong with an answer to an invitation or a challenge."""
    missed = sentences.of_missed(letter.missed)
    match letter.answer:
        case Unread() as unread:
            return (*sentences.of_unread_about_offer(unread), *missed)
        case Empty() | TakenBack() | Contradiction():
            return (*of_unclear(letter, message), *missed)
    return (sentences.NOT_A_TURN,)

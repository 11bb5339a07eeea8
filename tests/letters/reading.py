"""A mail of Ada's, read as an answer to a mail of the server."""

from letters.letter import Letter, read_letter
from letters.mail.lines import WriterFacts
from service.mail_in.message import read
from tests.service.mail_in.replies import OURS, mail

FACTS = WriterFacts({"Ada", "Ada Lovelace", "Lovelace", "@Ben"}, ours=OURS)


def letter(text: str) -> Letter:
    message = read(mail(text))
    return read_letter(message.body, message.subject, FACTS)

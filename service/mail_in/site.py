"""The parts of incoming mail: answers to our mails, and reports of undelivered ones."""

from dataclasses import dataclass
from email.utils import parseaddr

from letters.mail.quotation import Ours
from service.core.settings import Settings
from service.core.site import Part, Site
from service.mail_in.addresses import ReplyAddresses, SentMailAddresses, Use
from service.mail_in.answering import Answering
from service.mail_in.desk import Bounces, Confirmations, Desk
from service.mail_in.intake import IncomingMail, SelfChecks
from service.mail_in.message import LetterReader
from service.mail_in.messages import MessagesByMail
from service.mail_in.offered import OfferedByMail
from service.mail_in.plans import Plans
from service.mail_in.seated_commands import SeatedCommands
from service.mail_in.senders import Senders, Writers
from service.mail_in.store import MailInStore, SentMailWords
from service.mail_in.wishes import Questions, Wishes
from service.mail_in.wording import PlayerWords


def _ours(replies: ReplyAddresses, mail_from: str) -> Ours:
    return Ours(replies.sender, replies.domain.lower(), parseaddr(mail_from)[0].lower())


def _asking(settings: Settings, replies: ReplyAddresses) -> dict[Use, SentMailAddresses]:
    uses: tuple[Use, ...] = ("confirm", "answer")
    return {use: SentMailAddresses(settings.secret_key, replies, use) for use in uses}


@dataclass(eq=False)
class MailInSite(Site):
    """These parts, over the addresses and the container."""

    below: Site

    checks = Part(SelfChecks)
    store = Part(MailInStore)
    ours = Part(_ours)
    letters = Part(LetterReader)
    questions = Part(Questions)
    plans = Part(Plans)
    player_words = Part(PlayerWords)
    wishes = Part(Wishes)
    messages = Part(MessagesByMail)
    senders = Part(Senders)
    writers = Part(Writers)
    sent_words = Part(SentMailWords)
    commands = Part(SeatedCommands)
    offered = Part(OfferedByMail)
    answering = Part(Answering)
    desk = Part(Desk)
    asking = Part(_asking)
    confirming = Part(Confirmations, addresses=lambda site: site.asking)
    bounces = Part(Bounces)
    incoming_mail = Part(IncomingMail)

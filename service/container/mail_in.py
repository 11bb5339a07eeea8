"""Builds the use case of incoming mail: answers to our mails, and reports of undelivered ones."""

from email.utils import parseaddr
from functools import partial

from letters.mail.quotation import Ours
from service.container.accounts import PlayerServices
from service.container.infrastructure import Infrastructure
from service.games import Games
from service.mail_in.addresses import ReplyAddresses, SentMailAddresses, Use
from service.mail_in.answering import Answering
from service.mail_in.desk import Bounces, Confirmations, Desk
from service.mail_in.intake import IncomingMail
from service.mail_in.letter_reader import LetterReader
from service.mail_in.plans import Plans
from service.mail_in.senders import Senders
from service.mail_in.store import SentMailWords
from service.mail_in.wishes import Questions, Wishes


def build_incoming_mail(
    base: Infrastructure, accounts: PlayerServices, games: Games
) -> IncomingMail:
    """Build the use case over the players and their games."""
    settings, players, addresses = base.settings, accounts.players, accounts.addresses
    replies = ReplyAddresses(settings)
    sent_mail = partial(SentMailAddresses, settings.secret_key, replies)
    asking: dict[Use, SentMailAddresses] = {use: sent_mail(use) for use in ("confirm", "answer")}
    ours = Ours(replies.sender, replies.domain.lower(), parseaddr(settings.mail_from)[0].lower())
    letters, questions = (
        LetterReader(players, accounts.mail_signatures, ours),
        Questions(base.redis),
    )
    plans = Plans(games, players, accounts.mail_preferences, base.now)
    wishes = Wishes(games, plans, accounts.mail_preferences, questions)
    senders = Senders(players, addresses, accounts.answer_addresses, settings)
    sent_words = SentMailWords(base.redis)
    return IncomingMail(
        base.redis,
        base.log.outbox,
        Answering(
            players,
            addresses,
            senders,
            games,
            accounts.deferred_notices,
            accounts.mail_signatures,
            questions,
            letters,
            sent_words,
            wishes,
        ),
        sent_words,
        Desk(players, senders, games, letters, wishes),
        Confirmations(asking, players, accounts.answer_addresses, senders, letters, base.now),
        Bounces(sent_mail("bounce"), players, addresses, games),
        accounts.mail_preferences,
        base.mail_budget,
        settings,
        base.now,
    )

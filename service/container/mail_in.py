"""Mail that comes in: answers to mails, and reports of those that did not arrive."""

from service.container.accounts import PlayerServices
from service.container.infrastructure import Infrastructure
from service.games import Games
from service.mail_in.addresses.bounce_addresses import BounceAddresses
from service.mail_in.addresses.reply_addresses import ReplyAddresses
from service.mail_in.answering import Answering
from service.mail_in.bounces import Bounces
from service.mail_in.desk import Desk
from service.mail_in.intake import IncomingMail
from service.mail_in.senders import Senders


def build_incoming_mail(
    base: Infrastructure, accounts: PlayerServices, games: Games
) -> IncomingMail:
    """Build it over the players and their games."""
    settings, players, addresses = base.settings, accounts.players, accounts.addresses
    returning = BounceAddresses(settings.secret_key, ReplyAddresses(settings))
    senders = Senders(players, addresses, accounts.answer_addresses, settings)
    return IncomingMail(
        base.redis,
        base.log.outbox,
        Answering(players, addresses, senders, games, accounts.held_mail),
        Desk(players, senders, games),
        Bounces(returning, players, addresses, games),
        accounts.mail_preferences,
        base.mail_budget,
        settings,
        base.now,
    )

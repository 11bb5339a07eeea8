"""Builds the parts about players: accounts, signing in, ways to reach them."""

from dataclasses import dataclass

from service.accounts.answer_addresses import AnswerAddresses
from service.accounts.channels.deliveries import DeliveryLedger, DeliveryLog
from service.accounts.channels.send_limits import SendLimits
from service.accounts.channels.store import Channels
from service.accounts.email_addresses import EmailAddresses
from service.accounts.idempotency import AnswerStore, IdempotencyStore
from service.accounts.identities import Identities
from service.accounts.links import DeviceLinks, OperatorAccess, PrivateLinks, Sessions, SignIn
from service.accounts.mail_preferences import MailPreferences
from service.accounts.mail_state import DeferredNotices, MailSignatures
from service.accounts.players import Players
from service.accounts.privacy import ContactChoices, Presences
from service.accounts.registration import Admission, Registrations
from service.accounts.tokens import Tokens
from service.container.infrastructure import Infrastructure


@dataclass(frozen=True, kw_only=True)
class PlayerServices:
    """The stores and use cases of players, without their games."""

    admission: Admission
    contact_choices: ContactChoices
    tokens: Tokens
    answers: AnswerStore
    addresses: EmailAddresses
    answer_addresses: AnswerAddresses
    players: Players
    registrations: Registrations
    sign_in: SignIn
    device_links: DeviceLinks
    identities: Identities
    mail_preferences: MailPreferences
    mail_signatures: MailSignatures
    deferred_notices: DeferredNotices
    channels: Channels
    send_limits: SendLimits
    ledger: DeliveryLedger
    private_links: PrivateLinks
    delivery_log: DeliveryLog
    operator_access: OperatorAccess
    sessions: Sessions
    presences: Presences


def build_player_services(base: Infrastructure) -> PlayerServices:
    """Build these parts over the infrastructure."""
    settings, redis, outbox, now = base.settings, base.redis, base.log.outbox, base.now
    key, url = settings.secret_key, settings.base_url
    idempotency = IdempotencyStore(redis, now)
    tokens = Tokens(redis, idempotency, key, now)
    addresses = EmailAddresses(redis, outbox, base.mail_budget, key, url, now)
    admission = Admission(redis, settings.registration)
    players = Players(redis, tokens, addresses, now)
    delivery_log, identities = DeliveryLog(redis), Identities(redis, now)
    deferred, preferences = DeferredNotices(redis), MailPreferences(redis, key, url)
    return PlayerServices(
        admission=admission,
        contact_choices=ContactChoices(redis, now),
        tokens=tokens,
        answers=AnswerStore(redis, key),
        addresses=addresses,
        answer_addresses=AnswerAddresses(redis, outbox, addresses, key, url, now),
        players=players,
        registrations=Registrations(
            redis, players, tokens, addresses, idempotency, admission, key, now
        ),
        sign_in=SignIn(redis, outbox, players, addresses, identities, settings, now),
        device_links=DeviceLinks(redis, key),
        identities=identities,
        mail_preferences=preferences,
        mail_signatures=MailSignatures(redis),
        deferred_notices=deferred,
        channels=Channels(redis, outbox, delivery_log, settings, now),
        send_limits=SendLimits(redis),
        ledger=DeliveryLedger(redis, now),
        private_links=PrivateLinks(redis, key, url),
        delivery_log=delivery_log,
        operator_access=OperatorAccess(redis),
        sessions=Sessions(redis, tokens, deferred, preferences, identities),
        presences=Presences(redis, tokens, now),
    )

"""Every use case and store of a process, each built at its first use. Nothing else builds them."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from service.account_closure import Accounts, Guests
from service.accounts.answer_addresses import AnswerAddresses
from service.accounts.channels.deliveries import DeliveryLedger, DeliveryLog
from service.accounts.channels.send_limits import SendLimits
from service.accounts.channels.store import Channels
from service.accounts.email_addresses import EmailAddresses, FailingAddresses
from service.accounts.idempotency import AnswerStore, IdempotencyStore
from service.accounts.identities import Identities
from service.accounts.links import DeviceLinks, OperatorAccess, PrivateLinks, Sessions, SignIn
from service.accounts.mail_preferences import MailPreferences
from service.accounts.mail_state import DeferredNotices, MailSignatures
from service.accounts.player import Revocations
from service.accounts.players import Players
from service.accounts.privacy import ContactChoices, Presences
from service.accounts.registration import Admission, Registrations
from service.accounts.tokens import Tokens
from service.core.heartbeat import Heartbeat, OutageLedger
from service.core.redis.client import Client, check_writable
from service.core.settings import Settings
from service.core.site import Part, Site
from service.core.untranslated import UntranslatedCounts
from service.core.words import Languages
from service.eventlog import EventLog, EventStore, Outbox, SideStateStore
from service.eventlog.due_set import DeadlineSet
from service.eventlog.outbox import DeadLetters, DelayCounts
from service.games import Games
from service.games.agreements import Abandonments, Pauses
from service.games.analysis import Analyses, AnalysisLine, AnalysisStore
from service.games.calendar_store import AutomaticVacations, CalendarStore
from service.games.calendars import Calendars
from service.games.challenge import ChallengeList
from service.games.challenges import Challenges
from service.games.conversation_store import ConversationStore, PrivateNotes
from service.games.conversations import Conversations
from service.games.creation import GameCreation, Invitations, Seals
from service.games.daily import DailyDeals
from service.games.daily_store import DailyResults, DailyStore, DailyTable
from service.games.deadlines import Deadlines, Fairness, OutageReturns, TurnAwareness
from service.games.limits import ContactLimits
from service.games.moderation import MessageWishes, Moderation
from service.games.notices import Reachability
from service.games.page_signs import PageSigns
from service.games.player_changes import PlayerChanges, RunningClocks, StandingOrders
from service.games.projections.feed import Feeds
from service.games.projections.feed_log import FeedLog, PlayerNews
from service.games.projections.player_games import PlayerIndex
from service.games.projections.ratings import Ratings
from service.games.reading.history import Archive, GameHistory
from service.games.reading.lists import GameLists
from service.games.reading.overview import Overviews
from service.games.reading.snapshot import GameSnapshots
from service.games.reading.waiting import WaitingFor
from service.games.rematches import PracticeGames, Rematches
from service.games.repository import GameRepository
from service.games.writer import ChangeWriter
from service.mail.budget import MailBudget
from service.mail.mailbox import Mailbox
from service.seasons.running import GameBeginning, SeasonClock
from service.seasons.seasons import Seasons
from service.seasons.store import SeasonStore

if TYPE_CHECKING:
    from service.accounts.openid import OpenIdSignIns
    from service.mail_in.addresses import MailAddresses
    from service.mail_in.intake import IncomingMail

EXTENSION = "scottenbury"


@dataclass(eq=False)
class Container(Site):
    """The use cases and stores for views, commands and workers.

    `now` gives unix seconds, `monotonic` seconds of a clock that nobody sets; `caller` the network
    address of the current request, None outside one.
    """

    settings: Settings
    redis: Client
    now: Callable[[], float] = time.time
    caller: Callable[[], str | None] = lambda: None
    monotonic: Callable[[], float] = time.monotonic

    @property
    def has_mail_server(self) -> bool:
        """Whether mail leaves this server. Otherwise it goes to the local mailbox, which reaches
        everybody."""
        return self.settings.smtp_url is not None

    def check_store(self) -> None:
        """Raise the error of Redis if it does not answer or takes no writes."""
        check_writable(self.redis)

    # The log, and the server's own affairs

    events = Part(EventStore)
    side_state = Part(SideStateStore)
    outbox = Part(Outbox)
    deadline_set = Part(DeadlineSet)
    log = Part(EventLog)
    outages = Part(OutageLedger)
    heartbeat = Part(Heartbeat)
    languages = Part(Languages)
    untranslated = Part(UntranslatedCounts)
    dead_letters = Part(DeadLetters)
    delays = Part(DelayCounts)
    mailbox = Part(Mailbox)
    mail_budget = Part(MailBudget)

    # Players

    revocations = Part(Revocations)
    idempotency = Part(IdempotencyStore)
    answers = Part(AnswerStore)
    tokens = Part(Tokens)
    failing_addresses = Part(FailingAddresses)
    addresses = Part(EmailAddresses)
    answer_addresses = Part(AnswerAddresses)
    players = Part(Players)
    admission = Part(Admission)
    registrations = Part(Registrations)
    identities = Part(Identities)
    sign_in = Part(SignIn)
    device_links = Part(DeviceLinks)
    private_links = Part(PrivateLinks)
    operator_access = Part(OperatorAccess)
    sessions = Part(Sessions)
    contact_choices = Part(ContactChoices)
    presences = Part(Presences)
    mail_preferences = Part(MailPreferences)
    mail_signatures = Part(MailSignatures)
    deferred_notices = Part(DeferredNotices)
    channels = Part(Channels)
    send_limits = Part(SendLimits)
    ledger = Part(DeliveryLedger)
    delivery_log = Part(DeliveryLog)
    accounts = Part(Accounts)
    guests = Part(Guests)

    # What writes to games' logs

    repository = Part(GameRepository)
    daily_table = Part(DailyTable)
    index = Part(PlayerIndex)
    feed_log = Part(FeedLog)
    ratings = Part(Ratings)
    reachability = Part(Reachability)
    player_news = Part(PlayerNews)
    calendar_store = Part(CalendarStore)
    automatic_vacations = Part(AutomaticVacations)
    writer = Part(ChangeWriter)
    turn_awareness = Part(TurnAwareness)
    fairness = Part(Fairness)
    deadlines = Part(Deadlines)
    outage_returns = Part(OutageReturns)
    changes = Part(PlayerChanges)

    # Games

    games = Part(Games)
    invitations = Part(Invitations)
    seals = Part(Seals)
    contact_limits = Part(ContactLimits)
    creation = Part(GameCreation)
    rematches = Part(Rematches)
    practice = Part(PracticeGames)
    challenge_list = Part(ChallengeList)
    challenges = Part(Challenges)
    daily_store = Part(DailyStore)
    daily_results = Part(DailyResults)
    daily = Part(DailyDeals)
    orders = Part(StandingOrders)
    calendars = Part(Calendars)
    clocks = Part(RunningClocks)
    abandonments = Part(Abandonments)
    pauses = Part(Pauses)
    analysis_store = Part(AnalysisStore)
    analysis_line = Part(AnalysisLine)
    analyses = Part(Analyses)
    conversation_store = Part(ConversationStore)
    message_wishes = Part(MessageWishes)
    moderation = Part(Moderation)
    conversations = Part(Conversations)
    page_signs = Part(PageSigns)
    private_notes = Part(PrivateNotes)
    lists = Part(GameLists)
    waiting_for = Part(WaitingFor)
    archive = Part(Archive)
    history = Part(GameHistory)
    feeds = Part(Feeds)
    overviews = Part(Overviews)
    snapshots = Part(GameSnapshots)

    # Seasons

    season_store = Part(SeasonStore)
    game_beginning = Part(GameBeginning)
    seasons = Part(Seasons)
    season_clock = Part(SeasonClock)

    # What takes megabytes to import

    @cached_property
    def incoming_mail(self) -> "IncomingMail":
        """The use case of incoming mail. Its words and patterns take 7 MB."""
        from service.mail_in.site import MailInSite

        return MailInSite(self.mail_addresses).incoming_mail

    @cached_property
    def mail_addresses(self) -> "MailAddresses":
        """The addresses in our mails, which take none of that."""
        from service.mail_in.addresses import MailAddresses

        return MailAddresses(self)

    @cached_property
    def open_id(self) -> "OpenIdSignIns | None":
        """The sign-in with an OpenID provider; None if no provider is set. Its libraries take 15
        MB."""
        if self.settings.oidc_issuer is None:
            return None
        from service.accounts.openid import OpenIdSignIns, provider_of

        return OpenIdSignIns(self.redis, provider_of(self.settings, self.now))


def get_container() -> Container:
    """The container of the application that serves this request."""
    container: Container = _application().extensions[EXTENSION]
    return container


@cache
def _application() -> Any:
    from flask import current_app  # here, as a worker needs none of it: 5 MB

    return current_app

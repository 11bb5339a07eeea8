"""Builds the parts about games. From the bottom: the parts that write to logs; deadlines, which
write when no player does; then the use cases of players."""

from dataclasses import dataclass

from service.container.accounts import PlayerServices
from service.container.infrastructure import Infrastructure
from service.games import Games
from service.games.agreements.abandonment import Abandonments
from service.games.agreements.offers import Offers
from service.games.agreements.pauses import Pauses
from service.games.analysis.service import Analyses
from service.games.calendars.service import Calendars
from service.games.calendars.store import AutomaticVacations, CalendarStore
from service.games.challenges.model import ChallengeList
from service.games.challenges.service import Challenges
from service.games.change.player_changes import PlayerChanges
from service.games.change.side_state import ABANDONMENT, PAUSE
from service.games.change.writer import ChangeWriter
from service.games.clock.changes import RunningClocks
from service.games.conversation.private_notes import PrivateNotes
from service.games.conversation.service import Conversations
from service.games.daily.service import DailyDeals
from service.games.daily.store import DailyStore
from service.games.deadlines.fairness import Fairness
from service.games.deadlines.outage_returns import OutageReturns
from service.games.deadlines.service import Deadlines
from service.games.deadlines.turn_awareness import TurnAwareness
from service.games.notices.notifications import Reachability
from service.games.notices.player_news import PlayerNews
from service.games.opening.contact_limits import ContactLimits
from service.games.opening.creation import GameCreation
from service.games.opening.invitations import Invitations
from service.games.opening.practice import PracticeGames
from service.games.opening.rematch import Rematches
from service.games.opening.seals import Seals
from service.games.orders.service import StandingOrders
from service.games.projections.player_games import PlayerIndex
from service.games.projections.ratings import Ratings
from service.games.reading.archive import Archive
from service.games.reading.history import GameHistory
from service.games.reading.lists import GameLists
from service.games.repository import GameRepository


def build_games(base: Infrastructure, accounts: PlayerServices) -> Games:
    """Build the games of these players."""
    log, now, players = base.log, base.now, accounts.players
    writing = _build_writing(base, accounts)
    repository, writer = writing.repository, writing.writer
    deadlines = _build_deadlines(base, accounts, writing)
    opening = _build_opening(base, accounts, writing, deadlines)
    changes = PlayerChanges(repository, writer, deadlines)
    contact = accounts.contact_choices
    lists = GameLists(writing.index, repository, deadlines, players, contact)
    offers = (log, writer, deadlines, writing.reachability, now, PlayerNews(base.redis).publish)
    return Games(
        log=log,
        players=players,
        registrations=accounts.registrations,
        repository=repository,
        index=writing.index,
        ratings=writing.ratings,
        writer=writer,
        deadlines=deadlines,
        changes=changes,
        creation=opening.creation,
        invitations=opening.invitations,
        seals=opening.seals,
        rematches=opening.rematches,
        practice=opening.practice,
        daily=DailyDeals(
            DailyStore(base.redis),
            log.events,
            repository,
            writer,
            players,
            base.settings.secret_key,
            now,
        ),
        challenges=opening.challenges,
        lists=lists,
        archive=Archive(writing.index, log.events, players, now),
        contact=contact,
        history=GameHistory(log.events),
        orders=StandingOrders(log, repository, deadlines),
        calendars=_build_calendars(base, writing, lists),
        clocks=RunningClocks(changes, deadlines, now),
        abandonments=Abandonments(Offers(ABANDONMENT, *offers), changes),
        pauses=Pauses(Offers(PAUSE, *offers), changes, now),
        analyses=Analyses(base.redis, log, now),
        outages=OutageReturns(log.deadlines, repository, writer, base.outages),
        conversations=_build_conversations(base, accounts, writing),
        private_notes=PrivateNotes(base.redis),
        secret_key=base.settings.secret_key,
        notice_delay=base.settings.notice_delay,
        now=now,
    )


@dataclass(frozen=True, kw_only=True)
class _Writing:
    """The parts that write to games' logs."""

    repository: GameRepository
    index: PlayerIndex
    ratings: Ratings
    reachability: Reachability
    calendars: CalendarStore
    writer: ChangeWriter


def _build_writing(base: Infrastructure, accounts: PlayerServices) -> _Writing:
    redis, now = base.redis, base.now
    repository, index = GameRepository(base.log.events, now), PlayerIndex(redis)
    ratings = Ratings(redis, base.log.events)
    reachability = Reachability(redis, accounts.players, mail_server=_has_mail_server(base))
    calendars = CalendarStore(redis, accounts.mail_preferences, now)
    writer = ChangeWriter(
        redis,
        base.log,
        repository,
        index,
        ratings,
        reachability,
        base.outages,
        calendars.of_players,
        base.settings.notice_delay,
        now,
    )
    return _Writing(
        repository=repository,
        index=index,
        ratings=ratings,
        reachability=reachability,
        calendars=calendars,
        writer=writer,
    )


def _build_deadlines(
    base: Infrastructure, accounts: PlayerServices, writing: _Writing
) -> Deadlines:
    log, settings, now = base.log, base.settings, base.now
    awareness = TurnAwareness(base.redis, log, accounts.players, accounts.ledger)
    vacations = AutomaticVacations(writing.calendars, log.outbox, settings.vacation_days, now)
    fairness = Fairness(base.outages, awareness, vacations, settings.untold_limit, now)
    return Deadlines(writing.repository, writing.writer, fairness, now)


@dataclass(frozen=True, kw_only=True)
class _Opening:
    """The ways to open a game: invitations, challenges, rematches."""

    invitations: Invitations
    seals: Seals
    creation: GameCreation
    rematches: Rematches
    practice: PracticeGames
    challenges: Challenges


def _build_opening(
    base: Infrastructure, accounts: PlayerServices, writing: _Writing, deadlines: Deadlines
) -> _Opening:
    redis, log, now, key = base.redis, base.log, base.now, base.settings.secret_key
    repository, writer, players = writing.repository, writing.writer, accounts.players
    invitations = Invitations(redis, key, base.settings.base_url)
    seals = Seals(redis, key, now)
    contact = ContactLimits(
        redis,
        log,
        repository,
        players,
        accounts.contact_choices,
        base.mail_budget,
        now,
        verified_only=_has_mail_server(base),
    )
    return _Opening(
        invitations=invitations,
        seals=seals,
        creation=GameCreation(writer, players, contact, invitations, seals, key, now),
        rematches=Rematches(
            log.events,
            repository,
            writer,
            deadlines,
            players,
            contact,
            seals,
            key,
            now,
            PlayerNews(redis).publish,
        ),
        practice=PracticeGames(log.events, writer, deadlines, players, key, now),
        challenges=Challenges(
            ChallengeList(redis),
            log,
            repository,
            writer,
            players,
            contact,
            seals,
            writing.reachability,
            key,
            now,
            PlayerNews(redis).publish,
        ),
    )


def _build_calendars(base: Infrastructure, writing: _Writing, lists: GameLists) -> Calendars:
    days = base.settings.vacation_days
    outbox, writer = base.log.outbox, writing.writer
    return Calendars(writing.calendars, outbox, lists, writer, days, base.now)


def _build_conversations(
    base: Infrastructure, accounts: PlayerServices, writing: _Writing
) -> Conversations:
    repository, reachability = writing.repository, writing.reachability
    return Conversations(
        base.redis,
        repository,
        accounts.players,
        accounts.contact_choices,
        reachability,
        base.mail_budget,
        base.now,
    )


def _has_mail_server(base: Infrastructure) -> bool:
    """Whether mail leaves this server. Otherwise it goes to the local mailbox, which reaches
    everybody."""
    return base.settings.smtp_url is not None

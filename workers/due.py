"""Reads due notices in bulk, with all the data needed to decide on them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from engine import Seat
from service.accounts.channels import Channel
from service.accounts.channels.deliveries import LedgerEntries
from service.accounts.email_addresses import AddressFailure
from service.accounts.mail_preferences import MailChoice, Subscription, subscription_of
from service.accounts.notice_kinds import DIGEST, NoticeKind, kind_of
from service.accounts.player import Player
from service.core.redis.batch import Command, Query, execute_many
from service.eventlog import NoticeParts, parse_notice_id
from service.games import GUEST, StoredGame
from service.games.conversation_store import ConversationState
from service.games.conversations import NOTICE as MESSAGE
from service.games.page_signs import Sight
from service.games.repository import RecentEvents
from service.mail_in.store import MailInStore
from workers.context import WorkerContext
from workers.mail.game import GameMail, game_mail
from workers.mail.mailed_game import Talk
from workers.mail.mailer import Address
from workers.mail.season import SeasonMail, season_mail
from workers.mail.subjects import ChallengeMail, VacationMail, challenge_mail, vacation_mail

About = GameMail | ChallengeMail | VacationMail | SeasonMail
"""The subject of a notice to a reader, as its message describes it."""


class Reader(NamedTuple):
    """The reader of a notice. `address` is None if there is nobody to write to; `subscription` is
    the kind of mail that they can turn off."""

    address: Address | None
    subscription: Subscription
    wants_mail: bool


@dataclass(slots=True)
class DueNotice:
    """A notice, and the state of its subject when it was read.

    `game` and the fields after it are set if the subject is a game. `recipient` is None if there is
    no such player; the player's choices then have their defaults. `wanted` says whether the
    recipient wants this kind of mail; it means nothing for a recipient of whom only the address is
    stored. `choice` has the recipient's choices about mail, and of those for single games only this
    game's. `entries` is the content of the delivery ledger, shared by notices to one player about
    one subject.
    """

    id: str
    notice: NoticeParts
    due_since: float | None
    failed_since: float | None
    recipient: Player | None
    wanted: bool
    wants_digest: bool
    choice: MailChoice
    channels: list[Channel]
    visit_notice: str | None
    entries: LedgerEntries
    sight: Sight
    game: RecentEvents | None = None
    side_state: Mapping[str, str] | None = None
    conversation: ConversationState | None = None
    wants_messages: bool = False
    answering: frozenset[Seat] = frozenset()
    address_failure: AddressFailure | None = None
    reader: Reader | None = None
    is_moving: bool | None = None
    """Whether an outage is about to move its deadline; None until this is checked."""
    made: About | None = None
    is_made: bool = False
    """Whether `made`, the subject that `about` returns, has been built."""
    is_prepared: bool = False
    is_fanned_out: bool = False
    is_finished: bool = False

    @property
    def kind(self) -> NoticeKind:
        return kind_of(self.notice.kind)

    def about(self, context: WorkerContext) -> About | None:
        """Return the subject as its reader may see it, None if it is gone. It is built once."""
        if not self.is_made:
            words, notice, zone = context.words_of(self.choice), self.notice, self.choice.zone
            if self.kind.subject == "challenge":
                self.made = challenge_mail(words, context, notice, zone)
            elif self.kind.subject == "season":
                self.made = season_mail(words, context, notice)
            elif self.kind.subject == "player":
                self.made = vacation_mail(words, context, notice, zone)
            elif self.game is not None:
                self.made = self._game_mail(context, self.game)
            self.is_made = True
        return self.made

    def _game_mail(self, context: WorkerContext, game: RecentEvents) -> GameMail:
        notice, words, zone = self.notice, context.words_of(self.choice), self.choice.zone
        player = None if notice.recipient == GUEST else notice.recipient
        talk = self._talk(game.stored, self.conversation)
        side = self.side_state or {}
        made = game_mail(words, context, game, side, player, notice.version, zone, talk)
        if notice.kind == "invitation" and self.wants_messages and made.rematch_of:
            games = context.container.games  # what was written with it stands in the old game
            old = games.load(made.rematch_of)
            state = games.conversations.store.state(old.id)
            made = replace(made, talk=self._talk(old, state))
        return made

    def _talk(self, stored: StoredGame, state: ConversationState | None) -> Talk | None:
        """Return the messages of this game of which the mail tells: as many as the latest notice
        about messages, which need send no mail then."""
        seat = stored.seat_of(self.notice.recipient)
        is_own = self.notice.kind == MESSAGE
        is_told = is_own or (self.kind.tells_messages and self.wants_messages)
        if not is_told or seat is None or state is None:
            return None
        since = self.notice.version if is_own else state.noticed[seat]
        return Talk(stored, state, seat, since)

    def current(self, context: WorkerContext) -> About | None:
        """Return the subject if the notice is still true, else None."""
        about = self.about(context)
        return about if about is not None and self.kind.is_current(about) else None

    @property
    def too_late_at(self) -> int | None:
        """The moment after which the player can no longer act on the subject (unix seconds); None
        if there is none."""
        if isinstance(self.made, VacationMail):
            return self.made.end
        stored = self.stored
        if stored is None or stored.player_to_move() != self.notice.recipient:
            return None
        return None if stored.must_be_claimed else stored.deadline

    @property
    def stored(self) -> StoredGame | None:
        """The game that the notice is about."""
        return None if self.game is None else self.game.stored

    def wanting(self) -> list[Channel]:
        """Return the recipient's channels that want this notice."""
        kind, subject = self.notice.kind, self.notice.subject
        return [channel for channel in self.channels if channel.delivers(kind, subject)]


@dataclass(eq=False, repr=False)
class DueBatch:
    """The notices of one job. The round trip that first renews their lease also reads them."""

    _context: WorkerContext
    _ids: Sequence[str]
    _notices: dict[str, DueNotice | Exception] | None = field(init=False, default=None)

    def renew(self, held: Collection[str], lease_end: float, until: float) -> set[str]:
        """Renew the leases of these notices until `until`; return those still held."""
        outbox = self._context.container.log.outbox
        if self._notices is not None:
            return outbox.renew(held, lease_end, until)
        asked, queries = _asked(self._context, self._ids)
        still_held, replies = outbox.renew_and_read(held, lease_end, until, queries)
        self._notices = _parsed(asked, queries, replies)
        return still_held

    def read(self) -> dict[str, DueNotice | Exception]:
        """Return the notices by id, with an error in place of each unreadable one."""
        if self._notices is None:
            self._notices = read_due(self._context, self._ids)
        return self._notices


def read_due(context: WorkerContext, notice_ids: Sequence[str]) -> dict[str, DueNotice | Exception]:
    """Read these notices in one round trip, with an error in place of each unreadable one."""
    asked, queries = _asked(context, notice_ids)
    return _parsed(asked, queries, execute_many(context.container.redis, queries))


_Asked = Mapping[str, Sequence[Query[object]]]
"""The queries for each notice, by its id."""


def _asked(context: WorkerContext, notice_ids: Sequence[str]) -> tuple[_Asked, list[Query[object]]]:
    """Return the queries for each notice, and all of them once: many notices of a batch share a
    game or a recipient."""
    asked = {notice_id: _queries(context, notice_id) for notice_id in notice_ids}
    return asked, [*{query.command: query for many in asked.values() for query in many}.values()]


def _queries(context: WorkerContext, notice_id: str) -> list[Query[object]]:
    """Return the queries for one notice, in the order of the fields of `DueNotice`."""
    container, notice = context.container, parse_notice_id(notice_id)
    player, preferences = notice.recipient, container.mail_preferences
    queries: list[Query[object]] = [
        container.log.outbox.since_query(notice_id),
        container.dead_letters.since_query(notice_id),
        container.players.find_query(player),
        preferences.wanted_query(subscription_of(player, notice.kind)),
        preferences.wanted_query(Subscription(player, DIGEST)),
        container.games.invitations.choice_query(notice.subject)
        if player == GUEST
        else preferences.choice_query(player, notice.subject),
        container.channels.query(player),
        container.deferred_notices.reservation_query(player),
        container.ledger.query(player, notice.subject),
        container.page_signs.sight_query(notice.subject, player),
    ]
    if kind_of(notice.kind).subject != "game":
        return queries
    return [
        *queries,
        container.games.repository.recent_query(notice.subject),
        container.log.side_state.query(notice.subject),
        container.games.conversations.store.state_query(notice.subject),
        preferences.wanted_query(Subscription(player, MESSAGE)),
        *(MailInStore(container.redis).has_begun_query(notice.subject, seat) for seat in _SEATS),
    ]


_SEATS: Final[tuple[Seat, Seat]] = ("north", "south")
_OF_PLAYER: Final = 10
"""The number of queries that are not about the game, and come first."""


def _parsed(
    asked: _Asked, queries: Sequence[Query[object]], replies: Sequence[object]
) -> dict[str, DueNotice | Exception]:
    raw = {query.command: reply for query, reply in zip(queries, replies, strict=True)}
    parsed, notices = dict[Command, object](), dict[str, DueNotice | Exception]()
    for notice_id, many in asked.items():
        try:
            for query in many:
                if query.command not in parsed:
                    parsed[query.command] = query.parse(raw[query.command])
            read: list[Any] = [parsed[query.command] for query in many]
            due = DueNotice(notice_id, parse_notice_id(notice_id), *read[:_OF_PLAYER])
            if of_game := read[_OF_PLAYER:]:
                due.game, due.side_state, due.conversation, due.wants_messages, *answering = of_game
                seats = zip(_SEATS, answering, strict=True)
                due.answering = frozenset(seat for seat, is_one in seats if is_one)
            notices[notice_id] = due
        except Exception as error:  # a damaged log affects only its own notices
            notices[notice_id] = error
    return notices

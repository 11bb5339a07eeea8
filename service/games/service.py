"""Making, joining, playing and reading games."""

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

import engine
from service.accounts.channels.told import Told
from service.accounts.players import Players, Registration
from service.core import ids
from service.core.cache import ThreadSafeCache, recently_used
from service.core.errors import RequestRejected
from service.core.outage_ledger import OutageLedger
from service.core.redis.batch import Query
from service.core.redis.client import Client
from service.core.settings import Settings
from service.eventlog import EventLog, IdempotencyKey
from service.games import permissions
from service.games.agreements.abandonment import Abandonments
from service.games.agreements.pauses import Pauses
from service.games.calendars.service import Calendars, CalendarStore
from service.games.challenges.service import Challenges
from service.games.change.draft import DeadlinePassed
from service.games.change.writer import ChangeWriter, Origin
from service.games.clock.calendar import Calendar
from service.games.clock.changes import CommandOf, RunningClocks
from service.games.conversation.private_notes import PrivateNotes
from service.games.conversation.service import Conversations
from service.games.deadlines.fairness import Fairness
from service.games.deadlines.outage_returns import OutageReturns
from service.games.deadlines.service import Deadlines
from service.games.deadlines.telling import Telling
from service.games.notices.notifications import current_notices, guest_expiry_notice
from service.games.notices.reachability import Reachability
from service.games.opening.contact_limits import ContactLimits
from service.games.opening.creation import GameCreation
from service.games.opening.invitations import Invitations
from service.games.opening.new_game import NewGame, joining
from service.games.opening.rematch import Rematches
from service.games.opening.seals import Seals
from service.games.orders.service import StandingOrders
from service.games.projections.player_games import PlayerIndex
from service.games.reading import views
from service.games.reading.history import GameHistory
from service.games.reading.lists import GameLists
from service.games.repository import (
    GameRepository,
    RecentEvents,
    StoredGame,
)
from service.mail.budget import MailBudget

_log = logging.getLogger(__name__)

API: Final = Origin()
_ATTEMPTS: Final = 3
"""Others may write to a game just then."""
ViewKey = tuple[str, int, engine.Seat | None, tuple[tuple[str, str], ...]]


class Games:
    """All games of one server.

    Every method raises `RequestRejected` with a stable code for what this caller may not do, and
    `engine.RuleBroken` for what the rules forbid; then nothing has changed.
    """

    def __init__(
        self,
        redis: Client,
        log: EventLog,
        players: Players,
        settings: Settings,
        budget: MailBudget,
        outages: OutageLedger,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._log = log
        self._players = players
        self._secret_key = settings.secret_key
        self.now = self._now = now
        self._repository = GameRepository(log.events)
        self._index = PlayerIndex(redis)
        # The local mailbox is not the outside world: it reaches everybody, verified or not.
        mail_server = settings.smtp_url is not None
        reachability = Reachability(redis, players, mail_server=mail_server)
        calendars = CalendarStore(redis, settings, now)
        heeded, delay = calendars.of_players, settings.notice_delay
        self._notice_delay = delay
        self._writer = ChangeWriter(
            log, self._repository, self._index, reachability, outages, heeded, delay, now
        )
        self._texts: ThreadSafeCache[ViewKey, str] = recently_used(2000)
        self.invitations = Invitations(redis, settings.secret_key, settings.base_url)
        telling = Telling(redis, log, players, Told(redis, now))
        fairness = Fairness(outages, telling, self._begin_vacation, settings.untold_limit, now)
        self._deadlines = Deadlines(self._repository, self._writer, fairness, now)
        self.outages = OutageReturns(log.deadlines, self._repository, self._writer, outages)
        self.lists = GameLists(self._index, self._repository, self._deadlines, players)
        running, write, days = self.lists.running, self._writer.write_all, settings.vacation_days
        self.calendars = Calendars(calendars, log.outbox, running, write, days, now)
        self.history = GameHistory(log.events)
        self.orders = StandingOrders(log, self._repository, self._deadlines)
        offers = (log, self._repository, self._writer, self._deadlines, reachability, now)
        self.abandonments, self.pauses = Abandonments(*offers), Pauses(*offers)
        self.clocks = RunningClocks(self._change, self._deadlines, now)
        self._contact = ContactLimits(
            redis, log, self._repository, players, budget, now, verified_only=mail_server
        )
        self.conversations = Conversations(
            redis, self._repository, players, reachability, budget, now
        )
        self.private_notes = PrivateNotes(redis)
        self.seals = Seals(redis, settings.secret_key, now)
        self._creation = GameCreation(
            self._writer,
            players,
            self._contact,
            self.invitations,
            self.seals,
            settings.secret_key,
            now,
        )
        self.rematches = Rematches(
            log.events,
            self._repository,
            self._writer,
            self._deadlines,
            players,
            self._contact,
            self.seals,
            settings.secret_key,
            now,
        )
        self.challenges = Challenges(
            redis,
            log,
            self._repository,
            self._writer,
            players,
            self._contact,
            self.seals,
            reachability,
            settings.secret_key,
            now,
        )

    # Changing

    def create(
        self, player: str, wanted: NewGame, origin: Origin = API, secret: str | None = None
    ) -> StoredGame:
        """Create a game and seat its creator; against a bot it starts at once: `GameCreation`."""
        return self._creation.create(player, wanted, origin, secret)

    def join(
        self,
        game_id: str,
        player: str,
        *,
        invite: str | None = None,
        salt: str | None = None,
        visited: str | None = None,
        origin: Origin = API,
    ) -> StoredGame:
        """Take the free seat: with the invite, or without where the game is open to `player`."""

        def command_of(stored: StoredGame) -> engine.Command:
            invited = self.invitations.is_valid(game_id, invite)
            permissions.check_join(stored, player, invited, self._now())
            return joining(player, stored.game, salt, visited)

        joined = self._change(game_id, player, command_of, origin)
        if joined.game.terms["invited_by_mail"]:
            self.invitations.forget_address(game_id)
        return joined

    def join_as_guest(
        self,
        game_id: str,
        name: str,
        *,
        invite: str | None = None,
        salt: str | None = None,
        visited: str | None = None,
        origin: Origin = API,
    ) -> tuple[StoredGame, Registration]:
        """Take the free seat as somebody new, who is registered by it. The account can be kept.

        Only the same idempotency key gives a guest's token a second time, for as long as the game
        knows it. Raises `idempotency-key-spent` where the guest's account is gone.
        """
        seed = origin.key and self._guest_seed(game_id, origin.key)
        try:
            invited = self.invitations.is_valid(game_id, invite)
            permissions.check_join(self.load(game_id), None, invited, self._now())
        except RequestRejected:
            repeated = self._writer.recall(game_id, origin.key)
            if repeated is None or seed is None:
                raise
            return repeated, self._players.guest(seed)
        guest = self._players.register_guest(name, seed)
        self._log.outbox.add(guest_expiry_notice(guest.player.id, self._now()))
        options = {"invite": invite, "salt": salt, "visited": visited}
        return self.join(game_id, guest.player.id, **options, origin=origin), guest

    def announce_turn(self, game_id: str, player: str) -> None:
        """Have the player told that it is their turn, where it is, once that has settled.

        For who sat down without seeing a page. May be repeated.
        """
        stored = self.load(game_id)
        if stored.player_to_move() == player:
            for notice in current_notices(stored, self._now() + self._notice_delay):
                self._log.outbox.add(notice)

    def play(
        self,
        game_id: str,
        player: str,
        actions: Iterable[str],
        origin: Origin = API,
    ) -> StoredGame:
        """Take these actions, in action text, in this order: all of them or none."""
        texts = list(actions)
        return self._change(
            game_id,
            player,
            lambda game: engine.TakeTurn(permissions.own_seat(game, player), texts),
            origin,
        )

    def resign(self, game_id: str, player: str, origin: Origin = API) -> StoredGame:
        """Give up the round, whoever's turn it is."""

        def command_of(stored: StoredGame) -> engine.Command:
            return engine.Resign(permissions.own_seat(stored, player))

        return self._change(game_id, player, command_of, origin)

    def forget(self, player: str) -> None:
        """Keep no list of this player's games, no note and no seal."""
        self._index.drop(player)
        self.calendars.forget(player)
        self.private_notes.forget(player)
        self.conversations.forget_player(player)
        self.seals.forget(player)

    def call_off(self, game_id: str, player: str, origin: Origin = API) -> StoredGame:
        """Let a game that has not begun be none: by its maker, or by the player it is kept for."""

        def command_of(stored: StoredGame) -> engine.Command:
            invited = stored.invited == player and stored.game.status == "open"
            seat = None if invited else permissions.own_seat(stored, player)
            if stored.game.status == "active":
                raise RequestRejected(
                    "game-started", "Both are seated: resign, or agree to abandon it."
                )
            return engine.Abandon(seat)

        return self._change(game_id, player, command_of, origin)

    def time_out(self, game_id: str) -> StoredGame | None:
        """End the round of the player whose time is up, or the wait for a second player.

        None where nobody's time is up (any more). Where a win has to be claimed, the
        opponent is told instead.
        """
        stored = self.load(game_id)
        self._deadlines.tell(stored)
        return self._deadlines.end(stored)

    def release_if_told(self, game_id: str) -> bool:
        """Let the time of a player begin whose flag is held, if they were told by now.

        Whether the flag is still held.
        """
        stored = self.load(game_id)
        return self._deadlines.released(stored).untold_until is not None

    def project(self, *games: StoredGame, absent_too: bool = False) -> None:
        """Bring the indexes up to these versions of games; they may be ahead of them already.

        Of players who are not here there is none, unless `absent_too`. One round trip.
        """
        self._index.apply(*games, absent_too=absent_too)

    # Reading

    def load(self, game_id: str) -> StoredGame:
        """The game as it stands, whoever may see it."""
        return self._repository.get(game_id)

    def current(self, game_id: str) -> StoredGame:
        """The game as it stands by its clock: a round whose time is up has ended."""
        return self._deadlines.current(game_id)

    def cached(self, game_id: str) -> StoredGame:
        """The game as this process saw it last, for what never changes, like its options."""
        return self._repository.cached(game_id) or self.load(game_id)

    def side_state_query(self, game_id: str) -> Query[dict[str, str]]:
        """The query for a game's side state, to be executed with others."""
        return self._log.side_state.query(game_id)

    def recent_query(self, game_id: str) -> Query[RecentEvents | None]:
        """The query for a game as it stands, with the last lines of its log."""
        return self._repository.recent_query(game_id)

    def game_query(self, game_id: str) -> Query[StoredGame | None]:
        """The query for a game as it stands, to be executed with others: `latest` of `read`."""
        return self._repository.game_query(game_id)

    def read(
        self,
        game_id: str,
        reader: str | None,
        *,
        at: int | None = None,
        invite: str | None = None,
        latest: StoredGame | None = None,
    ) -> StoredGame:
        """The game as it stands, or stood after event `at`, if `reader` (None: a passer-by) may
        see it. Until somebody takes the seat, the holder of the invite sees a private game too."""
        stored = latest or self.load(game_id)
        invited = stored.game.status == "open" and self.invitations.is_valid(game_id, invite)
        if not invited and not permissions.may_see(stored, reader):
            raise permissions.hidden()
        stored = self._deadlines.shown(stored, reader)
        return stored if at is None else self._repository.get(game_id, at)

    def view(self, stored: StoredGame, reader: str | None) -> dict[str, Any]:
        """The game view, as `reader` may see it."""
        return views.game_view(stored, reader, self._names(stored))

    def view_text(self, stored: StoredGame, reader: str | None) -> str:
        """The game view as JSON, kept for the next reader who may see the same."""
        names = self._names(stored)
        key = (stored.id, stored.version, stored.seat_of(reader), tuple(sorted(names.items())))
        text = self._texts.get(key)
        if text is None:
            text = views.to_json(views.game_view(stored, reader, names))
            self._texts.put(key, text)
        return text

    def proofs(self, stored: StoredGame, player: str) -> list[dict[str, Any]]:
        """For each Stone where the player's side is complete, whether a claim stands, and why."""
        return engine.proofs(stored.game, permissions.own_seat(stored, player))

    def _names(self, stored: StoredGame) -> dict[str, str]:
        return self._players.names(views.people_in(stored))

    # How a change is made

    def _change(
        self, game_id: str, player: str, command_of: CommandOf, origin: Origin
    ) -> StoredGame:
        """Make the change that `command_of` asks for, on the game as it stands.

        First on the game as this process saw it last, which saves reading the log: an append to any
        other state of the game is refused.
        """
        cached, attempts = self._repository.cached(game_id), 0
        while True:
            before = cached or self.load(game_id)
            try:
                command = command_of(before)  # first: a stranger is not even told the version
                origin.check(before)
                draft = self._writer.draft(game_id, before, command, origin.via)
                return self._writer.write(draft, player, origin)
            except (RequestRejected, engine.RuleBroken) as rejection:
                if cached is not None:
                    cached = None  # only the game as it stands decides
                    continue
                # What is rejected now may have been granted to the first of two equal requests.
                if repeated := self._writer.recall(game_id, origin.key):
                    return repeated
                attempts += 1
                if isinstance(rejection, DeadlinePassed) and attempts < _ATTEMPTS:
                    if (why := self._deadlines.refusal(before)) is not None:
                        raise why from None
                    continue
                if attempts == _ATTEMPTS or not _overtaken(rejection, origin, before):
                    raise

    def _begin_vacation(self, player: str, at: int) -> tuple[int, Calendar] | None:
        return self.calendars.begin_by_itself(player, at)

    def _guest_seed(self, game_id: str, key: IdempotencyKey) -> str:
        return ids.secret_text(ids.derive(self._secret_key, "guest", game_id, key.key))


def _overtaken(refusal: Exception, origin: Origin, before: StoredGame) -> bool:
    """Whether another write came first, of which the caller need not know."""
    if not isinstance(refusal, RequestRejected) or refusal.code != "stale-version":
        return False
    # Where it is of the table, it may have told of the clock alone.
    came_first = refusal.members.get("version") != before.version
    return origin.expected is None or (origin.is_of_table and came_first)

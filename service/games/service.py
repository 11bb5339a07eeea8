"""Making, joining, playing and reading games."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import engine
from service.accounts.players import Players
from service.accounts.privacy import ContactChoices
from service.accounts.registration import Registration, Registrations
from service.core import ids
from service.core.cache import ThreadSafeCache, recently_used
from service.core.errors import RequestRejected
from service.core.times import MINUTE
from service.eventlog import EventLog
from service.games import permissions
from service.games.agreements import Abandonments, Pauses
from service.games.analysis import Analyses
from service.games.calendars import Calendars
from service.games.challenges import Challenges
from service.games.conversation_store import PrivateNotes
from service.games.conversations import Conversations
from service.games.creation import GameCreation, Invitations, Seals
from service.games.daily import DailyDeals
from service.games.deadlines import Deadlines, OutageReturns
from service.games.notices import current_notices, guest_expiry_notice
from service.games.player_changes import PlayerChanges, RunningClocks, StandingOrders
from service.games.projections.player_games import GameFilter, PlayerIndex
from service.games.projections.ratings import Ratings
from service.games.rating import Rated, is_decided, is_for_ratings
from service.games.reading import views
from service.games.reading.history import Archive, GameHistory
from service.games.reading.lists import GameLists
from service.games.reading.waiting import WaitingFor
from service.games.rematches import PracticeGames, Rematches
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame
from service.games.terms import NewGame, joining
from service.games.writer import ChangeContext, ChangeWriter
from service.text.board import seat_names

API: Final = ChangeContext()
ViewKey = tuple[str, int, bool, engine.Seat | None, tuple[tuple[str, str], ...], str]


@dataclass(eq=False, repr=False, kw_only=True)
class Games:
    """All games of one server.

    Every method raises `RequestRejected`, with a stable code, if the caller may not do this, and
    `engine.RuleBroken` if the rules forbid it; then nothing has changed.
    """

    log: EventLog
    players: Players
    registrations: Registrations
    repository: GameRepository
    index: PlayerIndex
    ratings: Ratings
    writer: ChangeWriter
    deadlines: Deadlines
    changes: PlayerChanges
    creation: GameCreation
    invitations: Invitations
    seals: Seals
    rematches: Rematches
    practice: PracticeGames
    daily: DailyDeals
    challenges: Challenges
    lists: GameLists
    waiting_for: WaitingFor
    archive: Archive
    contact: ContactChoices
    history: GameHistory
    orders: StandingOrders
    calendars: Calendars
    clocks: RunningClocks
    abandonments: Abandonments
    pauses: Pauses
    analyses: Analyses
    outages: OutageReturns
    conversations: Conversations
    private_notes: PrivateNotes
    secret_key: str
    notice_delay: float
    """Seconds between a turn and its player's notice."""
    now: Callable[[], float]
    """Unix seconds."""
    _texts: ThreadSafeCache[ViewKey, str] = field(
        init=False, default_factory=lambda: recently_used(2000)
    )

    # Changing

    def create(
        self, player: str, wanted: NewGame, context: ChangeContext = API, secret: str | None = None
    ) -> StoredGame:
        """Create a game and seat its creator; against a bot it starts at once: `GameCreation`."""
        return self.creation.create(player, wanted, context, secret)

    def join(
        self,
        game_id: str,
        player: str,
        *,
        invite: str | None = None,
        salt: str | None = None,
        visited: str | None = None,
        context: ChangeContext = API,
    ) -> StoredGame:
        """Take the free seat, with the invite, or without if the game is open to `player`."""

        def command_of(stored: StoredGame) -> engine.Command:
            invited = self.invitations.is_valid(game_id, invite)
            permissions.check_join(stored, player, invited, self.now())
            if stored.listed and not invited and self.contact.apart(player, stored.players):
                raise permissions.invite_required()
            self._check_own_bot(stored, player)
            return joining(player, stored.game, salt, visited)

        joined = self.changes.make(game_id, player, command_of, context)
        if joined.terms.invited_by_mail:
            self.invitations.forget_address(game_id)
        return joined

    def _check_own_bot(self, stored: StoredGame, player: str) -> None:
        """Raise `RequestRejected`, `own-game`, if the game would be rated and both players one
        person's."""
        players = [*stored.players, player]
        wanted, clock = stored.game.terms.get("rated"), stored.terms.clock
        is_rated = is_for_ratings(wanted, stored.private, clock, players)
        if is_rated and self.players.are_of_one_person(*players):
            raise RequestRejected(
                "own-game", "This game is rated, and games with one’s own bots are never rated."
            )

    def join_as_guest(
        self,
        game_id: str,
        name: str,
        *,
        invite: str | None = None,
        salt: str | None = None,
        visited: str | None = None,
        exactly: bool = False,
        context: ChangeContext = API,
    ) -> tuple[StoredGame, Registration]:
        """Take the free seat as a new guest, who is registered by this call.

        If the name is taken, the guest gets a similar one; with `exactly`, `name-taken` is raised.
        Only the same idempotency key returns the guest's token again, while the game stores it.
        Raises `idempotency-key-spent` if the guest's account is gone.
        """
        seed = context.key and ids.secret_text(
            ids.derive(self.secret_key, "guest", game_id, context.key.key)
        )
        try:
            invited = self.invitations.is_valid(game_id, invite)
            permissions.check_join(self.load(game_id), None, invited, self.now())
        except RequestRejected:
            repeated = self.writer.recall(game_id, context.key)
            if repeated is None or seed is None:
                raise
            return repeated, self.registrations.guest(seed)
        guest = self.registrations.register_guest(name, seed, exactly=exactly, holds_invite=invited)
        self.log.outbox.add(guest_expiry_notice(guest.player.id, self.now()))
        options = {"invite": invite, "salt": salt, "visited": visited}
        return self.join(game_id, guest.player.id, **options, context=context), guest

    def announce_turn(self, game_id: str, player: str) -> None:
        """Notify the player of their turn, if it is theirs and no other notice will.

        For players who sat down without seeing a page. May be repeated.
        """
        stored = self.load(game_id)
        if stored.player_to_move() == player:
            for notice in current_notices(stored, self.now() + max(self.notice_delay, MINUTE)):
                self.log.outbox.add(notice)

    def play(
        self,
        game_id: str,
        player: str,
        actions: Iterable[str] | Callable[[StoredGame], list[str]],
        context: ChangeContext = API,
    ) -> StoredGame:
        """Take these actions, in action text and in this order, all or none.

        `actions` may be a function that chooses them for the current game.
        """
        texts = actions if callable(actions) else list(actions)

        def command_of(stored: StoredGame) -> engine.Command:
            seat = permissions.own_seat(stored, player)
            return engine.TakeTurn(seat, texts(stored) if callable(texts) else texts)

        return self.changes.make(game_id, player, command_of, context)

    def resign(self, game_id: str, player: str, context: ChangeContext = API) -> StoredGame:
        """Give up the round, whoever's turn it is."""

        def command_of(stored: StoredGame) -> engine.Command:
            return engine.Resign(permissions.own_seat(stored, player))

        return self.changes.make(game_id, player, command_of, context)

    def forget(self, player: str) -> None:
        """Delete this player's lists of games and seals."""
        self.index.drop(player)
        self.conversations.forget_player(player)
        self.seals.forget(player)

    def call_off(self, game_id: str, player: str, context: ChangeContext = API) -> StoredGame:
        """Cancel a game that has not begun, as its maker or the player it is reserved for."""

        def command_of(stored: StoredGame) -> engine.Command:
            invited = stored.invited == player and stored.game.status == "open"
            seat = None if invited else permissions.own_seat(stored, player)
            if stored.game.status == "active":
                raise RequestRejected(
                    "game-started", "Both are seated: resign, or agree to end it."
                )
            return engine.Abandon(seat)

        return self.changes.make(game_id, player, command_of, context)

    def time_out(self, game_id: str) -> StoredGame | None:
        """End the round of the player whose time is up, or the wait for a second player.

        None if nobody's time is up (any more). If a win has to be claimed, this notifies the
        opponent instead.
        """
        stored = self.load(game_id)
        self.deadlines.notify_time_out(stored)
        return self.deadlines.end(stored)

    def release_if_notified(self, game_id: str) -> bool:
        """Release the flag of a player if they were notified by now: their time begins. Returns
        whether the flag is still held."""
        stored = self.load(game_id)
        return self.deadlines.released(stored).untold_until is not None

    # Reading

    def load(self, game_id: str) -> StoredGame:
        """The current game, without checking who may see it."""
        return self.repository.get(game_id)

    def current(self, game_id: str) -> StoredGame:
        """The current game after any passed deadline."""
        return self.deadlines.current(game_id)

    def cached(self, game_id: str) -> StoredGame:
        """The cached game, possibly outdated, for data that never change, like its options."""
        return self.repository.cached(game_id) or self.load(game_id)

    def read(
        self,
        game_id: str,
        reader: str | None,
        *,
        at: int | None = None,
        invite: str | None = None,
        latest: StoredGame | None = None,
    ) -> StoredGame:
        """The current game, or the game after event `at`, if `reader` (None: not signed in) may see
        it.

        Until somebody takes the seat, the holder of the invite sees a private game too, also once
        it was cancelled.
        """
        stored = self.shown(latest or self.load(game_id), reader, invite)
        return stored if at is None else self.repository.get(game_id, at)

    def shown(
        self, stored: StoredGame, reader: str | None, invite: str | None = None
    ) -> StoredGame:
        """The game after any passed deadline, if `reader` may see it, as for `read`."""
        waits = len(stored.players) < 2
        invited = waits and self.invitations.is_valid(stored.id, invite)
        if not invited and not permissions.may_see(stored, reader):
            raise permissions.hidden()
        return self.deadlines.shown(stored, reader)

    def view(self, stored: StoredGame, reader: str | None) -> views.GameShown:
        """The game view, as `reader` may see it."""
        return views.game_view(stored, reader, self._names(stored), self._rated(stored))

    def view_data(self, stored: StoredGame, reader: str | None) -> dict[str, object]:
        """The same in the form of the API."""
        return views.view_data(stored, reader, self._names(stored), self._rated(stored))

    def view_text(self, stored: StoredGame, reader: str | None) -> str:
        """The game view as JSON, cached for later readers who may see the same."""
        names, rated = self._names(stored), self._rated(stored)
        seat = stored.seat_of(reader)
        people = tuple(sorted(names.items()))
        key = (stored.id, stored.version, stored.sealed, seat, people, str(rated))
        text = self._texts.get(key)
        if text is None:
            text = views.to_json(views.view_data(stored, reader, names, rated))
            self._texts.put(key, text)
        return text

    def rematch_of(self, game_id: str, player: str) -> str | None:
        """Return the id of the one of the player's last finished games of which this game is a
        rematch; None if there is none."""
        finished, _ = self.lists.of_player(player, GameFilter("finished"))
        ids = (old["id"] for old in finished)
        return next((old for old in ids if self.rematches.is_of(game_id, old)), None)

    def seat_names(self, stored: StoredGame) -> dict[str, str]:
        return seat_names(stored.game.players, self._names(stored))

    def proofs(self, stored: StoredGame, player: str) -> list[dict[str, object]]:
        """A verdict for each Stone where the player's side is complete: claimable or not, and
        why."""
        return engine.proofs(stored.game, permissions.own_seat(stored, player))

    def _names(self, stored: StoredGame) -> dict[str, str]:
        return self.players.names(views.people_in(stored))

    def _rated(self, stored: StoredGame) -> Rated | None:
        """The effect of a finished game on the ratings."""
        return self.ratings.rated(stored.id) if is_decided(stored) else None

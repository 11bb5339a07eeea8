"""One reader's snapshot of a game, with the reader's own data about it, read in two batches.

The first batch needs only the ids of game and player; it can be sent with the query for the
reader's session. The second reads what depends on the first: names, messages, other games.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine import OTHER, Seat
from engine.chain import StoredEvent
from service.accounts.channels.store import has_channels_query
from service.accounts.links import Ask
from service.accounts.mail_preferences import MailChoice, MailPreferences
from service.accounts.player import Player
from service.accounts.players import Players
from service.accounts.privacy import Presence, PresenceChoice, Presences
from service.core.redis.batch import Batch, Pending, execute
from service.core.redis.client import Client
from service.games.agreements.agreements import OfferedPause, offered_abandonment, offered_pause
from service.games.agreements.offers import Offer
from service.games.analysis.service import NONE, Analysis
from service.games.conversation.page_signs import PageSigns, Sign
from service.games.conversation.service import ConversationPage
from service.games.conversation.store import ConversationState
from service.games.orders.standing import Orders, read_orders
from service.games.projections.ratings import PlayerRating
from service.games.rating.rule import Rated, is_decided
from service.games.reading import views
from service.games.reading.history import last_turn, round_lines
from service.games.repository import LONGEST_ROUND, RecentEvents
from service.games.service import Games
from service.games.stored_game import StoredGame, Unreadable
from service.text.board import seat_names

MESSAGES_AT_ONCE: Final = 20
"""The number of latest messages in a snapshot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideGame:
    """A reader's own data about a game, which are not in its log: orders, offers, messages, a note.

    Everything except `waiting` applies only to a player who sits in the game. `said` is the
    `change_counter` of the player's conversations. `other_games`: the number of games that the
    player has, or had, besides this one, counted up to `lists.SOME`. `account` and `has_channels`
    tell how notices can reach the player. `waiting`: the ids of the player's games in which it is
    their turn. `shows` is the player's choice how opponents see their presence; `opponent` is the
    other player's presence, as far as they let it be seen, and None unless the game is being
    played; `page_sign` is the latest sign from the other player's open page.
    """

    side_state: Mapping[str, str]
    conversation: ConversationPage | None
    note: str
    said: int
    other_games: int
    account: Player | None
    has_channels: bool
    mail: MailChoice
    rematch: StoredGame | None
    waiting: Sequence[str]
    shows: PresenceChoice
    opponent: Presence | None
    page_sign: Sign | None


@dataclass(frozen=True, kw_only=True)
class GameSnapshot:
    """A game for one reader at the moment `now` (unix seconds), optionally at an earlier step.

    `shown` is the game at the step, `latest` without one; `rated` is the effect of its end on the
    ratings; `opponent` is the rating of the reader's opponent, or inviter, before and after a game.
    `recent` are the last lines of the log, `before` those up to `shown`, and `after` those that
    follow it. `beside` has the reader's own data about the game: None at a step, and for readers
    who are not signed in. `invite_url` is the link that one of the players may send;
    `holds_invite`: the reader came by it.
    """

    reader: str | None
    latest: StoredGame
    shown: StoredGame
    rated: Rated | None
    opponent: PlayerRating | None
    names: Mapping[str, str]
    recent: Sequence[str]
    before: Sequence[str]
    after: Sequence[str]
    beside: BesideGame | None
    invite_url: str | None
    holds_invite: bool
    now: float
    analysis: Analysis = NONE

    @cached_property
    def lines(self) -> list[StoredEvent]:
        """The lines of the round of `shown`, as the reader may see them."""
        return round_lines(self.latest, self.reader, self.before, self.after)

    @cached_property
    def last_turn(self) -> int | None:
        """The number of the last event of the reader's own last turn."""
        return last_turn(self.latest, self.reader, self.recent)

    @property
    def seat(self) -> Seat | None:
        """The reader's own seat; None for a spectator."""
        return self.latest.seat_of(self.reader)

    @property
    def of_player(self) -> BesideGame | None:
        """The reader's own data about the game, if the reader plays in it; None otherwise."""
        return self.beside if self.seat is not None else None

    @property
    def orders(self) -> Orders:
        """The reader's standing orders; empty ones for anyone but a player."""
        beside, seat = self.of_player, self.seat
        return read_orders(beside.side_state.get(seat, "") if beside and seat else "")

    @property
    def abandonment(self) -> Offer | None:
        """The open offer to abandon the game; None without one, and for anyone but a player."""
        beside = self.of_player
        return offered_abandonment(self.latest, beside.side_state) if beside else None

    @property
    def pause(self) -> OfferedPause | None:
        """The open offer to pause the clock; None without one, and for anyone but a player."""
        beside = self.of_player
        return offered_pause(self.latest, beside.side_state, self.now) if beside else None

    @property
    def waiting(self) -> list[str]:
        """The ids of the reader's other games that wait for a turn."""
        games = self.beside.waiting if self.beside else ()
        return [game_id for game_id in games if game_id != self.latest.id]

    @property
    def seat_names(self) -> dict[str, str]:
        """The display name of each seat."""
        return seat_names(self.latest.game.players, self.names)

    def view(self, stored: StoredGame, reader: str | None) -> views.GameShown:
        """The view of the game at a step, or with an unsent turn, as this reader may see it."""
        return views.game_view(stored, reader, self.names, self.rated)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfPlayer:
    """The first batch's queries about a player. The results are used only if they are the
    reader."""

    side_state: Pending[dict[str, str]]
    conversation: Pending[ConversationState]
    note: Pending[str]
    said: Pending[int]
    other_games: Pending[int]
    account: Pending[Player | None]
    has_channels: Pending[bool]
    mail: Pending[MailChoice]
    shows: Pending[PresenceChoice]
    active: Pending[list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunSnapshot:
    """The first batch: the game with its last lines, those around a step, and the own data of the
    player who may turn out to be the reader."""

    game_id: str
    at: int | None
    recent: Pending[RecentEvents | None]
    before: Pending[list[str]] | None
    after: Pending[list[str]] | None
    of_player: _OfPlayer | None


@dataclass(eq=False, repr=False)
class GameSnapshots:
    """Reads snapshots. Raises what `Games.read` raises."""

    _redis: Client
    _games: Games
    _players: Players
    _preferences: MailPreferences
    _presences: Presences
    _page_signs: PageSigns

    def read(
        self, game_id: str, reader: str | None, at: int | None = None, invite: str | None = None
    ) -> GameSnapshot:
        """The game, at a step or as it is now, for a reader whose session was checked before."""
        batch = Batch(self._redis)
        begun = self._begin(batch, game_id, reader, at)
        batch.send()
        return self.finish(begun, reader, invite)

    def asking(self, game_id: str, at: int | None = None) -> Ask[BegunSnapshot]:
        """The first queries of a snapshot, to send with the session's; `finish` completes it."""
        return lambda batch, player: self._begin(batch, game_id, player, at)

    def _begin(
        self, batch: Batch, game_id: str, player: str | None, at: int | None
    ) -> BegunSnapshot:
        games, events = self._games, self._games.log.events
        is_step = at is not None
        return BegunSnapshot(
            game_id=game_id,
            at=at,
            recent=batch.ask(games.repository.recent_query(game_id)),
            before=batch.ask(games.repository.before_query(game_id, at)) if at else None,
            after=batch.ask(events.events_query(game_id, at, at + LONGEST_ROUND)) if at else None,
            of_player=None if player is None or is_step else self._ask(batch, game_id, player),
        )

    def finish(
        self, begun: BegunSnapshot, reader: str | None, invite: str | None = None
    ) -> GameSnapshot:
        """The snapshot for this reader: the player whom the session named, or None."""
        games, recent = self._games, begun.recent.get()
        if recent is None:
            raise games.repository.missing(begun.game_id)
        latest = games.shown(recent.stored, reader, invite)
        while latest.version != recent.stored.version:  # its clock has just changed it
            recent = execute(self._redis, games.repository.recent_query(latest.id)) or recent
            latest = recent.stored
        shown, before, after = latest, recent.lines, list[str]()
        if begun.before and begun.after and begun.at:
            shown = games.repository.at(latest, begun.at, begun.before.get)
            before, after = begun.before.get(), begun.after.get()
        batch = Batch(self._redis)
        names = self._players.ask_names(batch, views.people_in(latest))
        rated: Pending[Rated | None] | None = None
        if is_decided(latest):
            rated = batch.ask(games.ratings.rated_query(latest.id))
        opponent: Callable[[], dict[str, PlayerRating]] | None = None
        others = [player for player in latest.players if player != reader]
        if len(others) == 1 and latest.game.status in ("open", "finished"):
            opponent = games.ratings.ask_all(batch, others, reader)
        analysis: Callable[[], Analysis] | None = None
        if latest.was_played:
            analysis = games.analyses.read(batch, latest)
        beside = self._ask_rest(batch, latest, reader, begun.of_player)
        batch.send()
        is_mine = reader is not None and reader in latest.players
        return GameSnapshot(
            reader=reader,
            latest=latest,
            shown=shown,
            rated=rated.get() if rated else None,
            opponent=opponent()[others[0]] if opponent else None,
            names=names(),
            recent=recent.lines,
            before=before,
            after=after,
            beside=beside(),
            invite_url=games.invitations.url(latest.id) if is_mine else None,
            holds_invite=games.invitations.is_valid(latest.id, invite),
            now=games.now(),
            analysis=analysis() if analysis else NONE,
        )

    def _ask(self, batch: Batch, game_id: str, player: str) -> _OfPlayer:
        games = self._games
        return _OfPlayer(
            side_state=batch.ask(games.side_state_query(game_id)),
            conversation=batch.ask(games.conversations.state_query(game_id)),
            note=batch.ask(games.private_notes.query(player, game_id)),
            said=batch.ask(games.conversations.change_counter_query(player)),
            other_games=batch.ask(games.lists.others_query(player, game_id)),
            account=batch.ask(self._players.find_query(player)),
            has_channels=batch.ask(has_channels_query(player)),
            mail=batch.ask(self._preferences.choice_query(player, game_id)),
            shows=batch.ask(self._presences.choice_query(player)),
            active=batch.ask(games.lists.active_query(player)),
        )

    def _ask_rest(
        self, batch: Batch, latest: StoredGame, reader: str | None, begun: _OfPlayer | None
    ) -> Callable[[], BesideGame | None]:
        if reader is None or begun is None:
            return lambda: None
        games, seat = self._games, latest.seat_of(reader)
        others: dict[str, Pending[StoredGame | Unreadable | None]] = {
            game_id: batch.ask(games.repository.listed_query(game_id))
            for game_id in begun.active.get()
            if game_id != latest.id
        }
        page: Callable[[], ConversationPage] | None = None
        if seat is not None and not latest.has_bot and len(latest.players) == 2:
            state = begun.conversation.get()
            page = games.conversations.ask_page(batch, latest, seat, state, limit=MESSAGES_AT_ONCE)
        presence: Callable[[], Presence | None] | None = None
        page_sign: Pending[Sign | None] | None = None
        if page and seat and latest.game.status == "active":
            opponent = latest.game.players[OTHER[seat]] or ""
            presence = self._presences.ask(batch, opponent)
            page_sign = batch.ask(self._page_signs.query(latest.id, opponent))
        rematch: Pending[StoredGame | None] | None = None
        if seat is not None and latest.game.status == "finished":
            rematch = batch.ask(games.rematches.first_query(latest))

        def beside() -> BesideGame:
            conversation = page() if page else None
            is_shut_out = conversation is not None and conversation.is_off_by_opponent
            return BesideGame(
                side_state=begun.side_state.get(),
                conversation=conversation,
                note=begun.note.get(),
                said=begun.said.get(),
                other_games=begun.other_games.get(),
                account=begun.account.get(),
                has_channels=begun.has_channels.get(),
                mail=begun.mail.get(),
                rematch=games.rematches.current_after(latest, rematch.get()) if rematch else None,
                waiting=[
                    game.id
                    for game in games.lists.to_move(
                        {game_id: answer.get() for game_id, answer in others.items()}, reader
                    )
                ],
                shows=begun.shows.get(),
                opponent=presence() if presence and not is_shut_out else None,
                page_sign=page_sign.get() if page_sign and not is_shut_out else None,
            )

        return beside

"""Making, joining, playing and reading games."""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

import engine
from engine import chain
from service.accounts.players import Players, Registration
from service.bots import BOTS, bot_at, bot_named
from service.core import ids
from service.core.cache import ThreadSafeCache, recently_used
from service.core.errors import RequestRejected, check_version
from service.core.redis.batch import Query
from service.core.redis.client import Client
from service.core.settings import Settings
from service.eventlog import EventLog, IdempotencyKey
from service.games import permissions, views
from service.games.abandonment import Abandonments
from service.games.challenges.service import Challenges
from service.games.change import Late, Origin, Writer
from service.games.contact import Contact, Request
from service.games.deadlines import Deadlines
from service.games.invitations import Invitations
from service.games.new_game import NewGame, creation, joining
from service.games.notifications import guest_look
from service.games.orders.service import StandingOrders
from service.games.projections.player_games import EVERY, LOBBY, PlayerIndex, Wanted, place_of
from service.games.rematch import Rematches
from service.games.repository import (
    INVITATION_DAYS,
    LONGEST_ROUND,
    GameRepository,
    RecentEvents,
    StoredGame,
    round_of,
)
from service.games.seals import Seals, used
from service.mail.budget import MailBudget

_log = logging.getLogger(__name__)

API: Final = Origin()
MOST_EXAMINED: Final = 100
"""Games are looked at for one page of those in which it is a player's turn."""
_ATTEMPTS: Final = 3
"""Others may write to a game just then."""
ViewKey = tuple[str, int, engine.Seat | None, tuple[tuple[str, str], ...]]
Ask = Callable[[StoredGame], engine.Command]


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
        now: Callable[[], float] = time.time,
    ) -> None:
        self._log = log
        self._players = players
        self._secret_key = settings.secret_key
        self._now = now
        self._repository = GameRepository(log.events)
        self._index = PlayerIndex(redis)
        self._writer = Writer(log, self._repository, self._index, settings.notice_delay, now)
        self._texts: ThreadSafeCache[ViewKey, str] = recently_used(2000)
        self.invitations = Invitations(redis, settings.secret_key, settings.base_url)
        self._deadlines = Deadlines(self._repository, self._writer, now)
        self.orders = StandingOrders(log, self._repository, self._deadlines)
        self.abandonments = Abandonments(log, self._repository, self._writer, self._deadlines, now)
        # The local mailbox is not the outside world: nobody there needs a verified address.
        verified_only = settings.smtp_url is not None
        self._contact = Contact(
            redis, log, self._repository, players, budget, now, verified_only=verified_only
        )
        self.seals = Seals(redis, settings.secret_key, now)
        self.rematches = Rematches(
            log.events,
            self._repository,
            self._writer,
            self._deadlines,
            players,
            self._contact,
            self.seals,
            settings.secret_key,
        )
        self.challenges = Challenges(
            redis,
            log,
            self._repository,
            self._writer,
            players,
            self._contact,
            self.seals,
            settings.secret_key,
            now,
        )

    # Changing

    def create(
        self, player: str, wanted: NewGame, origin: Origin = API, secret: str | None = None
    ) -> StoredGame:
        """Make a game and seat its maker; against a bot it starts at once.

        `secret` (32 bytes, hex) is that of the seal, or drawn, where none is given. Raises
        `RequestRejected` where the player may not ask this opponent, or not so often (`Contact`).
        """
        game_id = self._new_id(player, wanted.seal, origin.key)
        if wanted.seal and (repeated := self._writer.recall(game_id, origin.key)):
            return repeated  # the seal is used by now, or has expired
        wanted = self._with_bot(player, wanted)
        command = creation(
            player, wanted, secret or self.seals.secret(player, wanted.seal, game_id)
        )
        draft = self._writer.draft(game_id, None, command, origin.via)
        if (bot := bot_named(wanted.bot)) is not None:
            draft = self._writer.then(draft, joining(bot.player, draft.after.game), "bot")
        try:
            self._invite(Request(player, game_id, wanted.invitation_days), wanted)
        except RequestRejected:
            # What is refused now may have been granted to the first of two equal requests.
            repeated = self._writer.recall(game_id, origin.key)
            if repeated is None:
                raise
            return repeated
        self.seals.use(player, wanted.seal, game_id)
        try:
            return self._writer.write(draft, player, origin)
        except RequestRejected as refusal:
            if wanted.seal is None or refusal.code != "stale-version":
                raise
            raise used() from None  # its game is there already

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

        def ask(stored: StoredGame) -> engine.Command:
            invited = self.invitations.is_valid(game_id, invite)
            permissions.check_join(stored, player, invited, self._now())
            return joining(player, stored.game, salt, visited)

        joined = self._change(game_id, player, ask, origin)
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
        self._log.outbox.add(guest_look(guest.player.id, self._now()))
        options = {"invite": invite, "salt": salt, "visited": visited}
        return self.join(game_id, guest.player.id, **options, origin=origin), guest

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

        def ask(stored: StoredGame) -> engine.Command:
            return engine.Resign(permissions.own_seat(stored, player))

        return self._change(game_id, player, ask, origin)

    def withdraw(self, game_id: str, player: str) -> StoredGame:
        """Give up the round, or call off a game that has not begun."""

        def ask(stored: StoredGame) -> engine.Command:
            seat = permissions.own_seat(stored, player)
            return engine.Abandon(seat) if stored.game.status == "open" else engine.Resign(seat)

        return self._change(game_id, player, ask, API)

    def forget(self, player: str) -> None:
        """Keep no list of this player's games, and no seal."""
        self._index.drop(player)
        self.seals.forget(player)

    def call_off(self, game_id: str, player: str, origin: Origin = API) -> StoredGame:
        """Let a game that has not begun be none: by its maker, or by the player it is kept for."""

        def ask(stored: StoredGame) -> engine.Command:
            invited = stored.invited == player and stored.game.status == "open"
            seat = None if invited else permissions.own_seat(stored, player)
            if stored.game.status == "active":
                raise RequestRejected(
                    "game-started", "Both are seated: resign, or agree to abandon it."
                )
            return engine.Abandon(seat)

        return self._change(game_id, player, ask, origin)

    def time_out(self, game_id: str) -> StoredGame | None:
        """End the round of the player whose time is up, or the wait for a second player.

        None where nobody's time is up (any more).
        """
        return self._deadlines.end(self.load(game_id))

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

    def notes_query(self, game_id: str) -> Query[dict[str, str]]:
        """The query for what is noted beside a game, to be asked with others."""
        return self._log.side_state.query(game_id)

    def recent_query(self, game_id: str) -> Query[RecentEvents | None]:
        """The query for a game as it stands, with the last lines of its log."""
        return self._repository.recent_query(game_id)

    def game_query(self, game_id: str) -> Query[StoredGame | None]:
        """The query for a game as it stands, to be asked with others. Its answer is `latest`."""
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
        stored = self._deadlines.shown(stored)
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

    def _names(self, stored: StoredGame) -> dict[str, str]:
        return self._players.names(views.people_in(stored))

    def events(
        self, stored: StoredGame, reader: str | None, after: int = 0, limit: int | None = None
    ) -> list[chain.StoredEvent]:
        """The lines of the record after event `after`, as `reader` may see them; `limit` at most.

        All of them are as many as the game is long: 18,000 in a match of 99 rounds.
        """
        upto = stored.version if limit is None else min(stored.version, after + limit)
        texts = self._log.events.read(stored.id, after=after, upto=upto) if upto > after else []
        return views.redacted(stored, reader, texts)

    def record(self, stored: StoredGame, reader: str | None) -> str:
        """The record in JSON Lines, as `reader` may see it."""
        texts = self._log.events.read(stored.id, upto=stored.version)
        return views.record(stored, reader, texts)

    def events_of_round(
        self, stored: StoredGame, reader: str | None, at: int
    ) -> list[chain.StoredEvent]:
        """The lines of the round in which event `at` is, as `reader` may see them.

        With the first round come the making of the game and the joining of it, with the last one
        the game's end.
        """
        before = self._log.events.execute(
            self._log.events.last_events_query(stored.id, LONGEST_ROUND, at)
        )
        after = self._log.events.read(stored.id, at, min(stored.version, at + LONGEST_ROUND))
        return views.redacted(stored, reader, round_of(before, after))

    def events_since_move(self, stored: StoredGame, player: str | None) -> list[chain.StoredEvent]:
        """What happened since the player last did anything; of a long time only the last part.

        What an order did for them is news to them too.
        """
        seat = stored.seat_of(player)
        recent = self._log.events.last_events_query(stored.id, LONGEST_ROUND, stored.version)
        texts = self._log.events.execute(recent)
        lines = views.redacted(stored, player, texts)
        own = [
            place
            for place, line in enumerate(lines, 1)
            if line["by"] == seat and line["via"] != "order"
        ]
        return lines[max(own, default=0) :]

    def goes_on(self, player: str) -> bool:
        """Whether a game of the player's is not over."""
        return bool(self._index.unfinished(player))

    def proofs(self, stored: StoredGame, player: str) -> list[dict[str, Any]]:
        """For each Stone where the player's side is complete, whether a claim stands, and why."""
        return engine.proofs(stored.game, permissions.own_seat(stored, player))

    def of_player(
        self,
        player: str,
        wanted: Wanted = EVERY,
        *,
        my_turn: bool = False,
        after: str | None = None,
        limit: int = 20,
    ) -> tuple[list[dict[str, Any]], str | None]:
        """A page of summaries of this player's games, the newest first, and the place of the next.

        A page may hold fewer than `limit`, or none, though others follow: with `my_turn`, and where
        the time of a game was up.
        """
        if my_turn:
            games, following = self._my_turns(player, wanted, after, limit)
        else:
            page = self._index.page(player, wanted, after, limit)
            games = [g for g in self._readable(page.game_ids) if wanted.fits(g.game.status)]
            following = page.next
        names = self._players.names({seated for game in games for seated in game.players})
        return [views.summary(game, player, names) for game in games], following

    def public_counts(self, player: str) -> dict[str, int]:
        """How many games that are not private this player sits in, `active` and `finished`."""
        return self._index.public_counts(player)

    def created_at(self, player: str, moment: str) -> list[StoredGame]:
        """The player's games that were made at this moment (RFC 3339, whole seconds)."""
        return self._readable(self._index.created_at(player, moment))

    def _my_turns(
        self, player: str, wanted: Wanted, after: str | None, limit: int
    ) -> tuple[list[StoredGame], str | None]:
        """Whose turn it is, only the logs tell: so many games are looked at and no more."""
        if wanted.status not in (None, "active"):
            return [], None
        page = self._index.page(player, wanted._replace(status="active"), after, MOST_EXAMINED)
        games = [g for g in self._readable(page.game_ids) if g.player_to_move() == player]
        if len(games) > limit:
            return games[:limit], place_of(games[limit - 1])
        return games, page.next

    def lobby(self, after: str | None, limit: int) -> tuple[list[dict[str, Any]], str | None]:
        """A page of the games that anyone may join, the newest first, and the place of the next."""
        page = self._index.page(LOBBY, EVERY, after, limit)
        games = self._still_open(self._readable(page.game_ids))
        names = self._players.names({seated for game in games for seated in game.players})
        return [views.offered(game, names) for game in games], page.next

    def _still_open(self, listed: Iterable[StoredGame]) -> list[StoredGame]:
        """The games that wait for somebody; others are taken out of the list."""
        games = []
        for game in listed:
            if game.game.status == "open":
                games.append(game)
            else:
                self._index.apply(game)
        return games

    def _readable(self, game_ids: Iterable[str]) -> list[StoredGame]:
        """Those whose logs can be read, as they stand by their clocks: one that cannot must not
        hide a player's others."""
        found = self._repository.latest_of(game_ids)
        for game_id, game in found.items():
            if isinstance(game, Exception):
                _log.error("game %s is left out of a list: %s", game_id, game)
        games = [game for game in found.values() if isinstance(game, StoredGame)]
        return [self._deadlines.shown(game) for game in games]

    # How a change is made

    def _change(self, game_id: str, player: str, ask: Ask, origin: Origin) -> StoredGame:
        """Mostly this process has seen the last event, and then need not read the log: an append
        to any other state of the game is refused."""
        remembered = self._repository.cached(game_id)
        if remembered is not None:
            try:
                return self._changed(remembered, player, ask, origin)
            except (RequestRejected, engine.RuleBroken):
                pass  # what counts is how the game stands
        for attempt in range(_ATTEMPTS):
            before = self.load(game_id)
            try:
                return self._changed(before, player, ask, origin)
            except (RequestRejected, engine.RuleBroken) as refusal:
                # What is refused now may have been granted to the first of two equal requests.
                repeated = self._writer.recall(game_id, origin.key)
                if repeated is not None:
                    return repeated
                if isinstance(refusal, Late):
                    raise self._deadlines.refusal(before) from None
                if attempt + 1 == _ATTEMPTS or not _overtaken(refusal, origin):
                    raise
        raise AssertionError("the last attempt gives an answer")

    def _changed(self, before: StoredGame, player: str, ask: Ask, origin: Origin) -> StoredGame:
        command = ask(before)
        check_version(before.version, origin.expected)
        draft = self._writer.draft(before.id, before, command, origin.via)
        return self._writer.write(draft, player, origin)

    def _invite(self, request: Request, wanted: NewGame) -> None:
        """Let the opponent be asked, if there is one to be asked."""
        if wanted.opponent is not None and (opponent := self._players.find(wanted.opponent)):
            self._contact.ask(request, opponent)
        if wanted.opponent_email is not None:
            self._contact.write_to(request, wanted.opponent_email)
            # Before the notice is there that will ask for it.
            days = wanted.invitation_days or INVITATION_DAYS
            self.invitations.keep_address(request.id, wanted.opponent_email, days)

    def _guest_seed(self, game_id: str, key: IdempotencyKey) -> str:
        return ids.secret_text(ids.derive(self._secret_key, "guest", game_id, key.key))

    def _new_id(self, player: str, seal: str | None, key: IdempotencyKey | None) -> str:
        if key is not None:
            return ids.derived_game_id(self._secret_key, "game", player, key.key)
        if seal is not None:
            return ids.derived_game_id(self._secret_key, "sealed game", player, seal)
        return ids.game_id()

    def _with_bot(self, player: str, wanted: NewGame) -> NewGame:
        """What is wanted, where that can be had; a bot is asked for by name or as a player."""
        bot = bot_named(wanted.bot) or bot_at(wanted.opponent)
        if bot is not None:
            self._players.ensure_exists(bot.player, bot.title)
            return replace(wanted, bot=bot.name, opponent=None)
        if wanted.bot is not None:
            raise RequestRejected(
                "bot-not-available",
                f"There is no bot {wanted.bot!r} here. The bots are {' and '.join(BOTS)}.",
                bots=list(BOTS),
            )
        if wanted.opponent == player:
            raise RequestRejected("own-game", "Nobody plays against themselves.")
        if wanted.opponent is not None and self._players.find(wanted.opponent) is None:
            raise RequestRejected("unknown-opponent", "There is no player with this id.")
        return wanted


def _overtaken(refusal: Exception, origin: Origin) -> bool:
    """Whether another write came first, of which the caller need not know."""
    code = refusal.code if isinstance(refusal, RequestRejected) else None
    return code == "stale-version" and origin.expected is None

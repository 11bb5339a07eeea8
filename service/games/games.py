"""Making, joining, playing and reading games."""

import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import engine
from engine import chain
from service import identifiers
from service.cache import Recent
from service.connections import Client
from service.games import access, present
from service.games.index import Page, PlayerIndex, same_place
from service.games.invitations import Invitations
from service.games.notices import notices_of
from service.games.stored import Shelf, StoredGame, fold, sealed
from service.log import Appended, Conflict, GameLog, IdempotencyKey, KeyReused, Repeated
from service.players import Players
from service.refusal import Refused, key_reused, stale
from service.settings import Settings


@dataclass(frozen=True)
class NewGame:
    """What a player asks for when making a game.

    At most one of `opponent` (a player's id), `opponent_email` and `bot` (a name) is given.
    `visited` is a date, `2026-05-31`; `days_per_move` None means no clock.
    """

    edition: str = "iello"
    tactics: bool = False
    expert: bool = False
    rounds: int = 1
    first_player: str = "random"
    seat: engine.Seat = "north"
    opponent: str | None = None
    opponent_email: str | None = None
    bot: str | None = None
    days_per_move: int | None = None
    listed: bool = False
    private: bool = False
    salt: str | None = None
    visited: str | None = None


class Origin(NamedTuple):
    """Where a change comes from: the channel (`via` of the record), the version that the caller
    saw (None: whichever it is), and the caller's idempotency key."""

    via: str = "api"
    expected: int | None = None
    key: IdempotencyKey | None = None


API: Final = Origin()
ViewKey = tuple[str, int, engine.Seat | None, tuple[tuple[str, str], ...]]
Ask = Callable[[StoredGame], engine.Command]


class Games:
    """All games of one server.

    Every method raises `Refused` with a stable code for what this caller may not do, and
    `engine.RuleBroken` for what the rules forbid; then nothing has changed.
    """

    def __init__(
        self,
        redis: Client,
        log: GameLog,
        players: Players,
        settings: Settings,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._log = log
        self._players = players
        self._secret_key = settings.secret_key
        self._notice_delay = settings.notice_delay
        self._now = now
        self._shelf = Shelf(log)
        self._index = PlayerIndex(redis)
        self._texts: Recent[ViewKey, str] = Recent(2000)
        self.invitations = Invitations(redis, settings.secret_key, settings.base_url)

    # Changing

    def create(
        self, player: str, wanted: NewGame, origin: Origin = API, secret: str | None = None
    ) -> StoredGame:
        """Make a game and seat its maker. `secret` (32 bytes, hex) is drawn where none is given."""
        self._check_opponent(player, wanted)
        command = engine.CreateGame(
            player=player,
            seat=wanted.seat,
            edition=wanted.edition,
            tactics=wanted.tactics,
            expert=wanted.expert,
            rounds=wanted.rounds,
            first_player=wanted.first_player,
            secret=secret or secrets.token_hex(32),
            salt=wanted.salt or identifiers.secret_text(),
            visited=wanted.visited,
            terms=_terms(wanted),
        )
        game_id = self._new_id(player, origin.key)
        if wanted.opponent_email is not None:
            self.invitations.keep_address(game_id, wanted.opponent_email)
        return self._append(game_id, None, command, player, origin)

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
            access.check_join(stored, player, invited)
            return engine.JoinGame(player, salt or identifiers.secret_text(), visited)

        return self._change(game_id, player, ask, origin)

    def play(
        self, game_id: str, player: str, actions: Iterable[str], origin: Origin = API
    ) -> StoredGame:
        """Take these actions, in action text, in this order: all of them or none."""
        texts = list(actions)
        return self._change(
            game_id,
            player,
            lambda game: engine.TakeTurn(access.own_seat(game, player), texts),
            origin,
        )

    def resign(self, game_id: str, player: str, origin: Origin = API) -> StoredGame:
        """Give up the round, whoever's turn it is."""

        def ask(stored: StoredGame) -> engine.Command:
            return engine.Resign(access.own_seat(stored, player))

        return self._change(game_id, player, ask, origin)

    def project(self, stored: StoredGame) -> None:
        """Bring the indexes up to this version of the game; they may be ahead of it already."""
        self._index.apply(stored)

    # Reading

    def load(self, game_id: str) -> StoredGame:
        """The game as it stands, whoever may see it."""
        stored = self._shelf.latest(game_id)
        if stored is None:
            raise access.not_found()
        return stored

    def read(
        self,
        game_id: str,
        reader: str | None,
        *,
        at: int | None = None,
        invite: str | None = None,
    ) -> StoredGame:
        """The game as it stands, or stood after event `at`, if `reader` (None: a passer-by) may
        see it. The holder of its invite may see a private game too."""
        stored = self.load(game_id)
        if not access.may_see(stored, reader) and not self.invitations.is_valid(game_id, invite):
            raise access.not_found()
        return stored if at is None else self._as_it_stood(game_id, at)

    def view(self, stored: StoredGame, reader: str | None) -> dict[str, Any]:
        """The game view, as `reader` may see it."""
        return present.game_view(stored, reader, self._players.names(stored.players))

    def view_text(self, stored: StoredGame, reader: str | None) -> str:
        """The game view as JSON, kept for the next reader who may see the same."""
        names = self._players.names(stored.players)
        key = (stored.id, stored.version, stored.seat_of(reader), tuple(sorted(names.items())))
        text = self._texts.get(key)
        if text is None:
            text = present.to_json(present.game_view(stored, reader, names))
            self._texts.put(key, text)
        return text

    def events(
        self, stored: StoredGame, reader: str | None, after: int = 0
    ) -> list[chain.StoredEvent]:
        """The lines of the record after event `after`, as `reader` may see them."""
        texts = self._log.read(stored.id, after=after, upto=stored.version)
        return present.redacted(stored, reader, texts)

    def proofs(self, stored: StoredGame, player: str) -> list[dict[str, Any]]:
        """For each Stone where the player's side is complete, whether a claim stands, and why."""
        return engine.proofs(stored.game, access.own_seat(stored, player))

    def of_player(
        self,
        player: str,
        *,
        status: str | None = None,
        my_turn: bool = False,
        after: str | None = None,
        limit: int = 20,
    ) -> tuple[list[dict[str, Any]], str | None]:
        """A page of summaries of this player's games, the newest first, and the next cursor."""
        page: Page = self._index.page(player, status, my_turn, after, limit)
        games = [game for found in page.game_ids if (game := self._shelf.latest(found))]
        names = self._players.names({seated for game in games for seated in game.players})
        return [present.summary(game, player, names) for game in games], page.next

    # How a change is made

    def _change(self, game_id: str, player: str, ask: Ask, origin: Origin) -> StoredGame:
        before = self.load(game_id)
        try:
            if origin.expected not in (None, before.version):
                raise stale(before.version)
            return self._append(game_id, before, ask(before), player, origin)
        except (Refused, engine.RuleBroken):
            # What is refused now may have been granted to the first of two equal requests.
            repeated = self._repeated(game_id, origin.key)
            if repeated is None:
                raise
            return repeated

    def _append(
        self,
        game_id: str,
        before: StoredGame | None,
        command: engine.Command,
        player: str,
        origin: Origin,
    ) -> StoredGame:
        lines = sealed(before, command, at=self._now(), via=origin.via)
        after = fold(game_id, before, lines)
        assert after is not None, "a decision holds at least one event"
        answer = self._log.append(
            game_id,
            0 if before is None else before.version,
            lines,
            notices=notices_of(before, after, player, self._now() + self._notice_delay),
            deadline=after.deadline,
            key=origin.key,
        )
        match answer:
            case Appended():
                self._shelf.keep(after)
                if not same_place(before, after):
                    self.project(after)
                return after
            case Repeated(version):
                return self._as_it_stood(game_id, version)
            case KeyReused():
                raise key_reused()
            case Conflict(version):
                raise stale(version)

    def _repeated(self, game_id: str, key: IdempotencyKey | None) -> StoredGame | None:
        """The game after the first request under this key, if there was one."""
        match key and self._log.recall(game_id, key):
            case Repeated(version):
                return self._as_it_stood(game_id, version)
            case KeyReused():
                raise key_reused()
            case _:
                return None

    def _as_it_stood(self, game_id: str, version: int) -> StoredGame:
        stored = self._shelf.at(game_id, version)
        if stored is None:
            raise Refused("version-not-found", f"The game has no event {version} yet.")
        return stored

    def _new_id(self, player: str, key: IdempotencyKey | None) -> str:
        if key is None:
            return identifiers.game_id()
        return identifiers.game_id(identifiers.derive(self._secret_key, "game", player, key.key))

    def _check_opponent(self, player: str, wanted: NewGame) -> None:
        if wanted.bot is not None:
            raise Refused("bot-not-available", "This server has no such bot.")
        if wanted.opponent == player:
            raise Refused("own-game", "Nobody plays against themselves.")
        if wanted.opponent is not None and self._players.find(wanted.opponent) is None:
            raise Refused("unknown-opponent", "There is no player with this id.")


def _terms(wanted: NewGame) -> dict[str, Any]:
    clock = None if wanted.days_per_move is None else {"days_per_move": wanted.days_per_move}
    return {
        "clock": clock,
        "invited": wanted.opponent,
        "invited_by_mail": wanted.opponent_email is not None,
        "listed": wanted.listed,
        "private": wanted.private,
    }

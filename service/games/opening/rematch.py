"""Rematches: the same game once more, in which the other player begins.

The new game's id follows from the old one's, so both players come to the same game, however often
and in whichever order they ask.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

import engine
from engine import chain
from engine.events import RoundStarted
from service.accounts.players import Players
from service.bots import bot_at
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.batch import Query
from service.eventlog import EventStore
from service.games import permissions
from service.games.change.writer import ChangeContext, ChangeWriter
from service.games.clock.terms import clock_again
from service.games.deadlines.service import Deadlines
from service.games.opening.limits import ContactLimits, GameRequest
from service.games.opening.new_game import NewGame, creation, joining, unrated_if_own
from service.games.opening.seals import Seals
from service.games.projections.feed_log import PlayerNews
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame

_TRIES: Final = 5
_FIRST_ROUND = 3
"""The number of the event that begins a game's first round, after making and joining it."""


@dataclass(eq=False, repr=False)
class Rematches:
    """The rematches of all games."""

    _events: EventStore
    _repository: GameRepository
    _writer: ChangeWriter
    _deadlines: Deadlines
    _players: Players
    _contact: ContactLimits
    _seals: Seals
    _secret_key: str
    _now: Callable[[], float]
    _news: PlayerNews

    def ask(
        self,
        game_id: str,
        player: str,
        salt: str | None = None,
        seal: str | None = None,
        via: str = "api",
    ) -> StoredGame:
        """The rematch of this game: the first request makes it, the second begins it.

        A bot agrees at once. A `seal` is used only if this call makes the game. Raises
        `RequestRejected`: `game-not-over`, `unknown-opponent`, `unknown-seal`, `seal-used`.
        """
        old = self._deadlines.current(game_id)
        permissions.own_seat(old, player)
        if old.game.status != "finished":
            raise RequestRejected(
                "game-not-over", "Only a game that was played, and is over, has a rematch."
            )
        for attempt in range(_TRIES):
            new_id, new = self._latest(old)
            if new is not None and player in new.players:
                return new
            try:
                if new is None:
                    return self._begin(old, new_id, player, salt, seal, via)
                draft = self._writer.draft(new_id, new, joining(player, new.game, salt), via)
                return self._writer.write(draft, player, ChangeContext(via))
            except RequestRejected as refusal:
                # Both asked at once, or the game's wait for a second player has just ended.
                overtaken = refusal.code in ("stale-version", "time-out")
                if not overtaken or attempt == _TRIES - 1:
                    raise
        raise AssertionError("the last attempt answers or refuses")

    def current(self, old: StoredGame) -> StoredGame | None:
        """The rematch of this game that is offered or has begun; None otherwise."""
        return self._latest(old)[1] if old.game.status == "finished" else None

    def first_query(self, old: StoredGame) -> Query[StoredGame | None]:
        """The query for the first rematch of this game, called off or not."""
        return self._repository.game_query(self._id_of(old.id, 0))

    def is_of(self, new_id: str, old_id: str) -> bool:
        """Whether `new_id` is the id of one of the first rematches of the game `old_id`."""
        return any(new_id == self._id_of(old_id, attempt) for attempt in range(_TRIES))

    def current_after(self, old: StoredGame, first: StoredGame | None) -> StoredGame | None:
        """The rematch that `current` gives, if the first one was already read by `first_query`."""
        return first and self._latest(old, first)[1]

    def _latest(
        self, old: StoredGame, first: StoredGame | None = None
    ) -> tuple[str, StoredGame | None]:
        """Return the id and the game of the current rematch; an unused id and None if there is
        none.

        A rematch that was called off does not count.
        """
        for attempt in count():
            new_id = self._id_of(old.id, attempt)
            new = first if first and not attempt else self._repository.latest(new_id)
            new = new and self._deadlines.settled(new)
            if new is None or new.game.status != "aborted":
                break
        return new_id, new

    def _id_of(self, old_id: str, attempt: int) -> str:
        return ids.derived_game_id(self._secret_key, "rematch", old_id, str(attempt))

    def _begin(
        self,
        old: StoredGame,
        new_id: str,
        player: str,
        salt: str | None,
        seal: str | None,
        via: str,
    ) -> StoredGame:
        seat = permissions.own_seat(old, player)
        other = old.game.players[engine.OTHER[seat]] or ""
        bot = bot_at(other)
        opponent = self._players.find(other)
        if opponent is None:
            raise RequestRejected("unknown-opponent", "The other player is not here any more.")
        secret = self._seals.secret(player, seal, new_id)
        if bot is None:
            days = old.terms.invitation_days
            self._contact.permit_rematch(GameRequest(player, new_id, days), opponent, old.id)
        wanted = _same_again(old, seat, self._first(old), None if bot else other, self._now())
        wanted = unrated_if_own(replace(wanted, salt=salt, seal=seal), player, other, self._players)
        command = creation(player, wanted, secret)
        draft = self._writer.draft(new_id, None, command, via)
        if bot is not None:
            draft = draft.then(joining(other, draft.after.game), "bot")
        self._seals.use(player, seal, new_id)
        made = self._writer.write(draft, player, ChangeContext(via))
        if bot is None:  # no event of the old game says so
            self._news.publish([other], player, None)
        return made

    def _first(self, old: StoredGame) -> engine.Seat:
        """The seat that began the old game."""
        line = json.loads(self._events.read(old.id, upto=_FIRST_ROUND)[-1])
        started = chain.to_event(line)
        assert isinstance(started, RoundStarted), "the event after both players are seated"
        return started.first


def _same_again(
    old: StoredGame, seat: engine.Seat, first: engine.Seat, opponent: str | None, now: float
) -> NewGame:
    """The old game's options for the player in `seat`; `first` is the seat that began it."""
    game = old.game
    return NewGame(
        edition=game.edition,
        tactics=game.tactics,
        expert=game.expert,
        rounds=game.rounds,
        first_player="opponent" if first == seat else "creator",
        seat=seat,
        opponent=opponent,
        clock=clock_again(game.terms.get("clock"), old.created, now),
        invitation_days=game.terms.get("invitation_days"),
        private=old.private,
        rated=game.terms.get("rated"),
    )

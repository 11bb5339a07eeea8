"""Games from finished ones: rematches, and practice games.

A rematch is the same game once more, in which the other player begins. The new game's id follows
from the old one's, so both players come to the same game, however often and in whichever order they
ask.

A practice game is the deal of a finished game again, from any step of it, against a bot. It has the
secret and the salts of the finished one, and so its cards; its log refers to that game for the
moves up to the step, and stores only what is played from there (`service.eventlog.derived`). It
counts in no rating, record or list of real games (`StoredGame.practice`).
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, NamedTuple

import engine
from engine import Seat, chain
from engine.events import CLOCK_TYPES, GameAborted, RoundStarted, TurnEnded
from engine.verify import command_of
from service.accounts.players import Players
from service.bots import bot_at
from service.core import ids
from service.core.errors import RequestRejected
from service.core.redis.batch import Query
from service.core.times import timestamp
from service.core.words import N_
from service.eventlog import EventStore
from service.eventlog.derived import refer
from service.games import permissions
from service.games.clock.state import clock_again
from service.games.creation import Seals
from service.games.deadlines import Deadlines
from service.games.drafts import CLOCK, Draft
from service.games.limits import ContactLimits, GameRequest
from service.games.projections.feed_log import PlayerNews
from service.games.repository import GameRepository
from service.games.stored_game import StoredGame, fold
from service.games.terms import NewGame, creation, joining, server_bot, terms_of, unrated_if_own
from service.games.writer import ChangeContext, ChangeWriter

_TRIES: Final = 5
_FIRST_ROUND: Final = 3
"""The number of the event that deals a game's first round, after making and joining it."""


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
        """The query for the first rematch of this game, cancelled or not."""
        return self._repository.game_query(self._id_of(old.id, 0))

    def declined_query(self, old_id: str, player: str) -> Query[bool]:
        """The query for whether the other player declined the first rematch that this player asked
        for."""

        def was_declined(texts: list[str]) -> bool:
            lines = [json.loads(text) for text in texts]
            if len(lines) != 2 or lines[1]["type"] != GameAborted.TYPE:
                return False
            end = lines[1]
            return lines[0]["data"]["player"] == player and not (end["by"] or end["via"] == CLOCK)

        return self._events.last_events_query(self._id_of(old_id, 0), 2).then(was_declined)

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

        A rematch that was cancelled does not count.
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
            request = GameRequest(player, new_id, days)
            self._contact.permit(request, opponent, rematch_of=old.id)
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


USUAL_BOT: Final = "steward"
_FOLLOWING: Final = 10
"""More events than one command leads to by itself after a step amid them."""


class Wanted(NamedTuple):
    """The choices for a practice game.

    `step` is the number of the event after which it goes on. `seat` is the player's seat: None for
    their own in the finished game or, if they had none, that of the player to move. `bot` is the
    name of the bot in the other seat.
    """

    step: int = 0
    seat: Seat | None = None
    bot: str = USUAL_BOT


class Beginning(NamedTuple):
    """The first lines of a finished game, the game after them, and the turn it is then in."""

    lines: Sequence[chain.StoredEvent]
    game: engine.Game
    turn: int


@dataclass(eq=False, repr=False)
class PracticeGames:
    """Makes practice games."""

    _events: EventStore
    _writer: ChangeWriter
    _deadlines: Deadlines
    _players: Players
    _secret_key: str
    _now: Callable[[], float]

    def begin(
        self, game_id: str, player: str, wanted: Wanted, context: ChangeContext
    ) -> StoredGame:
        """Begin a practice game of this player, who may see the finished game; it starts at once.

        Raises as `check` does.
        """
        old, key = self._finished(game_id, player), context.key
        new_id = ids.game_id()
        if key is not None:
            new_id = ids.derived_game_id(self._secret_key, "practice", player, key.key)
        if repeated := self._writer.recall(new_id, key):
            return repeated
        bot, beginning = server_bot(wanted.bot), self._beginning(old, wanted.step)
        self._players.ensure_exists(bot.player, bot.title)
        seat = wanted.seat or old.seat_of(player) or beginning.game.turn
        creator, joiner = player, bot.player
        if seat != beginning.lines[0]["data"]["seat"]:
            creator, joiner = joiner, creator
        terms = terms_of(NewGame(private=old.private, rated=False)) | {
            "practice": {
                "game": old.id,
                "step": wanted.step,
                "turn": beginning.turn,
                "players": dict(old.game.players),
            }
        }
        differing = {"player": creator, "rounds": 1, "terms": terms}, {"player": joiner}
        at = self._now()
        reference, texts = refer(old.id, beginning.lines, timestamp(at), context.via, differing)
        after = fold(new_id, None, texts)
        assert after is not None, "a log begins with an event"
        events = [chain.to_event(json.loads(text)) for text in texts]
        # Practice games are removed, so no log refers to one: it has a copy of its moves.
        entries = [reference] if old.practice is None else texts
        draft = Draft(None, after, events, entries, at)
        return self._writer.write(draft, player, context)

    def check(self, game_id: str, reader: str | None, wanted: Wanted) -> None:
        """Raise unless such a practice game can begin, for `reader` (None: not signed in).

        Raises `RequestRejected`: `game-not-found`, `game-removed`, `game-not-over`,
        `version-not-found`, `bot-not-available`; and `engine.RuleBroken`, `game-over`, if nothing
        is left to play after the step.
        """
        old = self._finished(game_id, reader)
        server_bot(wanted.bot)
        self._beginning(old, wanted.step)

    def _finished(self, game_id: str, reader: str | None) -> StoredGame:
        stored = self._deadlines.current(game_id)
        if not permissions.may_see(stored, reader):
            raise permissions.hidden()
        if stored.game.status != "finished":
            raise RequestRejected(
                "game-not-over", "Only the deal of a game that is over can be played again."
            )
        if stored.sealed:
            raise permissions.sealed()
        return stored

    def _beginning(self, old: StoredGame, step: int) -> Beginning:
        """The lines of a log up to this step, with what follows by itself from the last command."""
        if step > old.version:
            raise RequestRejected(
                "version-not-found", "The game has no event %(number)s.", {"number": step}
            )
        step = max(step, _FIRST_ROUND)
        texts = self._events.read(old.id, upto=step + _FOLLOWING)
        lines: list[chain.StoredEvent] = [json.loads(text) for text in texts]
        played = [line for line in lines if line["type"] not in CLOCK_TYPES]
        wanted = sum(line["seq"] <= step for line in played)
        game, turn, place = None, 1, 0
        while place < wanted and (game is None or game.round < 2):
            game, decided = engine.advance(game, command_of(chain.to_event(played[place]), game))
            turn += sum(isinstance(event, TurnEnded) for event in decided)
            place += len(decided)
        if game is None or not is_playable(game):
            message = N_("The deal was over at this step: go back to an earlier one.")
            if old.game.rounds > 1:
                message = N_(
                    "The deal was over at this step: go back to an earlier one. Of a match only"
                    " the first round can be played again."
                )
            raise engine.RuleBroken("game-over", "game-over", message)
        return Beginning(played[:place], game, turn)


def is_playable(game: engine.Game) -> bool:
    """Whether somebody is to move in the first round.

    No other round can be dealt again: its shuffle depends on the round's number.
    """
    return game.turn is not None and game.round == 1

"""Practice games: the deal of a finished game again, from any step of it, against a bot.

A practice game is a game like any other. It has the secret and the salts of the finished one, and
so its cards; its log refers to that game for the moves up to the step, and stores only what is
played from there (`service.eventlog.derived`). It counts in no rating, record or list of real games
(`StoredGame.practice`).
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import engine
from engine import Seat, chain
from engine.events import TurnEnded
from engine.verify import command_of
from service.accounts.players import Players
from service.core import ids
from service.core.errors import RequestRejected
from service.core.timestamps import timestamp
from service.eventlog import EventStore
from service.eventlog.derived import CLOCK_TYPES, refer
from service.games import permissions
from service.games.change.draft import Draft
from service.games.change.writer import ChangeContext, ChangeWriter
from service.games.deadlines.service import Deadlines
from service.games.opening.new_game import NewGame, server_bot, terms_of
from service.games.stored_game import StoredGame, fold

USUAL_BOT: Final = "steward"
_DEALT: Final = 3
"""The number of the event after which the first round's cards are dealt."""
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
            raise RequestRejected("version-not-found", f"The game has no event {step}.")
        step = max(step, _DEALT)
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
            detail = "The deal was over at this step: go back to an earlier one."
            if old.game.rounds > 1:
                detail += " Of a match only the first round can be played again."
            raise engine.RuleBroken("game-over", "game-over", detail)
        return Beginning(played[:place], game, turn)


def is_playable(game: engine.Game) -> bool:
    """Whether somebody is to move in the first round.

    No other round can be dealt again: its shuffle depends on the round's number.
    """
    return game.turn is not None and game.round == 1

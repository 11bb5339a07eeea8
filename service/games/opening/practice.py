"""Practice games: the deal of a finished game again, from any step of it, against a bot.

A practice game is a game like any other, with a log of its own. It has the secret and the salts of
the finished one, and so its cards; the moves up to the step are played again at once. It counts in
no rating, record or list of real games (`StoredGame.practice`).
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import engine
from engine import SEATS, Seat, chain
from engine.events import ClockEvent, TurnEnded
from engine.verify import command_of
from service.accounts.players import Players
from service.bots import Bot
from service.core import ids
from service.core.errors import RequestRejected
from service.eventlog import EventStore
from service.games import permissions
from service.games.change.draft import Draft
from service.games.change.writer import ChangeContext, ChangeWriter
from service.games.deadlines.service import Deadlines
from service.games.opening.new_game import NewGame, server_bot, terms_of
from service.games.stored_game import StoredGame

USUAL_BOT: Final = "steward"
_DEALT: Final = 3
"""The number of the event after which the first round's cards are dealt."""


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
    """The commands of a game up to a step, the game after them, and the turn it is then in."""

    commands: Sequence[engine.Command]
    game: engine.Game
    turn: int


class PracticeGames:
    """Makes practice games."""

    def __init__(
        self,
        events: EventStore,
        writer: ChangeWriter,
        deadlines: Deadlines,
        players: Players,
        secret_key: str,
    ) -> None:
        self._events = events
        self._writer = writer
        self._deadlines = deadlines
        self._players = players
        self._secret_key = secret_key

    def begin(
        self, game_id: str, player: str, wanted: Wanted, context: ChangeContext
    ) -> StoredGame:
        """Begin a practice game of this player, who may see the finished game; it starts at once.

        Raises as `check` does.
        """
        old = self._finished(game_id, player)
        new_id = self._new_id(player, context)
        if repeated := self._writer.recall(new_id, context.key):
            return repeated
        bot, beginning = self._chosen(old, wanted)
        self._players.ensure_exists(bot.player, bot.title)
        draft = self._draft(new_id, old, player, bot, wanted, beginning, context.via)
        return self._writer.write(draft, player, context)

    def check(self, game_id: str, reader: str | None, wanted: Wanted) -> None:
        """Raise unless such a practice game can begin, for `reader` (None: not signed in).

        Raises `RequestRejected`: `game-not-found`, `game-removed`, `game-not-over`,
        `version-not-found`, `bot-not-available`; and `engine.RuleBroken`, `game-over`, if nothing
        is left to play after the step.
        """
        self._chosen(self._finished(game_id, reader), wanted)

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

    def _chosen(self, old: StoredGame, wanted: Wanted) -> tuple[Bot, Beginning]:
        return server_bot(wanted.bot), self._beginning(old, wanted.step)

    def _new_id(self, player: str, context: ChangeContext) -> str:
        if context.key is None:
            return ids.game_id()
        return ids.derived_game_id(self._secret_key, "practice", player, context.key.key)

    def _beginning(self, old: StoredGame, step: int) -> Beginning:
        if step > old.version:
            raise RequestRejected("version-not-found", f"The game has no event {step}.")
        texts = self._events.read(old.id, upto=max(step, _DEALT))
        beginning = beginning_of([json.loads(text) for text in texts])
        if not is_playable(beginning.game):
            raise engine.RuleBroken("game-over", "game-over", _nothing_left(old))
        return beginning

    def _draft(
        self,
        new_id: str,
        old: StoredGame,
        player: str,
        bot: Bot,
        wanted: Wanted,
        beginning: Beginning,
        via: str,
    ) -> Draft:
        seat = wanted.seat or old.seat_of(player) or beginning.game.turn
        made, joined, *played = beginning.commands
        assert isinstance(made, engine.CreateGame), "a log begins so"
        assert isinstance(joined, engine.JoinGame), "a round that was played had two players"
        creator, joiner = (player, bot.player) if seat == made.seat else (bot.player, player)
        terms = _terms(old, wanted.step, beginning.turn)
        made = replace(made, player=creator, rounds=1, terms=terms)
        draft = self._writer.draft(new_id, None, made, via)
        for command in (replace(joined, player=joiner), *played):
            draft = draft.then(command, via)
        return draft


def beginning_of(lines: Sequence[chain.StoredEvent]) -> Beginning:
    """Return the commands that wrote these lines of a log, except those of the clock.

    Events that follow automatically from a command belong to it. The commands end with the first
    round.
    """
    events = [event for event in map(chain.to_event, lines) if not isinstance(event, ClockEvent)]
    game, commands, turn, place = None, list[engine.Command](), 1, 0
    while place < len(events) and (game is None or game.round < 2):
        commands.append(command_of(events[place], game))
        game, decided = engine.advance(game, commands[-1])
        turn += sum(isinstance(event, TurnEnded) for event in decided)
        place += len(decided)
    assert game is not None, "a log holds events"
    return Beginning(commands, game, turn)


def is_playable(game: engine.Game) -> bool:
    """Whether somebody is to move in the first round.

    No other round can be dealt again: its shuffle depends on the round's number.
    """
    return game.turn is not None and game.round == 1


def _nothing_left(old: StoredGame) -> str:
    detail = "The deal was over at this step: go back to an earlier one."
    if old.game.rounds > 1:
        detail += " Of a match only the first round can be played again."
    return detail


def _terms(old: StoredGame, step: int, turn: int) -> dict[str, object]:
    origin = {
        "game": old.id,
        "step": step,
        "turn": turn,
        "players": {seat: old.game.players[seat] for seat in SEATS},
    }
    return {**terms_of(NewGame(private=old.private, rated=False)), "practice": origin}
